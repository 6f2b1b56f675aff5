"""Run a window: batches back to back in one warm session, with the commits beside them."""

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
# After this a run begins no further small batch that reads offsets again: written parts wait for their commit.
GOES_ON_S = 120.0
# After a smaller batch Kafka is not queried for the backlog.
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
    report: Callable[[WriteOutcome], None],
) -> list[WriteOutcome]:
    """Plan and write a batch every *batch_every_s* until *until*, without a pause while there is a backlog.

    *report* gets each outcome as it happens, and waiting commits are woken at the end.

    * A batch that was begun is finished even if the window ends before it.
    * A cancelled job ends the window.
    * Errors that a retry may fix (a server that restarts) are retried after *reconnect*, and raised only if the window
      ends with them.
    * A batch that needs an operator is passed over: its unwritten parts wait, tables that it does not hold up
      continue, and its error is raised at the end.
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
                    # Logged here as it happens: a driver in its own process reports all outcomes when it ends.
                    logger.info("%s", outcomes[-1].line)
                    report(outcomes[-1])
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
                waits.check_again()
                pause(rest_s)
    finally:
        log.notify(pipeline)
    if passed_over:
        raise next(iter(passed_over.values()))
    if fault is not None:
        raise fault
    return outcomes


class _Waits:
    """Plans and writes. A waiting batch holds up only its own tables: it is not planned again before `check_again`."""

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

    def check_again(self) -> None:
        self._waiting.clear()


def _saying_once_where_it_stops(
    plan: Callable[[Collection[str]], PlanOutcome],
) -> Callable[[Collection[str]], PlanOutcome]:
    """*plan*, with one log line per window about offsets that are left unread behind the run's stop."""
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
    report: Callable[[WriteOutcome], None],
) -> list[WriteOutcome]:
    """Write the batch and those that follow it in this run; *report* gets each outcome as it happens.

    A batch that is read again for some table comes before new offsets. Others follow it until they have *max_offsets*
    together or GOES_ON_S have passed, so that a run progresses even if they are small. A new batch follows while at
    least half as many offsets as the last one had are *waiting* behind it, because bytes or time may make a batch
    smaller than a run.

    If an operator must act on a batch, the batches that it does not hold up are written before its error is raised.
    *plan* takes the batches to pass over and the most offsets. No batch is begun behind a new one that fails: if all
    fail alike, the rest of the topic would be planned in vain.
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
            report(outcome)
            if outcome.offsets:
                # If it is planned again in between, the next run writes it. Without offsets it was split for one
                # table, and the others are still to be written.
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
    """Whether a backlog is too large to have arrived while the batch was written; a small one is for the next run."""
    return outcome.offsets >= FOLLOWED_FROM and 2 * waiting() >= outcome.offsets


def commit_window(
    committer: Callable[[], Committer],
    clock: Clock,
    tables: Callable[[], Sequence[str]],
    *,
    until: datetime,
    writing: Callable[[], bool],
    now: Callable[[str], bool],
    report: Callable[[CommitOutcome], None],
) -> list[CommitOutcome]:
    """Commit each table as its parts come due, until the window is over, no task writes and nothing due is left.

    Each round asks for *tables* and the *committer* again, because a batch of the window may be for tables that were not there
    before. *report* gets each snapshot as it lands. *now* returns whether a table is committed before it is due. An error of one
    table never stops the others: it is raised at the end, and the table's staged parts wait.
    """
    landed: list[CommitOutcome] = []
    faults: dict[str, LakelockError] = {}
    beside = committer()

    def hear(outcome: CommitOutcome) -> None:
        if outcome.version_id is not None:
            landed.append(outcome)
            report(outcome)

    while True:
        last_round = clock.now() >= until and not writing()
        try:
            found = tables()
            beside = committer().expecting(found)
        except Retryable as fault:
            if last_round:
                raise
            logger.warning("%s", fault)
            found = list(faults)
        # Another task may have committed a table that failed here.
        faults = {table: fault for table, fault in faults.items() if table in found}
        for table in found:
            try:
                beside.commit(table, now=now(table), report=hear)
                faults.pop(table, None)
            except LakelockError as fault:
                if table not in faults or type(fault) is not type(faults[table]):
                    logger.error("%s", fault)
                faults[table] = fault
        if last_round:
            break
        try:
            beside.log.wait(beside.pipeline, min(POLL_S, max(0.1, beside.settings.max_latency_s)))
        except Retryable as fault:
            logger.warning("%s", fault)
            beside.pause(POLL_S)
    if faults:
        raise next(iter(faults.values()))
    return landed
