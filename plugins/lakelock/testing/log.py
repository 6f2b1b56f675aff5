"""The write-ahead log in memory: `lakelock.ports.Log` with the guards of adapters/wal, without a server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

from lakelock.errors import WalUnusable
from lakelock.model.batches import LIVE, PartResult, StagedPart, StreamState
from lakelock.model.commit_view import CommitView
from lakelock.model.counts import Accounts
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Pace, StagedTable
from lakelock.model.offsets import OffsetRange, Source
from lakelock.testing.log_base import OPEN
from lakelock.testing.log_decide import Deciding
from lakelock.testing.log_plan import Attempts, Staging
from lakelock.testing.log_rows import LogRows, TableRow

_WHEN = datetime(2026, 1, 1, tzinfo=UTC)


class MemoryLog(Attempts, Staging, Deciding):
    """The log of one pipeline. `backup` and `restore` are what an administrator does to Postgres."""

    def backup(self) -> LogRows:
        return self.state.copy()

    def restore(self, state: LogRows) -> None:
        self.state = state.copy()

    def installation_id(self) -> str:
        return self.state.installation_id

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.clock(), UTC)

    def config(self, digest: str) -> Mapping[str, object]:
        found = self.state.configs.get(digest)
        if found is None:
            raise WalUnusable(f"configuration {digest} is not in the write-ahead log")
        return found[0]

    def streams(self, pipeline: str, lane: str) -> list[StreamState]:
        found = [StreamState(s.source, s.start, s.next) for s in self.state.streams.values() if s.lane == lane]
        return sorted(found, key=lambda s: s.source)

    def begun(self, pipeline: str) -> bool:
        return bool(self.state.tables) or any(s.lane == LIVE for s in self.state.streams.values())

    def staged(self, pipeline: str, table: str | None = None) -> list[StagedPart]:
        found = [p for p in self.state.parts.values() if p.state == "staged" and (table is None or p.table == table)]
        out = []
        for p in sorted(found, key=lambda p: (p.no, p.table, p.target, p.part_id)):
            row = self.state.batches[p.no]
            assert p.identity is not None
            assert p.attempt is not None
            books = tuple(sorted(p.books, key=lambda b: b.range))
            out.append(
                StagedPart(
                    row.batch_id,
                    p.no,
                    row.lane,
                    p.attempt,
                    row.digest,
                    _WHEN,
                    self.clock() - p.staged_at,
                    PartResult(p.table, p.identity, p.files, books, p.target),
                    p.restaged,
                    p.part_id,
                )
            )
        return out

    def commit_views(self, pipeline: str, tables: Sequence[str]) -> dict[str, CommitView]:
        views = {}
        unsettled = self.unsettled(pipeline)
        for name in tables:
            row, parts = self.state.tables.get(name), tuple(self.staged(pipeline, name))
            known = self.evidence(pipeline, name) if parts and row and row.raw_name is not None else None
            views[name] = CommitView(
                row.uuid if row else None,
                (row.generation if row else None) or 0,
                name in unsettled,
                self.has_ledger(pipeline, name),
                self.declared_starts(pipeline, name) if parts else {},
                known,
                parts,
            )
        return views

    def paces(self, pipeline: str) -> list[Pace]:
        out = []
        for row in sorted((b for b in self.state.batches.values() if b.lane == LIVE), reverse=True)[:10]:
            staged = [(p.staged_at, p.attempt) for p in self._of_batch(row.no) if not p.target and p.attempt]
            staged = sorted([*staged, *([(row.closed_at, row.closed_by)] if row.closed_by else [])])
            if staged:
                (at, attempt), offsets = staged[0], sum(r.range.offsets for r in self.state.ranges[row.no])
                out.append(Pace(offsets, at - self.state.attempts[row.no, attempt].started_at))
        return out

    def staged_files(self, table: str) -> list[str]:
        parts = sorted((p for p in self.state.parts.values() if p.state == "staged"), key=lambda p: p.part_id)
        return [f.path for p in parts if p.table == table for f in p.files]

    def part_layouts(self, table: str) -> list[tuple[str, int | None]]:
        return [
            (p.identity.layout, p.snapshot_id if p.state == "committed" else None)
            for p in self.state.parts.values()
            if p.table == table and p.state in ("staged", "committed") and p.identity is not None
        ]

    def staged_tables(self, pipeline: str) -> dict[str, StagedTable]:
        parts: dict[str, list[StagedPart]] = defaultdict(list)
        for part in self.staged(pipeline):
            parts[part.result.table].append(part)
        routed = self.routed(pipeline, parts)
        return {
            table: StagedTable(
                max(p.age_s for p in of),
                sum(p.result.size_bytes for p in of),
                any(p.result.rows or p.result.dead for p in of),
                not self.has_ledger(pipeline, table),
                table in routed,
            )
            for table, of in sorted(parts.items())
        }

    def await_generation(self, pipeline: str, table: str, generation: int, table_uuid: str | None = None) -> None:
        if table_uuid is not None:
            self.bind(pipeline, table, table_uuid)
        if table in self.state.tables:
            self.state.tables[table] = self.state.tables[table]._replace(awaited=generation)

    def unsettled(self, pipeline: str) -> list[str]:
        rows = self.state.tables.items()
        awaited = [(name, t) for name, t in rows if t.awaited is not None and not t.retirement.lasting]
        return [name for name, t in awaited if (t.awaited or 0) > (t.generation or 0)]

    def generations(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, int]:
        rows = ((name, t) for name, t in self.state.tables.items() if tables is None or name in tables)
        return {name: t.generation or 0 for name, t in rows}

    def bind(self, pipeline: str, table: str, table_uuid: str) -> str:
        row = self.state.tables.get(table, TableRow())
        uuid = row.uuid or table_uuid
        self.state.tables[table] = row._replace(uuid=uuid)
        return uuid

    def bound(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, str]:
        rows = [(name, t) for name, t in sorted(self.state.tables.items()) if tables is None or name in tables]
        return {name: t.uuid for name, t in rows if t.uuid is not None and not t.retirement.lasting}

    def bound_uuid(self, pipeline: str, table: str) -> str | None:
        return self.state.tables.get(table, TableRow()).uuid

    def declared_starts(self, pipeline: str, table: str) -> dict[Source, int]:
        return dict(sorted(self._read_starts(LIVE, table).items()))

    def ledgers(self, pipeline: str, tables: Sequence[str] | None = None) -> dict[str, Ledger]:
        known = {
            name: t.ledger
            for name, t in sorted(self.state.tables.items())
            if t.ledger is not None and not t.retirement.lasting
        }
        return known if tables is None else {name: known[name] for name in tables if name in known}

    def has_ledger(self, pipeline: str, table: str) -> bool:
        row = self.state.tables.get(table)
        return row is not None and row.ledger is not None

    def first_ledger(self, pipeline: str, table: str) -> Ledger | None:
        row = self.state.tables.get(table)
        return row.ledger if row is not None and row.is_first else None

    def accounts(self, pipeline: str) -> Accounts:
        ranges: dict[tuple[str, Source], list[OffsetRange]] = defaultdict(list)
        unwritten: dict[OffsetRange, None] = {}
        for p in self.state.parts.values():
            if p.state in OPEN and not p.target:
                for row in self.state.ranges[p.no]:
                    if row.range.source.topic in p.topics:
                        ranges[p.table, row.range.source].append(row.range)
                        if p.state == "planned":
                            unwritten[row.range] = None
        unwritten |= dict.fromkeys(self._ranges_of({b.no for b in self.state.batches.values() if not b.closed}))
        streams = {s.source: s for s in self.streams(pipeline, LIVE)}
        return Accounts(streams, {k: sorted(v) for k, v in ranges.items()}, tuple(unwritten), self.ledgers(pipeline))

    def coalesce(self, pipeline: str, keep_batches: int) -> int:
        with self._transaction() as state:
            open_ = {p.no for p in state.parts.values() if p.state in OPEN}
            open_ |= {b.no for b in state.batches.values() if not b.closed}
            if any(t.ledger is not None and t.ledger.waits_for_backfills for t in state.tables.values()):
                # Only its batches show what is complete of a backfill, until the mark has it.
                open_ |= {b.no for b in state.batches.values() if b.lane != LIVE}
            finished = sorted((no for no in state.batches if no not in open_), reverse=True)
            victims = set(finished[keep_batches:])
            state.parts = {k: p for k, p in state.parts.items() if p.no not in victims}
            state.attempts = {k: v for k, v in state.attempts.items() if k[0] not in victims}
            for no in victims:
                del state.batch_nos[state.batches[no].batch_id]
                del state.batches[no]
                del state.ranges[no]
            if victims:
                self._drop_lanes()
                used = {b.digest for b in state.batches.values()}
                used |= {t.ledger.config_digest for t in state.tables.values() if t.ledger}
                yesterday = self.clock() - 86_400
                state.configs = {d: c for d, c in state.configs.items() if d in used or c[1] >= yesterday}
            return len(victims)

    def _drop_lanes(self) -> None:
        state = self.state
        used = {r.stream_id for ranges in state.ranges.values() for r in ranges}
        gone = {i for i, s in state.streams.items() if s.lane != LIVE and i not in used}
        state.streams = {i: s for i, s in state.streams.items() if i not in gone}
        state.stream_ids = {key: i for key, i in state.stream_ids.items() if i not in gone}
        state.starts = {key: start for key, start in state.starts.items() if key[0] not in gone}

    def wait(self, pipeline: str, timeout_s: float) -> bool:
        return True

    def notify(self, pipeline: str) -> None:
        return None
