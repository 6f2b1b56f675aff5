"""redrive: dead letters that fit their table by now become rows of it, in one commit of the table that says which."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lakelock.core import redrive as decisions
from lakelock.core import replace as replacing
from lakelock.core.batch import DataFile, of_target, plain_range
from lakelock.core.coverage import Coverage
from lakelock.core.decisions import Decided, What
from lakelock.core.define import check_metadata
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import OffsetRange, offsets_in, overlap, united
from lakelock.core.parquet_options import parquet_options
from lakelock.core.redrive import Identity
from lakelock.core.rollback import still_owed
from lakelock.errors import LakelockError, LedgerDetached, RedriveRefused, Retryable, TableMissing
from lakelock.ports import Change, LetterBox, OpenLetters, RedriveOrder, RedriveOutput, Redriver, TableState
from lakelock.steps.follow import Follower
from lakelock.steps.landing import until_landed
from lakelock.steps.letters import coverage_of
from lakelock.steps.orders import target_of
from lakelock.steps.redrive_plan import Asked, RedriveOutcome, RedrivePlan, Seen, Shown, TableLetters

logger = logging.getLogger(__name__)

UNDONE = "None of its dead letters became a row by this; run the same again."


@dataclass(frozen=True, slots=True)
class _Look:
    """A table with its dead-letter tables, and the open dead letters that are meant."""

    state: TableState
    ledger: Ledger
    letters: tuple[TableState, ...]
    found: OpenLetters

    @property
    def seen(self) -> Seen:
        assert self.state.head_snapshot_id is not None
        known = {s.name: s.head_snapshot_id for s in self.letters if s.head_snapshot_id is not None}
        return Seen(self.ledger.generation, self.state.head_snapshot_id, known)

    @property
    def identity(self) -> Identity:
        return Identity(self.state.uuid, self.ledger.generation, self.state.schema_id, self.state.spec_id)


@dataclass(frozen=True, slots=True)
class Redrives:
    """One pipeline's dead letters, also while it runs. *redriver* is asked for only where there are any; *trial* decodes some in
    this process."""

    follower: Follower
    box: LetterBox
    redriver: Callable[[], Redriver]
    trial: Callable[[RedriveOrder], RedriveOutput]
    pause: Callable[[float], None]

    def plan(self, asked: Asked) -> RedrivePlan:
        """Changes nothing and needs no Spark. Raises RedriveRefused where none of the tables can be looked at."""
        tables = []
        for name in self._names(asked):
            try:
                tables.append(self._planned(name, asked))
            except Retryable:
                raise
            except LakelockError as fault:
                if asked.table is not None:
                    raise
                tables.append(TableLetters(name, left_out=str(fault)))
        if tables and all(t.left_out for t in tables):
            raise RedriveRefused(f"no table can be redriven now. {' '.join(t.left_out for t in tables)}")
        return RedrivePlan(asked, tuple(tables))

    def redrive(self, asked: Asked, who: str, why: str, shown: Shown) -> list[RedriveOutcome]:
        """For each table a Spark job and a commit for each chunk of its letters; what landed stays, and running it again does the
        rest. One table's fault does not stop the others, and is raised after them.

        Of no table more than *shown*, which a person approved: letters that came later are left for another time.
        """
        done, faults = [], []
        for name in self._names(asked):
            seen = shown.tables.get(name)
            if seen is None:
                continue
            try:
                done.append(self._redriven(name, asked, who, why, seen))
            except LakelockError as fault:
                logger.error("%s: %s: %s", name, type(fault).__name__, fault)
                faults.append(fault)
        if faults:
            for outcome in done:
                logger.info("%s", "; ".join(outcome.lines))
            raise next((f for f in faults if not isinstance(f, Retryable)), faults[0])
        return done

    def _names(self, asked: Asked) -> list[str]:
        names = [t.name for t in self.follower.pipeline.tables]
        if asked.table is not None and asked.table not in names:
            raise RedriveRefused(
                f"pipeline {self.follower.pipeline.name!r} has no table {asked.table!r} to redrive dead letters into: "
                f"{', '.join(names)}. Nothing was changed."
            )
        bound = self.follower.log.bound(self.follower.pipeline.name)
        return [n for n in names if n in bound and asked.table in {None, n}]

    def _planned(self, table: str, asked: Asked) -> TableLetters:
        look = self._look(table, asked)
        held, told = look.ledger.coverage, _joined(look.letters)
        waiting = decisions.not_landed(table, held, told)
        owed = overlap(held.data.ranges, _owed(table, look.letters, told))
        if not look.found.ranges:
            return TableLetters(table, look.seen, waiting=tuple(waiting), owed=tuple(owed))
        tried = decisions.sample(look.found.ranges)
        out = self.trial(self._order(look, "", (tried,)))
        return TableLetters(
            table,
            look.seen,
            look.found.ranges,
            look.found.reasons,
            offsets_in(tried),
            offsets_in(out.rows),
            out.unfit,
            tuple(waiting),
            tuple(owed),
        )

    def _look(self, table: str, asked: Asked, seen: Seen | None = None) -> _Look:
        state, ledger = self._loaded(table)
        pipeline = self.follower.pipeline
        check_metadata(table, state.schema, pipeline.metadata_columns_by_key)
        parquet_options(table, state.properties)
        letters = self._letter_tables()
        within = asked.of(decisions.places(table, ledger.coverage, _joined(letters)))
        if seen is not None:
            within = self._as_seen(table, state, ledger, letters, seen, within)
        found = self._open(table, letters, within, None)
        decisions.refuse_open_pieces(table, len(found.ranges))
        decisions.refuse_beyond_books(table, found.ranges, ledger.coverage)
        if asked.reason is not None:
            found = self._open(table, letters, within, asked.reason)
        return _Look(state, ledger, letters, found)

    def _as_seen(
        self,
        table: str,
        state: TableState,
        ledger: Ledger,
        letters: Sequence[TableState],
        seen: Seen,
        within: Sequence[OffsetRange],
    ) -> list[OffsetRange]:
        """What of *within* was there when a person was shown it."""
        if ledger.generation != seen.generation:
            raise RedriveRefused(
                f"table {table} was rolled back or recovered meanwhile. Nothing was changed. Look again."
            )
        tables = self.follower.tables
        try:
            then = tables.ledger_at(state, seen.snapshot_id)
            shown = [tables.ledger_at(s, seen.letters[s.name]) for s in letters if s.name in seen.letters]
        except LedgerDetached as fault:
            raise RedriveRefused(
                f"table {table}: what was shown has expired meanwhile. Nothing was changed. Look again."
            ) from fault
        told = [known for known in shown if known is not None]
        there = Coverage()
        for known in told:
            there = there.joined(known.coverage)
        return overlap(within, decisions.places(table, then.coverage, there)) if then else []

    def _open(
        self, table: str, letters: Sequence[TableState], within: Sequence[OffsetRange], reason: str | None
    ) -> OpenLetters:
        """A letter that is in two tables, or twice in one, counts once."""
        ranges: list[OffsetRange] = []
        reasons: Counter[str] = Counter()
        for state in letters:
            there = self.box.open(state, table, within, reason, decisions.MOST_OPEN_PIECES)
            if there is None:
                raise RedriveRefused(
                    f"table {state.name}: delete files hide some of its dead letters. Nothing was changed. Compact it first."
                )
            ranges += there.ranges
            reasons.update(there.reasons)
        return OpenLetters(tuple(united(ranges)), dict(reasons))

    def _redriven(self, table: str, asked: Asked, who: str, why: str, seen: Seen) -> RedriveOutcome:
        look = self._look(table, asked, seen)
        done = RedriveOutcome(table)
        for chunk in decisions.chunks(look.found.ranges):
            done = self._chunk(look, chunk, Decided(What.REDRIVE, self._now(), who, why, asked.about), done)
        return done

    def _chunk(self, look: _Look, chunk: Sequence[OffsetRange], said: Decided, done: RedriveOutcome) -> RedriveOutcome:
        table, redrive_id, began_ms = look.state.name, self.follower.new_id(), self._now_ms()
        redriver, letters = self.redriver(), offsets_in(chunk)
        outputs = redriver.run(self._order(look, redrive_id, decisions.slices(chunk, redriver.parallelism)))
        rows = united(r for o in outputs for r in o.rows)
        files = tuple(f for o in outputs for f in o.files)
        unfit: Counter[str] = Counter(done.unfit)
        for output in outputs:
            unfit.update(output.unfit)
        count = offsets_in(rows)
        still = sum(unfit.values()) - sum(done.unfit.values())
        decisions.check_books(table, letters, count, still, sum(f.rows for f in files))
        done = replace(done, letters=done.letters + letters, unfit=dict(unfit))
        if not rows:
            return done
        said = replace(said, about=f"{count} of {letters} dead letters of {said.about}")
        snapshot_id = self._landed(look, rows, files, said, redrive_id, began_ms)
        if snapshot_id is None:
            return replace(done, twice=done.twice + count)
        logger.info("%s: snapshot %s: %s", table, snapshot_id, said.line)
        return replace(done, rows=done.rows + count, snapshots=(*done.snapshots, snapshot_id))

    def _landed(
        self,
        look: _Look,
        rows: Sequence[OffsetRange],
        files: tuple[DataFile, ...],
        said: Decided,
        redrive_id: str,
        began_ms: int,
    ) -> int | None:
        """The snapshot that has the rows; None where another redrive made all of them meanwhile. Decided anew in each try."""
        follower, table, before = self.follower, look.state.name, look.identity
        landed: int | None = None

        def draft() -> tuple[TableState, Change] | None:
            nonlocal landed
            state, ledger = self._loaded(table)
            landed = follower.tables.find_commit(state, redrive_id)
            now = Identity(state.uuid, ledger.generation, state.schema_id, state.spec_id)
            same = (now.uuid, now.generation) == (before.uuid, before.generation)
            if landed is not None or (same and decisions.are_rows(rows, ledger.coverage)):
                return None
            decisions.refuse_moved(table, rows, before, now, ledger.coverage)
            if newer := replacing.overtaken(rows, look.ledger, ledger):
                raise RedriveRefused(f"table {table}: {newer}. {decisions.NOT_LANDED}")
            decisions.refuse_gone(table, rows, _joined(self._letter_tables()))
            coverage = decisions.redriven(ledger.coverage, rows)
            decisions.refuse_pieces(table, decisions.pieces(coverage))
            # After the table was loaded: a clean-up that takes the files for orphans moves it first.
            decisions.check_in_time(table, began_ms, self._now_ms())
            # Iceberg commits missing files silently.
            if gone := follower.tables.missing_files(state, files):
                raise RedriveRefused(f"table {table}: a file that was written is gone: {gone[0]}. {UNDONE}")
            after = replace(ledger, commit_id=redrive_id, coverage=coverage, decisions=(*ledger.decisions, said))
            return state, follower.change(after, files=files, batch_ids=(redrive_id,))

        snapshot_id = until_landed(follower.tables, table, draft, self.pause, UNDONE)
        if snapshot_id is None:
            return landed
        self._tell(table)
        return snapshot_id

    def _tell(self, table: str) -> None:
        """The log's copy of the ledger, by which the page tells, is brought up to it."""
        state, ledger = self._loaded(table)
        name = self.follower.pipeline.name
        self.follower.log.fill_asked(name, table, state.uuid, ledger, self.follower.redo())

    def _order(self, look: _Look, redrive_id: str, slices: tuple[tuple[OffsetRange, ...], ...]) -> RedriveOrder:
        pipeline, state = self.follower.pipeline, look.state
        configured = pipeline.table(state.name)
        target = target_of(
            state,
            self.follower.tables.storage(state),
            zones=configured.zones,
            unknown_fields=configured.unknown_fields,
            metadata_columns=pipeline.metadata_columns_by_key,
        )
        letters = tuple(self.box.files(s, state.name) for s in look.letters)
        return RedriveOrder(redrive_id, target, slices, letters)

    def _loaded(self, table: str) -> tuple[TableState, Ledger]:
        state, _ = self.follower.followed(table)
        if state.ledger is None:
            raise RedriveRefused(
                f"table {table} carries no ledger of pipeline {self.follower.pipeline.name!r}: which dead letters are its own is "
                "not known. Nothing was changed."
            )
        return state, state.ledger

    def _letter_tables(self) -> tuple[TableState, ...]:
        """All that the pipeline ever had, as far as they are there."""
        found = []
        for name in self.follower.letter_tables:
            try:
                found.append(self.follower.followed(name)[0])
            except TableMissing:
                continue
        return tuple(found)

    def _now(self) -> datetime:
        return self.follower.log.now().replace(microsecond=0)

    def _now_ms(self) -> int:
        return int(self.follower.log.now().timestamp() * 1000)


def _joined(letters: Sequence[TableState]) -> Coverage:
    out = Coverage()
    for state in letters:
        out = out.joined(coverage_of(state))
    return out


def _owed(table: str, letters: Sequence[TableState], told: Coverage) -> list[OffsetRange]:
    """What rollbacks took out of dead-letter tables and is in none of them."""
    records = [s.ledger.rollback for s in letters if s.ledger and s.ledger.rollback]
    owed = [r for record in records for r in still_owed(record.owed, told).ranges]
    return united(plain_range(r) for r in owed if of_target(r.source)[0] == table)
