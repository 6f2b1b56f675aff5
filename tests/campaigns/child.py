"""What the processes of a run do: act with a fault, act without, go on until all is quiet, and look at the outcome."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from lakelock.app.redrive import Redrive
from lakelock.app.runtime import Runtime
from lakelock.app.servers import new_id
from lakelock.backfill.span import Span
from lakelock.errors import CommitConflict, LakelockError
from lakelock.ingest import heartbeat
from lakelock.model.batches import LIVE
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveRequest
from lakelock.upkeep.compact import Settings
from pyiceberg.exceptions import CommitFailedException
from pyiceberg.types import LongType

from campaigns import broken, check
from campaigns.check import Verdict
from campaigns.gate import Gate
from campaigns.place import ORDERS, Place
from campaigns.points import Fault, Points, watch

# One Airflow run, and its retries: another run would wait half a minute for the heartbeat to be stale.
RUN = "campaign/1"
CYCLES = 3
BATCH = 20
WHO, WHY = "campaign", "a crash"
ALWAYS = Span(datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))


@dataclass(frozen=True)
class Job:
    """One process's work: *act* with *words*."""

    place: Place
    act: str
    words: tuple[str, ...] = ()
    fault: Fault | None = None
    reads: bool = False
    broken: str | None = None
    spark: bool = False
    gate: Gate | None = None


@dataclass(frozen=True)
class Did:
    """`points` are those passed; `fault` what the act ended in, `unclear` when that is no error an operator could read."""

    points: tuple[str, ...] = ()
    fault: str | None = None
    unclear: bool = False
    known: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Settled:
    """`cycles` ordinary runs were needed; `stuck` is what the last of them still said."""

    cycles: int
    stuck: str | None
    verdict: Verdict
    seconds: float = 0.0


def act(job: Job) -> Did:
    """Does it; an error is reported, not raised."""
    start_log()
    points = Points(job.fault, job.reads)
    with ExitStack() as stack:
        stack.enter_context(broken.rule(job.broken))
        runtime = stack.enter_context(closing(job.place.runtime()))
        heartbeat.INTERVAL_S = 0.01
        watch(runtime, points, spark=job.spark, gate=job.gate)
        points.armed = True
        try:
            known = ACTS[job.act](runtime, job.place, *job.words)
        except LakelockError as fault:
            traceback.print_exc()
            return Did(tuple(points.seen), f"{type(fault).__name__}: {fault}")
        except Exception as fault:
            traceback.print_exc()
            return Did(tuple(points.seen), f"{type(fault).__name__}: {fault}", unclear=True)
        finally:
            points.armed = False
    return Did(tuple(points.seen), known=known or {})


def settle(job: Job, may_skip: Mapping[str, set[tuple[int, int]]]) -> Settled:
    """Ordinary runs without faults until nothing is open, at most three; then the audit.

    A run moves one batch. Where more are planned after the first two runs, each may have its own, and what is new one more.
    """
    start_log()
    began = time.monotonic()
    place, said, cycles, most = job.place, "", 0, CYCLES
    with closing(place.runtime()) as runtime:
        watch(runtime, Points(), spark=job.spark)
        with broken.rule(job.broken):
            while cycles < most and (said or not cycles):
                cycles += 1
                try:
                    cycle(runtime, place)
                    # What was asked for stays so until a backfill loads it, and after a rollback waits for one again.
                    if not place.routed and runtime.backfills.go_on():
                        _bring(runtime, place, None)
                    if place.known.get("fixed"):
                        # What a rollback opened again, or a redrive that is dead left, is for a person to repeat.
                        _redriven(runtime, runtime.redrives.preview(RedriveRequest()).shown)
                    said = _open_work(runtime)
                except Exception as fault:
                    traceback.print_exc()
                    said = f"{type(fault).__name__}: {fault}"
                if cycles < CYCLES:
                    most = max(most, cycles + len(runtime.log.planned(runtime.pipeline.name)) + 1)
        return Settled(cycles, said or None, check.audit(place, runtime, may_skip), time.monotonic() - began)


def _open_work(runtime: Runtime) -> str:
    log, name = runtime.log, runtime.pipeline.name
    planned = [f"batch {b.batch_id} is planned for {b.planned_tables}" for b in log.planned(name)]
    staged = [f"batch {p.batch_id} is staged for {p.result.table}" for p in log.staged(name)]
    ends = runtime.broker.watermarks(runtime.broker.sources(runtime.pipeline.source.topics))
    reached = {s.source: s.next_offset for s in log.streams(name, LIVE)}
    behind = [f"{s} is planned up to {reached.get(s)} of {w.end_offset}" for s, w in ends.items()
              if reached.get(s, -1) < w.end_offset]  # fmt: skip
    return "; ".join([*planned, *staged, *behind])


def cycle(runtime: Runtime, place: Place, max_records: str = "") -> None:
    """As `lakelock run --once`: a step's fault keeps no other from doing its part."""
    faults: list[LakelockError] = []

    def tried(step: Callable[[], object]) -> None:
        try:
            print(step(), flush=True)
        except LakelockError as fault:
            faults.append(fault)

    tried(lambda: _plan_and_write(runtime, max_records))
    _commit(runtime, place, tried)
    tried(runtime.publish)
    if faults:
        raise faults[0]


def _plan_and_write(runtime: Runtime, max_records: str) -> object:
    limit = int(max_records) if max_records else None
    planned = runtime.plan(limit)
    print(planned.line, flush=True)
    return planned.batch_id and [w.line for w in runtime.write_run(new_id(), RUN, planned.batch_id, limit)]


def _commit(runtime: Runtime, place: Place, tried: Callable[[Callable[[], object]], None]) -> None:
    # A batch may have made tables.
    runtime.refresh_tables()
    for table in [*(t.name for t in runtime.pipeline.tables), place.dead_letters]:
        tried(lambda table=table: [o.line for o in runtime.commit([table], now=True)])  # type: ignore[misc]


def plan(runtime: Runtime, place: Place, max_records: str) -> None:
    runtime.plan(int(max_records))


def hold(runtime: Runtime, place: Place, max_records: str) -> None:
    """Leaves a batch with an attempt that is dead."""
    planned = runtime.plan(int(max_records))
    assert planned.batch_id is not None
    runtime.log.claim(planned.batch_id, new_id(), RUN, heartbeat.STALE_AFTER_S)


def write(runtime: Runtime, place: Place, max_records: str) -> None:
    """Leaves a batch staged."""
    _plan_and_write(runtime, max_records)


def approve(runtime: Runtime, place: Place, table: str, to: str) -> dict[str, Any]:
    """What a person is shown before a rollback, and agrees to."""
    planned = runtime.rollbacks.preview(place.table(table), to, Mode.RECOMMIT)
    gone = {(r.source.partition, o) for r in planned.ranges for o in range(r.start, r.end)}
    # Of the same table: what was agreed to before may be out as well.
    gone |= place.known.get("taken_out", set())
    return {"to": str(planned.to.id), "table": table, "taken_out": gone, "shown": planned.shown}


def rollback(runtime: Runtime, place: Place, mode: str) -> None:
    table = place.table(place.known["table"])
    runtime.rollbacks.roll_back(table, place.known["to"], Mode(mode), WHO, WHY, place.known["shown"])


def backfill(runtime: Runtime, place: Place) -> None:
    """All that was left out, as `lakelock backfill` does."""
    planned = runtime.backfills.preview(ALWAYS)
    runtime.backfills.request(planned, WHO, WHY)
    _bring(runtime, place, planned.interval)
    runtime.backfills.check(planned)


def replace(runtime: Runtime, place: Place) -> None:
    """All that the tables have, as `lakelock replace` does."""
    runtime.replace(ALWAYS, WHO, WHY, lambda outcome: print(outcome.line, flush=True))


def _bring(runtime: Runtime, place: Place, interval: Sequence[OffsetRange] | None) -> None:
    runtime.backfill(new_id(), RUN, interval)
    # Dead letters first: rows wait for them.
    for table in [place.dead_letters, *(t.name for t in runtime.pipeline.tables)]:
        print([o.line for o in runtime.commit([table], now=True)], flush=True)


def compact(runtime: Runtime, place: Place) -> None:
    """All tables, whatever their files' age."""
    for table in runtime.all_tables():
        print(
            runtime.compaction.compact(table, Settings(2, -1, 3_600_000, runtime.compact_settings.landing)).line,
            flush=True,
        )


def fix(runtime: Runtime, place: Place) -> dict[str, Any]:
    """The table gets the column that some records lacked there."""
    with runtime.tables.catalog.load_table(place.table(ORDERS)).update_schema() as columns:
        columns.add_column("extra", LongType())
    return {"fixed": True}


def preview_dead_letters(runtime: Runtime, place: Place) -> dict[str, Any]:
    """What a person is shown before a redrive, and agrees to."""
    planned = runtime.redrives.preview(RedriveRequest())
    assert planned.tables[0].fits, planned.lines
    return {"letters": planned.shown.text}


def redrive(runtime: Runtime, place: Place) -> None:
    _redriven(runtime, ApprovedDeadLetters.of(place.known["letters"]))


def preview_and_redrive(runtime: Runtime, place: Place) -> None:
    _redriven(runtime, runtime.redrives.preview(RedriveRequest()).shown)


def _redriven(runtime: Runtime, shown: ApprovedDeadLetters) -> None:
    for done in runtime.run(Redrive(RedriveRequest(), WHO, WHY, shown)):
        print(done.lines, flush=True)


def recover(runtime: Runtime, place: Place, how: str, mode: str = "recommit") -> None:
    recovery = runtime.recovery(WHO, Mode(mode), announced=how == "restored", take_over=how == "take-over")
    print([f.line for f in recovery.recover()], flush=True)


def by_hand(runtime: Runtime, place: Place, table: str) -> dict[str, Any]:
    """A person sets a table back with another tool, whose own commit may come too late, too."""
    known = approve(runtime, place, table, "last:2") if table == ORDERS else {}
    found = runtime.tables.catalog.load_table(place.table(table))
    to = int(known["to"]) if known else found.metadata.snapshot_log[-3].snapshot_id
    try:
        found.manage_snapshots().set_current_snapshot(to).commit()
    except CommitFailedException as fault:
        raise CommitConflict(str(fault)) from fault
    return known


def start_log() -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s", force=True)


ACTS: dict[str, Callable[..., Any]] = {
    "cycle": cycle,
    "plan": plan,
    "hold": hold,
    "write": write,
    "approve": approve,
    "rollback": rollback,
    "recover": recover,
    "compact": compact,
    "by hand": by_hand,
    "backfill": backfill,
    "replace": replace,
    "fix": fix,
    "look at letters": preview_dead_letters,
    "redrive": redrive,
    "look and redrive": preview_and_redrive,
}
