"""What a copy holds in memory at once, whatever the file says of its size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lakelock.adapters.parquet.row_batches import FEW_ROWS, MOST_ROWS_A_READ, batches


def opened(folder: Path, texts: Sequence[str], row_group: int = 1 << 20) -> pq.ParquetFile:
    table = pa.table({"n": pa.array(range(len(texts)), pa.int64()), "s": pa.array(texts, pa.string())})
    file = folder / "f.parquet"
    pq.write_table(table, file, row_group_size=row_group, dictionary_pagesize_limit=16 << 20)
    return pq.ParquetFile(file)


def test_large_values_that_repeat_are_read_few_at_a_time(tmp_path: Path) -> None:
    with opened(tmp_path, 1_000 * ["x" * (64 << 10)]) as parquet:
        assert parquet.metadata.row_group(0).total_byte_size < 1 << 20
        sizes = [batch.nbytes for batch in batches(parquet, 1 << 20)]
    assert max(sizes) <= FEW_ROWS * (65 << 10)
    assert max(sizes[1:]) <= 2 << 20
    assert sum(sizes) > 60 << 20


def test_small_rows_are_read_many_at_a_time(tmp_path: Path) -> None:
    with opened(tmp_path, [str(n) for n in range(100_000)]) as parquet:
        taken = [batch.num_rows for batch in batches(parquet, 32 << 20)]
    assert max(taken) == MOST_ROWS_A_READ
    assert len(taken) < 50


@settings(max_examples=40)
@given(
    runs=st.lists(st.tuples(st.sampled_from([0, 10, 3_000]), st.integers(1, 900)), min_size=1, max_size=4),
    row_group=st.integers(1, 2_000),
    limit=st.sampled_from([1, 10_000, 1 << 20]),
)
def test_each_row_is_read_once_and_in_its_order(
    tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[int, int]], row_group: int, limit: int
) -> None:
    texts = [chr(97 + k) * size for k, (size, count) in enumerate(runs) for _ in range(count)]
    with opened(tmp_path_factory.mktemp("batches"), texts, max(row_group, len(texts) // 20)) as parquet:
        read = pa.Table.from_batches(batches(parquet, limit))
    assert read["n"].to_pylist() == list(range(len(texts)))
    assert read["s"].to_pylist() == texts
