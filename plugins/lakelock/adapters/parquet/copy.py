"""Copy the rows of data files unchanged into a new one, reading each file under its own schema."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.io import FileIO
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.table.sorting import SortOrder

from lakelock.adapters.parquet.copied_columns import Columns, FileUnfit
from lakelock.adapters.parquet.cut import outside
from lakelock.adapters.parquet.data_file_json import partition_of
from lakelock.adapters.parquet.file import Folder, ParquetFile, one_line, storage_fault
from lakelock.adapters.parquet.routes import Router
from lakelock.errors import BooksUnbalanced, State, TableUnfit
from lakelock.ports import CopyOrder, CopyOutput
from lakelock.upkeep.compact_decision import ATTEMPT

BUFFER_BYTES = 32 << 20
# Repeated values take more memory per row than their size in the file: reads start with few rows and grow as rows
# are measured.
FEW_ROWS = 64
MOST_ROWS_A_READ = 8_192
_GROWTH = 8
_END_BYTES = 1 << 16
_READ_BYTES = 1 << 20


class _Poison(Exception):
    """The path of a file that cannot be copied, and the reason."""

    def __init__(self, path: str, why: str) -> None:
        self.unfit = (path, why)


def copy_files(order: CopyOrder, slice_no: int) -> CopyOutput:
    """Copy the files of a slice into one; no file if they have no rows, or one of them cannot be copied.

    Raises TableUnfit, Unreachable, AccessDenied, BooksUnbalanced; nothing then references a file written before.
    """
    target, sources = order.target, order.slices[slice_no].files
    folder = Folder(target, order.group_id, ATTEMPT, State.FILES_KEPT)
    spec, sort_order = PartitionSpec.model_validate(target.spec), SortOrder.model_validate(target.sort_order)
    columns = Columns(folder.schema, spec)
    router = Router(folder.schema, spec, sort_order)
    limit_bytes = min(BUFFER_BYTES, folder.wanted.row_group_bytes or BUFFER_BYTES)
    file: ParquetFile | None = None
    read = kept = 0
    try:
        for piece in _pieces(folder.io, columns, sources, target.table, limit_bytes):
            read += piece.num_rows
            rows = piece if order.without is None else outside(piece, order.without)
            kept += rows.num_rows
            if not rows.num_rows:
                continue
            file = file or ParquetFile(folder, partition_of(order.slices[slice_no].partition))
            file.append(router.sorted(rows))
    except _Poison as fault:
        return CopyOutput(slice_no, None, fault.unfit)
    out = file.close(sort_order.order_id if sort_order.fields else None) if file else None
    wanted, written = sum(rows for _, rows in sources), out.rows if out else 0
    if wanted != read or kept != written:
        raise BooksUnbalanced(
            f"table {target.table}: its manifests say that {len(sources)} files have {wanted} rows. {read} were read, "
            f"{kept} were selected for the copy, and {written} were written. The first file is {sources[0][0]}.",
            State.FILES_KEPT,
        )
    return CopyOutput(slice_no, out)


def why_unfit(io: FileIO, path: str, rows: int, columns: Columns) -> str:
    """Why the footer at *path* rules out a copy; empty if it does not. Raises the storage's errors."""
    try:
        with _opened(io, path) as parquet:
            columns.of(parquet)
            found = parquet.metadata.num_rows
    except FileNotFoundError:
        return "its file is gone"
    except FileUnfit as fault:
        return str(fault)
    except (OSError, pa.ArrowInvalid):
        # The Parquet library raises the same errors for a garbled footer as for storage that does not answer.
        _read_its_end(io, path)
        return "it cannot be read as Parquet"
    return "" if found == rows else "it does not have the rows that its manifest says"


def _read_its_end(io: FileIO, path: str) -> None:
    """Read the end of the file; raises the storage's errors."""
    source = io.new_input(path)
    with source.open() as stream:
        stream.seek(max(len(source) - _END_BYTES, 0))
        stream.read(_END_BYTES)


def _read_all(io: FileIO, path: str) -> None:
    """Read the whole file; raises the storage's errors."""
    with io.new_input(path).open() as stream:
        while stream.read(_READ_BYTES):
            pass


def _pieces(
    io: FileIO, columns: Columns, sources: tuple[tuple[str, int], ...], table: str, limit_bytes: int
) -> Iterator[pa.Table]:
    """The rows of all files in order, in blocks."""
    held: list[pa.Table] = []
    held_bytes = 0
    for path, _ in sources:
        with _faults(io, table, path), _opened(io, path) as parquet:
            found = columns.of(parquet)
            for batch in batches(parquet, limit_bytes):
                rows = columns.taken(found, batch)
                held.append(rows)
                held_bytes += rows.nbytes
                if held_bytes >= limit_bytes:
                    yield pa.concat_tables(held)
                    held, held_bytes = [], 0
    if held:
        yield pa.concat_tables(held)


def batches(parquet: pq.ParquetFile, limit_bytes: int, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """All rows in order with *columns* (None: all), in batches that likely take *limit_bytes* of memory."""
    most = _most_rows(parquet, limit_bytes)
    size = min(FEW_ROWS, most)
    for group in range(parquet.num_row_groups):
        rows, done = parquet.metadata.row_group(group).num_rows, 0
        while done < rows:
            at = 0
            # A reader's batch size is fixed, so a change needs a new one, which skips the rows already read.
            for batch in parquet.iter_batches(size, row_groups=[group], columns=columns):
                at += batch.num_rows
                if at <= done:
                    continue
                fresh = batch.slice(max(0, done - (at - batch.num_rows)))
                done = at
                yield fresh
                fit = max(1, limit_bytes * fresh.num_rows // max(fresh.nbytes, 1))
                if fit < size:
                    # Never grow again: a file with both kinds of rows would be read back and forth.
                    size = most = max(1, min(fit, size // 2))
                    break
                if size < most and done >= _GROWTH * size and fit >= _GROWTH * size:
                    size = min(_GROWTH * size, most)
                    break


def _most_rows(parquet: pq.ParquetFile, limit_bytes: int) -> int:
    groups = [parquet.metadata.row_group(n) for n in range(parquet.num_row_groups)]
    bytes_a_row = max((g.total_byte_size // max(g.num_rows, 1) for g in groups), default=0)
    return max(1, min(MOST_ROWS_A_READ, limit_bytes // max(bytes_a_row, 1)))


@contextmanager
def _opened(io: FileIO, path: str) -> Iterator[pq.ParquetFile]:
    # Read column chunks piece by piece: whole chunks of all columns may exceed the memory limit.
    with (
        io.new_input(path).open() as stream,
        pq.ParquetFile(stream, buffer_size=_READ_BYTES, pre_buffer=False) as parquet,
    ):
        yield parquet


@contextmanager
def _faults(io: FileIO, table: str, path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as fault:
        raise TableUnfit(f"table {table}: data file {path} is gone.", State.FILES_KEPT, "Restore it.") from fault
    except OSError as fault:
        try:
            _read_all(io, path)
        except OSError:
            raise storage_fault(fault, table, path, State.FILES_KEPT, "read") from fault
        # Reading worked: the storage is fine, and the file is garbled.
        raise _Poison(path, one_line(fault)) from fault
    except MemoryError:
        raise
    except (FileUnfit, pa.ArrowException) as fault:
        raise _Poison(path, one_line(fault)) from fault
