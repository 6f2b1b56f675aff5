"""The log in memory: giving up and rebuilding from the tables, as rebuild.sql."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lakelock.errors import Fenced
from lakelock.model.batches import LIVE
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import registry_of
from lakelock.model.log_state import Notes, Rebuilt, Redo, Stand, TailBatch
from lakelock.model.registry import Registry
from lakelock.recovery.rebuild_decision import known_end, rebuilt
from lakelock.testing.log_mark import Followed
from lakelock.testing.log_rows import RangeRow, Stream, TableRow


class Rebuilding(Followed):
    def recovering(self, pipeline: str) -> str | None:
        return self.state.recovering

    def last_recovery(self, pipeline: str) -> str | None:
        return self.state.recovery

    def left_out(self, pipeline: str) -> list[str]:
        known = self.state.tables
        return sorted(n for n in self.state.left_out if n in known and not known[n].retirement.lasting)

    def give_up(self, pipeline: str, who: str, token: str, after: str | None, approve: Callable[[Notes], None]) -> None:
        # *approve* calls other servers, during which others may change the log: approve again until nothing has
        # changed.
        approved = None
        while (notes := self._written()) != approved:
            approve(notes)
            approved = notes
        with self._transaction() as state:
            if state.recovery not in (None, after, token):
                raise Fenced("this recovery was overtaken: another one started")
            state.recovering, state.recovery = who, token
            self._give_up_all()

    def _written(self) -> Notes:
        names = sorted({p.table for p in self.state.parts.values() if p.state in ("staged", "committed")})
        return {name: self.notes("", name) for name in names}

    def rebuild(self, pipeline: str, stands: Sequence[Stand], redo: Redo, token: str) -> Rebuilt:
        with self._transaction() as state:
            if state.recovery != token:
                raise Fenced("this recovery was overtaken: another one started")
            if state.recovering is None:
                return rebuilt(stands, redo.takes, redo.max_offsets)
            if any(p.state == "staged" for p in state.parts.values()):
                raise Fenced("parts were staged while everything was given up")
            self._give_up_all()
            state.recovering = None
            for stream_id, s in state.streams.items():
                if s.lane == LIVE:
                    state.streams[stream_id] = s._replace(next=s.start)
            decided = rebuilt(stands, redo.takes, redo.max_offsets)
            state.left_out = frozenset(decided.left_out)
            for live in decided.streams:
                key = (LIVE, live.source.topic_id, live.source.partition)
                stream_id = state.stream_ids.setdefault(key, state.last_id + 1)
                state.last_id = max(state.last_id, stream_id)
                retired = known_end(stands, live.source) if live.retired else None
                state.streams[stream_id] = Stream(
                    stream_id, LIVE, live.source, live.start_offset, live.next_offset, retired
                )
            if (registry := registry_of(stand.ledger for stand in stands)) is not None:
                self._set_registered(registry)
            for stand in stands:
                self._stand(stand)
            coverage = {stand.table: stand.ledger.coverage for stand in stands}
            for name, wanted in decided.redo.items():
                self._plan_lacking(name, wanted, redo, coverage.get(name, Coverage()))
            for of_tail in decided.tail:
                self._plan_in_tail(redo.new_id(), of_tail)
            for of_backfill in decided.backfills:
                self._plan_backfill(redo.new_id(), of_backfill)
            return decided

    def _set_registered(self, registry: Registry) -> None:
        for name, registered in registry.tables.items():
            row = self.state.tables.get(name, TableRow())
            uuid = registered.uuid or row.uuid
            known = row._replace(raw_name=registered.raw_name, uuid=uuid, retirement=registered.retirement)
            self.state.tables[name] = known

    def _plan_in_tail(self, batch_id: str, tail: TailBatch) -> None:
        self._keep_config(tail.config, tail.config_digest)
        ids = self.state.stream_ids
        rows = [RangeRow(r, ids[LIVE, r.source.topic_id, r.source.partition], None) for r in tail.ranges]
        self._record(LIVE, batch_id, tail.config_digest, rows, {}, closed=False)

    def _give_up_all(self) -> None:
        state = self.state
        for p in list(state.parts.values()):
            self._put(p._replace(state="aborted"))
        for no, ranges in state.ranges.items():
            state.ranges[no] = tuple(r._replace(open=False) for r in ranges)
        for key in state.attempts:
            state.attempts[key] = state.attempts[key]._replace(ended=True)
        for no, row in state.batches.items():
            state.batches[no] = row._replace(attempt=None, run=None, closed=True, closing=self._still_closing(row))

    def _stand(self, stand: Stand) -> None:
        row = self.state.tables.get(stand.table, TableRow())
        topics = tuple(sorted({*row.topics, *(s.topic for s in stand.starts)}))
        known = TableRow(topics, stand.uuid, raw_name=row.raw_name, retirement=row.retirement)
        self.state.tables[stand.table] = known
        for source, start in stand.starts.items():
            stream_id = self.state.stream_ids.get((LIVE, source.topic_id, source.partition))
            if stream_id is not None:
                self.state.starts[stream_id, stand.table, ""] = start
        self._keep_ledger(stand.table, stand.ledger)
