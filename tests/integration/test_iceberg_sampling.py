"""Which files sample rows are of: the newest, and none whose rows may be hidden or take too long."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from kits.iceberg import adopted, open_tables, raw
from kits.iceberg_files import NAME, filled, position_delete
from lakelock.adapters.iceberg import IcebergTables, sampling
from lakelock.adapters.iceberg.sampling import MOST_FILES, sample
from lakelock.errors import Unreachable


@pytest.fixture
def tables(folder: Path) -> IcebergTables:
    return open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    )


def sampled(tables: IcebergTables, rows: int = 3) -> tuple[list[str | None], str]:
    """The ids of the rows, and why there may be more."""
    found = sample(tables, tables.load(NAME), "orders", rows)
    at = found.sample.columns.index("id")
    return [row[at] for row in found.sample.rows], found.why_few


def test_rows_are_of_the_newest_files(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    assert sampled(tables) == ([], "")
    filled(tables, 2)
    assert sampled(tables) == (["1", "0"], "")
    filled(tables, 3, start=2)
    assert sampled(tables) == (["4", "3", "2"], "")
    filled(tables, MOST_FILES, start=5)
    ids, why = sampled(tables, MOST_FILES + 2)
    assert ids == [str(n) for n in range(MOST_FILES + 4, 4, -1)]
    assert why == f"They are of the newest {MOST_FILES} files."


def test_rows_that_delete_files_may_hide_are_left_out(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    filled(tables, 2)
    table = raw(tables.load(NAME))
    first = next(iter(table.scan().plan_files())).file
    position_delete(tables, first)
    ids, why = sampled(tables)
    assert ids == []
    assert "delete files" in why
    filled(tables, 1, start=2)
    ids, why = sampled(tables)
    assert ids == ["2"]
    assert "delete files" in why


def test_storage_that_hangs_is_waited_for_no_longer_than_the_time_limit(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopted(tables, NAME)
    filled(tables, 1)
    answers = threading.Event()
    monkeypatch.setattr(sampling, "TIMEOUT_S", 0.1)
    read = sampling._read
    monkeypatch.setattr(sampling, "_read", lambda *key: (answers.wait(60), read(*key))[1])
    with pytest.raises(Unreachable, match="within"):
        sampled(tables)
    answers.set()
    monkeypatch.setattr(sampling, "TIMEOUT_S", 60.0)
    assert sampled(tables) == (["0"], "")
