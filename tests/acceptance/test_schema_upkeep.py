"""Maintenance of a table whose columns change often, with files, tables and a log of real servers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from kits.changed_tables import evolved
from kits.evolution import BOTH
from kits.topics import new_producer, produce
from kits.upkeep import FEW, roll_back, table_of
from kits.world import World, file_of, open_with, write_next
from lakelock.app.runtime import Runtime
from lakelock.model.ledger import Mode
from lakelock.upkeep.expiry_decision import ExpiryLimits
from pyiceberg.exceptions import BadRequestError
from pyiceberg.table import Table
from pyiceberg.table.update import RemoveSchemasUpdate
from pyiceberg.types import LongType

TIMES = 60


def send(world: World, *records: dict[str, Any]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(record).encode() for record in records])


def size_bytes(table: Table) -> int:
    return len(table.io.new_input(table.metadata_location))


def schema_ids(world: World) -> set[int]:
    return {s.schema_id for s in table_of(world).metadata.schemas}


def opened(world: World) -> Any:
    return open_with(world, file_of(world, f"{{name: {world.table}, columns: {{id: long, note: string}}, {BOTH}}}"))


def grown(world: World, runtime: Runtime, first: int, end: int) -> None:
    """A batch for each new column."""
    for n in range(first, end):
        send(world, {"id": n, f"c{n}": n})
        world.cycle(runtime)


def test_after_many_changes_few_schemas_stay_and_nothing_is_forgotten(fresh: World) -> None:
    with opened(fresh) as runtime:
        send(fresh, {"id": -1, "note": "a"})
        fresh.cycle(runtime)
        evolved(lambda u: u.delete_column("note"))(table_of(fresh))
        grown(fresh, runtime, 0, TIMES)
        # Staged, and then other columns come: the part names a schema that no snapshot shall have.
        send(fresh, {"id": TIMES})
        write_next(runtime)
        (part,) = runtime.log.staged(runtime.pipeline.name, fresh.table)
        paths = {f.path for f in part.result.files}
        evolved(*((lambda u, n=n: u.add_column(f"theirs{n}", LongType())) for n in range(3)))(table_of(fresh))
        before = table_of(fresh)
        assert len(before.metadata.schemas) == TIMES + 5
        planned = runtime.expiry.preview(fresh.table, FEW)
        assert schema_ids(fresh) == {s.schema_id for s in before.metadata.schemas}, "a preview changes nothing"
        done = runtime.expiry.expire(fresh.table, FEW)
        assert done.column_sets == planned.column_sets
        assert f"; {len(done.column_sets)} of {TIMES + 5} schemas" in done.line
        after = table_of(fresh)
        assert len(after.metadata.schemas) <= 8
        print(f"{size_bytes(before)} bytes became {size_bytes(after)}")
        assert size_bytes(after) * 5 < size_bytes(before)
        # The others' schemas are now older than the first expiry's own snapshot, and the next one's takes a place.
        assert any(runtime.expiry.expire(fresh.table, FEW).nothing for _ in range(4)), "it comes to an end"
        # A column that was dropped stays so, and new ones still come.
        send(fresh, {"id": TIMES + 1, "note": "b", "more": 1})
        write_next(runtime)
        fresh.commit(runtime)
        table = table_of(fresh)
        assert paths < {t.file.file_path for t in table.scan().plan_files()}, "the staged part is there as it was"
        assert "note" not in table.schema().column_names
        rows = {r["id"]: r for r in table.scan().to_arrow().to_pylist()}
        assert {n: rows[n][f"c{n}"] for n in range(TIMES)} == {n: n for n in range(TIMES)}
        assert rows[TIMES + 1]["more"] == 1
        assert runtime.audit().complete


def test_what_a_rollback_takes_out_lands_again_as_it_was(fresh: World) -> None:
    """Its part names a schema that no snapshot does: the columns had changed when it was committed."""
    with opened(fresh) as runtime:
        grown(fresh, runtime, 0, 3)
        send(fresh, {"id": 3})
        write_next(runtime)
        (part,) = runtime.log.staged(runtime.pipeline.name, fresh.table)
        evolved(lambda u: u.add_column("theirs", LongType()), lambda u: u.add_column("more", LongType()))(
            table_of(fresh)
        )
        runtime.keeper.fence(fresh.table)
        back_to = table_of(fresh).metadata.current_snapshot_id
        fresh.commit(runtime)
        grown(fresh, runtime, 4, 7)
        live = {t.file.file_path for t in table_of(fresh).scan().plan_files()}
        done = runtime.expiry.expire(fresh.table, ExpiryLimits(1, 9))
        assert (done.back_to.id if done.back_to else None) == back_to
        assert done.column_sets
        named = {s.schema_id for s in table_of(fresh).snapshots()}
        assert not named & {s.schema_id for s in table_of(fresh).metadata.schemas if "theirs" not in s.column_names}
        roll_back(runtime, fresh.table, str(back_to), Mode.RECOMMIT)
        # Restaged now, and so needed again.
        runtime.expiry.expire(fresh.table, ExpiryLimits(1, 1))
        assert runtime.tables.misfits(runtime.tables.load(fresh.table), {part.result.identity.layout}) == {}
        fresh.commit(runtime)
        assert {t.file.file_path for t in table_of(fresh).scan().plan_files()} == live, "none was written again"
        assert runtime.audit().complete


def test_where_the_catalog_refuses_to_remove_schemas_snapshots_expire_all_the_same(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(fresh) as runtime:
        grown(fresh, runtime, 0, 4)
        catalog = runtime.tables.catalog
        commit = catalog.commit_table

        def refusing(table: Table, requirements: Any, updates: Any) -> Any:
            if any(isinstance(u, RemoveSchemasUpdate) for u in updates):
                raise BadRequestError("Invalid metadata update action: remove-schemas")
            return commit(table, requirements, updates)

        monkeypatch.setattr(catalog, "commit_table", refusing)
        assert runtime.expiry.preview(fresh.table, FEW).column_sets
        done = runtime.expiry.expire(fresh.table, FEW)
        assert (len(done.snapshots) > 2, done.column_sets) == (True, ())
        assert "schemas" not in done.line
        assert len(table_of(fresh).snapshots()) == 3
        assert schema_ids(fresh) == set(range(5))
        assert runtime.audit().complete
