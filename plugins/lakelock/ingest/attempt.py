"""One attempt at a batch: prepare its tables, read its offsets, and stage what was written."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event

from lakelock.config import Pipeline
from lakelock.errors import Fenced, LakelockError, NothingToInfer, Retryable, TableUnfit, Terminal
from lakelock.ingest import bind as binding
from lakelock.ingest.dead_letter_state import DeadLetterTables
from lakelock.ingest.decided_records import refuse_behind, refuse_held
from lakelock.ingest.evolve import ColumnChanges, Reread
from lakelock.ingest.outcome import WriteOutcome
from lakelock.ingest.part_results import parts_of, ranges_of, without_table
from lakelock.ingest.passes import Passes
from lakelock.ingest.progress import Progress
from lakelock.ingest.readiness import Readiness
from lakelock.ingest.routed_batch import RoutedBatch
from lakelock.ingest.settings_of_batch import outdated, plan_with_settings_of
from lakelock.ingest.tables_to_write import Define, TablesToWrite, dead_letter_tables
from lakelock.ingest.write_order import MaskKeys, evaluable, order_of, with_dead_letters
from lakelock.model.batches import LIVE, Batch, Closing, PartResult
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, overlap
from lakelock.ports import Log, SliceOutput, Tables, TableState, WriteOrder, Writer

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Attempt:
    """The attempt *attempt_id* at *batch*; *fenced* is set once another one has it. See `ingest.write.write` for the others.

    `faults` are those of tables that get no part, by name. `again` is a line about tables that are planned again with *today*,
    the pipeline file as it is now.
    """

    log: Log
    tables: Tables
    writer: Writer
    kafka: Mapping[str, str]
    batch: Batch
    attempt_id: str
    run: str
    new_id: Callable[[], str]
    pause: Callable[[float], None]
    define: Define
    today: Pipeline
    keys: MaskKeys
    progress: Progress
    fenced: Event
    routed: RoutedBatch | None = None
    faults: dict[str, LakelockError] = field(default_factory=dict)
    parts: list[PartResult] = field(default_factory=list)
    done: Reread = field(default_factory=lambda: Reread([], {}, {}))
    closing: Closing | None = None
    again: str | None = None
    file: Pipeline = field(init=False)
    states: dict[str, TableState] = field(init=False)
    dead_letters: DeadLetterTables = field(init=False)
    columns: ColumnChanges = field(init=False)
    _prepare: TablesToWrite = field(init=False)

    @property
    def all_tables(self) -> list[str]:
        return [t.name for t in self._file_now.tables]

    @property
    def outputs(self) -> Sequence[SliceOutput]:
        return self.done.outputs

    @property
    def _file_now(self) -> Pipeline:
        """*today* with the routed tables that are known now: some may be new since it was read."""
        known = self.routed.raw_names if self.routed else {}
        return self.today if all(map(self.today.is_routed, known)) else self.today.with_routed(known)

    @property
    def _pipeline(self) -> Pipeline:
        """The file of the batch, with the routed tables that are known now."""
        return self.routed.pipeline if self.routed else self.file

    def prepared(self) -> WriteOutcome | None:
        """Bind the tables that the attempt begins with; the outcome if the batch is not written now, else None."""
        batch = self.batch
        self.file = pipeline = Pipeline.from_resolved(batch.config)
        owner = binding.Owner(pipeline.name, self.log.installation_id(), batch.config, batch.config_digest)
        binder = binding.Binder(self.log, self.tables, owner, pipeline.commit, self.new_id, self.pause)
        unclosed: list[OffsetRange] = []
        if pipeline.route is not None:
            # First: dead letters of a batch that is closed in between are then among those that are read.
            unclosed = self._unclosed() if batch.closed else []
            # That of the file as it is now: a recovery knows no other before it has read the registry.
            self.dead_letters = dead_letters = dead_letter_tables(binder, self.today.dead_letter_table)
            current, limit = dead_letters.current, (self.today.route or pipeline.route).max_tables
            if not batch.closed and current.ledger is not None:
                refuse_behind(current.name, current.ledger.mark, [p.range for p in batch.ranges])
            self.routed = RoutedBatch.begin(binder, pipeline, batch, dead_letters, limit)
            if self._reconfigured():
                return self.prepared()
            if not batch.closed:
                self.routed.refuse_edited()
        pipeline = self.routed.pipeline if self.routed else pipeline
        known = self.routed.registry.tables if self.routed else {}
        self._prepare = TablesToWrite(binder, batch, self.define, self.keys, known)
        self.states, self.faults = self._prepare.all(
            pipeline, self.routed.first if self.routed else batch.planned_tables
        )
        self._refuse_held()
        if not self.states and self.routed is None and not outdated(batch, self.today, self.faults):
            raise reported_fault(self.faults, self.all_tables)
        if self.routed is None or pipeline.dead_letter_table != self.today.dead_letter_table:
            self.dead_letters = dead_letter_tables(binder, pipeline.dead_letter_table)
        self.columns = ColumnChanges(binder, pipeline, batch.batch_id, self.run)
        ranges = {name: ranges_of(pipeline, batch, name) for name in self.states}
        ready = Readiness(self.log, pipeline, batch, self.attempt_id, ranges, self.dead_letters, self.new_id, unclosed)
        return ready.put_off(is_routed=self.routed is not None and self.routed.router is not None)

    def _unclosed(self) -> list[OffsetRange]:
        return [p.range for b in self.log.planned(self.today.name) if not b.closed for p in b.ranges]

    def _refuse_held(self) -> None:
        if self.routed is None or self.batch.closed:
            return
        ranges, known = [p.range for p in self.batch.ranges], self.routed.raw_names
        routed = {
            name: state.ledger for name, state in self.states.items() if name in known and state.ledger is not None
        }
        held = {
            name: ledger.coverage for name, ledger in routed.items() if overlap(ranges, ledger.coverage.data.ranges)
        }
        if self.batch.has_survey:
            for name, own in held.items():
                refuse_held(name, own, ranges)

    def _reconfigured(self) -> bool:
        """Give the batch today's file, if it was edited since, and nothing may follow from the batch's configuration yet."""
        batch, today = self.batch, self.today
        if batch.closed or batch.planned_tables or today.route is None or today.digest == batch.config_digest:
            return False
        topics = sorted({p.range.source.topic for p in batch.ranges})
        tables = today.taken_by_entries(topics)
        again = self.log.reconfigure(batch.batch_id, self.attempt_id, today.resolved(), today.digest, tables)
        if again is None:
            return False
        logger.info("batch %s: written with the pipeline file as it is now", batch.batch_id)
        self.batch = again
        return True

    def read(self) -> None:
        """Write the rows of all slices to files. The batch may end earlier afterwards, and have other tables."""
        pipeline = self._pipeline
        order = self._order_for(pipeline, self.states)
        if not order.targets and order.router is None:
            return
        parallelism = pipeline.batch.parallelism or self.writer.parallelism
        passes = Passes(self.log, self.writer, self.batch, parallelism, self.progress, self._go_on)
        self.done = passes.read(order, self.states, self.columns, self.routed, self._prepare, self._order_for)
        self.batch, self.states = passes.batch, passes.states
        self.faults |= {**self.done.faults, **_write_faults(self.outputs)}

    def stage(self) -> None:
        """Record what was written. Raises the first fault if nothing was, and no table is planned again."""
        batch, dead_letters, limits = self.batch, self.dead_letters, self.today.dead_letters.stop_at
        written = {name: state for name, state in self.states.items() if name not in self.faults}
        self.parts, unfit = parts_of(
            self._pipeline,
            batch,
            written,
            self.done.layouts,
            dead_letters,
            self.outputs,
            limits,
            again=self.routed is not None and (not batch.closed or (batch.lane == LIVE and not batch.has_survey)),
        )
        self.faults |= unfit
        if self.routed is not None:
            self.closing = self.routed.closing(self.outputs, self.done.faults, [p.range for p in batch.ranges])
            entries = [t.name for t in self.file.tables]
            letters = without_table(batch, self.closing, dead_letters, self.outputs, limits, self._held, entries)
            self.parts = self.routed.staged(self.parts, self.closing, letters)
        if self.parts or self.closing is not None:
            self.log.stage(batch.batch_id, self.attempt_id, self.parts, self.closing)
        self.again = plan_with_settings_of(
            self._file_now, self.log, batch, self.attempt_id, self.faults, dead_letters.coverage, self.new_id
        )
        if not self.parts and self.again is None and self.faults:
            raise reported_fault(self.faults, self.all_tables)

    def _order_for(self, pipeline: Pipeline, states: Mapping[str, TableState]) -> WriteOrder:
        ranges = {name: ranges_of(pipeline, self.batch, name) for name in states}
        order = order_of(
            pipeline,
            self.batch,
            self.attempt_id,
            pipeline.batch.parallelism or self.writer.parallelism,
            states,
            self._prepare.names,
            self.dead_letters.current,
            self.tables,
            self.kafka,
            self.keys,
            self.routed.router if self.routed else None,
        )
        return evaluable(self.writer, with_dead_letters(order, ranges, self.dead_letters), self._file_now, self.faults)

    def _held(self) -> dict[str, Coverage]:
        """What each routed table has by its newest ledger, as far as it is known."""
        loaded = {name: state.ledger for name, state in self.states.items() if state.ledger is not None}
        ledgers = {**self.log.ledgers(self.today.name), **loaded}
        return {name: ledger.coverage for name, ledger in ledgers.items() if self._pipeline.is_routed(name)}

    def _go_on(self) -> None:
        if self.fenced.is_set():
            raise Fenced(
                f"batch {self.batch.batch_id}: a newer attempt took over from attempt {self.attempt_id}, which staged nothing."
            )


def _write_faults(outputs: Sequence[SliceOutput]) -> dict[str, LakelockError]:
    """Faults of tables, by name. Their other slices, dead letters included, are useless without the failed one."""
    found: dict[str, LakelockError] = {}
    for table in (t for o in outputs for t in o.tables if t.fault is not None):
        if table.table not in found and table.fault is not None:
            logger.error("%s", table.fault)
            found[table.table] = table.fault
    return found


def reported_fault(faults: Mapping[str, LakelockError], all_tables: Collection[str]) -> LakelockError:
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
