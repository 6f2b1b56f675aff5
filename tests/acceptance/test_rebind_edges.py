"""Tables that must not take another's place: what they hold already would be there twice, or is unknown."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest
from kits.decisions import replace_table
from kits.world import World
from lakelock.app.runtime import Runtime
from lakelock.config import load_pipeline
from lakelock.errors import DecisionRefused
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField, StringType

NO_COLUMNS = "metadata_columns: false\n"


def refused(world: World, said: str) -> None:
    with closing(world.runtime()) as runtime:
        bound = runtime.log.bound(world.name)
        with pytest.raises(DecisionRefused, match=said):
            runtime.rebinding.preview(world.table, False)
        with pytest.raises(DecisionRefused, match=said):
            runtime.rebinding.rebind(world.table, False, "tester", "a test")
        assert runtime.log.bound(world.name) == bound


def plain_table(world: World) -> None:
    world.catalog.drop_table(world.table)
    schema = Schema(NestedField(1, "id", LongType()), NestedField(2, "note", StringType()))
    world.catalog.create_table(world.table, schema)


def test_a_copy_without_offsets_is_not_filled(near: World) -> None:
    near.settings = NO_COLUMNS
    rows = near.catalog.load_table(near.table).scan(selected_fields=("id", "note")).to_arrow()
    plain_table(near)
    near.catalog.load_table(near.table).append(rows)
    refused(near, "already holds 20 rows, any of which would be in it twice")
    near.catalog.load_table(near.table).delete()
    with closing(near.runtime()) as runtime:
        runtime.rebinding.rebind(near.table, False, "tester", "a test")
        near.cycle(runtime)
    assert near.catalog.load_table(near.table).scan().count() == 20


@pytest.mark.parametrize("settings", ["", NO_COLUMNS])
def test_a_copy_into_a_table_that_another_pipeline_writes_to_is_not_filled(
    near: World, new_topic: Callable[..., str], settings: str
) -> None:
    """Its ledger says what that one wrote; any more is a copy."""
    near.settings = settings
    fields = ("id", "note") if settings else ("*",)
    rows = near.catalog.load_table(near.table).scan(selected_fields=fields).to_arrow()
    plain_table(near) if settings else replace_table(near)
    near.topic, own = new_topic(2), near.topic
    near.produce(5)
    other = near.folder / "other.yaml"
    other.write_text(f"source: {{topics: [{near.topic}]}}\ntables: [{{name: {near.table}}}]\n{settings}")
    with closing(Runtime(load_pipeline(other), near.connections.__getitem__, {"writer": near.writer})) as runtime:
        near.cycle(runtime)
    assert near.catalog.load_table(near.table).scan().count() == 5
    near.topic = own
    with closing(near.runtime()) as runtime:
        assert runtime.rebinding.preview(near.table, False).now is not None, "its ledger has its rows"
    near.catalog.load_table(near.table).append(rows)
    refused(near, "already holds 25 rows.* Other pipelines wrote 5 into it")
