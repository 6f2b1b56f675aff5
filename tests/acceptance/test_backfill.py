"""Backfill on real servers: what a table does not have is asked for, read and committed once, beside its tail."""

from __future__ import annotations

import uuid
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from kits.backfills import ALWAYS, fill, snapshots
from kits.forks import lakelock
from kits.rollbacks import roll_back
from kits.topics import delete_before
from kits.world import World, connection, open_with
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.backfill.backfill_batches import open_batches
from lakelock.backfill.span import Span
from lakelock.errors import BackfillRefused, BackfillUnfinished
from lakelock.ingest.outcome import WriteOutcome
from lakelock.model.ledger import Mode
from lakelock.monitor.offset_lookup import OffsetStanding, standing

pytestmark = pytest.mark.drawn(0.15)


def test_the_tail_waits_for_a_tenth_of_what_a_batch_of_its_own_may_have(late: World) -> None:
    text = f"source: {{topics: [{late.topic}], start: latest}}\ntables: [{{name: {late.table}}}]\nbatch: {{max_records: 50}}\n"
    with open_with(late, text) as runtime:
        runtime.backfills.request(runtime.backfills.preview(ALWAYS), "tester", "a test")
        planned = open_batches(runtime.log, late.name, None)
        assert [sum(p.range.offsets for p in batch.ranges) for batch in planned] == [5, 5, 5, 5]
        fill(runtime)
        late.audit()
        # Nor is it read in larger ones after a rollback to before it.
        roll_back(runtime, late.table, "last:1", Mode.REPLAY)
        runtime.context.followed(late.table)
        planned = open_batches(runtime.log, late.name, None)
        assert [sum(p.range.offsets for p in batch.ranges) for batch in planned] == [5, 5, 5, 5]
        go_on(late, runtime)
        late.audit()


@pytest.mark.long
def test_a_driver_of_its_own_brings_them_too_and_reports_each_batch(late: World) -> None:
    late.writer = None
    late.connections["spark_default"] = connection("spark_default", "spark", host="local[2]")
    text = f"source: {{topics: [{late.topic}], start: latest}}\ntables: [{{name: {late.table}}}]\nbatch: {{max_records: 100}}\n"
    outcomes = list[WriteOutcome]()
    with open_with(late, text) as runtime:
        planned = runtime.backfills.preview(ALWAYS)
        runtime.backfills.request(planned, "tester", "a test")
        done = runtime.backfill(str(uuid.uuid4()), "test/backfill", planned.interval, outcomes.append)
        assert [outcome.rows for outcome in outcomes] == [10, 10]
        assert done == outcomes
        runtime.commit([late.table], now=True)
        late.audit()


def test_records_before_the_start_are_brought_once_and_the_tail_goes_on_beside_them(late: World) -> None:
    with closing(late.runtime()) as runtime:
        before = snapshots(late)
        planned = runtime.backfills.preview(ALWAYS)
        assert snapshots(late) == before
        assert sum(s.offsets for s in planned.shares.values()) == 20
        runtime.backfills.request(runtime.backfills.preview(ALWAYS), "tester", "a test")
        assert runtime.backfills.preview(ALWAYS).shares[late.table].waiting == planned.shares[late.table].requesting
        ledger = runtime.tables.load(late.table).ledger
        assert ledger is not None
        source = planned.interval[0].source
        assert standing(ledger.coverage, source, 0) is OffsetStanding.REQUESTED
        # Ingest goes on, and leaves it to the backfill.
        late.produce(10)
        late.cycle(runtime)
        assert sorted(r[2] for r in late.rows()) == list(range(20, 40))
        assert open_batches(runtime.log, late.name, None)
        assert runtime.plan().batch_id is None
        with pytest.raises(BackfillUnfinished, match="20 offsets"):
            runtime.backfills.check(planned)
        found = runtime.audit()
        assert found.complete, audit_text(found)
        assert "that a backfill will load" in audit_text(found)
        fill(runtime)
        late.audit()
        # Again, nothing happens.
        before = snapshots(late)
        assert fill(runtime).nothing
        assert not open_batches(runtime.log, late.name, None)
    assert snapshots(late) == before


def test_what_a_rollback_left_out_comes_back_and_goes_and_comes_again_with_later_rollbacks(near: World) -> None:
    near.produce(10)
    near.run()
    with closing(near.runtime()) as runtime:
        roll_back(runtime, near.table, "last:1", Mode.SKIP)
        near.produce(10)
        near.cycle(runtime)
        assert sorted(r[2] for r in near.rows()) == [*range(20), *range(30, 40)]
        assert fill(runtime).shares[near.table].offsets == 10
        near.audit()
        for mode in (Mode.RECOMMIT, Mode.REPLAY):
            roll_back(runtime, near.table, "last:1", mode)
            assert sorted(r[2] for r in near.rows()) == [*range(20), *range(30, 40)]
            found = runtime.audit()
            assert found.complete, audit_text(found)
            near.produce(5)
            # What is read again comes before what is new.
            near.cycle(runtime)
            near.cycle(runtime)
            go_on(near, runtime)
            near.audit()


def go_on(world: World, runtime: Runtime) -> None:
    """As the command without a time."""
    runtime.backfills.go_on()
    runtime.backfill(str(uuid.uuid4()), "test/backfill", None)
    runtime.commit([world.table], now=True)


def test_only_the_records_of_the_time_are_requested(late: World) -> None:
    with closing(late.runtime()) as runtime:
        interval = runtime.backfills.preview(ALWAYS).interval
        moments = {s: t for s, t in runtime.broker.timestamps_at({r.source: 5 for r in interval}).items() if t}
        source = min(moments)
        middle = datetime.fromtimestamp(moments[source] / 1000, UTC)
        first = fill(runtime, Span(ALWAYS.start, middle))
        assert all(r.end <= 10 for r in first.interval)
        rest = fill(runtime, Span(middle, ALWAYS.end)).shares[late.table]
        assert sum(s.offsets for s in first.shares.values()) + rest.offsets == 20
        late.audit()


def test_dead_letters_that_landed_with_what_was_left_out_are_reported_once(late: World) -> None:
    # Left out with the rows beside them, and loaded again.
    with closing(late.runtime()) as runtime:
        late.produce(4, bad=[b"{", b"no"])
        late.cycle(runtime)
        roll_back(runtime, late.table, "last:1", Mode.SKIP)
        fill(runtime)
        late.audit(dead=2)


def test_what_kafka_dropped_is_reported_and_the_rest_is_brought(late: World) -> None:
    delete_before(late, 0, 4)
    with closing(late.runtime()) as runtime:
        requested = Span(datetime(1970, 1, 1, tzinfo=UTC), ALWAYS.end)
        (share,) = fill(runtime, requested).shares.values()
        assert share.offsets == 16
        assert [str(r).partition(" ")[2] for r in share.dropped] == ["[0, 4)"]
        found = runtime.audit()
        assert found.complete, audit_text(found)
        assert len(late.rows()) == 26


def test_a_backfill_survives_the_loss_of_postgres_and_a_second_try(late: World) -> None:
    with closing(late.runtime()) as runtime:
        runtime.backfills.request(runtime.backfills.preview(ALWAYS), "tester", "a test")
        runtime.recovery("tester", announced=True).recover()
        assert open_batches(runtime.log, late.name, None), "it is planned again from the table alone"
        late.produce(5)
        late.cycle(runtime)
        go_on(late, runtime)
        late.audit()


def test_a_wrong_span_and_a_pipeline_that_read_nothing_are_refused(near: World) -> None:
    new = replace(near, name="new")
    with closing(new.runtime()) as runtime, pytest.raises(BackfillRefused, match="has read nothing yet"):
        runtime.backfills.preview(ALWAYS)
    with closing(near.runtime()) as runtime:
        with pytest.raises(BackfillRefused, match="the end is not after the start"):
            runtime.backfills.preview(Span(ALWAYS.end, ALWAYS.start))
        with pytest.raises(BackfillRefused, match="has no table"):
            runtime.backfills.preview(Span(ALWAYS.start, ALWAYS.end, "ns.none"))


def test_the_command_shows_it_first_and_then_does_it(late: World) -> None:
    def backfilled(*more: str) -> str:
        done = lakelock("backfill", late.file, *more, environment=late.environment())
        return f"{done.returncode} {done.stdout}{done.stderr}"

    times = ("--from", "2000-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z")
    before = snapshots(late)
    shown = backfilled(*times)
    assert shown.startswith("0 backfill of records of")
    assert "20 offsets" in shown
    assert "Repeat with --yes to run it" in shown
    assert snapshots(late) == before
    assert backfilled(*times, "--yes").startswith("2 ")
    assert backfilled("--from", "2000-01-01T00:00:00Z").startswith("2 ")
    assert backfilled(*times, "--table", "ns.other").startswith("2 ")
    assert "no backfill is pending" in backfilled()
