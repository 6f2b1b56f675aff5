"""Write and stage: run one batch's slices on Spark and record their output in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from time import monotonic

from lakelock.config import Pipeline
from lakelock.errors import Fenced, LakelockError, NothingToInfer, Retryable, TableUnfit, Terminal
from lakelock.ingest import bind as binding
from lakelock.ingest import fan_out
from lakelock.ingest.dropped_values import report_left_out
from lakelock.ingest.evolve import ColumnChanges, Reread
from lakelock.ingest.heartbeat import STALE_AFTER_S, beating
from lakelock.ingest.outcome import WriteOutcome, nothing_written, written_outcome
from lakelock.ingest.part_results import parts_of, ranges_of, without_table
from lakelock.ingest.passes import Passes
from lakelock.ingest.progress import Progress
from lakelock.ingest.readiness import Readiness
from lakelock.ingest.routed_batch import RoutedBatch
from lakelock.ingest.settings_of_batch import outdated, plan_with_settings_of
from lakelock.ingest.tables_to_write import Define, TablesToWrite, dead_letter_tables
from lakelock.ingest.write_order import MaskKeys, evaluable, no_keys, order_of, with_dead_letters
from lakelock.model.batches import Batch, PartResult
from lakelock.ports import Log, SliceOutput, Tables, TableState, WriteOrder, Writer

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
    all_tables = [t.name for t in today.tables]
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
            pipeline = Pipeline.from_resolved(batch.config)
            owner = binding.Owner(pipeline.name, log.installation_id(), batch.config, batch.config_digest)
            binder = binding.Binder(log, tables, owner, pipeline.commit, new_id, pause)
            routed = _routed(binder, pipeline, batch)
            pipeline = routed.pipeline if routed else pipeline
            prepare = TablesToWrite(binder, batch, define, keys)
            states, faults = prepare.all(pipeline, routed.first if routed else batch.planned_tables)
            if not states and routed is None and not outdated(batch, today, faults):
                raise _reported_fault(faults, all_tables)
            dead_letters = dead_letter_tables(binder, pipeline.dead_letter_table)
            ranges = {name: ranges_of(pipeline, batch, name) for name in states}
            ready = Readiness(log, pipeline, batch, attempt, ranges, dead_letters, new_id)
            if (later := ready.put_off(is_routed=routed is not None)) is not None:
                _release(log, batch_id, attempt, "put off")
                return later

            def order_for(pipeline: Pipeline, states: Mapping[str, TableState]) -> WriteOrder:
                ranges = {name: ranges_of(pipeline, batch, name) for name in states}
                router = routed.router if routed else None
                current = dead_letters.current
                order = order_of(pipeline, batch, attempt, parallelism, states, current, tables, kafka, keys, router)
                return evaluable(writer, with_dead_letters(order, ranges, dead_letters), today, faults)

            parallelism = pipeline.batch.parallelism or writer.parallelism
            columns = ColumnChanges(binder, pipeline, batch_id, run)
            passes = Passes(log, writer, batch, parallelism, progress, partial(_go_on, batch_id, attempt, fenced))
            done, order = Reread([], {}, {}), order_for(pipeline, states)
            if order.targets or order.router:
                done = passes.read(order, states, columns, routed, prepare.prepared, order_for)
            batch, outputs = passes.batch, done.outputs
            pipeline = routed.pipeline if routed else pipeline
            faults |= {**done.faults, **_write_faults(outputs)}
            written = {name: state for name, state in passes.states.items() if name not in faults}
            limits = today.dead_letters.stop_at
            parts, unfit = parts_of(pipeline, batch, written, done.layouts, dead_letters, outputs, limits)
            faults |= unfit
            closing = None
            if routed is not None:
                closing = routed.closing(outputs, [p.range for p in batch.ranges])
                parts = routed.staged(parts, closing, without_table(batch, closing, dead_letters, outputs, limits))
            if parts or closing is not None:
                log.stage(batch_id, attempt, parts, closing)
            again = plan_with_settings_of(today, log, batch, attempt, faults, dead_letters.coverage, new_id)
            if not parts and again is None and faults:
                raise _reported_fault(faults, all_tables)
    except NothingToInfer as fault:
        return _released(log, attempt, "put off", batch_id, f"waits: {fault}", waits=True)
    except LakelockError as fault:
        _release(log, batch_id, attempt, type(fault).__name__)
        raise
    left_out = _reported(batch, passes.states, parts, outputs)
    of_parts = written_outcome(batch, parts, monotonic() - started, left_out) if parts else None
    outcome = (of_parts or nothing_written(batch)).after(columns.done)
    if routed is not None and routed.created:
        outcome = replace(outcome, line=f"{outcome.line}; new tables: {', '.join(routed.created)}")
    if again is not None:
        _release(log, batch_id, attempt, "planned again")
        outcome = replace(outcome, line=f"{outcome.line}; {again}", goes_on=True)
    return _staged(log, attempt, outcome, faults, all_tables)


def _routed(binder: binding.Binder, pipeline: Pipeline, batch: Batch) -> RoutedBatch | None:
    if pipeline.route is None:
        return None
    return RoutedBatch.begin(binder, pipeline, batch, dead_letter_tables(binder, pipeline.dead_letter_table).current)


def _go_on(batch_id: str, attempt: str, fenced: Event) -> None:
    if fenced.is_set():
        raise Fenced(f"batch {batch_id}: a newer attempt took over from attempt {attempt}, which staged nothing.")


def _staged(
    log: Log, attempt: str, outcome: WriteOutcome, faults: Mapping[str, LakelockError], all_tables: Collection[str]
) -> WriteOutcome:
    """Raise the error of tables without a part, or log it if they only wait for records to infer columns from."""
    if not faults:
        return outcome
    logger.info("%s", outcome.line)
    fault = _reported_fault(faults, all_tables)
    _release(log, outcome.batch_id, attempt, type(fault).__name__)
    if not isinstance(fault, NothingToInfer):
        raise fault
    logger.info("%s", fault)
    return outcome


def _write_faults(outputs: Sequence[SliceOutput]) -> dict[str, LakelockError]:
    """Faults of tables, by name. Their other slices, dead letters included, are useless without the failed one."""
    found: dict[str, LakelockError] = {}
    for table in (t for o in outputs for t in o.tables if t.fault is not None):
        if table.table not in found and table.fault is not None:
            logger.error("%s", table.fault)
            found[table.table] = table.fault
    return found


def _reported_fault(faults: Mapping[str, LakelockError], all_tables: Collection[str]) -> LakelockError:
    """The error to raise for the tables that were not written.

    A retryable error keeps a window on its batch until the batch is written. That is right if no table of the pipeline
    can be written (the warehouse is down). Otherwise it would hold up other tables, so the error becomes terminal and
    the batch is passed over. Nothing is lost: the part stays planned, and the next run tries again.
    """
    real = [f for f in faults.values() if not isinstance(f, NothingToInfer)]
    if not real:
        return next(iter(faults.values()))
    first = real[0]
    if set(all_tables) <= set(faults):
        return next((f for f in real if isinstance(f, Retryable)), first)
    return first if isinstance(first, Terminal) else TableUnfit(first.what, first.state, first.do)


def _reported(
    batch: Batch, states: Mapping[str, TableState], parts: Sequence[PartResult], outputs: Sequence[SliceOutput]
) -> int:
    """Log fields without a column, small files, and values of dropped columns; returns how many values these are."""
    for name in sorted({f"{t.table}: {f}" for o in outputs for t in o.tables for f in t.unknown_fields}):
        logger.warning("field without a column: %s", name)
    for part in parts:
        has_partitions = not part.target and states[part.table].layout.is_partitioned
        if has_partitions and (said := fan_out.warning(part.table, (f.size_bytes for f in part.files))):
            logger.warning("batch %s: %s", batch.batch_id, said)
    return report_left_out(outputs, {p.table for p in parts if not p.target})


def _released(log: Log, attempt: str, outcome: str, batch_id: str, line: str, *, waits: bool = False) -> WriteOutcome:
    _release(log, batch_id, attempt, outcome)
    return WriteOutcome(batch_id, f"batch {batch_id} {line}", waits=waits)


def _release(log: Log, batch_id: str, attempt: str, outcome: str) -> None:
    try:
        log.release(batch_id, attempt, outcome)
    except LakelockError as fault:
        logger.warning("batch %s stays claimed until its heartbeat is stale: %s", batch_id, fault)
