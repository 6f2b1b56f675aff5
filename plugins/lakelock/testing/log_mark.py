"""The log in memory: commits, re-plans, reconciling and rebuilding, as mark.sql, follow.sql and rebuild.sql."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from lakelock.errors import Fenced, State
from lakelock.ingest import reconcile_decision as decisions
from lakelock.ingest.replan_decision import batches, bounded, redo_batches, rows_are_there
from lakelock.ingest.unclosed_decision import unclosed_batches
from lakelock.model.batches import (
    BACKFILL,
    LIVE,
    NO_TABLE,
    REDO,
    DataFile,
    PlannedRange,
    StagedPart,
    covered_range,
    is_backfill,
    lane_of,
)
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, PartNote, PartState, Redo, TailBatch, wanted
from lakelock.model.offsets import OffsetRange, Source, overlap, without
from lakelock.testing.log_base import fenced, named
from lakelock.testing.log_plan import Planning
from lakelock.testing.log_routes import Routing
from lakelock.testing.log_rows import PartRow


class Marking(Routing):
    def committed(
        self, parts: Sequence[StagedPart], snapshot_id: int | None, commit_id: str | None, ledger: Ledger
    ) -> None:
        if not parts:
            return
        with self._transaction() as state:
            table = parts[0].result.table
            for part in parts:
                if part.batch_id not in state.batch_nos:
                    raise fenced(part, "the write-ahead log no longer has the batch")
            for part in {p.part_id: p for p in parts}.values():
                of_batch = named(self._of_batch(state.batch_nos[part.batch_id]), table, part.result.target)
                found = [p for p in of_batch if self._is(p, part) and self._markable(p, part)]
                marked = [p for p in found if p.state == "staged"]
                for p in marked:
                    self._put(p._replace(state="committed", snapshot_id=snapshot_id, commit_id=commit_id))
                if not marked:
                    known = [p for p in found if p.state == "committed"]
                    if not known:
                        raise fenced(part, "it is no longer staged")
                    for p in known:
                        self._put(
                            p._replace(
                                snapshot_id=snapshot_id if p.snapshot_id is None else p.snapshot_id,
                                commit_id=p.commit_id or commit_id,
                            )
                        )
            self._keep_ledger(table, ledger)

    def _markable(self, row: PartRow, part: StagedPart) -> bool:
        return row.identity is not None and row.identity.generation == part.result.identity.generation

    def replan(self, part: StagedPart, reason: str) -> None:
        dead_letters = part.result.target not in ("", NO_TABLE)
        with self._transaction():
            row = self._lock_batch(part.batch_id)
            of_batch = self._of_batch(row.no)
            found = [p for p in named(of_batch, part.result.table, part.result.target) if self._as_read(p, part)]
            if not found:
                if self._is_already(row.no, part, "aborted" if dead_letters else "planned"):
                    return
                raise fenced(part, "it is no longer staged")
            if part.result.target == NO_TABLE:
                rows = self._routed_parts(row.no)
                if any(p.state == "committed" for p in rows):
                    raise rows_are_there(part, reason)
                found += [p for p in rows if p.state == "staged"]
                for p in of_batch:
                    if p.state == "staged" and p.target in self._all_routed():
                        self._put(p._replace(state="aborted"))
            elif dead_letters:
                rows = named(of_batch, part.result.target, "")
                if any(p.state == "committed" for p in rows):
                    raise rows_are_there(part, reason)
                for p in found:
                    self._put(p._replace(state="aborted"))
                found = [p for p in rows if p.state == "staged"]
            for p in found:
                self._put(p._replace(state="planned", files=(), books=()))
            self._leave(row, part.attempt)

    def _as_read(self, row: PartRow, part: StagedPart) -> bool:
        return row.state == "staged" and self._is(row, part) and self._markable(row, part)

    def _is(self, row: PartRow, part: StagedPart) -> bool:
        return row.part_id == part.part_id and row.attempt == part.attempt

    def _is_already(self, no: int, part: StagedPart, state: str) -> bool:
        rows = named(self._of_batch(no), part.result.table, part.result.target)
        return any(p.state == state and self._is(p, part) for p in rows)

    def _abort(self, part: StagedPart) -> bool:
        no = self._lock_batch(part.batch_id).no
        found = [p for p in named(self._of_batch(no), part.result.table, part.result.target) if self._as_read(p, part)]
        if not found:
            if self._is_already(no, part, "aborted"):
                return False
            raise fenced(part, "it is no longer staged")
        for p in found:
            self._put(p._replace(state="aborted"))
        self._free_ranges(no)
        return True


class Followed(Marking, Planning):
    def follow(self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo) -> Following | None:
        with self._transaction() as state:
            row = state.tables.get(table)
            known = (row.generation or 0) if row else 0
            if row is None or row.uuid != table_uuid or known >= ledger.generation:
                return None
            if row.retirement.lasting:
                self._keep_ledger(table, ledger)
                return Following()
            starts, notes = self._read_starts(LIVE, table), self.notes(pipeline, table)
            planned = replace(ledger, coverage=self._planned_coverage(table, ledger, notes))
            decided = decisions.follow(
                notes,
                planned,
                known,
                starts,
                self._frontiers(),
                redo.wanted(table),
                is_routed=row.raw_name is not None,
            )
            for part_id in decided.mark:
                self._put(state.parts[part_id]._replace(state="committed"))
            for part_id in decided.restage:
                self._restage(state.parts[part_id], ledger.generation)
            for part_id in decided.abort:
                self._give_up(state.parts[part_id])
            self._plan_lacking(table, decided.redo, redo, ledger.coverage)
            self._keep_ledger(table, ledger)
            return decided

    def _restage(self, p: PartRow, generation: int) -> None:
        assert p.identity is not None
        self.restaged(p, generation)
        self._put(
            p._replace(
                state="staged",
                identity=replace(p.identity, generation=generation),
                restaged=True,
                snapshot_id=None,
                commit_id=None,
            )
        )

    def _give_up(self, part: PartRow) -> None:
        self._put(part._replace(state="aborted"))
        self._free_ranges(part.no)

    def _frontiers(self) -> dict[Source, int]:
        return {s.source: s.next for s in self.state.streams.values() if s.lane == LIVE}

    def dead_letter_tables(self, pipeline: str) -> list[str]:
        return sorted(
            name for name, t in self.state.tables.items() if t.uuid is not None and not t.topics and t.raw_name is None
        )

    def lacking(
        self, pipeline: str, table: str, ledger: Ledger, takes: Callable[[str, str], bool]
    ) -> list[OffsetRange]:
        notes = self.notes(pipeline, table)
        unclosed = {b.no for b in self.state.batches.values() if not b.closed}
        on_its_way = self._ranges_of(unclosed) if table in self._all_routed() else []
        known = [*on_its_way, *(r for n in notes for r in n.ranges)]
        starts, coverage = self._read_starts(LIVE, table), self._planned_coverage(table, ledger, notes)
        return decisions.lacking(coverage, known, starts, self._frontiers(), wanted(takes, table))

    def fill(self, pipeline: str, table: str, ledger: Ledger, redo: Redo) -> list[OffsetRange]:
        with self._transaction():
            ranges = self.lacking(pipeline, table, ledger, redo.takes)
            self._plan_lacking(table, ranges, redo, ledger.coverage)
            return ranges

    def fill_requested(
        self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo
    ) -> list[OffsetRange]:
        with self._transaction() as state:
            row = state.tables.get(table)
            if row is None or row.uuid != table_uuid or (row.generation or 0) != ledger.generation:
                return []
            self._keep_ledger(table, ledger)
            newest = state.tables[table].ledger
            assert newest is not None
            ranges, gone = decisions.unasked(self.notes(pipeline, table), newest, redo.wanted(table))
            for part_id in gone:
                self._give_up(state.parts[part_id])
            self._plan_again(table, ranges, redo, BACKFILL)
            registry, left = newest.registry, without(newest.backfills_left, self._for_all_tables())
            if registry is not None and left:
                most = bounded(redo).max_offsets
                for batch in unclosed_batches(left, registry, [redo.dead_letters], [], most):
                    self._plan_backfill(redo.new_id(), batch)
                ranges += left
            return ranges

    def _plan_backfill(self, batch_id: str, batch: TailBatch) -> None:
        self._plan(
            lane_of(BACKFILL, batch_id),
            batch_id,
            batch.config,
            batch.config_digest,
            [PlannedRange(r) for r in batch.ranges],
            {r.source: r.start for r in batch.ranges},
            {},
            closed=False,
        )

    def notes(self, pipeline: str, table: str) -> list[PartNote]:
        out = []
        for p in self._of_table(table):
            if p.state == "aborted":
                continue
            dead_letters = tuple(sorted(covered_range(b.range, p.target) for b in p.books))
            ranges = dead_letters if p.target else self._ranges_of_data(p)
            out.append(PartNote(p.part_id, PartState(p.state), ranges, p.identity.layout if p.identity else None))
        return out

    def files_of(self, part_ids: Sequence[int]) -> dict[int, list[DataFile]]:
        return {i: list(p.files) for i in part_ids if (p := self.state.parts.get(i)) and p.files}

    def plan_instead(
        self, pipeline: str, part: StagedPart, reason: str, ranges: Sequence[OffsetRange], redo: Redo
    ) -> None:
        with self._transaction():
            if not self._abort(part):
                return
            self._plan_again(part.result.table, ranges, redo, part.lane)

    def replan_unwritten(self, batch_id: str, attempt: str, table: str, reason: str, redo: Redo) -> None:
        with self._transaction():
            row = self._lock_batch(batch_id)
            if row.attempt != attempt:
                raise Fenced(f"batch {batch_id}: a newer attempt took over from {attempt}.", State.NOTHING_CHANGED)
            of_table = named(self._of_batch(row.no), table, "")
            data = next((p for p in of_table if p.state == "planned"), None)
            if data is not None:
                self._put(data._replace(state="aborted"))
                self._free_ranges(row.no)
                self._plan_again(table, self._ranges_of_data(data), redo, row.lane)

    def _plan_lacking(self, table: str, ranges: Sequence[OffsetRange], redo: Redo, coverage: Coverage) -> None:
        self._plan_again(table, without(ranges, coverage.requested), redo)
        self._plan_again(table, overlap(ranges, coverage.requested), redo, BACKFILL)

    def _plan_again(self, table: str, ranges: Iterable[OffsetRange], redo: Redo, in_place_of: str = LIVE) -> None:
        kind = BACKFILL if is_backfill(in_place_of) else REDO
        for batch in redo_batches(ranges, bounded(redo) if kind == BACKFILL else redo, table):
            batch_id = redo.new_id()
            config, config_digest = redo.config_at(table, batch)
            self._plan(
                lane_of(kind, batch_id),
                batch_id,
                config,
                config_digest,
                [PlannedRange(r) for r in batch],
                {r.source: r.start for r in batch},
                {table: sorted({r.source.topic for r in batch})},
            )

    def _plan_unclosed(self, ranges: Sequence[OffsetRange], redo: Redo, in_place_of: str) -> None:
        kind = BACKFILL if is_backfill(in_place_of) else REDO
        for batch in batches(ranges, redo.max_offsets):
            batch_id = redo.new_id()
            self._plan(
                lane_of(kind, batch_id),
                batch_id,
                redo.config,
                redo.config_digest,
                [PlannedRange(r) for r in batch],
                {r.source: r.start for r in batch},
                {},
                closed=False,
            )

    def _plan_in_place(self, table: str, found: Mapping[int, Sequence[OffsetRange]], redo: Redo) -> None:
        of_parts = {part_id: self.state.batches[self.state.parts[part_id].no] for part_id in found}
        for part_id in found:
            self._give_up(self.state.parts[part_id])
        for part_id, ranges in found.items():
            digest = of_parts[part_id].digest
            pinned = replace(redo, config=self.state.configs[digest][0], config_digest=digest, registry=None)
            self._plan_again(table, ranges, pinned, of_parts[part_id].lane)
