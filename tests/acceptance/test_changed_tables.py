"""Another engine changes a table between the write and the commit of a batch: docs/changed-tables.md has each case."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from kits.changed_tables import AS_THEY_ARE, CHANGES, COLUMNS, STAGED, Changed, evolved
from kits.redrives import redrive
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import World, file_of, open_with, write_next
from lakelock.errors import TableUnfit
from pyiceberg.types import StringType
from stack.settings import REPOSITORY

PAGE = REPOSITORY / "docs" / "changed-tables.md"
DRAWN = pytest.mark.drawn(0.4, about=("ingest/commit", "adapters/iceberg/"))


def send(world: World, record: dict[str, Any]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(record).encode()])


def rows_of(world: World) -> dict[int, dict[str, Any]]:
    found = table_of(world).scan().to_arrow().to_pylist()
    return {row["id"]: {name: value for name, value in row.items() if not name.startswith("_kafka")} for row in found}


@DRAWN
@pytest.mark.parametrize("changed", CHANGES, ids=lambda c: c.what)
def test_what_becomes_of_staged_files_and_later_records_is_what_the_page_says(fresh: World, changed: Changed) -> None:
    _changes(fresh, changed)
    rows = rows_of(fresh)
    assert (rows.get(1), rows.get(2)) == (changed.staged_row, changed.later_row)
    assert fresh.rows(f"{fresh.table}__dead_letters") == []


@DRAWN
@pytest.mark.parametrize("changed", [c for c in CHANGES if c.strict], ids=lambda c: c.what)
def test_with_the_settings_that_the_page_names_records_are_dead_letters(fresh: World, changed: Changed) -> None:
    _changes(fresh, changed, changed.strict)
    rows = rows_of(fresh)
    assert (rows.get(1), rows.get(2)) == (None if changed.lost else changed.staged_row, None)
    assert len(fresh.rows(f"{fresh.table}__dead_letters")) == (2 if changed.lost else 1)


def _changes(fresh: World, changed: Changed, settings: str = "") -> None:
    columns = f", columns: {changed.columns}" if changed.columns else ""
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}{columns}, {settings}}}")) as runtime:
        send(fresh, {"id": 0, "note": "a", "n": 1})
        fresh.cycle(runtime)
        send(fresh, STAGED)
        write_next(runtime)
        changed.alter(table_of(fresh))
        (done,) = [o for o in fresh.commit(runtime) if o.table == fresh.table]
        assert (done.version_id is not None) == (changed.staged == AS_THEY_ARE)
        fresh.cycle(runtime)
        send(fresh, changed.later)
        fresh.cycle(runtime)
        assert runtime.audit().complete


def test_a_dead_letter_that_was_staged_before_its_column_was_added_stays_one_until_a_redrive(fresh: World) -> None:
    strict = f"{{name: {fresh.table}, columns: {COLUMNS}, new_fields: dead_letter}}"
    with open_with(fresh, file_of(fresh, strict)) as runtime:
        send(fresh, {**STAGED, "more": "m"})
        write_next(runtime)
        CHANGES[0].alter(table_of(fresh))
        fresh.cycle(runtime)
        assert (rows_of(fresh), len(fresh.rows(f"{fresh.table}__dead_letters"))) == ({}, 1)
        redrive(runtime)
        assert rows_of(fresh) == {1: {**STAGED, "more": "m"}}
        assert runtime.audit().complete


def test_a_setting_of_a_column_that_was_dropped_stops_the_table_until_the_file_is_edited(fresh: World) -> None:
    def file(name: str) -> str:
        return file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long, {name}: {{type: string, mask: sha256}}}}}}")

    with open_with(fresh, file("note")) as runtime:
        send(fresh, {"id": 0, "note": "a"})
        fresh.cycle(runtime)
        dropped = (lambda u: u.add_column("remark", StringType())), (lambda u: u.delete_column("note"))
        evolved(*dropped)(table_of(fresh))
        send(fresh, {"id": 1, "remark": "b"})
        with pytest.raises(TableUnfit, match="column 'note': the file names it, and the table does not have it"):
            write_next(runtime)
    with open_with(fresh, file("remark")) as runtime:
        # The first plans the batch again with the edited file.
        fresh.cycle(runtime)
        fresh.cycle(runtime)
        assert rows_of(fresh)[1]["remark"] == hashlib.sha256(b"b").hexdigest()


def test_the_page_has_every_case() -> None:
    table = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert table[1:] == [changed.row for changed in CHANGES]
