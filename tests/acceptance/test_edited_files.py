"""What happens to staged and planned work when the pipeline file is edited, or when one of its tables is broken."""

from __future__ import annotations

import json
import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient
from kits.harm import ids
from kits.topics import create_topic, new_producer, produce
from kits.world import World, file_of, open_with, write_next
from lakelock.app.runtime import Runtime
from lakelock.check import preflight
from lakelock.errors import LakelockError, LedgerDetached, TableUnfit, Terminal
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField, StringType

pytestmark = pytest.mark.drawn(0.15)


def write_beside(runtime: Runtime, fault: type[LakelockError], match: str) -> None:
    """Writes the next batch, of which one table is broken."""
    planned = runtime.plan()
    assert planned.batch_id is not None
    with pytest.raises(fault, match=match):
        runtime.write_run(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)


def test_dead_letters_staged_for_the_old_dead_letter_table_land_there(fresh: World) -> None:
    old, new = f"{fresh.namespace}.old_letters", f"{fresh.namespace}.new_letters"
    fresh.produce(6, bad=[b"no json"])
    with open_with(fresh, file_of(fresh, fresh.table, rest=f"dead_letters: {{table: {old}}}\n")) as runtime:
        write_next(runtime)
    with open_with(fresh, file_of(fresh, fresh.table, rest=f"dead_letters: {{table: {new}}}\n")) as runtime:
        runtime.commit([fresh.table], now=True)
        assert not runtime.log.staged(fresh.name)
    assert ids(fresh, fresh.table) == list(range(6))
    assert len(fresh.rows(old)) == 1


def test_parts_staged_for_a_table_that_left_the_file_still_land(fresh: World) -> None:
    other = f"{fresh.namespace}.other"
    fresh.produce(6)
    with open_with(fresh, file_of(fresh, fresh.table, other)) as runtime:
        write_next(runtime)
    with open_with(fresh, file_of(fresh, fresh.table)) as runtime:
        runtime.commit([fresh.table, runtime.pipeline.dead_letter_table], now=True)
        assert not runtime.log.staged(fresh.name)
    assert ids(fresh, fresh.table) == ids(fresh, other) == list(range(6))


def test_a_table_that_was_out_of_the_file_for_a_while_says_what_it_lacks(fresh: World) -> None:
    other = f"{fresh.namespace}.other"
    for tables in ((fresh.table, other), (fresh.table,), (fresh.table, other)):
        fresh.produce(6)
        with open_with(fresh, file_of(fresh, *tables)) as runtime:
            write_next(runtime)
            runtime.commit([fresh.table], now=True)
            if len(fresh.rows()) < 18:
                runtime.commit([other], now=True)
                continue
            with pytest.raises(TableUnfit, match=r"\[3, 6\)"):
                runtime.commit([other], now=True)
    assert ids(fresh, fresh.table) == list(range(18))
    assert ids(fresh, other) == list(range(6))


def test_a_start_beyond_the_end_waits_for_its_offset(fresh: World) -> None:
    text = (
        f"source: {{topics: [{fresh.topic}], start: {{{fresh.topic}: {{0: 5}}}}}}\n"
        f"tables: [{{name: {fresh.table}, columns: {{id: long, note: string}}}}]\n"
    )
    for count in (4, 4, 4):
        fresh.produce(count)
        with open_with(fresh, text) as runtime:
            fresh.cycle(runtime)
    # Round robin: even ids are partition 0, whose first five offsets were declared away.
    assert ids(fresh, fresh.table) == sorted([1, 3, 5, 7, 9, 11, 10])


def test_a_table_that_cannot_be_created_holds_up_no_other_and_catches_up_when_the_file_is_fixed(fresh: World) -> None:
    other = f"{fresh.namespace}.other"
    bad = f'{{name: {other}, partition_by: ["day(no_such_column)"]}}'
    for _ in range(3):
        fresh.produce(6)
        with open_with(fresh, file_of(fresh, fresh.table, bad)) as runtime:
            write_beside(runtime, Terminal, "no_such_column")
            runtime.commit([fresh.table], now=True)
    assert ids(fresh, fresh.table) == list(range(18))
    for _ in range(5):
        with open_with(fresh, file_of(fresh, fresh.table, other)) as runtime:
            planned = runtime.plan()
            if planned.batch_id is not None:
                runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)
            runtime.commit([fresh.table, other], now=True)
    assert ids(fresh, fresh.table) == ids(fresh, other) == list(range(18))


def test_a_table_whose_columns_do_not_fit_holds_up_no_other(fresh: World) -> None:
    other = f"{fresh.namespace}.other"
    fresh.catalog.create_namespace_if_not_exists(fresh.namespace)
    columns = Schema(NestedField(1, "id", LongType(), required=False), NestedField(2, "_kafka_offset", StringType()))
    fresh.catalog.create_table(other, columns)
    for _ in range(2):
        fresh.produce(6)
        with open_with(fresh, file_of(fresh, fresh.table, other)) as runtime:
            write_beside(runtime, TableUnfit, "'_kafka_offset' is string")
            runtime.commit([fresh.table], now=True)
    assert ids(fresh, fresh.table) == list(range(12))


def test_a_broken_table_does_not_end_the_window_of_the_others(fresh: World) -> None:
    other = f"{fresh.namespace}.other"
    text = file_of(fresh, fresh.table, other)
    fresh.produce(6)
    with open_with(fresh, text) as runtime:
        write_next(runtime)
        runtime.commit([fresh.table, other], now=True)
        fresh.catalog.drop_table(other)
        fresh.produce(6)
        until = datetime.now(UTC) + timedelta(seconds=8)
        plan, planned = runtime.plan, 0

        def produce_and_plan(*arguments: Any, **named: Any) -> Any:
            nonlocal planned
            planned += 1
            fresh.produce(2)
            return plan(*arguments, **named)

        runtime.plan = produce_and_plan  # type: ignore[method-assign]
        with pytest.raises(LakelockError, match="is gone"):
            runtime.write_window(str(uuid.uuid4()), "test/window", until, 1.0)
        runtime.commit([fresh.table], now=True)
    assert planned > 2
    assert ids(fresh, fresh.table) == list(range(fresh.next_id))


def test_topics_that_a_pattern_finds_later_start_at_earliest_even_if_it_found_none_at_first(fresh: World) -> None:
    topic = f"late-{uuid.uuid4().hex[:8]}"
    text = (
        f"source: {{topics_regex: '{topic}', start: latest}}\n"
        f"tables: [{{name: {fresh.table}, columns: {{id: long, note: string}}}}]\n"
    )
    with open_with(fresh, text) as runtime:
        assert runtime.plan().batch_id is None
    servers = fresh.connections["kafka_default"].extra["bootstrap.servers"]
    client = AdminClient({"bootstrap.servers": servers})
    create_topic(client, topic, 1)
    produce(new_producer(servers), topic, [json.dumps({"id": n}).encode() for n in range(5)], partition=0)
    with open_with(fresh, text) as runtime:
        fresh.cycle(runtime)
    assert ids(fresh, fresh.table) == list(range(5))


def checked(runtime: Runtime) -> str:
    """What is wrong with the tables."""
    (tables,) = [r for r in preflight.run(runtime) if r.name == "tables"]
    assert tables.needs is None
    return tables.fault or ""


def test_a_file_that_was_renamed_does_not_put_its_records_into_the_table_again(fresh: World) -> None:
    fresh.produce(6)
    fresh.run()
    old, fresh.name = fresh.table, "renamed"
    text = file_of(fresh, old)
    fresh.produce(6)
    twice = "[0, 3) from pipeline 'orders'"
    with open_with(fresh, text) as runtime:
        assert twice in checked(runtime)
    with open_with(fresh, text) as runtime, pytest.raises(TableUnfit, match=re.escape(twice)):
        write_next(runtime)
    assert ids(fresh, old) == list(range(6))
    with open_with(fresh, text) as runtime:
        assert twice in checked(runtime)
    later = (
        f"source: {{topics: [{fresh.topic}], start: {{{fresh.topic}: {{0: 3, 1: 3}}}}}}\ntables: [{{name: {old}}}]\n"
    )
    fresh.name = "from_there_on"
    with open_with(fresh, later) as runtime:
        assert checked(runtime) == ""
        write_next(runtime)
        runtime.commit([old], now=True)
    assert ids(fresh, old) == list(range(12))


def test_a_table_whose_tag_and_property_are_gone_is_not_taken_for_a_new_one(fresh: World) -> None:
    fresh.produce(6)
    fresh.run()
    table = fresh.catalog.load_table(fresh.table)
    with table.transaction() as change:
        change.remove_properties(f"lakelock.{fresh.name}")
    table.manage_snapshots().remove_tag(f"lakelock-{fresh.name}").commit()
    fresh.produce(6)
    with pytest.raises(LedgerDetached, match="neither its property .* nor its tag"):
        fresh.run()
    assert ids(fresh, fresh.table) == list(range(6))
