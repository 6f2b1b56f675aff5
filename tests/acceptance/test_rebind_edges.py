"""Tables that must not take another's place: what they hold already would be there twice, or nobody can tell."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import NoReturn

import pytest
from kits.decisions import replace_table
from kits.topics import admin, create_topic, delete_before, new_producer, produce
from kits.upkeep import Killed
from kits.world import World, open_with
from lakelock.compose import Runtime
from lakelock.config import load_pipeline
from lakelock.core.decisions import What
from lakelock.errors import DecisionRefused, HistoryMissing
from lakelock.steps.gap_plan import Which
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField, StringType

NO_COLUMNS = "metadata_columns: false\n"


def refused(world: World, said: str) -> None:
    with closing(world.runtime()) as runtime:
        bound = runtime.log.bound(world.name)
        with pytest.raises(DecisionRefused, match=said):
            runtime.rebinding.plan(world.table, False)
        with pytest.raises(DecisionRefused, match=said):
            runtime.rebinding.rebind(world.table, False, "tester", "a test")
        assert runtime.log.bound(world.name) == bound


def test_a_copy_whose_rows_are_hidden_by_delete_files_is_not_filled(near: World) -> None:
    replace_table(near)
    with closing(near.runtime()) as runtime:
        # As the port answers where delete files hide rows.
        runtime.tables.count_rows = lambda *_: None  # type: ignore[method-assign]
        with pytest.raises(DecisionRefused, match="Compact it first"):
            runtime.rebinding.plan(near.table, False)


def plain_table(world: World) -> None:
    world.catalog.drop_table(world.table)
    schema = Schema(NestedField(1, "id", LongType()), NestedField(2, "note", StringType()))
    world.catalog.create_table(world.table, schema)


def test_a_copy_without_offsets_is_not_filled(near: World) -> None:
    near.settings = NO_COLUMNS
    rows = near.catalog.load_table(near.table).scan(selected_fields=("id", "note")).to_arrow()
    plain_table(near)
    near.catalog.load_table(near.table).append(rows)
    refused(near, "holds 20 rows already, of which any would be there twice")
    near.catalog.load_table(near.table).delete()
    with closing(near.runtime()) as runtime:
        runtime.rebinding.rebind(near.table, False, "tester", "a test")
        near.cycle(runtime)
    assert near.catalog.load_table(near.table).scan().count() == 20


@pytest.mark.parametrize("settings", ["", NO_COLUMNS])
def test_a_copy_into_a_table_that_another_pipeline_writes_to_is_not_filled(
    near: World, new_topic: Callable[..., str], settings: str
) -> None:
    """What that one wrote is told by its ledger; any more is a copy."""
    near.settings = settings
    fields = ("id", "note") if settings else ("*",)
    rows = near.catalog.load_table(near.table).scan(selected_fields=fields).to_arrow()
    plain_table(near) if settings else replace_table(near)
    near.topic, own = new_topic(2), near.topic
    near.produce(5)
    other = near.folder / "other.yaml"
    other.write_text(f"source: {{topics: [{near.topic}]}}\ntables: [{{name: {near.table}}}]\n{settings}")
    with closing(Runtime(load_pipeline(other), near.connections.__getitem__, near.writer)) as runtime:
        near.cycle(runtime)
    assert near.catalog.load_table(near.table).scan().count() == 5
    near.topic = own
    with closing(near.runtime()) as runtime:
        assert runtime.rebinding.plan(near.table, False).now is not None, "its rows are told by its ledger"
    near.catalog.load_table(near.table).append(rows)
    refused(near, "holds 25 rows .* Other pipelines wrote 5 into it")


def test_what_the_old_table_had_of_a_topic_that_it_does_not_get_any_more_is_told_and_accepted(near: World) -> None:
    other, second = f"{near.namespace}.other", f"{near.topic}-b"
    create_topic(admin(near), second)
    producer = new_producer(near.connections["kafka_default"].extra["bootstrap.servers"])
    both = f"source: {{topics: [{near.topic}, {second}]}}\ntables:\n"
    with open_with(near, f"{both}  - {{name: {near.table}}}\n") as runtime:
        produce(producer, second, [b'{"id": 1000, "note": "x"}'] * 20)
        near.cycle(runtime)
    split = f"  - {{name: {near.table}, topics: [{near.topic}]}}\n  - {{name: {other}, topics: [{second}]}}\n"
    with open_with(near, both + split) as runtime:
        produce(producer, second, [b'{"id": 2000, "note": "x"}'] * 20)
        near.cycle(runtime)
        runtime.commit([other], now=True)
        near.catalog.drop_table(near.table)
        lost = f"{second}-0 [0, 10)"
        with pytest.raises(DecisionRefused, match="the old one had it"):
            runtime.rebinding.rebind(near.table, False, "tester", "a test")
        assert any(lost in line for line in runtime.rebinding.plan(near.table, False).lines)
        runtime.rebinding.rebind(near.table, True, "tester", "a test")
        near.cycle(runtime)
        found = runtime.audit()
        assert found.complete, found
    ledger = near.catalog.load_table(near.table)
    assert ledger.scan().count() == near.next_id


def test_a_rebinding_that_was_killed_is_finished_as_it_was_told(near: World) -> None:
    delete_before(near, 0, 3)
    near.catalog.drop_table(near.table)
    with closing(near.runtime()) as runtime:
        killed = Killed()

        def die(*_: object) -> NoReturn:
            raise killed

        runtime.log.rebind = die  # type: ignore[assignment, method-assign]
        with pytest.raises(Killed):
            runtime.rebinding.rebind(near.table, True, "tester", "a test")
    delete_before(near, 0, 6)
    with closing(near.runtime()) as runtime:
        planned = runtime.rebinding.plan(near.table, False)
        assert f"the new table was told that {near.topic}-0 [0, 3) is lost, and is accepted as lost" in planned.lines
        assert any("offsets are read for it again" in line and "-0 [3, " in line for line in planned.lines)
        runtime.rebinding.rebind(near.table, False, "tester", "a test", planned.shown)
        with pytest.raises(HistoryMissing, match=r"\[3, 6\)"):
            near.cycle(runtime)
        runtime.decisions.decide(Which(What.ACCEPT_LOSS), "tester", "a test")
        near.cycle(runtime)
        assert runtime.audit().complete
    assert near.catalog.load_table(near.table).scan().count() == near.next_id - 6
