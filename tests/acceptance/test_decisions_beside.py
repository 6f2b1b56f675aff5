"""Decisions beside whatever else happens: rollbacks, batches of others, tables that are not there yet, or cannot be read."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from confluent_kafka.admin import NewPartitions
from kits.decisions import (
    LOSS,
    Killed,
    decide,
    drop_topic,
    expected,
    killed,
    letters_owed,
    recreate,
    replace_table,
    set_back,
    settled,
)
from kits.rollbacks import letters_of, roll_back
from kits.topics import admin, create_topic, delete_before, new_producer, produce
from kits.world import World, file_of, open_with, write_next
from lakelock.compose import Runtime
from lakelock.core.coverage import Kind
from lakelock.core.decisions import What
from lakelock.core.ledger import Mode
from lakelock.errors import DecisionRefused, Fenced, HistoryMissing, LakelockError
from lakelock.steps.gap_plan import Which
from lakelock.texts import audit_text
from stack.process import wait_until


def meanwhile(runtime: Runtime, method: str, act: Callable[[], object], times: int = 1) -> None:
    """*act* happens before the log's *method* does, the first *times*."""
    real, left = getattr(runtime.log, method), [times]

    def late(*arguments: Any) -> Any:
        if left[0]:
            left[0] -= 1
            act()
        return real(*arguments)

    setattr(runtime.log, method, late)


def retire(world: World) -> Which:
    return Which(What.RETIRE, world.topic)


@pytest.mark.parametrize("again", [False, True])
def test_a_decision_that_wakes_up_late_leaves_alone_what_a_rollback_planned(near: World, again: bool) -> None:
    near.produce(20)
    near.run()
    with closing(near.runtime()) as runtime, closing(near.runtime()) as other:
        meanwhile(runtime, "declare", lambda: roll_back(other, near.table, "last:1", Mode.REPLAY))
        with pytest.raises(Fenced, match="generation 0 was told, the log is at 1"):
            runtime.decisions.decide(retire(near), "tester", "a test")
        assert other.log.planned(near.name)
    if again:
        planned = decide(near, retire(near))
        assert f"{near.table}: {near.topic}-0 [10, 20) is not read any more" in planned.lines
    settled(near)
    assert len(near.rows()) == (20 if again else 40)
    with closing(near.runtime()) as runtime:
        assert runtime.decisions.plan(retire(near)).nothing


def test_a_decision_that_wakes_up_late_leaves_another_table_alone(near: World) -> None:
    near.produce(20)
    delete_before(near, 0, 15)
    with closing(near.runtime()) as runtime, closing(near.runtime()) as other:

        def replaced() -> None:
            replace_table(near)
            other.rebinding.rebind(near.table, True, "tester", "a test")

        meanwhile(runtime, "declare", replaced)
        with pytest.raises(Fenced, match="was told, the log has"):
            runtime.decisions.decide(LOSS, "tester", "a test")
    decide(near, LOSS)
    settled(near)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 0, 15))


def test_what_is_produced_while_a_topic_is_retired_is_not_read_and_dropped(near: World) -> None:
    """The tables know of the end, the log does not: nobody plans what could only be dropped."""
    with closing(near.runtime()) as runtime, closing(near.runtime()) as other:

        def goes_on() -> None:
            near.produce(10, bad=[b"{"])
            near.cycle(other)

        meanwhile(runtime, "declare", goes_on)
        runtime.decisions.decide(retire(near), "tester", "a test")
    settled(near)
    assert len(near.rows()) == 20
    assert near.rows(letters_of(near)) == []


@pytest.mark.parametrize("staged", [False, True])
def test_a_batch_planned_while_others_were_claimed_is_claimed_or_lands(near: World, staged: bool) -> None:
    with closing(near.runtime()) as runtime, closing(near.runtime()) as other:

        def goes_on() -> None:
            near.produce(10, bad=[b"{"])
            if staged:
                write_next(other)
            else:
                assert other.plan().batch_id is not None

        meanwhile(runtime, "hold", goes_on)
        runtime.decisions.decide(retire(near), "tester", "a test")
    settled(near)
    assert len(near.rows()) == (30 if staged else 20)
    assert len(near.rows(letters_of(near))) == (1 if staged else 0)


@pytest.mark.parametrize("what", [What.RETIRE, What.REBIND])
def test_killed_before_the_tables_were_told_the_command_goes_on(near: World, what: What) -> None:
    """What was planned and not read is told as the loss that it is, though the log reads no more of the topic already."""
    near.produce(10)
    which = Which(what, near.topic)
    with closing(near.runtime()) as runtime:
        first = runtime.plan().batch_id
        if what is What.REBIND:
            recreate(near)
        runtime.tables.commit = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.decisions.decide(which, "tester", "a test")
        near.produce(10)
        assert runtime.plan().batch_id == first, "nothing but what was planned before"
    planned = decide(near, which)
    lost = [str(r) for t in planned.tables for r, kind in t.gaps if kind is Kind.ACCEPTED_LOSS]
    assert lost == ([f"{near.topic}-{n} [10, 15)" for n in (0, 1)] if what is What.REBIND else [])
    settled(near)
    assert len(near.rows()) == (30 if what is What.REBIND else 20)


def test_what_somebody_else_may_be_reading_is_not_given_up(near: World) -> None:
    """A batch that came after all others were claimed."""
    near.produce(20)
    with closing(near.runtime()) as runtime, closing(near.runtime()) as other:
        before = runtime.tables.load(near.table).ledger
        assert before is not None
        near.cycle(runtime)
        runtime.log.coalesce(near.name, 0)
        near.produce(20)
        delete_before(near, 0, 25)
        meanwhile(runtime, "declare", lambda: other.log.fill(near.name, near.table, before, other.follower.redo()))
        with pytest.raises(Fenced, match="somebody else may be reading it"):
            runtime.decisions.decide(LOSS, "tester", "a test")
        assert [len(b.ranges) for b in other.log.planned(near.name)] == [2]
    assert [t.cut for t in decide(near, LOSS).tables if t.table == near.table] == [1]
    settled(near)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 20, 25))


def both_owed(near: World, late: str) -> None:
    """As `letters_owed`, of two tables."""
    with open_with(near, file_of(near, near.table, late)) as runtime:

        def cycle() -> None:
            near.cycle(runtime)
            runtime.commit([late, letters_of(near)], now=True)

        near.produce(0, bad=[b"{", b"["])
        near.produce(2)
        cycle()
        near.produce(10, bad=[b"{", b"["])
        cycle()
        runtime.log.coalesce(near.name, 0)
        roll_back(runtime, letters_of(near), "last:1", Mode.RECOMMIT)
        delete_before(near, 0, 18)


@pytest.mark.parametrize("readable", [True, False])
def test_dead_letters_of_two_tables_are_given_up_together(near: World, readable: bool) -> None:
    """Also of one that left the file and was set back by hand: the log has seen how many there were."""
    late = f"{near.namespace}.late"
    both_owed(near, late)
    if not readable:
        set_back(near, late)
    file = file_of(near, near.table, *([late] if readable else []))
    with open_with(near, file) as runtime:
        planned = runtime.decisions.plan(LOSS)
        assert len([r for t in planned.tables for r in t.ranges if t.table == letters_of(near)]) == 2
        runtime.decisions.decide(LOSS, "tester", "a test")
        ledger = runtime.tables.load(letters_of(near)).ledger
        assert ledger is not None
        assert sum(h.totals.filtered for h in ledger.coverage.values()) == 2
        for _ in range(3):
            near.cycle(runtime)
            runtime.commit([*([late] if readable else []), letters_of(near)], now=True)
        assert runtime.decisions.plan(LOSS).idle
        found = runtime.audit()
    assert found.complete == readable, audit_text(found)


def test_dead_letters_are_given_up_though_their_own_table_is_gone(near: World) -> None:
    letters_owed(near, 17)
    near.catalog.drop_table(near.table)
    with closing(near.runtime()) as runtime:
        planned = runtime.decisions.decide(LOSS, "tester", "a test")
        assert [t.table for t in planned.tables if t.left_out] == [near.table]
        ledger = runtime.tables.load(letters_of(near)).ledger
    assert ledger is not None
    assert sum(h.totals.filtered for h in ledger.coverage.values()) == 1


def send(near: World, topic: str, start: int, end: int) -> None:
    servers = near.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), topic, [b'{"id": %d, "note": "x"}' % n for n in range(start, end)])


def topics_of(near: World, second: str) -> str:
    return f"source: {{topics: [{near.topic}, {second}]}}\ntables:\n"


def fed(table: str, topic: str = "") -> str:
    """As an entry of the file; by all topics where none is named."""
    topics = f", topics: [{topic}]" if topic else ""
    return f"  - {{name: {table}{topics}}}\n"


def planned_for_two(near: World, late: str) -> str:
    """[10, 20) of each partition is planned for the table and for *late*, which was never made."""
    both = file_of(near, near.table, late)
    with open_with(near, both) as runtime:
        near.produce(20)
        runtime.plan()
    return both


def go_on(near: World, runtime: Runtime, *tables: str, runs: int = 2) -> None:
    for _ in range(runs):
        near.cycle(runtime)
        runtime.commit([*tables, letters_of(near)], now=True)


@pytest.mark.parametrize("in_file", [True, False])
def test_a_table_that_was_never_made_hinders_no_decision(near: World, in_file: bool) -> None:
    """Kafka has nothing from which its columns could be told; the file may have forgotten it."""
    late = f"{near.namespace}.late"
    both = planned_for_two(near, late)
    delete_before(near, 0, 20)
    delete_before(near, 1, 20)
    file = both if in_file else file_of(near, near.table)
    with open_with(near, file) as runtime:
        with pytest.raises(HistoryMissing):
            near.cycle(runtime)
        planned = runtime.decisions.decide(LOSS, "tester", "a test")
        assert sorted(t.table for t in planned.tables if t.gaps) == sorted([near.table, late])
        assert runtime.decisions.plan(LOSS).nothing
        assert not runtime.log.planned(near.name)
        assert not near.catalog.table_exists(late)
        found = runtime.audit()
        assert found.complete, audit_text(found)
    with open_with(near, both) as runtime:
        near.produce(20)
        go_on(near, runtime, late)
        found = runtime.audit()
        ledger = runtime.tables.load(late).ledger
    assert found.complete, audit_text(found)
    assert ledger is not None
    assert [d.who for d in ledger.decisions] == ["tester"]
    assert near.catalog.load_table(late).scan().count() == 20


def test_what_nobody_but_a_table_that_was_never_made_would_get_is_accounted_for(near: World) -> None:
    second, late = f"{near.topic}-b", f"{near.namespace}.late"
    create_topic(admin(near), second)
    send(near, second, 0, 20)
    with open_with(near, f"{topics_of(near, second)}{fed(near.table, near.topic)}{fed(late, second)}") as runtime:
        runtime.plan()
        for partition in (0, 1):
            delete_before(replace(near, topic=second), partition, 10)
        runtime.decisions.decide(LOSS, "tester", "a test")
        found = runtime.audit()
    assert found.complete, audit_text(found)
    (not_made,) = [t for t in found.tables if t.table == late]
    assert [d.what for d in not_made.decisions] == [What.ACCEPT_LOSS]


def test_a_partition_that_nothing_ever_came_to_is_retired_with_its_topic(near: World) -> None:
    client = admin(near)
    client.create_partitions([NewPartitions(near.topic, 3)])[near.topic].result(30)
    near.produce(4)
    with closing(near.runtime()) as runtime:
        wait_until(lambda: len(runtime.broker.sources([near.topic], None)) == 3, 30, "the third partition")
        near.cycle(runtime)
        assert len(runtime.log.streams(near.name, "live")) == 3
    decide(near, retire(near))
    with closing(near.runtime()) as runtime:
        ledger = runtime.tables.load(near.table).ledger
    assert ledger is not None
    assert [held.retired for held in ledger.coverage.values()] == [True] * 3
    settled(near)


def test_a_topic_that_is_gone_is_retired_though_a_table_of_it_was_never_made(near: World) -> None:
    late = f"{near.namespace}.late"
    both = planned_for_two(near, late)
    drop_topic(near)
    with open_with(near, both) as runtime:
        runtime.decisions.decide(retire(near), "tester", "a test")
        assert runtime.decisions.plan(retire(near)).nothing
        go_on(near, runtime)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    create_topic(admin(near), near.topic)
    near.produce(10)
    with open_with(near, both) as runtime:
        go_on(near, runtime, late)
        found = runtime.audit()
        ledger = runtime.tables.load(late).ledger
    assert found.complete, audit_text(found)
    assert ledger is not None
    assert sum(held.retired for held in ledger.coverage.values()) == 2
    assert near.catalog.load_table(late).scan().count() == 10


def test_a_table_that_is_made_just_then_is_told_by_the_same_command(near: World) -> None:
    late = f"{near.namespace}.late"
    with open_with(near, file_of(near, near.table, late)) as runtime, closing(near.runtime()) as other:
        near.produce(20)
        runtime.plan()
        delete_before(near, 0, 15)
        near.produce(20)

        def made() -> None:
            near.catalog.create_table(late, near.catalog.load_table(near.table).schema())
            assert other.log.bind(near.name, late, str(near.catalog.load_table(late).metadata.table_uuid))

        meanwhile(runtime, "declare", made)
        with pytest.raises(Fenced, match="it was written to"):
            runtime.decisions.decide(LOSS, "tester", "a test")


def test_killed_before_a_new_table_was_told_the_next_write_tells_it(near: World) -> None:
    late = f"{near.namespace}.late"
    both = planned_for_two(near, late)
    delete_before(near, 0, 15)
    with open_with(near, both) as runtime:
        runtime.decisions.decide(LOSS, "tester", "a test")
        commit = runtime.tables.commit

        def dies(state: Any, change: Any) -> int:
            if state.name == late and change.ledger.decisions:
                raise Killed
            return commit(state, change)

        runtime.tables.commit = dies  # type: ignore[method-assign]
        batch_id = runtime.plan().batch_id or runtime.log.planned(near.name)[0].batch_id
        with pytest.raises(Killed):
            runtime.write(str(uuid.uuid4()), "test/dies", batch_id)
        assert late in runtime.log.bound(near.name)
        runtime.tables.commit = commit  # type: ignore[method-assign]
        for batch in runtime.log.planned(near.name):
            runtime.log.release(batch.batch_id, batch.attempt or "", "died")
        near.produce(20)
        go_on(near, runtime, late, runs=5)
        found = runtime.audit()
        assert not runtime.log.planned(near.name)
    assert found.complete, audit_text(found)
    assert near.catalog.load_table(late).scan().count() == 35


def test_a_table_loses_nothing_of_a_topic_that_it_does_not_get_any_more(near: World) -> None:
    second, other = f"{near.topic}-b", f"{near.namespace}.other"
    create_topic(admin(near), second)
    topics = topics_of(near, second)
    with open_with(near, f"{topics}{fed(near.table)}") as runtime:
        send(near, second, 0, 20)
        near.cycle(runtime)
    with open_with(near, f"{topics}{fed(near.table, near.topic)}{fed(other, second)}") as runtime:
        send(near, second, 20, 40)
        near.cycle(runtime)
        runtime.commit([other], now=True)
        delete_before(replace(near, topic=second), 0, 15)
        assert runtime.decisions.plan(LOSS).nothing
        runtime.decisions.decide(Which(What.RETIRE, second), "tester", "a test")
        assert [d for t in runtime.audit().tables for d in t.decisions if t.table == near.table] == []


def test_a_table_that_was_left_out_is_shown_as_long_as_it_is(near: World) -> None:
    other = f"{near.namespace}.other"
    with open_with(near, file_of(near, near.table, other)) as runtime:
        near.produce(20)
        near.cycle(runtime)
        runtime.commit([other], now=True)
        near.produce(20)
        delete_before(near, 0, 25)
        near.catalog.drop_table(other)
        runtime.decisions.decide(LOSS, "tester", "a test")
        planned = runtime.decisions.plan(LOSS)
        assert planned.idle
        assert not planned.nothing
        assert any(line.startswith(f"{other}: left out: ") for line in planned.lines)
        head = near.catalog.load_table(near.table).metadata_location
        assert runtime.decisions.decide(LOSS, "tester", "a test") == planned
        assert near.catalog.load_table(near.table).metadata_location == head


def test_the_command_that_a_stop_names_says_that_no_table_can_be_told(near: World) -> None:
    near.produce(20)
    delete_before(near, 0, 15)
    near.catalog.drop_table(near.table)
    with closing(near.runtime()) as runtime:
        with pytest.raises(LakelockError):
            near.cycle(runtime)
        with pytest.raises(DecisionRefused, match="no table can be told now"):
            runtime.decisions.plan(Which(What.ACCEPT_LOSS, near.topic, 0, 10, 15))
