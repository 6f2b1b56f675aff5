"""The log in memory: planning, attempts and staging, with the guards of adapters/sql/plan.sql, attempt.sql, stage.sql."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lakelock.errors import BatchBusy, BooksUnbalanced, Fenced, PlanConflict
from lakelock.ingest.closing_decision import fault_of_uuids, overtaken
from lakelock.model.batches import LIVE, NO_TABLE, Batch, Closing, PartResult, PlannedRange, is_backfill
from lakelock.model.offsets import Source
from lakelock.model.valid_through import Survey
from lakelock.testing.log_base import OPEN, named
from lakelock.testing.log_routes import Routing
from lakelock.testing.log_rows import AttemptRow, BatchRow, PartRow, RangeRow, Stream


class Planning(Routing):
    def has_other_unclosed(self, pipeline: str, batch_id: str) -> bool:
        others = (b for b in self.state.batches.values() if b.batch_id != batch_id)
        return any(not b.closed and not is_backfill(b.lane) for b in others)

    def plan(
        self,
        pipeline: str,
        lane: str,
        batch_id: str,
        config: Mapping[str, object],
        config_digest: str,
        ranges: Sequence[PlannedRange],
        starts: Mapping[Source, int],
        tables: Mapping[str, Sequence[str]],
        survey: Survey | None = None,
        *,
        closed: bool = True,
    ) -> Batch:
        with self._transaction() as state:
            if ranges and batch_id not in state.batch_nos:
                state.surveys[batch_id] = survey
            return self._plan(lane, batch_id, config, config_digest, ranges, starts, tables, closed=closed)

    def survey(self, batch_id: str) -> Survey | None:
        return self.state.surveys.get(batch_id)

    def _plan(
        self,
        lane: str,
        batch_id: str,
        config: Mapping[str, object],
        digest: str,
        ranges: Sequence[PlannedRange],
        starts: Mapping[Source, int],
        tables: Mapping[str, Sequence[str]],
        *,
        closed: bool = True,
    ) -> Batch:
        if len({p.range.source for p in ranges}) < len(ranges):
            raise ValueError("a batch has one range per source")
        state = self.state
        if ranges:
            self._keep_config(config, digest)
        for source, start in sorted(starts.items(), key=lambda item: (item[0].topic_id, item[0].partition)):
            key = (lane, source.topic_id, source.partition)
            if key not in state.stream_ids:
                state.stream_ids[key] = self._id()
                state.streams[state.stream_ids[key]] = Stream(state.stream_ids[key], lane, source, start, start)
        if not ranges:
            self._keep_tables(tables)
            return Batch(batch_id, "p", lane, config, digest, (), (), None)
        self._refuse_while_recovering()
        if batch_id in state.batch_nos:
            return self._same(ranges, digest, self._batch(state.batch_nos[batch_id]))
        rows = []
        for p in sorted(ranges, key=lambda p: (p.range.source.topic_id, p.range.source.partition)):
            r = p.range
            stream_id = state.stream_ids.get((lane, r.source.topic_id, r.source.partition))
            stream = state.streams[stream_id] if stream_id is not None else None
            if stream is None or self._off_frontier(stream, r.start):
                raise PlanConflict(f"{r} does not begin at the frontier, which is {stream.next if stream else None}")
            state.streams[stream.stream_id] = stream._replace(next=r.end)
            rows.append(RangeRow(r, stream.stream_id, p.leader_epoch))
        return self._record(lane, batch_id, digest, rows, tables, closed=closed)

    def _keep_config(self, config: Mapping[str, object], digest: str) -> None:
        kept = self.state.configs.get(digest)
        if kept is None or kept[1] < self.clock() - 3600:
            self.state.configs[digest] = (config if kept is None else kept[0], self.clock())

    def _record(
        self,
        lane: str,
        batch_id: str,
        digest: str,
        rows: Sequence[RangeRow],
        tables: Mapping[str, Sequence[str]],
        *,
        closed: bool = True,
    ) -> Batch:
        state = self.state
        for row in rows:
            self._refuse_overlap(row)
        no = self._id()
        state.batches[no] = BatchRow(no, batch_id, lane, digest, closed=closed, planned_at=self.clock())
        state.batch_nos[batch_id] = no
        state.ranges[no] = tuple(rows)
        self._add_parts(no, tables)
        return self._batch(no)

    def _off_frontier(self, stream: Stream, start: int) -> bool:
        return stream.next != start

    def _refuse_overlap(self, new: RangeRow) -> None:
        """Guard of the exclusion constraint `ranges_do_not_overlap`."""
        for rows in self.state.ranges.values():
            for r in rows:
                if (
                    r.stream_id == new.stream_id
                    and r.open
                    and r.range.start < new.range.end
                    and new.range.start < r.range.end
                ):
                    raise PlanConflict(f"{new.range} overlaps {r.range}")

    def _same(self, ranges: Sequence[PlannedRange], digest: str, batch: Batch) -> Batch:
        if set(batch.ranges) != set(ranges) or batch.config_digest != digest:
            raise PlanConflict("the batch is recorded with other ranges or another configuration")
        return batch


class Attempts(Routing):
    def claim(self, batch_id: str, attempt: str, run: str, stale_after_s: float) -> Batch:
        with self._transaction() as state:
            row = self._lock_batch(batch_id)
            self._refuse_while_recovering()
            known = (row.no, attempt) in state.attempts
            free = row.attempt is None or row.attempt == attempt
            stale = row.run == run or row.heartbeat_at < self.clock() - stale_after_s
            if not (free or (stale and not known)):
                if known:
                    raise Fenced(f"batch {batch_id}: attempt {attempt} was replaced by {row.attempt}")
                raise BatchBusy(f"batch {batch_id}: attempt {row.attempt} of {row.run} works on it")
            state.batches[row.no] = row._replace(attempt=attempt, run=run, heartbeat_at=self.clock())
            if row.attempt != attempt:
                if row.attempt is not None:
                    self._end_attempt(row.no, row.attempt)
                begun = state.attempts.get((row.no, attempt), AttemptRow(self.clock()))
                state.attempts[row.no, attempt] = begun._replace(ended=False, released=False)
            return self._batch(row.no)

    def heartbeat(self, batch_id: str, attempt: str, progress: str = "") -> bool:
        no = self.state.batch_nos.get(batch_id)
        if no is None or self.state.batches[no].attempt != attempt:
            return False
        self.state.batches[no] = self.state.batches[no]._replace(heartbeat_at=self.clock())
        return True

    def release(self, batch_id: str, attempt: str, outcome: str) -> None:
        with self._transaction():
            self._leave(self._lock_batch(batch_id), attempt)


class Staging(Routing):
    def end_earlier(self, batch_id: str, attempt: str, ends: Mapping[Source, int]) -> bool:
        with self._transaction() as state:
            row = self._lock_batch(batch_id)
            if self._superseded(row, attempt):
                raise Fenced(f"batch {batch_id}: attempt {row.attempt} works on it now, not {attempt}")
            if row.lane != LIVE or row.closing is not None or any(p.state != "planned" for p in self._of_batch(row.no)):
                return False
            if not row.closed and state.surveys.get(batch_id) is None:
                return False
            by_source = {r.range.source: r for r in state.ranges[row.no] if r.open}
            if all(source in by_source and by_source[source].range.end == end for source, end in ends.items()):
                return True
            for source, end in ends.items():
                r = by_source.get(source)
                if r is None or not r.range.start < end < r.range.end:
                    return False
                if state.streams[r.stream_id].next != r.range.end:
                    return False
            for source, end in ends.items():
                r = by_source[source]
                by_source[source] = r._replace(range=replace(r.range, end=end))
                state.streams[r.stream_id] = state.streams[r.stream_id]._replace(next=end)
            state.ranges[row.no] = tuple(by_source.values())
            return True

    def stage(self, batch_id: str, attempt: str, parts: Sequence[PartResult], closing: Closing | None = None) -> None:
        for part in parts:
            if not all(b.balanced for b in part.books) or sum(b.written for b in part.books) != part.rows:
                raise BooksUnbalanced(f"batch {batch_id}, table {part.table}")
        with self._transaction():
            self._stage(batch_id, attempt, parts, closing)

    def _stage(self, batch_id: str, attempt: str, parts: Sequence[PartResult], closing: Closing | None) -> None:
        row = self._lock_batch(batch_id)
        closes = self._closed_by(row, attempt, closing)
        staged_before = self._of_batch(row.no)
        again = {p.table for p in staged_before if not p.target and p.state == "planned"}
        mine = {p.table for p in staged_before if not p.target and p.attempt == attempt} - again
        if any(p.target == NO_TABLE and p.attempt == attempt and p.state != "planned" for p in staged_before):
            mine.add(NO_TABLE)
        new = [p for p in parts if (p.target or p.table) not in mine]
        self._refuse_letters(row, new, closes)
        if not new:
            return
        if self._superseded(row, attempt):
            raise Fenced(f"batch {batch_id}: attempt {row.attempt} works on it now, not {attempt}")
        bound = {name: self.state.tables[name].uuid for name in self._all_routed()}
        if fault := fault_of_uuids(new, bound):
            raise Fenced(f"batch {batch_id}: {fault}")
        topics = {p.table: p.topics for p in staged_before if not p.target}
        together = {p.table for p in new if not p.target}
        for part in sorted(new, key=lambda p: (p.table, p.target)):
            if part.target == NO_TABLE:
                self._stage_part(row, attempt, part)
                continue
            owner = part.target or part.table
            if (part.target and part.target not in together) or owner not in topics:
                raise Fenced(f"batch {batch_id}: the plan has no part for {owner}, or its dead letters come alone")
            if part.target and any(p.target == part.target and p.state == "staged" for p in staged_before):
                raise Fenced(f"batch {batch_id}: dead letters of {part.target} are staged already")
            planned = {r.range for r in self.state.ranges[row.no] if r.range.source.topic in topics[owner]}
            ranges = [b.range for b in part.books]
            distinct = set(ranges)
            if len(distinct) < len(ranges) or not (distinct <= planned if part.target else distinct == planned):
                raise Fenced(f"batch {batch_id}: the books of {part.table} differ from the plan")
            self._stage_part(row, attempt, part)

    def _stage_part(self, row: BatchRow, attempt: str, part: PartResult) -> None:
        of_part = named(self._of_batch(row.no), part.table, part.target)
        if letters := self._letters(row, part.table) if part.target == NO_TABLE else None:
            p = letters
        elif part.target:
            for p in of_part:
                if p.state in OPEN and not p.restaged:
                    raise ValueError(f"parts_one_open_of_each_target: {part.table} {part.target}")
            p = PartRow(self._id(), row.no, part.table, part.target, (), "staged")
        else:
            planned = next((p for p in of_part if p.state == "planned"), None)
            if planned is None:
                why = f"the part of table {part.table} is no longer planned"
                if any(p.state == "aborted" for p in of_part):
                    raise overtaken(row.batch_id, attempt, why)
                raise Fenced(f"batch {row.batch_id}: {why}")
            p = planned
        self._put(
            p._replace(
                state="staged",
                attempt=attempt,
                identity=part.identity,
                files=part.files,
                books=part.books,
                staged_at=self.clock(),
            )
        )
        if part.target:
            stream_of = {r.range: r.stream_id for r in self.state.ranges[row.no]}
            for b in part.books:
                self.state.starts.setdefault((stream_of[b.range], part.table, part.target), b.range.start)
