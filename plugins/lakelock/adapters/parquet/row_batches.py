"""Rows of a Parquet file, as many at a time as memory is to hold."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

# Of values that repeat a row takes more memory than the file says: a read begins with few and takes more as they are
# measured.
FEW_ROWS = 64
MOST_ROWS_A_READ = 8_192
_GROWTH = 8


def batches(parquet: pq.ParquetFile, limit_bytes: int, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """All rows in their order, of all *columns* where none are named, as many at a time as are likely to take *limit_bytes* in
    memory."""
    most = _most_rows(parquet, limit_bytes)
    size = min(FEW_ROWS, most)
    for group in range(parquet.num_row_groups):
        rows, done = parquet.metadata.row_group(group).num_rows, 0
        while done < rows:
            at = 0
            # The number of rows per read is fixed once reading has begun; a second read skips the rows of the first.
            for batch in parquet.iter_batches(size, row_groups=[group], columns=columns):
                at += batch.num_rows
                if at <= done:
                    continue
                fresh = batch.slice(max(0, done - (at - batch.num_rows)))
                done = at
                yield fresh
                fit = max(1, limit_bytes * fresh.num_rows // max(fresh.nbytes, 1))
                if fit < size:
                    # Not again: else a file of both kinds of rows would be read back and forth.
                    size = most = max(1, min(fit, size // 2))
                    break
                if size < most and done >= _GROWTH * size and fit >= _GROWTH * size:
                    size = min(_GROWTH * size, most)
                    break


def _most_rows(parquet: pq.ParquetFile, limit_bytes: int) -> int:
    groups = [parquet.metadata.row_group(n) for n in range(parquet.num_row_groups)]
    bytes_a_row = max((g.total_byte_size // max(g.num_rows, 1) for g in groups), default=0)
    return max(1, min(MOST_ROWS_A_READ, limit_bytes // max(bytes_a_row, 1)))
