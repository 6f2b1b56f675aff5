"""Rows of an interval are found in files of a real table, taken out of them, and others take their place in one commit."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from kits.columns import columns
from kits.here_writer import HereCopier
from kits.iceberg import HOUR_US, adopted, change, open_tables, plain_catalog, raw, write_rows
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.errors import BooksUnbalanced, TableUnfit
from lakelock.ingest.write_order import target_of
from lakelock.model.batches import DataFile
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.table_files import Compared, OfTime, RowsOf
from lakelock.ports import CopyOrder, CopySlice, TableState
from lakelock.ports.edits import Overwrite
from lakelock.replace import decision as replace
from lakelock.replace.decision import FilesOfInterval
from pyiceberg.table.snapshots import Operation
from pyiceberg.types import LongType

NAME = "shop.orders"
Place = tuple[int | None, int | None]
COLUMNS = columns({"p": "int", "o": "long", "name": "string", "ts": "timestamptz"})
FIRST: Sequence[Place] = [(0, n) for n in range(10)]
SECOND: Sequence[Place] = [(0, n) for n in range(10, 20)] + [(1, n) for n in range(10)]
THIRD: Sequence[Place] = [(1, n) for n in range(20, 30)] + [(None, 30), (1, None)]
ROWS = RowsOf(("p", "o"), (OffsetRange(Source("t", "id", 0), 5, 15), OffsetRange(Source("t", "id", 1), 0, 10)))
WANTED: Sequence[Place] = [(0, n) for n in range(5, 15)] + [(1, n) for n in range(10)]


@pytest.fixture
def tables(folder: Path) -> IcebergTables:
    return open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    )


def rows(places: Sequence[Place], name: str) -> pa.Table:
    """An hour of the epoch each."""
    offsets = [o for _, o in places]
    return pa.table(
        {
            "p": pa.array([p for p, _ in places], pa.int32()),
            "o": pa.array(offsets, pa.int64()),
            "name": pa.array([name] * len(places), pa.string()),
            "ts": pa.array([(o or 0) * HOUR_US * 4 for o in offsets], pa.timestamp("us", tz="UTC")),
        }
    )


def filled(tables: IcebergTables, **more: Any) -> TableState:
    adopted(tables, NAME, columns=COLUMNS, **more)
    for places in (FIRST, SECOND, THIRD):
        state = tables.load(NAME)
        tables.commit(state, change(state, files=write_rows(state, rows(places, "old"))))
    return tables.load(NAME)


def files_of_interval(tables: IcebergTables, state: TableState) -> FilesOfInterval:
    storage = IcebergStorage(tables.border)
    candidates = list(storage.candidates(state, ROWS))
    return replace.of_interval(candidates, storage.rows_within(state, ROWS, [f.path for f in candidates]))


def copies(tables: IcebergTables, state: TableState, of_interval: FilesOfInterval) -> tuple[DataFile, ...]:
    storage, out = IcebergStorage(tables.border), []
    for file in of_interval.cut:
        target = target_of(state, tables.storage(state), layout=storage.layout(state, file.partitioning))
        one = CopySlice(file.partition, ((file.path, file.rows),))
        order = CopyOrder(str(uuid.uuid4()), target, (one,), ROWS)
        out += [f for o in HereCopier().run(order) for f in o.files]
    return tuple(out)


def read(tables: IcebergTables) -> list[tuple[Any, ...]]:
    """By DuckDB, of the files that PyIceberg's own catalog names."""
    paths = [
        t.file.file_path.removeprefix("file://") for t in plain_catalog(tables).load_table(NAME).scan().plan_files()
    ]
    found: list[tuple[Any, ...]] = duckdb.sql(
        f"SELECT p, o, name FROM read_parquet({paths!r}, union_by_name = true) ORDER BY 1, 2"
    ).fetchall()
    return found


def test_files_that_have_none_of_a_time_by_their_manifests_are_not_opened(tables: IcebergTables) -> None:
    state, storage = filled(tables), IcebergStorage(tables.border)
    of_first = RowsOf(("p", "o"), (OffsetRange(Source("t", "id", 0), 0, 30),))
    hours = [hour * 4 * 3_600_000 for hour in (0, 10, 20)]
    (gone,) = (t.file.file_path for t in raw(state).scan().plan_files() if t.file.record_count == len(FIRST))
    Path(gone.removeprefix("file://")).unlink()
    assert storage.of_time(state, of_first, "ts", (hours[1], hours[2])) == {
        0: OfTime(10, 10, 19, 0, hours[2] - 4 * 3_600_000)
    }
    for moment, times in (("ts", (hours[0], hours[1])), (None, (hours[1], hours[2]))):
        with pytest.raises(TableUnfit):
            storage.of_time(state, of_first, moment, times)


@pytest.mark.parametrize("partition_by", [(), ("day(ts)",), ("bucket(4, o)",)])
def test_just_the_rows_of_the_interval_give_way_in_one_commit(
    tables: IcebergTables, partition_by: tuple[str, ...]
) -> None:
    state = filled(tables, partition_by=partition_by)
    before = read(tables)
    of_interval = files_of_interval(tables, state)
    assert of_interval.rows == len(WANTED)
    kept = copies(tables, state, of_interval)
    replace.check_copies(NAME, of_interval, sum(f.rows for f in kept))
    new = write_rows(state, rows(WANTED, "new"))
    storage, old = IcebergStorage(tables.border), [f.path for f in of_interval.files]
    found = storage.compared(state, ROWS, old, [f.path for f in new])
    assert found == {0: Compared(10, 10), 1: Compared(10, 10)}
    tables.commit(state, change(state, edit=Overwrite(tuple(old), (*new, *kept))))
    within = {*WANTED}
    assert sorted(read(tables), key=str) == sorted(
        [(p, o, "new" if (p, o) in within else "old") for p, o, _ in before], key=str
    )
    head = raw(tables.load(NAME)).current_snapshot()
    assert head is not None
    assert head.summary is not None
    assert head.summary.operation is Operation.OVERWRITE
    assert head.summary["added-records"] == head.summary["deleted-records"]
    after = files_of_interval(tables, tables.load(NAME))
    assert {f.path for f in after.files} == {f.path for f in new}
    assert not after.cut


def test_manifests_spare_looking_into_files_that_have_none_of_it(tables: IcebergTables) -> None:
    state = filled(tables)
    storage = IcebergStorage(tables.border)
    assert len(list(storage.candidates(state, ROWS))) == 2
    late = RowsOf(ROWS.columns, (OffsetRange(Source("t", "id", 1), 25, 99),))
    (only,) = storage.candidates(state, late)
    assert storage.rows_within(state, late, [only.path]) == {only.path: 5}


def test_other_offsets_are_reported_one_by_one_though_they_are_as_many(tables: IcebergTables) -> None:
    state = filled(tables)
    of_interval, storage = files_of_interval(tables, state), IcebergStorage(tables.border)
    instead = [(p, 3 if (p, o) == (0, 6) else o) for p, o in WANTED if (p, o) != (1, 2)]
    new = write_rows(state, rows([*instead, (1, 4)], "new"))
    found = storage.compared(state, ROWS, [f.path for f in of_interval.files], [f.path for f in new])
    # An offset of outside the interval is none of its rows.
    assert found[0] == Compared(10, 9, lost=1, first_lost=6)
    assert found[1] == Compared(10, 10, twice=1, lost=1, first_twice=4, first_lost=2)


def test_rows_that_are_not_as_many_are_never_committed(tables: IcebergTables) -> None:
    state = filled(tables)
    of_interval = files_of_interval(tables, state)
    with pytest.raises(BooksUnbalanced):
        tables.commit(state, change(state, edit=Overwrite(tuple(f.path for f in of_interval.files), ())))


def test_files_from_before_the_columns_have_no_row_of_it(tables: IcebergTables) -> None:
    state = filled(tables)
    with raw(state).update_schema() as changing:
        changing.delete_column("o")
    with raw(tables.load(NAME)).update_schema() as changing:
        changing.add_column("o", LongType())
    assert files_of_interval(tables, tables.load(NAME)).files == ()


def test_a_file_that_is_gone_is_reported(tables: IcebergTables) -> None:
    state = filled(tables)
    of_interval, storage = files_of_interval(tables, state), IcebergStorage(tables.border)
    Path(of_interval.files[0].path.removeprefix("file://")).unlink()
    with pytest.raises(TableUnfit, match="is gone"):
        storage.rows_within(state, ROWS, [f.path for f in of_interval.files])
    with pytest.raises(TableUnfit, match="is gone"):
        copies(tables, state, of_interval)
