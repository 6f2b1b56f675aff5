"""The log in memory that the simulation runs on, beside the real one: the same calls, the same answers, the same state."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from lakelock.adapters.wal import PostgresLog
from lakelock.errors import Fenced, LakelockError
from lakelock.model.batches import (
    LIVE,
    NO_TABLE,
    Batch,
    Books,
    Closing,
    DataFile,
    PartResult,
    PlannedRange,
    StagedPart,
    TableIdentity,
    covered_range,
)
from lakelock.model.commit_view import CommitView
from lakelock.model.consistent_cut import RoutedProgress
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.coverage_gaps import declaring
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.log_state import Recorded, Redo, Stand
from lakelock.model.offsets import FOREVER, OffsetRange, Source, united
from lakelock.model.registry import RegisteredConfig, RegisteredTable, Registry
from lakelock.model.retirement import NEVER, Retirement
from lakelock.model.valid_through import Survey
from lakelock.testing.log import MemoryLog

# No table of the name LATE is there from the start.
A, B, LATE, DEAD_LETTERS = "ns.a", "ns.b", "ns.c", "ns.d"
# Tables that records are routed to.
ROUTED = ("ns.r", "ns.s")
SOURCES = (Source("x", "id-x", 0), Source("x", "id-x", 1), Source("y", "id-y", 0))
CONFIG = {"tables": [A, B]}
TOPICS = {A: ["x", "y"], B: ["y"]}
UUIDS = {A: "uuid-a", B: "uuid-b", LATE: "uuid-c", DEAD_LETTERS: "uuid-d", "ns.r": "uuid-r", "ns.s": "uuid-s"}
ATTEMPTS = ("t1", "t2", "t3")
_number = count()


class LogsAgree(RuleBasedStateMachine):
    """Each rule calls both. `seen` are batches and `read` parts as one of them once returned them: stale ones are used, too."""

    real: PostgresLog

    @initialize(lengths=st.lists(st.integers(0, 6), min_size=3, max_size=3))
    def begin(self, lengths: Sequence[int]) -> None:
        """With a batch that is planned already, mostly: little can be done before that."""
        self.pipeline = f"p{next(_number)}_{uuid.uuid4().hex[:8]}"
        self.memory = MemoryLog(self.real.installation_id(), time.monotonic)
        self.batches: list[Batch] = []
        self.parts: list[tuple[StagedPart, StagedPart]] = []
        self.files = count()
        self.tokens: list[str] = []
        for table in (A, B, DEAD_LETTERS):
            self.both("bind", table, UUIDS[table])
        self.both("keep_routed", {name: name.upper() for name in ROUTED})
        ranges = [PlannedRange(OffsetRange(s, 0, n), 3) for s, n in zip(SOURCES, lengths, strict=True) if n]
        starts = {p.range.source: 0 for p in ranges}
        batch = self.both("plan", LIVE, str(uuid.uuid4()), CONFIG, "digest-1", ranges, starts, TOPICS)
        if isinstance(batch, Batch) and ranges:
            self.batches.append(batch)

    # What both are asked.

    @rule(
        data=st.data(),
        lengths=st.lists(st.integers(0, 4), min_size=3, max_size=3),
        skew=st.sampled_from((0, 0, 0, 0, 1)),
        tables=st.sampled_from((TOPICS, {A: ["x"]}, {A: ["x", "y"], B: ["x", "y"]}, {A: ["x"], LATE: ["x", "y"]}, {})),
        again=st.booleans(),
        closed=st.sampled_from((True, False)),
        survey=st.sampled_from((Survey(1, {}), None)),
    )
    def plan(
        self,
        data: Any,
        lengths: Sequence[int],
        skew: int,
        tables: Any,
        again: bool,
        closed: bool,
        survey: Survey | None,
    ) -> None:
        frontiers = {s.source: s.next_offset for s in self.memory.streams("", LIVE)}
        ranges, starts = [], {}
        for source, length in zip(SOURCES, lengths, strict=True):
            if source not in frontiers:
                starts[source] = data.draw(st.sampled_from((0, 2)))
            start = frontiers.get(source, starts.get(source, 0)) + skew
            if length and start < FOREVER:
                ranges.append(PlannedRange(OffsetRange(source, start, start + length), 3))
        batch_id = str(uuid.uuid4())
        for _ in range(1 + again):
            batch = self.both("plan", LIVE, batch_id, CONFIG, "digest-1", ranges, starts, tables, survey, closed=closed)
        if isinstance(batch, Batch) and batch.ranges:
            self.batches.append(batch)

    @precondition(lambda self: self.batches)
    @rule(data=st.data(), attempt=st.sampled_from(ATTEMPTS), run=st.sampled_from(("r1", "r2")), stale=st.booleans())
    def claim(self, data: Any, attempt: str, run: str, stale: bool) -> None:
        batch = data.draw(st.sampled_from(self.batches[-4:]))
        self.both_bare("claim", batch.batch_id, attempt, run, -1.0 if stale else 1e6)

    @precondition(lambda self: self.batches)
    @rule(data=st.data(), attempt=st.sampled_from(ATTEMPTS))
    def beat_or_release(self, data: Any, attempt: str) -> None:
        batch = data.draw(st.sampled_from(self.batches[-4:]))
        self.both_bare("heartbeat", batch.batch_id, attempt)
        if data.draw(st.booleans()):
            self.both_bare("release", batch.batch_id, attempt, "Unreachable")

    @precondition(lambda self: self.batches)
    @rule(data=st.data(), generation=st.integers(0, 2), claims=st.booleans(), dead=st.booleans(), odd=st.integers(0, 9))
    def stage(self, data: Any, generation: int, claims: bool, dead: bool, odd: int) -> None:
        batch = data.draw(st.sampled_from(self.batches[-4:]))
        attempt = data.draw(st.sampled_from(ATTEMPTS))
        now = next((b for b in self.memory.planned("") if b.batch_id == batch.batch_id), batch)
        if claims:
            self.both_bare("claim", batch.batch_id, attempt, "r1", -1.0)
        parts: list[PartResult] = []
        closing = self.closing(data, now) if not now.closed and odd != 6 else None
        if closing is not None:
            parts += self.letters(closing, generation) if odd != 5 else []
            for table in sorted(closing.tables.keys() & set(data.draw(st.sampled_from((ROUTED, ROUTED[:1]))))):
                ranges = [p.range for p in now.ranges if p.range.source.topic in closing.tables[table]]
                books = [Books(r, r.offsets, r.offsets - dead, int(dead)) for r in ranges]
                parts.append(self.part(table, books, generation))
                if dead and ranges:
                    parts.append(self.part(DEAD_LETTERS, [Books(r, 1, 1) for r in ranges], generation, target=table))
        for table in now.planned_tables:
            if table == NO_TABLE:
                kept = self.memory.state.batches[self.memory.state.batch_nos[batch.batch_id]].closing
                parts += self.letters(kept, generation) if kept and odd != 5 else []
                continue
            topics = {"x", "y"} if odd == 9 else set(self.topics_of(batch.batch_id, table))
            ranges = [p.range for p in now.ranges if p.range.source.topic in topics]
            books = [Books(r, r.offsets, r.offsets - dead, int(dead)) for r in ranges]
            parts.append(self.part(table, books, generation))
            if dead and odd != 8:
                of = data.draw(st.lists(st.sampled_from(ranges), min_size=1, unique=True)) if ranges else []
                if of:
                    parts.append(self.part(DEAD_LETTERS, [Books(r, 1, 1) for r in of], generation, target=table))
        self.both_bare("stage", batch.batch_id, attempt, parts[1:] if odd == 7 else parts, closing)
        if closing is not None:
            self.both_bare("stage", batch.batch_id, attempt, parts, closing if odd < 4 else replace(closing, tables={}))
        self.read()

    @precondition(lambda self: self.batches)
    @rule(data=st.data(), attempt=st.sampled_from(ATTEMPTS), claims=st.booleans())
    def end_earlier(self, data: Any, attempt: str, claims: bool) -> None:
        batch = data.draw(st.sampled_from(self.batches[-4:]))
        if claims:
            self.both_bare("claim", batch.batch_id, attempt, "r1", -1.0)
        some = data.draw(st.lists(st.sampled_from(batch.ranges), unique=True)) if batch.ranges else []
        ends = {p.range.source: data.draw(st.integers(p.range.start, p.range.end)) for p in some}
        self.both_bare("end_earlier", batch.batch_id, attempt, ends)

    @precondition(lambda self: self.batches)
    @rule(data=st.data(), attempt=st.sampled_from(ATTEMPTS), claims=st.booleans())
    def reconfigure(self, data: Any, attempt: str, claims: bool) -> None:
        batch = data.draw(st.sampled_from(self.batches[-4:]))
        if claims:
            self.both_bare("claim", batch.batch_id, attempt, "r1", -1.0)
        self.both_bare(
            "reconfigure", batch.batch_id, attempt, {"tables": []}, "digest-2", data.draw(st.sampled_from(({}, TOPICS)))
        )

    @rule(names=st.lists(st.sampled_from((*ROUTED, LATE)), unique=True), raw=st.sampled_from(("ns.R", "ns.r-")))
    def keep_routed(self, names: Sequence[str], raw: str) -> None:
        self.both("keep_routed", dict.fromkeys(names, raw))

    @rule()
    def paces(self) -> None:
        """Their clocks differ."""
        real, memory = self.real.paces(self.pipeline), self.memory.paces("")
        assert [p.offsets for p in real] == [p.offsets for p in memory]

    @rule()
    def read(self) -> None:
        self.parts += zip(self.real.staged(self.pipeline), self.memory.staged(""), strict=True)

    @precondition(lambda self: self.parts)
    @rule(data=st.data(), snapshot=st.sampled_from((None, 11)), more=st.booleans())
    def committed(self, data: Any, snapshot: int | None, more: bool) -> None:
        first = data.draw(st.sampled_from(self.parts[-6:]))
        table = first[1].result.table
        chosen = [first]
        if more:
            chosen += [p for p in self.parts[-6:] if p[1].result.table == table and p is not first]
        ledger = self.ledger(data, table, first[1].result.identity.generation)
        commit_id = "c1" if snapshot else None
        real, memory = [r for r, _ in chosen], [m for _, m in chosen]
        self.compare(
            lambda: self.real.committed(real, snapshot, commit_id, ledger),
            lambda: self.memory.committed(memory, snapshot, commit_id, ledger),
        )

    @precondition(lambda self: self.parts)
    @rule(data=st.data())
    def replan(self, data: Any) -> None:
        real, memory = data.draw(st.sampled_from(self.parts[-6:]))
        self.compare(lambda: self.real.replan(real, "because"), lambda: self.memory.replan(memory, "because"))

    @precondition(lambda self: self.parts)
    @rule(data=st.data())
    def replaced(self, data: Any) -> None:
        real, memory = data.draw(st.sampled_from(self.parts[-6:]))
        ranges = data.draw(st.sampled_from((memory.ranges[:1], memory.ranges)))
        ids = self.ids()
        self.compare(
            lambda: self.real.plan_instead(self.pipeline, real, "because", ranges, self.redo(ids)),
            lambda: self.memory.plan_instead("", memory, "because", ranges, self.redo(ids)),
        )

    @precondition(lambda self: self.batches)
    @rule(data=st.data(), table=st.sampled_from((A, B)), attempt=st.sampled_from(ATTEMPTS))
    def split(self, data: Any, table: str, attempt: str) -> None:
        batch = data.draw(st.sampled_from(self.batches[-4:]))
        ids, dead_letters = self.ids(), self.coverage(data, DEAD_LETTERS)
        self.compare(
            lambda: self.real.replan_unwritten(batch.batch_id, attempt, table, "why", self.redo(ids, dead_letters)),
            lambda: self.memory.replan_unwritten(batch.batch_id, attempt, table, "why", self.redo(ids, dead_letters)),
        )

    @rule(table=st.sampled_from((A, B, DEAD_LETTERS, *ROUTED)))
    def bind_another(self, table: str) -> None:
        self.both("bind", table, "another")

    @rule()
    def bind_late(self) -> None:
        self.both("bind", LATE, UUIDS[LATE])

    @rule(table=st.sampled_from((A, B, DEAD_LETTERS)), generation=st.integers(1, 3), binds=st.booleans())
    def await_generation(self, table: str, generation: int, binds: bool) -> None:
        self.both("await_generation", table, generation, "another" if binds else None)

    @rule(
        data=st.data(),
        table=st.sampled_from((A, B, DEAD_LETTERS, *ROUTED)),
        mode=st.sampled_from((None, *Mode)),
        ahead=st.sampled_from((1, 1, 1, 0, 2)),
    )
    def follow(self, data: Any, table: str, mode: Mode | None, ahead: int) -> None:
        generation = self.memory.generations("").get(table, 0) + ahead
        rollback = Rollback(2, 1, mode, "me", "because") if mode else None
        ledger = replace(self.ledger(data, table, generation), rollback=rollback)
        ids, dead_letters = self.ids(), self.coverage(data, DEAD_LETTERS)
        real = self.real.follow
        self.compare(
            lambda: _following(real(self.pipeline, table, UUIDS[table], ledger, self.redo(ids, dead_letters))),
            lambda: _following(self.memory.follow("", table, UUIDS[table], ledger, self.redo(ids, dead_letters))),
        )

    @rule(data=st.data(), table=st.sampled_from((A, B, *ROUTED)))
    def fill(self, data: Any, table: str) -> None:
        ledger, ids = self.ledger(data, table, 0), self.ids()
        self.both("lacking", table, ledger, _takes)
        self.compare(
            lambda: self.real.fill(self.pipeline, table, ledger, self.redo(ids)),
            lambda: self.memory.fill("", table, ledger, self.redo(ids)),
        )

    @rule(data=st.data(), table=st.sampled_from((A, B, ROUTED[0])), ahead=st.sampled_from((0, 0, 0, -1, 1)))
    def fill_requested(self, data: Any, table: str, ahead: int) -> None:
        generation = max(0, self.memory.generations("").get(table, 0) + ahead)
        ledger, ids = self.ledger(data, table, generation), self.ids()
        real, memory = self.real.fill_requested, self.memory.fill_requested
        self.compare(
            lambda: real(self.pipeline, table, UUIDS[table], ledger, self.redo(ids)),
            lambda: memory("", table, UUIDS[table], ledger, self.redo(ids)),
        )

    @rule(data=st.data(), attempt=st.sampled_from(ATTEMPTS), claims=st.booleans())
    def hold(self, data: Any, attempt: str, claims: bool) -> None:
        if claims:
            self.claim_all(attempt)
        self.both("hold", self.gaps(data), attempt)

    @rule(
        data=st.data(),
        tables=st.lists(st.sampled_from(tuple(UUIDS)), min_size=1, max_size=3, unique=True),
        attempt=st.sampled_from(ATTEMPTS),
        claims=st.booleans(),
        ahead=st.sampled_from((0, 0, 0, 0, 1)),
        is_stranger=st.sampled_from((False, False, False, True)),
    )
    def declare(
        self, data: Any, tables: Sequence[str], attempt: str, claims: bool, ahead: int, is_stranger: bool
    ) -> None:
        if claims:
            self.claim_all(attempt)
        gaps, recorded = self.gaps(data), {}
        if (planned := self.memory.planned("")) and data.draw(st.booleans()):
            # Of one that is planned, which then has to be given up.
            gaps, tables = (
                [p.range for p in planned[-1].ranges[:2]],
                [t for t in planned[-1].planned_tables if t in UUIDS],
            )
        for table in tables:
            ledger = self.ledger(data, table, self.memory.generations("").get(table, 0) + ahead)
            lacked = [(r, Kind.ACCEPTED_LOSS) for g in gaps for r in ledger.coverage.lacking(g)]
            coverage = (
                ledger.coverage if table == DEAD_LETTERS else declaring(ledger.coverage, lacked, {}, ledger.generation)
            )
            table_uuid = "stranger" if is_stranger else self.memory.bound("").get(table)
            recorded[table] = Recorded(table_uuid, replace(ledger, coverage=coverage))
        ids, dead_letters = self.ids(), self.coverage(data, DEAD_LETTERS)
        self.compare(
            lambda: self.real.declare(self.pipeline, recorded, gaps, self.redo(ids, dead_letters), attempt, "because"),
            lambda: self.memory.declare("", recorded, gaps, self.redo(ids, dead_letters), attempt, "because"),
        )

    @rule(data=st.data(), often=st.integers(0, 3), table=st.sampled_from((A, B, LATE, ROUTED[0])), is_new=st.booleans())
    def rebind(self, data: Any, often: int, table: str, is_new: bool) -> None:
        if often:
            return
        ledger = self.ledger(data, table, self.memory.generations("").get(table, 0) + 1)
        ids, dead_letters = self.ids(), self.coverage(data, DEAD_LETTERS)
        table_uuid = "another" if is_new else UUIDS[table]
        self.compare(
            lambda: self.real.rebind(self.pipeline, table, table_uuid, ledger, self.redo(ids, dead_letters), "because"),
            lambda: self.memory.rebind("", table, table_uuid, ledger, self.redo(ids, dead_letters), "because"),
        )

    @rule(table=st.sampled_from(ROUTED), often=st.integers(0, 3), gives_up=st.booleans())
    def retire_table(self, table: str, often: int, gives_up: bool) -> None:
        if not often:
            self.both("retire_table", table)
            if gives_up:
                self.both("give_up_parts", table, "because")

    @rule(often=st.integers(0, 3), is_refused=st.booleans())
    def give_up(self, often: int, is_refused: bool) -> None:
        if often:
            return
        reported: list[object] = []

        def approve(notes: Any) -> None:
            reported.append({table: _plain(of_table) for table, of_table in notes.items()})
            if is_refused:
                raise Fenced("not that")

        self.tokens.insert(0, str(uuid.uuid4()))
        self.both("give_up", "me", self.tokens[0], self.memory.last_recovery(""), approve)
        assert reported[0] == reported[-1]

    @rule(data=st.data(), often=st.integers(0, 3), generation=st.integers(0, 3))
    def rebuild(self, data: Any, often: int, generation: int) -> None:
        if often:
            return
        token = data.draw(st.sampled_from(self.tokens or [""]))
        names = data.draw(st.sampled_from(((A,), (DEAD_LETTERS, A, B), (DEAD_LETTERS, A, ROUTED[0]))))
        stands = [Stand(name, UUIDS[name], self.ledger(data, name, generation)) for name in names]
        if ROUTED[0] in names:
            stands[0] = replace(stands[0], ledger=self.with_registry(data, stands[0].ledger))
        ids, dead_letters = self.ids(), self.coverage(data, DEAD_LETTERS)
        self.compare(
            lambda: self.real.rebuild(self.pipeline, stands, self.redo(ids, dead_letters), token),
            lambda: self.memory.rebuild("", stands, self.redo(ids, dead_letters), token),
        )

    @precondition(lambda self: self.parts)
    @rule(data=st.data())
    def rolled_back_and_marked_late(self, data: Any) -> None:
        """What a committer read before a rollback is marked after it."""
        real, memory = data.draw(st.sampled_from(self.parts[-3:]))
        table = memory.result.table
        generation = self.memory.generations("").get(table, 0) + 1
        record = Rollback(2, 1, Mode.RECOMMIT, "me", "because")
        ledger = Ledger(self.real.installation_id(), self.pipeline, "c2", generation, "digest-1", Coverage(), record)
        ids = self.ids()
        self.compare(
            lambda: _following(self.real.follow(self.pipeline, table, UUIDS[table], ledger, self.redo(ids))),
            lambda: _following(self.memory.follow("", table, UUIDS[table], ledger, self.redo(ids))),
        )
        self.compare(
            lambda: self.real.committed([real], 11, "c1", ledger),
            lambda: self.memory.committed([memory], 11, "c1", ledger),
        )

    @rule(keep=st.integers(0, 3))
    def coalesce(self, keep: int) -> None:
        self.both("coalesce", keep)

    # How they are compared.

    def both(self, name: str, *args: object, **more: object) -> object:
        return self.compare(
            lambda: getattr(self.real, name)(self.pipeline, *args, **more),
            lambda: getattr(self.memory, name)("", *args, **more),
        )

    def both_bare(self, name: str, *args: object) -> object:
        return self.compare(lambda: getattr(self.real, name)(*args), lambda: getattr(self.memory, name)(*args))

    def compare(self, real: Callable[[], object], memory: Callable[[], object]) -> object:
        said, reported = _outcome(real), _outcome(memory)
        assert _plain(reported) == _plain(said)
        self.same_state()
        return reported

    def same_state(self) -> None:
        real, memory, p = self.real, self.memory, self.pipeline
        assert memory.streams("", LIVE) == real.streams(p, LIVE)
        assert memory.begun("") == real.begun(p)
        assert memory.recovering("") == real.recovering(p)
        assert memory.left_out("") == real.left_out(p)
        assert _plain(memory.planned("")) == _plain(real.planned(p))
        assert _plain(memory.staged("")) == _plain(real.staged(p))
        assert set(memory.staged_tables("")) == set(real.staged_tables(p))
        assert memory.bound("") == real.bound(p)
        assert memory.generations("") == real.generations(p)
        assert [memory.has_ledger("", t) for t in (A, B, LATE)] == [real.has_ledger(p, t) for t in (A, B, LATE)]
        assert memory.ledgers("") == real.ledgers(p)
        assert sorted(memory.unsettled("")) == sorted(real.unsettled(p))
        reported, said = memory.accounts(""), real.accounts(p)
        assert (reported.streams, reported.open, set(reported.unwritten)) == (
            said.streams,
            said.open,
            set(said.unwritten),
        )
        assert memory.dead_letter_tables("") == real.dead_letter_tables(p)
        assert memory.routed("") == real.routed(p)
        assert memory.lately_routed("", 2) == real.lately_routed(p, 2)
        assert memory.retirements("") == real.retirements(p)
        of = "00000000-0000-0000-0000-000000000000"
        assert memory.has_other_unclosed("", of) == real.has_other_unclosed(p, of)
        assert _outcome(lambda: _timeless(memory.routed_progress(""))) == _outcome(
            lambda: _timeless(real.routed_progress(p))
        )
        views = [
            _outcome(partial(log.commit_views, name, [A, B, LATE, *ROUTED])) for log, name in ((memory, ""), (real, p))
        ]
        assert _plain(views[0]) == _plain(views[1])
        for table in (A, *ROUTED):
            known, found = partial(memory.evidence, "", table), partial(real.evidence, p, table)
            assert _outcome(known) == _outcome(found)
        for table in UUIDS:
            # The real one has other histories' files, too.
            assert set(memory.staged_files(table)) <= set(real.staged_files(table))
            assert memory.declared_starts("", table) == real.declared_starts(p, table)
            assert memory.first_ledger("", table) == real.first_ledger(p, table)
            assert memory.bound_uuid("", table) == real.bound_uuid(p, table)
            assert _plain(memory.notes("", table)) == _plain(real.notes(p, table))

    # What they are asked with.

    def claim_all(self, attempt: str) -> None:
        for batch in self.memory.planned(""):
            self.both_bare("claim", batch.batch_id, attempt, "r1", -1.0)

    def gaps(self, data: Any) -> list[OffsetRange]:
        chosen = [data.draw(st.sampled_from((None, None, (0, 3), (2, 9), (0, FOREVER)))) for _ in SOURCES]
        return [OffsetRange(source, *gap) for source, gap in zip(SOURCES, chosen, strict=True) if gap]

    def topics_of(self, batch_id: str, table: str) -> Sequence[str]:
        """None of a batch that was folded away."""
        no = self.memory.state.batch_nos.get(batch_id)
        of_batch = (q for q in self.memory.state.parts.values() if q.no == no and q.table == table and not q.target)
        return next((q.topics for q in of_batch), ())

    def part(self, table: str, books: Sequence[Books], generation: int, target: str = "") -> PartResult:
        rows = sum(b.written for b in books)
        files = (DataFile(f"f{next(self.files)}", rows, rows * 100, b"{}"),) if rows else ()
        return PartResult(table, TableIdentity(UUIDS[table], generation, "layout"), files, tuple(books), target)

    def with_registry(self, data: Any, ledger: Ledger) -> Ledger:
        """Of a pipeline that routed from the start, under two configurations."""
        retirement = data.draw(st.sampled_from((NEVER, NEVER, NEVER.begun(dict.fromkeys(SOURCES, 3), ()))))
        tables = {ROUTED[0]: RegisteredTable("ns.R", UUIDS[ROUTED[0]], retirement), LATE: RegisteredTable(LATE, None)}
        first = RegisteredConfig("digest-1", CONFIG, dict.fromkeys(SOURCES, 0))
        second = RegisteredConfig("digest-2", {"tables": []}, {SOURCES[0]: data.draw(st.integers(1, 9))})
        marks = {
            s: SourceCoverage(0, (Interval(0, end),)) for s in SOURCES[:2] if (end := data.draw(st.integers(0, 6)))
        }
        return replace(ledger, registry=Registry(tables, (first, second)), mark=Coverage(marks))

    def closing(self, data: Any, batch: Batch) -> Closing:
        """Mostly one that fits *batch*."""
        topics = sorted({p.range.source.topic for p in batch.ranges})
        tables = {}
        for table in data.draw(st.lists(st.sampled_from((*ROUTED, *ROUTED, LATE, A)), max_size=2, unique=True)):
            some = st.lists(st.sampled_from((*topics, *topics, *topics, "z")), min_size=1, unique=True)
            tables[table] = tuple(data.draw(some))
        dead = data.draw(st.sampled_from((0, 0, 1)))
        books = [Books(p.range, p.range.offsets, p.range.offsets - dead, dead) for p in batch.ranges]
        return Closing(tables, tuple(books))

    def letters(self, closing: Closing, generation: int) -> list[PartResult]:
        books = [Books(b.range, b.dead, b.dead) for b in closing.books if b.dead]
        return [self.part(DEAD_LETTERS, books, generation, target=NO_TABLE)] if books else []

    def coverage(self, data: Any, table: str) -> Coverage:
        sources = [s for s in SOURCES if table != B or s.topic == "y"]
        if table == DEAD_LETTERS:
            sources = [covered_range(OffsetRange(s, 0, 1), t).source for t in (A, B) for s in sources[::2]]
        out = {}
        for source in sources:
            start, end = data.draw(st.sampled_from(((0, 0), (0, 0), (0, 3), (0, 6), (0, 9), (2, 5), (0, 14))))
            if end or data.draw(st.booleans()):
                out[source] = SourceCoverage(0, (Interval(start, end, 0),) if end else ())
                requested = data.draw(st.sampled_from((None, None, (0, 2), (5, 8), (9, 12))))
                owed = data.draw(st.sampled_from((None, None, (1, 4), (6, 8))))
                if table in ROUTED and owed and out[source].missing(*owed) == [owed]:
                    out[source] = out[source].owing(*owed)
                if table != DEAD_LETTERS and requested and out[source].missing(*requested) == [requested]:
                    out[source] = out[source].requesting(*requested)
        return Coverage(out)

    def ledger(self, data: Any, table: str, generation: int) -> Ledger:
        return Ledger(
            self.real.installation_id(), self.pipeline, "c1", generation, "digest-1", self.coverage(data, table)
        )

    def ids(self) -> list[str]:
        return [str(uuid.uuid4()) for _ in range(40)]

    def redo(self, ids: Sequence[str], dead_letters: Coverage | None = None) -> Redo:
        """Both sides are given the same new batch ids."""
        left = iter(ids)
        return Redo(CONFIG, "digest-1", 4, dead_letters or Coverage(), lambda: next(left), _takes)


def _takes(table: str, topic: str) -> bool:
    return table in ROUTED or topic in TOPICS.get(table, ())


def _outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except LakelockError as fault:
        return type(fault).__name__
    except Exception:
        return "refused by the database itself"


def _following(done: Any) -> object:
    return None if done is None else (len(done.mark), len(done.restage), len(done.abort), done.redo)


def _timeless(progress: RoutedProgress) -> RoutedProgress:
    return replace(progress, open={table: of._replace(waits_s=0.0) for table, of in progress.open.items()})


def _plain(x: Any) -> Any:
    """Without numbers that each log gives by itself, and times."""
    if isinstance(x, dict) and x and all(isinstance(v, CommitView) for v in x.values()):
        return {table: replace(view, parts=_plain([*view.parts])) for table, view in x.items()}
    if isinstance(x, list) and x and isinstance(x[0], StagedPart):
        order = {n: i for i, n in enumerate(sorted({p.sequence for p in x}))}
        return [
            replace(
                p,
                sequence=order[p.sequence],
                part_id=0,
                staged_at=None,
                age_s=0.0,
                result=replace(p.result, files=_paths(p)),
            )
            for p in x
        ]
    if isinstance(x, list) and x and hasattr(x[0], "part_id"):
        return [replace(note, part_id=0) for note in x]
    if isinstance(x, list) and x and isinstance(x[0], Batch):
        return [replace(b, pipeline="") for b in x]
    return replace(x, pipeline="") if isinstance(x, Batch) else x


def _paths(part: StagedPart) -> Any:
    return tuple(f.path for f in part.result.files)


def test_the_log_in_memory_answers_as_postgres_does(log: PostgresLog) -> None:
    class Machine(LogsAgree):
        real = log

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=20,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_decisions_are_recorded_in_memory_as_in_postgres(log: PostgresLog) -> None:
    """One history in which each of them changes something, and is refused."""

    class Machine(LogsAgree):
        real = log

    logs = Machine()
    logs.begin(lengths=(6, 6, 6))
    x, _, y = SOURCES
    gaps = [OffsetRange(x, 0, 9), OffsetRange(y, 0, FOREVER)]
    kinds = [(gaps[0], Kind.ACCEPTED_LOSS), (gaps[1], Kind.RETIRED)]

    def ledger(generation: int = 0, coverage: Coverage | None = None) -> Ledger:
        return Ledger(log.installation_id(), logs.pipeline, "c1", generation, "digest-1", coverage or Coverage())

    def declare(tables: Mapping[str, str | None], attempt: str, coverage: Coverage) -> object:
        recorded, ids = {t: Recorded(table_uuid, ledger(0, coverage)) for t, table_uuid in tables.items()}, logs.ids()
        return logs.compare(
            lambda: log.declare(logs.pipeline, recorded, gaps, logs.redo(ids), attempt, "because"),
            lambda: logs.memory.declare("", recorded, gaps, logs.redo(ids), attempt, "because"),
        )

    decided = declaring(Coverage(), kinds, {}, 0)
    assert logs.both("hold", gaps, "t1") is False, "another may be reading the batch"
    logs.claim_all("t1")
    assert logs.both("hold", gaps, "t1") is True
    assert [s.next_offset for s in logs.memory.streams("", LIVE)] == [6, 6, FOREVER]
    assert declare({A: "stranger"}, "t1", decided) == "Fenced"
    assert declare({A: UUIDS[A]}, "t2", decided) == "Fenced"
    assert declare({A: UUIDS[A], B: UUIDS[B], LATE: None}, "t1", decided) is None
    assert [s.next_offset for s in logs.memory.streams("", LIVE)] == [9, 6, FOREVER]
    left = united(p.range for b in logs.memory.planned("") for p in b.ranges)
    assert left == [OffsetRange(SOURCES[1], 0, 6)]
    logs.both("plan", LIVE, str(uuid.uuid4()), CONFIG, "digest-1", [], {}, {LATE: ["x", "y"]})
    assert sorted(logs.memory.declared_starts("", LATE)) == list(SOURCES[:2])
    logs.bind_late()
    assert logs.memory.first_ledger("", LATE) is not None
    assert declare({LATE: UUIDS[LATE]}, "t1", decided) is None
    assert logs.memory.first_ledger("", LATE) is None
    logs.both("await_generation", A, 3, None)
    for table_uuid in (UUIDS[A], "another"):
        ids = logs.ids()
        logs.compare(
            lambda table_uuid=table_uuid, ids=ids: log.rebind(  # type: ignore[misc]
                logs.pipeline, A, table_uuid, ledger(1), logs.redo(ids), "because"
            ),
            lambda table_uuid=table_uuid, ids=ids: logs.memory.rebind(  # type: ignore[misc]
                "", A, table_uuid, ledger(1), logs.redo(ids), "because"
            ),
        )
    assert logs.memory.bound("")[A] == "another"
    assert logs.memory.unsettled("") == []


def test_batches_are_closed_and_planned_again_in_memory_as_in_postgres(log: PostgresLog) -> None:
    """One history in which each call about routed tables changes something."""

    class Machine(LogsAgree):
        real = log

    logs = Machine()
    logs.begin(lengths=(0, 0, 0))
    r, s = ROUTED

    def plan(*ranges: OffsetRange) -> Batch:
        starts = {x.source: 0 for x in ranges if not x.start}
        planned = [PlannedRange(x, 3) for x in ranges]
        batch = logs.both(
            "plan", LIVE, str(uuid.uuid4()), CONFIG, "digest-1", planned, starts, {}, Survey(1, {}), closed=False
        )
        assert isinstance(batch, Batch)
        logs.both_bare("claim", batch.batch_id, "t1", "r1", -1.0)
        return batch

    x, y, z = SOURCES
    ledger = Ledger(log.installation_id(), logs.pipeline, "c1", 0, "digest-1", Coverage())
    batch = plan(OffsetRange(x, 0, 6), OffsetRange(y, 0, 6), OffsetRange(z, 0, 6))
    ranges = [p.range for p in batch.ranges]
    closing = Closing({r: ("x",), s: ("x", "y")}, tuple(Books(a, 6, 5, 1) for a in ranges))
    rows = logs.part(r, [Books(a, 6, 6) if a.start == 0 and a.source == x else Books(a, 0, 0) for a in ranges[:2]], 0)
    letters = logs.letters(closing, 0)
    assert logs.both_bare("stage", batch.batch_id, "t1", [rows, *letters], closing) is None
    assert logs.memory.planned("")[0].planned_tables == (s,)
    logs.read()
    lost = next(p for p in logs.parts if p[0].result.target == NO_TABLE)
    logs.compare(lambda: log.replan(lost[0], "gone"), lambda: logs.memory.replan(lost[1], "gone"))
    assert logs.memory.planned("")[0].planned_tables == (NO_TABLE, r, s)
    logs.both_bare("claim", batch.batch_id, "t2", "r1", -1.0)
    assert logs.both_bare("stage", batch.batch_id, "t2", [rows]) == "Fenced"
    assert logs.both_bare("stage", batch.batch_id, "t2", [rows, *letters]) is None
    later = plan(OffsetRange(x, 6, 12))
    assert logs.both("retire_table", s) == Retirement(
        {x: ((6, FOREVER),), y: ((6, FOREVER),), z: ((6, FOREVER),)}, lasting=True
    )
    assert logs.memory.planned("")[0].planned_tables == (s,)
    logs.both("give_up_parts", s, "because")
    assert (logs.memory.routed(""), logs.memory.planned("")[0].batch_id) == ({r: r.upper()}, later.batch_id)
    of_both = Closing({r: ("x",), s: ("x",)}, (Books(OffsetRange(x, 6, 12), 6, 6),))
    assert logs.both_bare("stage", later.batch_id, "t1", [], of_both) == "BatchChanged"
    ids = logs.ids()
    logs.compare(
        lambda: log.rebind(logs.pipeline, s, "another", ledger, logs.redo(ids), "because"),
        lambda: logs.memory.rebind("", s, "another", ledger, logs.redo(ids), "because"),
    )
    # Batches that are not closed give the new table their records.
    assert s not in logs.memory.retirements("")
    found = logs.memory.evidence("", r)
    assert found is not None
    assert (found.closed_to[x], found.letters_to[x], found.frontiers[x], len(found.open)) == (6, 0, 12, 2)
    gap = OffsetRange(x, 8, 9)
    ids = logs.ids()
    logs.compare(
        lambda: log.declare(logs.pipeline, {}, [gap], logs.redo(ids), "t1", "because"),
        lambda: logs.memory.declare("", {}, [gap], logs.redo(ids), "t1", "because"),
    )
    again = [b for b in logs.memory.planned("") if not b.closed]
    assert united(p.range for b in again for p in b.ranges) == [OffsetRange(x, 6, 8), OffsetRange(x, 9, 12)]
    assert later.batch_id not in {b.batch_id for b in again}
    logs.both("give_up", "me", "token", None, lambda _: None)
    mark = Coverage({x: SourceCoverage(0, (Interval(0, 2),))})
    tables = {
        r: RegisteredTable("ns.R", UUIDS[r]),
        s: RegisteredTable(s.upper(), "another"),
        LATE: RegisteredTable("ns.Late", None),
    }
    configs = (
        RegisteredConfig("digest-1", CONFIG, dict.fromkeys(SOURCES, 0)),
        RegisteredConfig("digest-2", {"tables": []}, {x: 5}),
    )
    of_letters = replace(ledger, registry=Registry(tables, configs), mark=mark)
    held = Coverage({x: SourceCoverage(0, (Interval(0, 2), Interval(4, 9)))}).owing([OffsetRange(x, 2, 3)])
    stands = [Stand(DEAD_LETTERS, UUIDS[DEAD_LETTERS], of_letters), Stand(r, UUIDS[r], replace(ledger, coverage=held))]
    ids = logs.ids()
    logs.compare(
        lambda: log.rebuild(logs.pipeline, stands, logs.redo(ids), "token"),
        lambda: logs.memory.rebuild("", stands, logs.redo(ids), "token"),
    )
    tail = [b for b in logs.memory.planned("") if not b.closed]
    assert {b.lane for b in tail} == {LIVE}
    assert logs.memory.left_out("") == log.left_out(logs.pipeline) == [s]
    ids = logs.ids()
    logs.compare(
        lambda: log.rebind(logs.pipeline, s, "a third", ledger, logs.redo(ids), "because"),
        lambda: logs.memory.rebind("", s, "a third", ledger, logs.redo(ids), "because"),
    )
    assert logs.memory.left_out("") == log.left_out(logs.pipeline) == []
    assert united(p.range for b in tail for p in b.ranges) == [OffsetRange(x, 2, 9)]
    assert {(b.config_digest, p.range.start) for b in tail for p in b.ranges} >= {("digest-1", 2), ("digest-2", 5)}
    assert logs.memory.routed("") == {LATE: "ns.Late", r: "ns.R", s: s.upper()}
