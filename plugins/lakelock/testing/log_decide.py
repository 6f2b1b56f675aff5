"""The log in memory: decisions of operators, as adapters/wal/recorded_decisions.py records them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lakelock.gaps.decision import given_up, moved, not_known, refuse_moved, refuse_read, refuse_reread
from lakelock.ingest.closing_decision import without_gaps
from lakelock.ingest.reconcile_decision import lacking
from lakelock.model.batches import LIVE, NO_TABLE
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Recorded, Redo
from lakelock.model.offsets import FOREVER, OffsetRange, overlap, without
from lakelock.model.retirement import Retirement, first_of
from lakelock.testing.log_base import OPEN
from lakelock.testing.log_rebuild import Rebuilding
from lakelock.testing.log_rows import TableRow


class Deciding(Rebuilding):
    def hold(self, pipeline: str, gaps: Sequence[OffsetRange], attempt: str) -> bool:
        with self._transaction():
            for batch in self.planned(pipeline):
                if batch.attempt != attempt and overlap([p.range for p in batch.ranges], gaps):
                    return False
            self._move_frontiers([g for g in gaps if g.end == FOREVER])
            return True

    def declare(
        self,
        pipeline: str,
        tables: Mapping[str, Recorded],
        gaps: Sequence[OffsetRange],
        redo: Redo,
        attempt: str,
        reason: str,
    ) -> None:
        with self._transaction() as state:
            for table, recorded in sorted(tables.items()):
                row = state.tables.get(table, TableRow())
                refuse_moved(table, recorded, row.uuid, row.generation or 0)
            self._move_frontiers(gaps)
            self._plan_undecided_again(gaps, redo, attempt)
            for table, recorded in sorted(tables.items()):
                again = given_up(self.notes(pipeline, table), recorded.ledger.coverage, gaps)
                for part_id in again:
                    batch = state.batches[state.parts[part_id].no]
                    refuse_read(table, batch.batch_id, batch.attempt, attempt)
                self._plan_in_place(table, again, redo)
                self._keep_ledger(table, recorded.ledger)

    def _plan_undecided_again(self, gaps: Sequence[OffsetRange], redo: Redo, attempt: str) -> None:
        of_letters = {p.no for p in self.state.parts.values() if p.target == NO_TABLE and p.state == "planned"}
        for batch in [b for b in self.state.batches.values() if not b.closed or b.no in of_letters]:
            rest = without_gaps([r.range for r in self.state.ranges[batch.no]], gaps)
            if rest is None:
                continue
            refuse_read("of a route", batch.batch_id, batch.attempt, attempt)
            self.state.batches[batch.no] = batch._replace(closed=True, closing=self._still_closing(batch))
            for part in self._of_batch(batch.no):
                is_routed = part.table in self._all_routed() if not part.target else part.target == NO_TABLE
                if part.state == "planned" and is_routed:
                    self._give_up(part)
            self._free_ranges(batch.no)
            pinned = replace(redo, config=self.state.configs[batch.digest][0], config_digest=batch.digest)
            self._plan_unclosed(rest, pinned, batch.lane)

    def rebind(
        self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo, reason: str
    ) -> list[OffsetRange]:
        with self._transaction() as state:
            row = state.tables.get(table)
            if row is None or row.uuid == table_uuid:
                return []
            for part in self._of_table(table):
                if part.state != "aborted":
                    self._give_up(part)
            not_closed = self._ranges_of({b.no for b in state.batches.values() if not b.closed})
            ended = row.retirement.ended(
                first_of(self._frontiers(), without(not_closed, self._before_starts(not_closed)))
            )
            state.tables[table] = TableRow(row.topics, table_uuid, raw_name=row.raw_name, retirement=ended)
            state.left_out -= {table}
            self._keep_ledger(table, ledger)
            unclosed = self._ranges_of({b.no for b in state.batches.values() if not b.closed and row.raw_name})
            starts = self._read_starts(LIVE, table)
            ranges = lacking(ledger.coverage, unclosed, starts, self._frontiers(), redo.wanted(table))
            self._plan_lacking(table, ranges, redo, ledger.coverage)
            return ranges

    def retire_table(self, pipeline: str, table: str) -> Retirement:
        with self._transaction() as state:
            self._refuse_while_recovering()
            row = state.tables.get(table, TableRow())
            if not row.raw_name:
                raise not_known(table)
            if row.retirement.lasting:
                return row.retirement
            refuse_reread(table, self.planned(pipeline))
            unclosed = self._ranges_of({b.no for b in state.batches.values() if not b.closed})
            retirement = row.retirement.begun(self._frontiers(), unclosed)
            state.tables[table] = row._replace(retirement=retirement, awaited=None)
            return retirement

    def give_up_parts(self, pipeline: str, table: str, reason: str) -> None:
        with self._transaction() as state:
            is_retired = state.tables.get(table, TableRow()).retirement.lasting
            for part in self._of_table(table) if is_retired else ():
                if part.state in OPEN:
                    self._give_up(part)

    def _move_frontiers(self, gaps: Sequence[OffsetRange]) -> None:
        for stream_id, s in self.state.streams.items():
            if s.lane == LIVE:
                over = [(g.start, g.end) for g in gaps if g.source == s.source]
                frontier = moved(s.next, over)
                retired = s.next if s.next < frontier == FOREVER else s.retired
                self.state.streams[stream_id] = s._replace(next=frontier, retired=retired)
