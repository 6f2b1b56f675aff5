"""The log in memory: routed tables and the closing of batches, with the guards of routes.sql."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set

from lakelock.errors import Fenced, WalUnusable
from lakelock.ingest.closing_decision import as_planned, fault_of, fault_of_letters, overtaken, retired_since
from lakelock.model.batches import LIVE, NO_TABLE, Batch, Closing, PartResult, is_backfill
from lakelock.model.consistent_cut import OpenTable, RoutedProgress
from lakelock.model.counts import RoutedRange
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import PartNote
from lakelock.model.offsets import OffsetRange, Source, united, without
from lakelock.model.registry import RegisteredTable
from lakelock.model.retirement import NEVER
from lakelock.model.route_evidence import RouteEvidence
from lakelock.model.valid_through import Survey
from lakelock.testing.log_base import OPEN, Base, named
from lakelock.testing.log_rows import BatchRow, PartRow, Stream, TableRow

LATELY = 20


class Routing(Base):
    def routed(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, str]:
        rows = [(name, t) for name, t in sorted(self.state.tables.items()) if tables is None or name in tables]
        return {name: t.raw_name for name, t in rows if t.raw_name is not None and not t.retirement.lasting}

    def has_routed(self, pipeline: str) -> bool:
        return bool(self._all_routed())

    def routed_without_parts(self, pipeline: str) -> tuple[int, dict[str, str]]:
        routed = self.routed(pipeline)
        return len(routed), {name: raw for name, raw in routed.items() if not self.state.tables[name].topics}

    def _all_routed(self) -> set[str]:
        """Also those that are retired."""
        return {name for name, t in self.state.tables.items() if t.raw_name is not None}

    def retirements(self, pipeline: str) -> dict[str, RegisteredTable]:
        return {
            name: RegisteredTable(t.raw_name, t.uuid, t.retirement)
            for name, t in sorted(self.state.tables.items())
            if t.raw_name is not None and t.retirement != NEVER
        }

    def keep_routed(self, pipeline: str, tables: Mapping[str, str]) -> dict[str, str]:
        with self._transaction() as state:
            for name, raw_name in tables.items():
                row = state.tables.get(name, TableRow())
                state.tables[name] = row._replace(raw_name=row.raw_name or raw_name)
            return self.routed(pipeline)

    def listed(self, pipeline: str) -> list[str]:
        tables = self.state.tables.items()
        return sorted(name for name, t in tables if t.uuid is not None and t.topics and t.raw_name is None)

    def lately_routed(self, pipeline: str, most: int) -> list[str]:
        closed = sorted((b.no for b in self.state.batches.values() if b.lane == LIVE and b.closed), reverse=True)
        lately = set(closed[:LATELY])
        routed, newest = self.routed(pipeline), dict[str, int]()
        for p in self.state.parts.values():
            if p.table in routed and self.state.tables[p.table].uuid and (p.no in lately or p.state in OPEN):
                newest[p.table] = max(p.no, newest.get(p.table, 0))
        return sorted(newest, key=lambda name: (-newest[name], name))[:most]

    def evidence(self, pipeline: str, table: str) -> RouteEvidence | None:
        self._refuse_while_recovering()
        return self._evidence(table)

    def _evidence(self, table: str) -> RouteEvidence | None:
        row = self.state.tables.get(table)
        if row is None or row.raw_name is None:
            return None
        streams = [s for s in self._live() if s.source.topic in row.topics]
        frontiers = {s.source: s.known_end for s in streams}
        unclosed = self._ranges_of({b.no for b in self.state.batches.values() if not b.closed})
        letters = self._ranges_of({p.no for p in self._open() if p.target == NO_TABLE})
        before = self._before_starts(letters)
        unclosed, letters = (without(some, self._before_starts(some)) for some in (unclosed, letters))
        open_ = [r for p in self._open() if p.table == table and not p.target for r in self._ranges_of_data(p)]
        return RouteEvidence(
            starts={s.source: s.start for s in streams},
            closed_to={s: _first(s, unclosed, end) for s, end in frontiers.items()},
            letters_to={s: _first(s, letters, end) for s, end in frontiers.items()},
            open=tuple(sorted(open_)),
            frontiers=frontiers,
            letters=tuple(sorted(r for r in before if r.source in frontiers)),
        )

    def _still_closing(self, row: BatchRow) -> Closing | None:
        """That of a backfill would show that its tables are complete, and it is given up."""
        return None if is_backfill(row.lane) else row.closing

    def _for_all_tables(self) -> list[OffsetRange]:
        """Ranges of batches for all routed tables."""
        chosen = [b.no for b in self.state.batches.values() if not b.closed or b.closing is not None]
        return self._ranges_of(set(chosen))

    def _before_starts(self, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Those of backfills of all tables: they lie before the declared starts."""
        starts = {s.source: s.start for s in self._live()}
        return [r for r in ranges if r.end <= starts.get(r.source, 0)]

    def routed_progress(self, pipeline: str) -> RoutedProgress:
        self._refuse_while_recovering()
        unclosed = {b.no for b in self.state.batches.values() if not b.closed}
        held_up = self._ranges_of(unclosed | {p.no for p in self._open() if p.target})
        open_: dict[str, OpenTable] = {}
        for p in sorted(self._open(), key=lambda p: p.table):
            if not p.target and (ranges := self._ranges_of_data(p)):
                before = open_.get(p.table, OpenTable((), 0.0))
                batch = self.state.batches[p.no]
                waits_s = self.clock() - (batch.closed_at if batch.closing else batch.planned_at)
                open_[p.table] = OpenTable(tuple(united([*before.ranges, *ranges])), max(before.waits_s, waits_s))
        # No matter whether parts of it were given up since: that its other tables have no records of it stays true.
        live, of_all = self._live(), {b.no for b in self.state.batches.values() if b.closing is not None}
        known = {
            no: without(self._before_starts([r.range for r in ranges if r.open or no in of_all]), held_up)
            for no, ranges in self.state.ranges.items()
        }
        return RoutedProgress(
            {s.source: s.start for s in live},
            {
                s.source: max(s.start, _first(s.source, [r for r in held_up if r.end > s.start], s.known_end))
                for s in live
            },
            open_,
            tuple(united(r for ranges in known.values() for r in ranges)),
            tuple(united(r for no, ranges in known.items() if no in of_all for r in ranges)),
        )

    def marked_s_ago(self, pipeline: str, table: str) -> float | None:
        row = self.state.tables.get(table)
        is_marked = row is not None and row.ledger is not None and row.ledger.mark is not None
        return self.clock() - row.ledger_at if row is not None and is_marked else None

    def routed_ranges(self, pipeline: str) -> list[RoutedRange]:
        ends, found = self.routed_progress(pipeline).complete, list[RoutedRange]()
        for row in self.state.batches.values():
            if row.lane != LIVE or row.closing is None:
                continue
            parts = self._of_batch(row.no)
            is_whole = self.state.surveys.get(row.batch_id) is not None and all(p.state == "committed" for p in parts)
            routed = self._routed_parts(row.no)
            there = {r.range for r in self.state.ranges[row.no] if r.open}
            for b in row.closing.books:
                if b.range in there and b.range.end <= ends.get(b.range.source, 0):
                    of = [
                        sum(k.read for p in some for k in p.books if k.range == b.range)
                        for some in (routed, [p for p in parts if p.target == NO_TABLE])
                    ]
                    compared = of if is_whole else [None, None]
                    found.append(RoutedRange(b.range, b.read, b.filtered, b.dead, *compared))
        return sorted(found, key=lambda r: r.range)

    def surveyed(self, pipeline: str, ends: Mapping[Source, int]) -> tuple[Survey, dict[Source, int]] | None:
        for batch in sorted(self.state.batches.values(), key=lambda b: -b.no):
            survey = self.state.surveys.get(batch.batch_id)
            before = all(r.range.end <= ends.get(r.range.source, 0) for r in self.state.ranges[batch.no])
            if batch.lane == LIVE and batch.closed and survey is not None and before:
                newest: dict[Source, int] = {}
                for b in (b for p in self._of_batch(batch.no) for b in p.books):
                    if b.max_timestamp_ms is not None:
                        newest[b.range.source] = max(b.max_timestamp_ms, newest.get(b.range.source, b.max_timestamp_ms))
                return survey, newest
        return None

    def _planned_coverage(self, table: str, ledger: Ledger, notes: Sequence[PartNote]) -> Coverage:
        return as_planned(self._evidence(table), ledger, notes)

    def _live(self) -> list[Stream]:
        return sorted((s for s in self.state.streams.values() if s.lane == LIVE), key=lambda s: s.source)

    def _open(self) -> list[PartRow]:
        return [p for p in self.state.parts.values() if p.state in OPEN]

    def _ranges_of(self, batch_nos: Set[int]) -> list[OffsetRange]:
        return [r.range for no in batch_nos for r in self.state.ranges[no]]

    def _ranges_of_data(self, part: PartRow) -> tuple[OffsetRange, ...]:
        return tuple(sorted(r.range for r in self.state.ranges[part.no] if r.range.source.topic in part.topics))

    def _refuse_while_recovering(self) -> None:
        if self.state.recovering is not None:
            raise WalUnusable(f"{self.state.recovering} started to recover it, and the recovery has not finished")

    def _add_parts(self, no: int, tables: Mapping[str, Sequence[str]]) -> None:
        """A part for each table that takes any of the batch's topics."""
        self._keep_tables(tables)
        rows = self.state.ranges[no]
        read = {r.range.source.topic for r in rows}
        for table, topics in sorted(tables.items()):
            if taken := sorted(read.intersection(topics)):
                self._put(PartRow(self._id(), no, table, "", tuple(taken), "planned"))
                for row in rows:
                    if row.range.source.topic in taken:
                        self.state.starts.setdefault((row.stream_id, table, ""), row.range.start)

    def _keep_tables(self, tables: Mapping[str, Sequence[str]]) -> None:
        for table, topics in tables.items():
            row = self.state.tables.get(table, TableRow())
            if table not in self.state.tables or not set(topics) <= set(row.topics):
                self.state.tables[table] = row._replace(topics=tuple(sorted({*row.topics, *topics})))

    def reconfigure(
        self,
        batch_id: str,
        attempt: str,
        config: Mapping[str, object],
        config_digest: str,
        tables: Mapping[str, Sequence[str]],
    ) -> Batch | None:
        with self._transaction() as state:
            row = self._lock_batch(batch_id)
            others = [a for (no, name), a in state.attempts.items() if no == row.no and name != attempt]
            may_be_at_work = any(not a.released for a in others)
            is_again = state.surveys.get(batch_id) is None
            is_followed = any(b.no > row.no and b.closing is not None for b in state.batches.values())
            if (
                row.attempt != attempt
                or row.closed
                or is_again
                or is_followed
                or self._of_batch(row.no)
                or may_be_at_work
            ):
                return None
            state.configs[config_digest] = (config, self.clock())
            state.batches[row.no] = row._replace(digest=config_digest)
            self._add_parts(row.no, tables)
            return self._batch(row.no)

    # The stage that closes a batch.

    def _closed_by(self, row: BatchRow, attempt: str, closing: Closing | None) -> bool:
        """Close the batch of *row* unless it is closed; whether this did so."""
        if row.closed or closing is None:
            if not row.closed:
                raise Fenced(f"batch {row.batch_id} is not closed, and only the stage that closes it may be its first")
            if closing is not None and row.closing != _normal(closing):
                raise Fenced(f"batch {row.batch_id} was closed with other tables or other books")
            return False
        if self._superseded(row, attempt):
            raise Fenced(f"batch {row.batch_id}: attempt {row.attempt} works on it now, not {attempt}")
        ranges = {r.range for r in self.state.ranges[row.no]}
        have_parts = {p.table for p in self._of_batch(row.no) if not p.target}
        if why := retired_since(closing, ranges, self.retirements("")):
            raise overtaken(row.batch_id, attempt, why)
        if fault := fault_of(closing, ranges, have_parts, self.routed("")):
            raise Fenced(f"batch {row.batch_id}: {fault}")
        self.state.batches[row.no] = row._replace(
            closed=True, closing=_normal(closing), closed_at=self.clock(), closed_by=attempt
        )
        for table, topics in sorted(closing.tables.items()):
            self._put(PartRow(self._id(), row.no, table, "", tuple(sorted(topics)), "planned"))
            of_table = self.state.tables[table]
            self.state.tables[table] = of_table._replace(topics=tuple(sorted({*of_table.topics, *topics})))
        return True

    def _refuse_letters(self, row: BatchRow, new: Sequence[PartResult], closes: bool) -> None:
        closing = self.state.batches[row.no].closing
        letters = next((p for p in new if p.target == NO_TABLE), None)
        of_batch = self._of_batch(row.no)
        planned = {p.table for p in of_batch if p.target == NO_TABLE and p.state == "planned"}
        routed = {p.table for p in of_batch if not p.target} & self._all_routed()
        fault = fault_of_letters(
            {b.range: b.dead for b in closing.books} if closing else {},
            letters,
            due=closes or (letters.table in planned if letters else bool(planned)),
            writes_routed=closes or any(p.table in routed for p in new),
        )
        if fault:
            raise Fenced(f"batch {row.batch_id}: {fault}")

    def _superseded(self, row: BatchRow, attempt: str) -> bool:
        return row.attempt != attempt

    def _routed_parts(self, no: int) -> list[PartRow]:
        return [p for p in self._of_batch(no) if not p.target and p.table in self._all_routed()]

    def _letters(self, row: BatchRow, table: str) -> PartRow | None:
        """The planned part of dead letters without a table."""
        return next((p for p in named(self._of_batch(row.no), table, NO_TABLE) if p.state == "planned"), None)


def _first(source: Source, ranges: Sequence[OffsetRange], end: int) -> int:
    return min([end, *(r.start for r in ranges if r.source == source)])


def _normal(closing: Closing) -> Closing:
    """Equal for closings that say the same."""
    tables = {table: tuple(sorted(topics)) for table, topics in closing.tables.items()}
    return Closing(tables, tuple(sorted(closing.books, key=lambda b: b.range)))
