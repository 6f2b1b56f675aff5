"""Preview a replace: the rows and files of each table, and reasons to refuse. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from lakelock.backfill.span import Span, interval_of, ledger_of, tables_of
from lakelock.config.routing import NOT_REPLACEABLE
from lakelock.errors import LedgerDetached, ReplaceRefused, State, TableMissing, Terminal
from lakelock.ingest.changed_records import still_changed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.dead_letter_state import DeadLetterTables
from lakelock.ingest.outcome import listed
from lakelock.ingest.present_names import PresentNames
from lakelock.ingest.table_fit import fitting
from lakelock.model.counts import countable
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import PartState
from lakelock.model.offsets import OffsetRange, Source, offsets_in, overlap, without
from lakelock.model.table_files import RowsOf
from lakelock.model.units import counted
from lakelock.ports import Broker, TableState
from lakelock.replace import decision as decisions
from lakelock.replace.decision import FilesOfInterval
from lakelock.replace.dropped_decision import dropped, why_dropped
from lakelock.upkeep.keeper import Keeper

CHANGES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Found:
    """One table's share of an interval: its rows, and the files that have them.

    *no_rows* are records of it that have no row, by topic, partition and offset. *left* ranges are no longer in Kafka:
    they may be of the time span, but none of the table's rows there is.
    """

    state: TableState
    names: PresentNames
    ledger: Ledger
    rows: RowsOf
    of_interval: FilesOfInterval
    dead_letters: DeadLetterTables
    no_rows: frozenset[tuple[str, int, int]]
    left: tuple[OffsetRange, ...] = ()

    @property
    def ranges(self) -> tuple[OffsetRange, ...]:
        return self.rows.ranges

    @property
    def line(self) -> str:
        """The line of the preview that a person approves."""
        rows, files = counted(self.of_interval.rows, "row"), counted(len(self.of_interval.files), "file")
        cut = len(self.of_interval.cut)
        others = (
            f"; {cut} of the files also {'has' if cut == 1 else 'have'} other rows, which are copied" if cut else ""
        )
        dead = f"; {counted(len(self.no_rows), 'dead letter')} of this time stay unchanged" if self.no_rows else ""
        left = (
            f"; {listed(self.left)}, which Kafka no longer holds, has no rows of this time and stays unchanged"
            if self.left
            else ""
        )
        return (
            f"{self.state.name}: {rows} in {files} to be read from Kafka again, with the current columns of the table and the "
            f"current pipeline file: {counted(offsets_in(self.ranges), 'offset')}: {listed(self.ranges)}{others}{dead}{left}"
        )


@dataclass(frozen=True, slots=True)
class ReplacePlan:
    """The preview of a replace of *span*, by table.

    *refused* tables are not read. *undone* warns of changes by other engines.
    """

    span: Span
    shares: dict[str, Found]
    without_rows: tuple[str, ...]
    refused: dict[str, str]
    undone: Mapping[str, str] = field(default_factory=dict)

    @property
    def nothing(self) -> bool:
        return not self.shares

    @property
    def lines(self) -> list[str]:
        """The preview that a person approves."""
        return [
            f"replace of records of {self.span.text}",
            *(line for table, share in self.shares.items() for line in (share.line, self.undone.get(table)) if line),
            *(f"{table}: nothing to replace: it has no rows of this time" for table in self.without_rows),
            *(f"{table}: refused: {why}" for table, why in self.refused.items()),
            *(
                []
                if self.shares or self.without_rows or self.refused
                else ["nothing to replace: no records are of this time"]
            ),
        ]


@dataclass(frozen=True, slots=True)
class ReplaceLookup:
    """Finds the rows and files of a pipeline's tables for a replace."""

    keeper: Keeper
    broker: Broker

    @property
    def context(self) -> PipelineContext:
        return self.keeper.context

    def interval(self, span: Span) -> tuple[list[OffsetRange], dict[Source, int], list[str]]:
        """Offsets of the span, Kafka's first offsets, and the tables. Raises ReplaceRefused."""
        pipeline = self.context.pipeline
        if not pipeline.is_replaceable:
            raise ReplaceRefused(
                f"pipeline {pipeline.name!r} {NOT_REPLACEABLE}.",
                State.NOTHING_CHANGED,
                "To read records again, roll the table back with the mode `replay`.",
            )
        interval, lows = interval_of(self.context, self.broker, span, ReplaceRefused)
        return interval, lows, tables_of(self.context, span, interval, ReplaceRefused)

    def preview(self, span: Span) -> ReplacePlan:
        """Preview a replace. Raises ReplaceRefused if the span or its table is not valid."""
        interval, lows, tables = self.interval(span)
        shares: dict[str, Found] = {}
        without_rows: list[str] = []
        refused: dict[str, str] = {}
        undone: dict[str, str] = {}
        for table in tables:
            try:
                found = self.find(table, span, interval, lows)
                others = self._changed_by_others(found) if found else ""
            except Terminal as fault:
                refused[table] = str(decisions.of_no_batch(fault))
                continue
            if found is None:
                without_rows.append(table)
                continue
            shares[table] = found
            if others:
                undone[table] = others
        return ReplacePlan(span, shares, tuple(without_rows), refused, undone)

    def find(self, table: str, span: Span, interval: Sequence[OffsetRange], lows: Mapping[Source, int]) -> Found | None:
        """The table's share, None if it has no rows of the span. Raises ReplaceRefused with all reasons at once.

        Offsets that Kafka no longer holds are left out, because their time is unknown. They are a reason to refuse
        only if the table's own rows show that they are of the span.
        """
        state, _ = self.context.followed(table)
        ledger = ledger_of(state)
        feeds = [r for r in interval if self.context.pipeline.feeds(table, r.source.topic)]
        ranges = decisions.wanted(ledger.coverage, feeds)
        if not ranges:
            return None
        names = fitting(self.context.pipeline, self.context.pipeline.table(table), state, self.context.tables)
        columns, reasons = self._columns(state, ledger.coverage)
        if gone := dropped(ranges, lows):
            reasons += self._why_dropped(state, span, columns if not reasons else None, gone)
            ranges = without(ranges, gone)
        # After the table was loaded: its records are marked in the log now, or their batch is open.
        if busy := self._open(table, ranges):
            reasons.append(f"{listed(busy)} is in an open batch; run again after the batch is committed")
        dead_letters, why = self._dead_letters(table, ranges)
        reasons += why
        if columns is None or dead_letters is None:
            raise refusal(table, reasons)
        if not ranges and not reasons:
            return None
        rows = RowsOf(columns, tuple(ranges))
        of_interval, why = self.files_of_interval(state, rows)
        reasons += why
        if reasons:
            raise refusal(table, reasons)
        if not of_interval.rows:
            return None
        return Found(
            state,
            names,
            ledger,
            rows,
            of_interval,
            dead_letters,
            dead_letters.no_rows(table, without(ranges, ledger.coverage.redriven)),
            tuple(gone),
        )

    def _changed_by_others(self, found: Found) -> str:
        """A warning about changes by other engines since the rows were written.

        Snapshots do not say which rows changed.
        """
        tables, state, seen = self.context.tables, found.state, list[str]()
        changes = (s for s in tables.history(state) if s.pipeline is None and s.operation in {"overwrite", "delete"})
        for s in changes:
            try:
                # Going back, a table only ever holds less.
                if not still_changed(found.ranges, tables.ledger_at(state, s.id), found.ledger):
                    break
            except LedgerDetached:
                # The ledger that would end the search has expired.
                pass
            if len(seen) == CHANGES_SHOWN:
                seen.append("and earlier ones")
                break
            at = datetime.fromtimestamp(s.at_ms / 1000, UTC)
            seen.append(f"{s.id} ({s.operation}, {at:%Y-%m-%d %H:%M:%S} UTC)")
        if not seen:
            return ""
        return (
            f"{state.name}: another engine changed rows of this table since they were written, in snapshots {', '.join(seen)}: "
            "its changes to rows of this time will be undone, because their records are read from Kafka again; if it added or "
            "removed rows of this time, the replace is refused"
        )

    def files_of_interval(self, state: TableState, rows: RowsOf) -> tuple[FilesOfInterval, list[str]]:
        """The files with these rows, and reasons why they cannot be rewritten."""
        storage = self.keeper.storage
        candidates = list(storage.candidates(state, rows))
        if reasons := decisions.why_left(candidates, {}):
            # Their rows are unknown as well.
            return FilesOfInterval(), reasons
        of_interval = decisions.of_interval(candidates, storage.rows_within(state, rows, [f.path for f in candidates]))
        return of_interval, decisions.why_left(
            of_interval.cut, storage.unfit(state, of_interval.cut) if of_interval.cut else {}
        )

    def _columns(self, state: TableState, coverage: Coverage) -> tuple[tuple[str, str] | None, list[str]]:
        """The table's columns for partition and offset, and reasons why these do not identify a row's record."""
        named = self.context.pipeline.metadata_columns_by_key
        there = {c.name for c in state.columns}
        partition, offset = named.get("partition"), named.get("offset")
        if partition is None or offset is None or not {partition, offset} <= there:
            return None, [
                "it has no columns for Kafka's partition and offset, so lakelock cannot determine which record a row is"
            ]
        reasons = []
        if state.identifier_columns:
            reasons.append(
                "it has identifier columns: rows with the same key may have been merged, which offsets do not show"
            )
        if countable(coverage) is None:
            reasons.append("it has rows of several topics, so a partition number does not identify a row's topic")
        theirs = self.context.tables.others(state)
        if whose := sorted(name for name, one in theirs.items() if one.ranges):
            reasons.append(
                f"pipeline {', '.join(map(repr, whose))} also put rows into it, which offsets do not distinguish from these"
            )
        return (partition, offset), reasons

    def _why_dropped(
        self, state: TableState, span: Span, columns: tuple[str, str] | None, gone: Sequence[OffsetRange]
    ) -> list[str]:
        """Reasons to refuse because Kafka no longer holds the records behind rows of the span."""
        if columns is None:
            return [f"Kafka no longer holds {listed(gone)}, which may be of this time"]
        name = self.context.pipeline.metadata_columns_by_key.get("timestamp")
        moment = name if any(c.name == name for c in state.columns) else None
        rows, storage = RowsOf(columns, tuple(gone)), self.keeper.storage
        between_ms = span.between_ms
        there = storage.of_time(state, rows, moment, between_ms)
        return why_dropped(gone, there, between_ms[1], moment)

    def _open(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        notes = self.context.log.notes(self.context.pipeline.name, table)
        return overlap(ranges, [r for n in notes if n.state is not PartState.COMMITTED for r in n.ranges])

    def _dead_letters(self, table: str, ranges: Sequence[OffsetRange]) -> tuple[DeadLetterTables | None, list[str]]:
        """The dead-letter tables, and reasons why the dead letters of *ranges* are not known."""
        context, name = self.context, self.context.pipeline.dead_letter_table
        load: Callable[[], TableState] = lambda: context.followed(name)[0]  # noqa: E731
        try:
            dead_letters = DeadLetterTables.load(context.log, context.tables, context.pipeline.name, name, load)
        except TableMissing as fault:
            return None, [f"its dead letters cannot be read: {fault} Let the pipeline run once"]
        reasons = []
        if late := dead_letters.unsettled(table, ranges):
            reasons.append(f"dead letters of {listed(late)} are not committed yet; run again after they are")
        return dead_letters, reasons


def refusal(table: str, reasons: Sequence[str]) -> ReplaceRefused:
    return ReplaceRefused(
        f"table {table} cannot be replaced: {decisions.listed_reasons(reasons)}.", State.NOTHING_CHANGED
    )
