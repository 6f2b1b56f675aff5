"""Write and stage: run one batch's slices on Spark and record their output in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import monotonic

from lakelock.config import Pipeline
from lakelock.errors import LakelockError, NothingToInfer
from lakelock.ingest import fan_out
from lakelock.ingest.attempt import Attempt, reported_fault
from lakelock.ingest.dropped_values import report_left_out
from lakelock.ingest.heartbeat import STALE_AFTER_S, beating
from lakelock.ingest.outcome import WriteOutcome, nothing_written, written_outcome
from lakelock.ingest.progress import Progress
from lakelock.ingest.tables_to_write import Define
from lakelock.ingest.write_order import MaskKeys, no_keys
from lakelock.ports import Log, Tables, Writer

logger = logging.getLogger(__name__)


def write(
    log: Log,
    tables: Tables,
    writer: Writer,
    kafka: Mapping[str, str],
    *,
    pipeline_name: str,
    batch_id: str,
    attempt: str,
    run: str,
    new_id: Callable[[], str],
    pause: Callable[[float], None],
    define: Define,
    today: Pipeline,
    keys: MaskKeys = no_keys,
) -> WriteOutcome:
    """Claim the batch, write its open parts and stage them; a batch staged before is left as it is.

    *kafka* is librdkafka configuration, with its secrets. *today* is the pipeline file as it is now. Its limit of dead letters
    and its `on_fail` of checks apply, not the batch's, and a table whose settings of the batch do not fit it is planned again
    with those of today. Other tables that cannot be written keep their part planned; the first such error is raised after the
    other tables are staged.
    """
    started = monotonic()
    before = next((b for b in log.planned(pipeline_name) if b.batch_id == batch_id), None)
    if before is None:
        return WriteOutcome(batch_id, f"batch {batch_id} is staged already, nothing to write")
    batch = log.claim(batch_id, attempt, run, STALE_AFTER_S)
    if batch.closed and not batch.planned_tables:
        return _released(log, attempt, "nothing to write", batch_id, "was staged by another attempt, nothing to write")
    progress = Progress()
    try:
        with beating(log, batch_id, attempt, progress) as fenced:
            if before.attempt is not None:
                writer.interrupt_orphans(before.attempt)
            this = Attempt(
                log, tables, writer, kafka, batch, attempt, run, new_id, pause, define, today, keys, progress, fenced
            )
            if (later := this.prepared()) is not None:
                _release(log, batch_id, attempt, "put off")
                return later
            this.read()
            this.stage()
    except NothingToInfer as fault:
        return _released(log, attempt, "put off", batch_id, f"waits: {fault}", waits=True)
    except LakelockError as fault:
        _release(log, batch_id, attempt, type(fault).__name__)
        raise
    left_out = _reported(this)
    books = this.closing.books if this.closing else None
    of_parts = written_outcome(this.batch, this.parts, monotonic() - started, left_out, books) if this.parts else None
    outcome = (of_parts or nothing_written(this.batch)).after(this.columns.done)
    if this.routed is not None and this.routed.created:
        outcome = replace(outcome, line=f"{outcome.line}; new tables: {', '.join(this.routed.created)}")
    if this.again is not None:
        _release(log, batch_id, attempt, "planned again")
        outcome = replace(outcome, line=f"{outcome.line}; {this.again}", goes_on=True)
    return _staged(log, attempt, outcome, this)


def _staged(log: Log, attempt: str, outcome: WriteOutcome, this: Attempt) -> WriteOutcome:
    """Raise the error of tables without a part, or log it if they only wait for records to infer columns from."""
    if not this.faults:
        return outcome
    logger.info("%s", outcome.line)
    fault = reported_fault(this.faults, this.all_tables)
    _release(log, outcome.batch_id, attempt, type(fault).__name__)
    if not isinstance(fault, NothingToInfer):
        raise fault
    logger.info("%s", fault)
    return outcome


def _reported(this: Attempt) -> int:
    """Log fields without a column, small files, and values of dropped columns; returns how many values these are."""
    for name in sorted({f"{t.table}: {f}" for o in this.outputs for t in o.tables for f in t.unknown_fields}):
        logger.warning("field without a column: %s", name)
    for part in this.parts:
        has_partitions = not part.target and this.states[part.table].layout.is_partitioned
        if has_partitions and (said := fan_out.warning(part.table, (f.size_bytes for f in part.files))):
            logger.warning("batch %s: %s", this.batch.batch_id, said)
    return report_left_out(this.outputs, {p.table for p in this.parts if not p.target})


def _released(log: Log, attempt: str, outcome: str, batch_id: str, line: str, *, waits: bool = False) -> WriteOutcome:
    _release(log, batch_id, attempt, outcome)
    return WriteOutcome(batch_id, f"batch {batch_id} {line}", waits=waits)


def _release(log: Log, batch_id: str, attempt: str, outcome: str) -> None:
    try:
        log.release(batch_id, attempt, outcome)
    except LakelockError as fault:
        logger.warning("batch %s stays claimed until its heartbeat is stale: %s", batch_id, fault)
