"""A backfill of a pipeline with routes on real servers: earlier hours fan out to the tables that their records name, once."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from kits.backfills import ALWAYS
from kits.forks import lakelock
from kits.recoveries import postgres_of
from kits.rollbacks import roll_back
from kits.routing import BY_TYPE, commit, cycle, dead, ids, ledger, letters, names, routed_file, send
from kits.topics import delete_before
from kits.world import World, connection, open_with
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.backfill.backfill import BackfillPlan
from lakelock.backfill.backfill_batches import open_batches
from lakelock.backfill.span import Span
from lakelock.errors import BackfillUnfinished
from lakelock.gaps.gap_preview import Which
from lakelock.model.coverage import Kind
from lakelock.model.ledger import Mode
from lakelock.model.offsets import offsets_in
from lakelock.model.operator_log import What

pytestmark = pytest.mark.drawn(0.35, about=("backfill", "records/routing", "ingest/routed_batch"))

# The first record of the live run, and those before it: pushes and forks are of both, the others of one.
EARLIER = ("old", "push", "old", b"no json", "push", "fork", None, "fork")


def late_file(world: World, *rules: str) -> str:
    """A pipeline that begins after what is there, with batches of few records."""
    text = routed_file(world, *(rules or (BY_TYPE,)))
    return (
        text.replace(f"topics: [{world.topic}]", f"topics: [{world.topic}], start: latest")
        + "batch: {max_records: 20}\n"
    )


def begun(world: World) -> str:
    """A pipeline that has routed the records after those of EARLIER."""
    text = late_file(world)
    send(world, *EARLIER)
    with open_with(world, text) as runtime:
        runtime.plan()
        send(world, "push", "new", "push", "new")
        cycle(world, runtime)
        assert names(world) == ["letters", "new", "push"]
    return text


def request(runtime: Runtime, span: Span = ALWAYS) -> BackfillPlan:
    planned = runtime.backfills.preview(span)
    runtime.backfills.request(planned, "tester", "a test")
    return planned


def write(runtime: Runtime, most: int | None = None) -> None:
    """Writes the batches that are planned, or *most* of them."""
    for batch in open_batches(runtime.log, runtime.pipeline.name, None)[:most]:
        runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", batch.batch_id)
    runtime.refresh_tables()


def complete(world: World, runtime: Runtime) -> None:
    """Each record is once in the table that it names, or among the dead letters."""
    assert ids(world, "old") == [0, 2]
    assert ids(world, "push") == [1, 3, 7, 9]
    assert ids(world, "new") == [8, 10]
    assert ids(world, "fork") == [4, 6]
    assert len(dead(world)) == 2
    found = runtime.audit()
    assert found.complete, audit_text(found)


@pytest.mark.long
def test_earlier_hours_by_the_command_with_spark(fresh: World) -> None:
    text = begun(fresh)
    fresh.writer = None
    fresh.connections["spark_default"] = connection("spark_default", "spark", host="local[2]")
    file = fresh.folder / f"{fresh.name}.yaml"
    span = ("--from", "2020-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z")
    shown = lakelock("backfill", file, *span, environment=fresh.environment())
    assert "the routed tables: 8 offsets" in shown.stdout, shown.stdout + shown.stderr
    done = lakelock("backfill", file, *span, "--why", "a test", "--yes", environment=fresh.environment())
    assert done.returncode == 0, done.stdout + done.stderr
    again = lakelock("backfill", file, *span, environment=fresh.environment())
    assert "the routed tables: nothing to load" in again.stdout, again.stdout + again.stderr
    with open_with(fresh, text) as runtime:
        complete(fresh, runtime)
        mark = ledger(runtime, letters(fresh)).mark
        assert mark is not None
        assert offsets_in(mark.ranges) == 12


def test_a_postgres_that_is_lost_in_the_middle(fresh: World, new_log: Callable[[], str]) -> None:
    text = begun(fresh)
    with open_with(fresh, text) as runtime:
        planned = request(runtime)
        assert len(open_batches(runtime.log, fresh.name, None)) > 2
        write(runtime, 2)
        commit(fresh, runtime)
        # This one is closed, and nothing of it is committed.
        write(runtime, 1)
        with pytest.raises(BackfillUnfinished):
            runtime.backfills.check(planned)
    postgres_of(fresh, new_log())
    # The rules of today are others. What was requested is routed by those of the request.
    other = late_file(fresh, "- {table: '{ns}.other_{event.type}'}")
    with open_with(fresh, other) as runtime:
        runtime.recovery("tester", take_over=True).recover()
    with open_with(fresh, other) as runtime:
        assert runtime.recovery("tester").preview() == []
        runtime.backfills.go_on()
        write(runtime)
        commit(fresh, runtime)
        runtime.backfills.check_all()
        assert not runtime.backfills.waiting().lines
        complete(fresh, runtime)


def test_a_rollback_over_a_backfill(fresh: World) -> None:
    text = begun(fresh)
    push = f"{fresh.namespace}.push"
    with open_with(fresh, text) as runtime:
        request(runtime)
        write(runtime)
        commit(fresh, runtime)
        runtime.backfills.check_all()
        complete(fresh, runtime)
        # What the backfill made gets live records from the start on.
        assert [c.prefix_end for _, c in sorted(ledger(runtime, f"{fresh.namespace}.old").coverage.items())] == [6, 6]
        roll_back(runtime, push, "last:1", Mode.REPLAY)
        assert ids(fresh, "push") == [7, 9]
        assert ledger(runtime, push).coverage.requested
        with pytest.raises(BackfillUnfinished):
            runtime.backfills.check_all()
        runtime.backfills.go_on()
        write(runtime)
        commit(fresh, runtime)
        runtime.backfills.check_all()
        complete(fresh, runtime)


def test_what_a_rollback_left_out_comes_with_a_backfill(fresh: World) -> None:
    text = begun(fresh)
    push = f"{fresh.namespace}.push"
    with open_with(fresh, text) as runtime:
        roll_back(runtime, push, "last:1", Mode.SKIP)
        assert ids(fresh, "push") == []
        request(runtime, Span(datetime(2020, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC), push))
        write(runtime)
        commit(fresh, runtime)
        runtime.backfills.check_all()
        assert ids(fresh, "push") == [7, 9]
        assert "old" not in names(fresh)
        request(runtime)
        write(runtime)
        commit(fresh, runtime)
        runtime.backfills.check_all()
        complete(fresh, runtime)


def test_live_tables_do_not_wait_for_a_backfill(fresh: World) -> None:
    text = begun(fresh)
    with open_with(fresh, text) as runtime:
        request(runtime)
        write(runtime, 2)
        send(fresh, "push", "new")
        cycle(fresh, runtime)
        send(fresh, "new", "push")
        cycle(fresh, runtime)
        assert (ids(fresh, "push")[-4:], ids(fresh, "new")) == ([7, 9, 11, 14], [8, 10, 12, 13])
        assert min(c.prefix_end for c in ledger(runtime, f"{fresh.namespace}.push").coverage.values()) >= 7


def test_a_log_from_before_a_recovery_shows_no_backfill_as_complete(fresh: World) -> None:
    text = begun(fresh)
    with open_with(fresh, text) as runtime:
        request(runtime)
        write(runtime)
        # Two of four batches have dead letters.
        assert offsets_in(runtime.log.routed_progress(fresh.name).backfilled) == 4
        runtime.commit([letters(fresh)], now=True)
        assert offsets_in(runtime.log.routed_progress(fresh.name).backfilled) == 8
        runtime.recovery("tester", announced=True).recover()
        assert not runtime.log.routed_progress(fresh.name).backfilled
        write(runtime)
        commit(fresh, runtime)
        runtime.backfills.check_all()
        complete(fresh, runtime)


def test_folding_keeps_what_the_mark_does_not_have(fresh: World) -> None:
    text = begun(fresh)
    with open_with(fresh, text) as runtime:
        planned = request(runtime)
        write(runtime)
        runtime.refresh_tables()
        runtime.commit([*(t.name for t in runtime.pipeline.tables), letters(fresh)], now=True)
        runtime.log.coalesce(fresh.name, 0)
        assert offsets_in(runtime.log.routed_progress(fresh.name).backfilled) == 8
        runtime.backfills.check(planned)
        runtime.log.coalesce(fresh.name, 0)
        assert not runtime.log.routed_progress(fresh.name).backfilled
        complete(fresh, runtime)


def test_nothing_is_requested_before_anything_is_routed(fresh: World) -> None:
    send(fresh, *EARLIER)
    with open_with(fresh, late_file(fresh)) as runtime:
        runtime.plan()
        planned = runtime.backfills.preview(ALWAYS)
        assert planned.nothing
        runtime.backfills.check_all()


def test_what_kafka_dropped_is_accepted_as_lost(fresh: World) -> None:
    text = begun(fresh)
    with open_with(fresh, text) as runtime:
        request(runtime)
        for partition in (0, 1):
            delete_before(fresh, partition, 3)
        which = Which(What.ACCEPT_LOSS)
        runtime.decisions.decide(which, "tester", "a test", runtime.decisions.preview(which).shown)
        write(runtime)
        commit(fresh, runtime)
        runtime.backfills.check_all()
        assert runtime.backfills.waiting().nothing
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_a_loss_after_a_recovery_is_marked_although_the_log_before_had_the_batch_closed(fresh: World) -> None:
    text = begun(fresh)
    with open_with(fresh, text) as runtime:
        request(runtime)
        write(runtime)
        runtime.recovery("tester", announced=True).recover()
        for partition in (0, 1):
            delete_before(fresh, partition, 3)
        which = Which(What.ACCEPT_LOSS)
        runtime.decisions.decide(which, "tester", "a test", runtime.decisions.preview(which).shown)
        mark = ledger(runtime, letters(fresh)).mark
        assert mark is not None
        lost = [[(i.start, i.end) for i in c.intervals if i.kind is Kind.ACCEPTED_LOSS] for c in mark.values()]
        assert lost == [[(0, 3)], [(0, 3)]]
