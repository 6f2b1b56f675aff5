"""Counting rows in files that DuckDB reads with several threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kits import counting_io
from lakelock.adapters.duckdb.counts import count_rows
from lakelock.adapters.duckdb.reader import SharedFile
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.model.counts import Counted
from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO
from pyiceberg.schema import Schema
from pyiceberg.types import IntegerType, LongType, NestedField, StringType

ROWS, GROUP_ROWS = 1_000_000, 2_000
FIELD_IDS = (1, 2)


@pytest.fixture(scope="module")
def compacted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of many row groups, as compaction makes them."""
    path: Path = tmp_path_factory.mktemp("files") / "compacted.parquet"
    schema = arrow_schema(
        Schema(
            NestedField(1, "partition", IntegerType()),
            NestedField(2, "offset", LongType()),
            NestedField(3, "note", StringType()),
        )
    )
    offsets = range(ROWS)
    columns = [[o % 3 for o in offsets], list(offsets), [f"{o * 7919 % ROWS:x}" for o in offsets]]
    arrays = [pa.array(values, kind) for values, kind in zip(columns, schema.types, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), path, row_group_size=GROUP_ROWS, compression="zstd")
    return f"file://{path}"


def test_each_thread_reads_where_it_has_sought_itself() -> None:
    file = SharedFile(lambda: BytesIO(bytes(range(200))), lambda act: act())
    file.seek(10)
    with ThreadPoolExecutor(1) as another:
        assert another.submit(file.seek, 150).result() == 150
        assert (file.tell(), file.read(1)) == (10, bytes([10]))
        assert another.submit(file.read, 1).result() == bytes([150])
    file.close()


@pytest.mark.parametrize("repeat", range(2))
def test_threads_that_read_one_file_at_once_do_not_disturb_each_other(compacted: str, repeat: int) -> None:
    counts = {p: len(range(p, ROWS, 3)) for p in range(3)}
    assert count_rows(PyArrowFileIO(), [compacted], FIELD_IDS, {}) == {p: Counted(n, n, n) for p, n in counts.items()}


def test_a_file_is_opened_for_its_readers_and_not_for_each_read(compacted: str) -> None:
    counting_io.counted.clear()
    count_rows(counting_io.CountingIO(), [compacted], FIELD_IDS, {})
    assert 0 < counting_io.requests()["get"] < ROWS / GROUP_ROWS / 10


def test_storage_that_fails_while_a_file_is_read_is_reported_as_such(compacted: str) -> None:
    class Stream:
        def __init__(self, stream: Any) -> None:
            self.stream = stream

        def __getattr__(self, name: str) -> Any:
            return getattr(self.stream, name)

        def read(self, size: int) -> bytes:
            raise ConnectionResetError("the storage hung up")

    class HangsUp(PyArrowFileIO):
        def new_input(self, location: str) -> PyArrowFile:
            found = super().new_input(location)
            opened = found.open
            found.open = lambda seekable=True: Stream(opened(seekable))  # type: ignore[method-assign, assignment, return-value]
            return found

    with pytest.raises(ConnectionResetError, match="the storage hung up"):
        count_rows(HangsUp(), [compacted], FIELD_IDS, {})
