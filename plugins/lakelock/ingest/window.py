"""A window: batches back to back in one warm session, and the commits beside them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from lakelock.errors import Fenced, JobCancelled, LakelockError, OutcomeUnknown, Retryable, Terminal
from lakelock.ingest.commit import Committer
from lakelock.ingest.outcome import CommitOutcome, PlanOutcome, WriteOutcome
from lakelock.ports import Clock, Log

logger = logging.getLogger(__name__)

POLL_S = 2.0
RETRY_S = 2.0
# A run that reads much again in small batches begins no further one after this: what is written waits for its commit.
GOES_ON_S = 120.0
# Kafka is not asked what is left behind a smaller batch.
FOLLOWED_FROM = 1_000


def write_window(
    log: Log,
    clock: Clock,
    pipeline: str,
    *,
    plan: Callable[[Collection[str]], PlanOutcome],
    write: Callable[[str], WriteOutcome],
    reconnect: Callable[[], None],
    first_batch_id: str | None,
    until: datetime,
    batch_every_s: float,
    pause: Callable[[float], None],
    told: Callable[[WriteOutcome], None],
) -> list[WriteOutcome]:
    """Plans and writes a batch every *batch_every_s* until *until*; while a backlog is left, without a pause. Tells each
    outcome as it comes.

    A batch that was begun is finished even when the window ends meanwhile; one whose job was cancelled ends the window. What a
    later try may mend (a server that restarts) is tried again after *reconnect*, and raised only when the window ends with
    it. A batch that a person must act on is passed over: what it has not written waits, the tables that it does not hold up
    go on, and its error is raised at the end. Wakes waiting commits when it is done.
    """
    outcomes: list[WriteOutcome] = []
    batch_id = first_batch_id
    fault: LakelockError | None = None
    passed_over: dict[str, Terminal] = {}
    waits = _Waits(_saying_once_where_it_stops(plan), write)
    try:
        while True:
            began = clock.monotonic()
            backlog = 0
            try:
                if batch_id is None and clock.now() < until:
                    planned = waits.plan(passed_over)
                    batch_id, backlog = planned.batch_id, planned.backlog_offsets
                if batch_id in passed_over:
                    break
                if batch_id is not None:
                    outcomes.append(waits.write(batch_id))
                    # Here, for the log of whoever writes: a driver of its own tells them all when it ends.
                    logger.info("%s", outcomes[-1].line)
                    told(outcomes[-1])
                    backlog += outcomes[-1].goes_on
                fault = None
            except (Retryable, OutcomeUnknown) as error:
                logger.error("%s", error)
                fault, backlog = error, 0
                reconnect()
            except Terminal as error:
                if batch_id is None or isinstance(error, (Fenced, JobCancelled)):
                    raise
                logger.error("%s", error)
                passed_over[batch_id] = error
            batch_id = None
            rest_s = batch_every_s - (clock.monotonic() - began) if not backlog else 0.0
            rest_s = max(rest_s, RETRY_S) if fault else rest_s
            left_s = (until - clock.now()).total_seconds()
            if left_s <= max(rest_s, 0.0):
                break
            if rest_s > 0:
                waits.look_again()
                pause(rest_s)
    finally:
        log.notify(pipeline)
    if passed_over:
        raise next(iter(passed_over.values()))
    if fault is not None:
        raise fault
    return outcomes


class _Waits:
    """Plans and writes. A batch that waits holds up no table but its own: it is not planned again before `look_again`."""

    def __init__(self, plan: Callable[[Collection[str]], PlanOutcome], write: Callable[[str], WriteOutcome]) -> None:
        self._plan, self._write = plan, write
        self._waiting: set[str] = set()

    def plan(self, passed_over: Collection[str]) -> PlanOutcome:
        planned = self._plan({*passed_over, *self._waiting})
        return replace(planned, batch_id=None) if planned.batch_id in self._waiting else planned

    def write(self, batch_id: str) -> WriteOutcome:
        outcome = self._write(batch_id)
        if not outcome.waits:
            return outcome
        self._waiting.add(batch_id)
        return replace(outcome, goes_on=True)

    def look_again(self) -> None:
        self._waiting.clear()


def _saying_once_where_it_stops(
    plan: Callable[[Collection[str]], PlanOutcome],
) -> Callable[[Collection[str]], PlanOutcome]:
    """As *plan*. An idle window says nothing; one that leaves something unread says so, but not every few seconds."""
    said = False

    def planned(passed_over: Collection[str]) -> PlanOutcome:
        nonlocal said
        outcome = plan(passed_over)
        if outcome.is_stopped and not said:
            logger.info("%s", outcome.line)
            said = True
        return outcome

    return planned


def write_run(
    clock: Clock,
    *,
    plan: Callable[[Collection[str], int], PlanOutcome],
    waiting: Callable[[], int],
    write: Callable[[str], WriteOutcome],
    batch_id: str,
    max_offsets: int,
    told: Callable[[WriteOutcome], None],
) -> list[WriteOutcome]:
    """Writes the batch, and tells each outcome as it comes. One that is read again for some table comes before what is
    new: others follow until they have *max_offsets* together, or it is late, so that a run gets on however small they are.
    A new batch follows while half as many offsets as it had are *waiting* behind it: a batch may be smaller than a run, by
    its bytes or its time.

    Where a person must act on a batch first, those that it does not hold up are written before its error is raised.
    *plan* is given the batches to pass over, and the most offsets. None is begun behind a new one that faults: what faults
    with each would otherwise be planned to the topic's end.
    """
    outcomes: list[WriteOutcome] = []
    passed_over: dict[str, Terminal] = {}
    written: set[str] = set()
    next_id: str | None = batch_id
    is_new, left, began = False, max_offsets, clock.monotonic()
    waits = _Waits(lambda over: plan(over, left), write)
    while next_id is not None and next_id not in passed_over and next_id not in written:
        try:
            outcome = waits.write(next_id)
            outcomes.append(outcome)
            told(outcome)
            if outcome.offsets:
                # Planned anew meanwhile, it is for the next run. What was planned in pieces for one table waits for others.
                written.add(next_id)
            left -= outcome.offsets
            is_last = is_new or clock.monotonic() - began >= GOES_ON_S
            if left <= 0 or (is_last if outcome.goes_on else not _is_followed(outcome, waiting)):
                break
        except (Fenced, JobCancelled):
            raise
        except Terminal as fault:
            logger.error("%s", fault)
            passed_over[next_id] = fault
            if is_new or clock.monotonic() - began >= GOES_ON_S:
                break
        planned = waits.plan(passed_over)
        next_id, is_new = planned.batch_id, planned.is_new
    if passed_over:
        raise next(iter(passed_over.values()))
    return outcomes


def _is_followed(outcome: WriteOutcome, waiting: Callable[[], int]) -> bool:
    """What came while a batch was written is for the next run; as much as it had was left for other reasons."""
    return outcome.offsets >= FOLLOWED_FROM and 2 * waiting() >= outcome.offsets


def commit_window(
    committer: Committer,
    clock: Clock,
    tables: Sequence[str],
    *,
    until: datetime,
    writing: Callable[[], bool],
    now: Callable[[str], bool],
    told: Callable[[CommitOutcome], None],
) -> list[CommitOutcome]:
    """Commits each table as its parts come due, until the window is over, no task writes and nothing due is left. Tells what
    lands as it does.

    *now* tells of a table whether it does not wait until it is due. One table's error never stops its siblings: it is
    raised at the end, and its staged parts wait.
    """
    landed: list[CommitOutcome] = []
    faults: dict[str, LakelockError] = {}

    def hear(outcome: CommitOutcome) -> None:
        if outcome.snapshot_id is not None:
            landed.append(outcome)
            told(outcome)

    while True:
        last_round = clock.now() >= until and not writing()
        for table in tables:
            try:
                committer.commit(table, now=now(table), told=hear)
                faults.pop(table, None)
            except LakelockError as fault:
                if table not in faults or type(fault) is not type(faults[table]):
                    logger.error("%s", fault)
                faults[table] = fault
        if last_round:
            break
        try:
            committer.log.wait(committer.pipeline, min(POLL_S, max(0.1, committer.settings.max_latency_s)))
        except Retryable as fault:
            logger.warning("%s", fault)
            committer.pause(POLL_S)
    if faults:
        raise next(iter(faults.values()))
    return landed
