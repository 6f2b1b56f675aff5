"""Another engine changes a table between the write and the commit of a batch: docs/changed-tables.md has each case."""

from __future__ import annotations

import json
from typing import Any

import pytest
from kits.changed_tables import AS_THEY_ARE, CHANGES, COLUMNS, STAGED, Changed
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import World, file_of, open_with, write_next
from stack.settings import REPOSITORY

PAGE = REPOSITORY / "docs" / "changed-tables.md"


def send(world: World, record: dict[str, Any]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(record).encode()])


def rows_of(world: World) -> dict[int, dict[str, Any]]:
    found = table_of(world).scan().to_arrow().to_pylist()
    return {row["id"]: {name: value for name, value in row.items() if not name.startswith("_kafka")} for row in found}


@pytest.mark.parametrize("changed", CHANGES, ids=lambda c: c.what)
def test_what_becomes_of_staged_files_and_later_records_is_what_the_page_says(fresh: World, changed: Changed) -> None:
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {COLUMNS}}}")) as runtime:
        send(fresh, {"id": 0, "note": "a", "n": 1})
        fresh.cycle(runtime)
        send(fresh, STAGED)
        write_next(runtime)
        changed.alter(table_of(fresh))
        (done,) = [o for o in fresh.commit(runtime) if o.table == fresh.table]
        assert (done.snapshot_id is not None) == (changed.staged == AS_THEY_ARE)
        fresh.cycle(runtime)
        send(fresh, changed.later)
        fresh.cycle(runtime)
        assert runtime.audit().complete
    rows = rows_of(fresh)
    assert (rows.get(1), rows.get(2)) == (changed.staged_row, changed.later_row)
    dead = [changed.staged_row, changed.later_row].count(None)
    assert len(fresh.rows(f"{fresh.table}__dead_letters")) == dead


def test_the_page_has_every_case() -> None:
    table = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert table[1:] == [changed.row for changed in CHANGES]
