"""Replace rows of an interval by reading them from Kafka again, in one commit per table.

No offset changes, so nothing is planned or staged: it is a compaction whose new rows come from Kafka.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lakelock.backfill.span import Span
from lakelock.errors import (
    HistoryMissing,
    JobCancelled,
    LakelockError,
    ReplaceRefused,
    ReplaceUnfinished,
    State,
    Terminal,
)
from lakelock.ingest.changed_records import overtaken
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.jobs import run_jobs
from lakelock.ingest.outcome import CommitOutcome, listed
from lakelock.ingest.replan_decision import batches, most_offsets
from lakelock.ingest.write_order import MaskKeys, no_keys, order_of, target_of
from lakelock.model.batches import Batch, DataFile, PlannedRange
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided
from lakelock.model.units import counted
from lakelock.ports import Clock, Copier, CopyOrder, CopySlice, SliceOutput, TableState, WriteOrder, Writer
from lakelock.ports.edits import Overwrite
from lakelock.replace import decision as decisions
from lakelock.replace.decision import FilesOfInterval
from lakelock.replace.replace_preview import Found, ReplaceLookup, ReplacePlan, refusal
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.compact_decision import FilesNow
from lakelock.upkeep.keeper import Keeper

logger = logging.getLogger(__name__)

# Compactions and other replaces may rewrite the same files in between.
TRIES = 5
UNDONE = (State.ORPHANED, "Run the command again.")
ANOTHER = "the table was replaced by another one"


@dataclass(frozen=True, slots=True)
class Replacing:
    """Replaces rows of one pipeline's tables, beside its other runs.

    *writer* and *copier* are called only if there are rows to replace; *kafka* is librdkafka configuration, with its
    secrets.
    """

    lookup: ReplaceLookup
    clock: Clock
    writer: Callable[[], Writer]
    copier: Callable[[], Copier]
    kafka: Callable[[], Mapping[str, str]]
    keys: MaskKeys = no_keys

    def preview(self, span: Span) -> ReplacePlan:
        """Preview a replace, without Spark."""
        return self.lookup.preview(span)

    def replace(self, span: Span, who: str, why: str, report: Callable[[CommitOutcome], None]) -> list[CommitOutcome]:
        """Replace the rows, with one commit per table. Every call replaces them once more.

        An error of one table does not stop the others: the first one, if possible one that needs an operator, is
        raised at the end.
        """
        interval, lows, tables = self.lookup.interval(span)
        outcomes: list[CommitOutcome] = []
        faults: list[LakelockError] = []
        for table in tables:
            try:
                found = self.lookup.find(table, span, interval, lows)
                if found is None:
                    line = f"{table}: nothing to replace: it has no rows of this time"
                    outcomes.append(CommitOutcome(table, None, (), 0, line))
                else:
                    at = self.clock.now().replace(microsecond=0)
                    said = decisions.said(at, who, why, span.start, span.end, found.ranges)
                    outcomes.append(self._replaced(found, said))
            except JobCancelled:
                raise
            except LakelockError as raised:
                fault = decisions.of_no_batch(raised)
                logger.error("%s: %s: %s", table, type(fault).__name__, fault)
                faults.append(fault)
            else:
                report(outcomes[-1])
        if faults:
            raise next((f for f in faults if isinstance(f, Terminal)), faults[0])
        return outcomes

    @property
    def _keeper(self) -> Keeper:
        return self.lookup.keeper

    def _replaced(self, found: Found, said: Decided) -> CommitOutcome:
        table, began_ms = found.state.name, self._now_ms()
        files, dead = self._written(found)
        new = [f.path for f in files]
        why = ""
        for _ in range(TRIES):
            # Load again: credentials that a catalog gives for the files expire.
            current = self._keeper.current(table)
            if current is None or (why := _another(found, *current)):
                break
            state, _ = current
            of_interval, reasons = self.lookup.files_of_interval(state, found.rows)
            if reasons:
                raise refusal(table, reasons)
            old = [f.path for f in of_interval.files]
            decisions.fit(table, found.ranges, self._keeper.storage.compared(state, found.rows, old, new), dead)
            copies = self._copies(state, of_interval, found)
            version_id, why = self._landed(found, of_interval, (*files, *copies), said, began_ms)
            if not why:
                rows, gone = counted(of_interval.rows, "row"), counted(len(of_interval.files), "file")
                line = (
                    f"{table}: snapshot {version_id}: {rows} of {listed(found.ranges)} read again, "
                    f"{gone} replaced by {len(files) + len(copies)}"
                )
                self.lookup.context.report(table)
                return CommitOutcome(table, version_id, found.ranges, of_interval.rows, line)
            logger.info("%s: %s; trying again", table, why)
        raise ReplaceUnfinished(f"table {table}: {why or ANOTHER}.", State.ORPHANED, "Run the command again.")

    def _written(self, found: Found) -> tuple[tuple[DataFile, ...], Counter[Source]]:
        """Write new files of the ranges, and count records that would become dead letters; these are not kept.

        Jobs have a bounded size, so that live batches get their turn between them.
        """
        writer, dead, files = self.writer(), Counter[Source](), list[DataFile]()
        parallelism = self.lookup.context.pipeline.batch.parallelism or writer.parallelism
        most = most_offsets(self.lookup.context.pipeline.batch.max_records)
        for ranges in batches(found.ranges, most):
            try:
                order = self._order(found, ranges, parallelism)
                outputs = run_jobs(writer, order, parallelism)
            except HistoryMissing as fault:
                raise ReplaceRefused(
                    f"table {found.state.name}: Kafka has deleted some of {listed(ranges)} since the preview.",
                    State.NOTHING_CHANGED,
                    "Preview again: if rows are of the deleted offsets, the plan names a later start that excludes "
                    "them.",
                ) from fault
            _raise_fault(outputs)
            for b in (b for o in outputs for t in o.dead_letters for b in t.books):
                dead[b.range.source] += b.read
            files += [f for o in outputs for t in o.tables for f in t.files]
        return tuple(files), dead

    def _order(self, found: Found, ranges: Sequence[OffsetRange], parallelism: int) -> WriteOrder:
        context, table = self.lookup.context, found.state.name
        pipeline, attempt = context.pipeline, decisions.ATTEMPT
        config, planned = pipeline.resolved(), tuple(map(PlannedRange, ranges))
        batch = Batch(context.new_id(), pipeline.name, attempt, config, pipeline.digest, planned, (table,), attempt)
        dead_letters = found.dead_letters.current
        order = order_of(
            pipeline,
            batch,
            attempt,
            parallelism,
            {table: found.state},
            {table: found.names},
            dead_letters,
            context.tables,
            self.kafka(),
            self.keys,
        )
        # A tombstone never had a row, and those that are dead letters are decided.
        return replace(order, decided={table: found.no_rows}, skips_tombstones=True)

    def _copies(self, state: TableState, of_interval: FilesOfInterval, found: Found) -> tuple[DataFile, ...]:
        """Copy the other rows of files that have some; a job per partition, a new file per old one."""
        by_partition: dict[tuple[int, str], list[tuple[str, int]]] = {}
        for file in of_interval.cut:
            by_partition.setdefault((file.partitioning, file.partition), []).append((file.path, file.rows))
        copies: list[DataFile] = []
        for (partitioning, partition), files in sorted(by_partition.items()):
            storage = self.lookup.context.tables.storage(state)
            target = target_of(state, storage, layout=self._keeper.storage.layout(state, partitioning))
            slices = tuple(CopySlice(partition, (f,)) for f in files)
            order = CopyOrder(self.lookup.context.new_id(), target, slices, found.rows)
            for output in self.copier().run(order):
                if output.unfit is not None:
                    path, why = output.unfit
                    raise refusal(state.name, [f"{path} has rows of this time and others, but cannot be copied: {why}"])
                copies += output.files
        decisions.check_copies(state.name, of_interval, sum(f.rows for f in copies))
        return tuple(copies)

    def _landed(
        self, found: Found, of_interval: FilesOfInterval, files: tuple[DataFile, ...], said: Decided, began_ms: int
    ) -> tuple[int | None, str]:
        """The snapshot, and why there is none. Each try decides again."""
        keeper, table = self._keeper, found.state.name
        old, new = tuple(f.path for f in of_interval.files), [f.path for f in files]
        read: dict[str, Any] = {}

        def draft() -> Land[str] | Done[str]:
            current = keeper.current(table)
            if current is None:
                return Done(ANOTHER)
            state, ledger = current
            live = tuple(keeper.storage.live_among(state, {*old, *new}, read))
            now = FilesNow(live, ledger.generation)
            if compact.landed(new, now):
                return Done("", state.head_id)
            why = _another(found, state, ledger) or compact.overtaken(of_interval.files, found.ledger.generation, now)
            if why:
                return Done(why)
            # After the table was loaded: a clean-up that takes the files for orphans changes the table first.
            decisions.check_in_time(table, found.ranges, began_ms, self._now_ms())
            # Iceberg commits missing files silently.
            gone = keeper.context.tables.missing_files(state, files)
            if gone:
                return Done(f"{len(gone)} of the new files are gone, first {gone[0]}")
            ledger = replace(ledger, decisions=decisions.decided(ledger.decisions, said))
            return Land(state, keeper.change(ledger, Overwrite(old, files)), "")

        done = until_landed(keeper.context.tables, table, draft, keeper.pause, *UNDONE)
        return done.version_id, done.result

    def _now_ms(self) -> int:
        return int(self.lookup.context.log.now().timestamp() * 1000)


def _another(found: Found, state: TableState, ledger: Ledger) -> str:
    """Why files that were written for the table as *found* can no longer be committed to it; empty if they can.

    If a column was added meanwhile, another writer may have filled it in the rows that the files would replace.
    """
    if state.uuid != found.state.uuid:
        return ANOTHER
    if ledger.generation != found.ledger.generation:
        return "the table was rolled back during the replace"
    if state.layout != found.state.layout:
        return "the table's columns or its partition spec changed during the replace"
    return overtaken(found.ranges, found.ledger, ledger)


def _raise_fault(outputs: Sequence[SliceOutput]) -> None:
    """Raise the first fault of a table's files."""
    for fault in (t.fault for o in outputs for t in o.tables if t.fault is not None):
        raise fault
