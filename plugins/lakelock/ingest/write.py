"""Write and stage: run one batch's slices on Spark and record their output in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from time import monotonic

from lakelock.config import Pipeline
from lakelock.config.commit_sections import DeadLetterLimits
from lakelock.errors import Fenced, LakelockError, NothingToInfer, Retryable, State, TableUnfit, Terminal, WalUnusable
from lakelock.ingest import bind as binding
from lakelock.ingest import books as bookkeeping
from lakelock.ingest import fan_out
from lakelock.ingest.dead_letter_state import DeadLetterTables, refuse_covered, refuse_late
from lakelock.ingest.dropped_values import report_left_out
from lakelock.ingest.evolve import ColumnChanges, Reread
from lakelock.ingest.heartbeat import STALE_AFTER_S, beating
from lakelock.ingest.jobs import run_jobs
from lakelock.ingest.landing import as_written
from lakelock.ingest.outcome import WriteOutcome, written_outcome
from lakelock.ingest.present_names import PresentNames
from lakelock.ingest.progress import Progress
from lakelock.ingest.readiness import Readiness
from lakelock.ingest.settings_of_batch import outdated, plan_with_settings_of
from lakelock.ingest.table_fit import fitting
from lakelock.ingest.write_order import MaskKeys, evaluable, no_keys, order_of, with_dead_letters
from lakelock.model.batches import LIVE, Batch, PartResult
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.parquet_options import not_honoured, parquet_options
from lakelock.ports import Log, SliceOutput, TableDefinition, Tables, TableState, WriteOrder, Writer
from lakelock.records import dead_letters

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
    define: Callable[[Pipeline, str, Batch], TableDefinition],
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
    if not batch.planned_tables:
        return _released(log, attempt, "nothing to write", batch_id, "was staged by another attempt, nothing to write")
    progress = Progress()
    try:
        with beating(log, batch_id, attempt, progress) as fenced:
            if before.attempt is not None:
                writer.interrupt_orphans(before.attempt)
            pipeline = Pipeline.from_resolved(batch.config)
            owner = binding.Owner(pipeline.name, log.installation_id(), batch.config, batch.config_digest)
            binder = binding.Binder(log, tables, owner, pipeline.commit, new_id, pause)
            states, names, faults = _bound_tables(binder, pipeline, batch, define, keys)
            if not states and not outdated(batch, today, faults):
                raise _reported_fault(faults, all_tables)
            dead_letters = _dead_letter_tables(binder, pipeline.dead_letter_table)
            ranges = {name: _ranges_of(pipeline, batch, name) for name in states}
            if (later := Readiness(log, pipeline, batch, attempt, ranges, dead_letters, new_id).put_off()) is not None:
                _release(log, batch_id, attempt, "put off")
                return later
            parallelism = pipeline.batch.parallelism or writer.parallelism
            done, columns = Reread([], {}, {}), ColumnChanges(binder, pipeline, batch_id, run)
            if states:
                order = order_of(
                    pipeline, batch, attempt, parallelism, states, names, dead_letters.current, tables, kafka, keys
                )
                order = evaluable(writer, with_dead_letters(order, states, ranges, dead_letters), today, faults)
                if order.targets:
                    batch, done = _read(log, writer, batch, order, parallelism, progress, fenced, states, columns)
            faults |= {**done.faults, **_write_faults(outputs := done.outputs)}
            written = {name: state for name, state in states.items() if name not in faults}
            parts, unfit = _parts(
                pipeline, batch, written, done.layouts, dead_letters, outputs, today.dead_letters.stop_at
            )
            faults |= unfit
            if parts:
                log.stage(batch_id, attempt, parts)
            again = plan_with_settings_of(today, log, batch, attempt, faults, dead_letters.coverage, new_id)
            if not parts and again is None:
                raise _reported_fault(faults, all_tables)
    except NothingToInfer as fault:
        return _released(log, attempt, "put off", batch_id, f"waits: {fault}", waits=True)
    except LakelockError as fault:
        _release(log, batch_id, attempt, type(fault).__name__)
        raise
    left_out = _reported(batch, states, parts, outputs)
    of_parts = written_outcome(batch, parts, monotonic() - started, left_out) if parts else None
    outcome = (of_parts or WriteOutcome(batch_id, "nothing written")).after(columns.done)
    if again is not None:
        _release(log, batch_id, attempt, "planned again")
        outcome = replace(outcome, line=f"{outcome.line}; {again}", goes_on=True)
    return _staged(log, attempt, outcome, faults, all_tables)


def _read(
    log: Log,
    writer: Writer,
    batch: Batch,
    order: WriteOrder,
    parallelism: int,
    progress: Progress,
    fenced: Event,
    states: Mapping[str, TableState],
    columns: ColumnChanges,
) -> tuple[Batch, Reread]:
    """Run the jobs; returns the batch, which may end earlier now, and all outputs."""
    ended: dict[Source, int] = {}

    def end_earlier(ends: Mapping[Source, int]) -> bool:
        if log.end_earlier(batch.batch_id, order.attempt, ends):
            ended.update(ends)
        return bool(ended)

    go_on = partial(_go_on, batch.batch_id, order.attempt, fenced)
    outputs = run_jobs(writer, order, parallelism, end_earlier if batch.lane == LIVE else None, progress, go_on)
    go_on()
    again = partial(run_jobs, writer, parallelism=parallelism, progress=progress, go_on=go_on)
    done = columns.reread(order, outputs, states, again, parallelism)
    go_on()
    ranges = (replace(p, range=replace(p.range, end=ended.get(p.range.source, p.range.end))) for p in batch.ranges)
    return replace(batch, ranges=tuple(ranges)), done


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


def _dead_letter_tables(binder: binding.Binder, name: str) -> DeadLetterTables:
    def bind() -> TableState:
        return binder.bind(name, define=lambda: TableDefinition(dead_letters.COLUMNS), declare_starts=False)

    return DeadLetterTables.load(binder.log, binder.tables, binder.owner.pipeline, name, bind)


def _bound_tables(
    binder: binding.Binder,
    pipeline: Pipeline,
    batch: Batch,
    define: Callable[[Pipeline, str, Batch], TableDefinition],
    keys: MaskKeys,
) -> tuple[dict[str, TableState], dict[str, PresentNames], dict[str, LakelockError]]:
    states, names = dict[str, TableState](), dict[str, PresentNames]()
    faults: dict[str, LakelockError] = {}
    for name in batch.planned_tables:
        try:
            state = binder.bind(name, define=partial(define, pipeline, name, batch), declare_starts=True)
            # Checked before anything is read: a slice would find out only after it has begun.
            names[name] = fitting(pipeline, pipeline.table(name), state, binder.tables, State.PART_PLANNED)
            if line := names[name].line:
                logger.info("%s: settings of the file follow renamed columns: %s", name, line)
            parquet_options(name, state.properties)
            if useless := not_honoured(state.properties, state.columns):
                logger.warning("%s: properties without effect here: %s", name, ", ".join(useless))
            keys(pipeline.table(name))
            states[name] = as_written(pipeline.table(name), state, binder.tables)
        except NothingToInfer as fault:
            faults[name] = fault
        except Terminal as fault:
            logger.error("%s", fault)
            faults[name] = fault
    return states, names, faults


def _parts(
    pipeline: Pipeline,
    batch: Batch,
    states: Mapping[str, TableState],
    layouts: Mapping[str, str],
    dead_letters: DeadLetterTables,
    outputs: Sequence[SliceOutput],
    stop_at: DeadLetterLimits | None,
) -> tuple[list[PartResult], dict[str, LakelockError]]:
    """Parts to stage, dead letters first because they land first, and faults of tables that get no part.

    Such a table has new dead letters in ranges that are closed to them.
    """
    parts: list[PartResult] = []
    data: list[PartResult] = []
    unfit: dict[str, LakelockError] = {}
    for name, state in sorted(states.items()):
        planned = _ranges_of(pipeline, batch, name)
        of_table = [t for o in outputs for t in o.tables if t.table == name]
        books = bookkeeping.combined(planned, (b for t in of_table for b in t.books))
        bookkeeping.check_dead_letters(
            name, books, stop_at.ratio if stop_at else None, stop_at.count if stop_at else None
        )
        dead = [t for o in outputs for t in o.dead_letters if t.table == name and t.files]
        dead_letter_books = bookkeeping.dead_letter_books(planned, (b for t in dead for b in t.books))
        identity = replace(state.identity, layout=layouts.get(name, state.layout.token))
        part = PartResult(name, identity, tuple(f for t in of_table for f in t.files), books)
        try:
            refuse_covered(state, dead_letter_books)
            refuse_late(name, dead_letter_books, dead_letters.landed(name, planned), dead_letters.closed(name, planned))
        except (TableUnfit, WalUnusable) as fault:
            logger.error("%s", fault)
            unfit[name] = fault
            continue
        data.append(part)
        if dead_letter_books:
            files = tuple(f for t in dead for f in t.files)
            current = dead_letters.current
            parts.append(PartResult(current.name, current.identity, files, dead_letter_books, target=name))
    return [*parts, *data], unfit


def _ranges_of(pipeline: Pipeline, batch: Batch, table: str) -> list[OffsetRange]:
    return [p.range for p in batch.ranges if pipeline.feeds(table, p.range.source.topic)]
