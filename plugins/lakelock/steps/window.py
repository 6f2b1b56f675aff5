"""A window: batches back to back in one warm session, and the commits beside them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from lakelock.errors import Fenced, LakelockError, OutcomeUnknown, Retryable, Terminal
from lakelock.ports import Clock, Log
from lakelock.steps.commit import Committer
from lakelock.steps.outcome import CommitOutcome, PlanOutcome, WriteOutcome

logger = logging.getLogger(__name__)

POLL_S = 2.0
RETRY_S = 2.0


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
) -> list[WriteOutcome]:
    """Plans and writes a batch every *batch_every_s* until *until*; while a backlog is left, without a pause.

    A batch that was begun is finished even when the window ends meanwhile. What a later try may mend (a server that
    restarts) is tried again after *reconnect*, and raised only when the window ends with it. A batch that a person must
    act on is passed over: what it has not written waits, the tables that it does not hold up go on, and its error is
    raised at the end. Wakes waiting commits when it is done.
    """
    outcomes: list[WriteOutcome] = []
    batch_id = first_batch_id
    fault: LakelockError | None = None
    passed_over: dict[str, Terminal] = {}
    try:
        while True:
            began = clock.monotonic()
            backlog = 0
            try:
                if batch_id is None and clock.now() < until:
                    planned = plan(passed_over)
                    batch_id, backlog = planned.batch_id, planned.backlog_offsets
                if batch_id in passed_over:
                    break
                if batch_id is not None:
                    outcomes.append(write(batch_id))
                    logger.info("%s", outcomes[-1].line)
                    backlog += outcomes[-1].goes_on
                fault = None
            except (Retryable, OutcomeUnknown) as error:
                logger.error("%s", error)
                fault, backlog = error, 0
                reconnect()
            except Terminal as error:
                if batch_id is None or isinstance(error, Fenced):
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
                pause(rest_s)
    finally:
        log.notify(pipeline)
    if passed_over:
        raise next(iter(passed_over.values()))
    if fault is not None:
        raise fault
    return outcomes


def write_run(
    plan: Callable[[Collection[str]], PlanOutcome],
    write: Callable[[str], WriteOutcome],
    batch_id: str,
    max_offsets: int,
) -> list[WriteOutcome]:
    """Writes the batch. One that is read again for some table comes before what is new: others follow it until they have
    *max_offsets* together, so that a run gets on however small they are.

    *plan* is given batches to pass over. Where a person must act on a batch first, those that it does not hold up are written
    before its error is raised.
    """
    outcomes: list[WriteOutcome] = []
    passed_over: dict[str, Terminal] = {}
    next_id: str | None = batch_id
    left = max_offsets
    while next_id is not None and next_id not in passed_over:
        try:
            outcomes.append(write(next_id))
            logger.info("%s", outcomes[-1].line)
            left -= outcomes[-1].offsets
            if not outcomes[-1].goes_on or left <= 0:
                break
        except Fenced:
            raise
        except Terminal as fault:
            logger.error("%s", fault)
            passed_over[next_id] = fault
        next_id = plan(passed_over).batch_id
    if passed_over:
        raise next(iter(passed_over.values()))
    return outcomes


def commit_window(
    committer: Committer,
    clock: Clock,
    tables: Sequence[str],
    *,
    until: datetime,
    writing: Callable[[], bool],
    now: bool,
) -> list[CommitOutcome]:
    """Commits each table as its parts come due, until the window is over, no task writes and nothing due is left.

    One table's error never stops its siblings: it is raised at the end, and its staged parts wait.
    """
    landed: list[CommitOutcome] = []
    faults: dict[str, LakelockError] = {}
    while True:
        last_round = clock.now() >= until and not writing()
        for table in tables:
            try:
                outcomes = committer.commit(table, now=now)
                faults.pop(table, None)
            except LakelockError as fault:
                if table not in faults or type(fault) is not type(faults[table]):
                    logger.error("%s", fault)
                faults[table] = fault
                continue
            for outcome in outcomes:
                if outcome.snapshot_id is not None:
                    logger.info("%s", outcome.line)
                    landed.append(outcome)
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
