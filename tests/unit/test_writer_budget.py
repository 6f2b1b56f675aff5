"""The tables of a task share memory, open files and local disk; a fault of one is no fault of another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.iceberg.definitions import partition_spec_of, schema_of
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.errors import TableUnfit, Unreachable
from lakelock.model.batches import DataFile
from lakelock.ports import TableDefinition

OF = columns({"id": "long", "text": "string"})
PARTITIONED = partition_spec_of(("bucket(8, id)",), schema_of(TableDefinition(OF)))


def writers(folder: Path, count: int, budget: WriterBudget, **more: Any) -> list[TableWriter]:
    targets = [target(folder, f"t{n}", OF, ["t"], metadata_columns={}, **more) for n in range(count)]
    return [TableWriter(t, "b", "a", 1 << 30, budget=budget) for t in targets]


def rows(writer: TableWriter, start: int, count: int) -> pa.Table:
    texts = [f"{n:0100d}" for n in range(start, start + count)]
    return pa.Table.from_arrays([pa.array(range(start, start + count)), pa.array(texts)], schema=writer.arrow_schema)


def ids(files: tuple[DataFile, ...]) -> list[int]:
    found = [pq.read_table(f.path.removeprefix("file://"))["id"].to_pylist() for f in files]
    return sorted(i for of_file in found for i in of_file)


def buffered(all_writers: list[TableWriter]) -> int:
    return sum(w._buffered_bytes for w in all_writers)


def test_many_tables_buffer_no_more_than_their_budget_and_each_gets_one_file(tmp_path: Path) -> None:
    limit = 2 << 20
    budget = WriterBudget(limit)
    tables = writers(tmp_path, 60, budget)
    most, block = 0, rows(tables[0], 0, 400).nbytes
    for start in range(0, 4_000, 400):
        for table in tables:
            table.write(rows(table, start, 400))
            most = max(most, buffered(tables))
    assert limit - block < most <= limit
    for table in tables:
        (file,) = table.finish()
        assert ids((file,)) == list(range(4_000))
        assert pq.ParquetFile(file.path.removeprefix("file://")).num_row_groups == 1
    budget.close()


def test_a_table_that_has_most_rows_writes_row_groups_and_the_others_keep_their_memory(tmp_path: Path) -> None:
    budget = WriterBudget(12 << 20)
    large, small = writers(tmp_path, 2, budget)
    small.write(rows(small, 0, 10))
    for start in range(0, 200_000, 10_000):
        large.write(rows(large, start, 10_000))
    assert small._buffered_bytes > 0
    (file,) = large.finish()
    assert pq.ParquetFile(file.path.removeprefix("file://")).num_row_groups > 1
    assert ids((file,)) == list(range(200_000))
    assert ids(small.finish()) == list(range(10))
    budget.close()


def test_all_tables_together_keep_a_bounded_number_of_files_open(tmp_path: Path) -> None:
    budget = WriterBudget(1 << 30, open_files=10)
    tables = writers(tmp_path, 5, budget, spec=PARTITIONED)
    for table in tables:
        table._buffer_bytes = 1
    most = 0
    for start in range(0, 500, 100):
        for table in tables:
            # One partition at a time has all rows of a write, and gets a row group at once.
            for n in range(start, start + 20):
                table.write(rows(table, n, 1))
                most = max(most, sum(len(t._open) for t in tables))
    assert most == 10
    for table in tables:
        assert ids(table.finish()) == sorted(n for start in range(0, 500, 100) for n in range(start, start + 20))
    budget.close()


def test_a_fault_while_another_table_needs_room_is_raised_by_its_own_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = WriterBudget(12 << 20)
    broken, sound = writers(tmp_path, 2, budget)
    broken.write(rows(broken, 0, 80_000))
    (tmp_path / "t0").write_text("no folder")
    for start in range(0, 120_000, 10_000):
        sound.write(rows(sound, start, 10_000))
    with pytest.raises((Unreachable, TableUnfit), match="ns.t0"):
        broken.write(rows(broken, 80_000, 1))
    with pytest.raises((Unreachable, TableUnfit), match="ns.t0"):
        broken.finish()
    assert ids(sound.finish()) == list(range(120_000))
    budget.close()


def test_an_abandoned_table_leaves_nothing_to_the_others(tmp_path: Path) -> None:
    budget = WriterBudget(1 << 20)
    first, second = writers(tmp_path, 2, budget)
    for start in range(0, 8_000, 1_000):
        first.write(rows(first, start, 1_000))
        second.write(rows(second, start, 1_000))
    assert budget.disk._pieces
    first.abandon()
    assert list(budget.disk._pieces) == [(second, ())]
    assert ids(second.finish()) == list(range(8_000))
    assert not budget.disk._pieces
    budget.close()
