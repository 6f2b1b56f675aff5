"""What the code decides, asked for the values of the model. The model has no rule of its own beside these.

Everything that the model takes from the decisions comes through here; answers are remembered. A rule is removed by
wrapping the core's function, never in the core.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple
from unittest.mock import patch

from lakelock.adapters.iceberg.ledger_reading import marks_of
from lakelock.ingest import commit_decision as commit
from lakelock.ingest import reconcile_decision as following
from lakelock.ingest import replan_decision as redo
from lakelock.model import ledger
from lakelock.model.batches import Books, DataFile, PartResult, StagedPart, TableIdentity, covered_range, of_target
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.ledger import Ledger, Rollback
from lakelock.model.ledger_facts import LedgerFacts, resolve
from lakelock.model.log_state import PartNote, PartState, Redo, Stand, wanted
from lakelock.model.lost_dead_letters import declared_lost
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided as Said
from lakelock.model.operator_log import What
from lakelock.recovery import rebuild_decision as recover
from lakelock.rollback import decision as rollback

from model.breadth_first import Answers
from model.loose import Floor, Loose
from model.state import DEAD_LETTERS, Entry, Given, Table

SOURCE = Source("t", "T", 0)
PIPELINE = "p"
NEVER = datetime(2000, 1, 1, tzinfo=UTC)
Mode = ledger.Mode
ALL_MODES = (Mode.RECOMMIT, Mode.REPLAY, Mode.SKIP)

Range = tuple[str, int, int]  # target table (none: empty), start, end


class Decided(NamedTuple):
    """`ingest.commit_decision.Decision` in the model's words; `after` is the ledger that the commit would carry."""

    append: tuple[Given, ...]
    mark: tuple[Given, ...]
    rewrite: tuple[Given, ...]
    again: tuple[tuple[Given, tuple[Range, ...]], ...]
    refused: tuple[Given, ...]
    replaced: tuple[Given, ...]
    waiting: bool
    hole: bool
    after: Entry


class Followed(NamedTuple):
    """`ingest.reconcile_decision.Following`: positions in the notes that were given, and what is read again."""

    mark: frozenset[int]
    restage: frozenset[int]
    abort: frozenset[int]
    redo: tuple[Range, ...]
    left: tuple[Range, ...]


def plain(r: Range) -> OffsetRange:
    return covered_range(OffsetRange(SOURCE, r[1], r[2]), r[0])


def ranged(r: OffsetRange) -> Range:
    return of_target(r.source)[0], r.start, r.end


def _takes(fed: str) -> Callable[[str, str], bool]:
    return lambda table, _topic: table in fed


class Core(Answers[str]):
    """The core under a set of removed rules."""

    def __init__(self, removed: frozenset[str], recover_mode: Mode = Mode.RECOMMIT) -> None:
        super().__init__(removed)
        self.recover_mode = recover_mode
        self._entries: dict[object, Entry] = {}

    # Ledgers, through the codec that the tables' snapshots go through.

    def entry(self, value: Ledger) -> Entry:
        summary = ledger.summary(value, (), ())
        key = tuple(summary.items())
        found = self._entries.get(key)
        if found is None:
            found = self._entries[key] = Entry(len(self._entries) + 1, ledger.parse(summary, "model"), summary)
        return found

    def adopted(self, installation: int, dead_letters: bool) -> Entry:
        coverage = Coverage() if dead_letters else Coverage().starting({SOURCE: 0})
        return self.entry(Ledger(str(installation), PIPELINE, "commit", 0, "0", coverage))

    def owned(self, at: Entry, installation: int) -> Entry:
        return self.entry(replace(at.ledger, installation_id=str(installation)))

    def resolved(self, name: str, table: Table, in_history: bool | None, installation: int) -> Entry | None:
        """The table's ledger as `model.ledger_facts.resolve` judges it; its errors."""
        if not self.has("detached-tag stop"):
            in_history = True
        if not self.has("stop until recover"):
            installation = table.owner
        key = ("resolve", name, table.owner, table.tag and table.tag.entry, in_history, installation)

        def make() -> Entry | Exception | None:
            tagged = dict(table.tag.entry.summary) if table.tag and table.tag.entry else None
            if tagged and not self.has("stop until recover"):
                tagged[ledger.INSTALLATION] = str(installation)
            facts = LedgerFacts(name, str(table.owner), tagged, in_history, marks_of(PIPELINE))
            try:
                found = resolve(facts, PIPELINE, str(installation))
            except Exception as fault:
                return fault
            return self.entry(found) if found else None

        found = self.remembered(key, make)
        if isinstance(found, Exception):
            raise found
        return found  # type: ignore[no-any-return]

    # Commit.

    def decide(self, parts: tuple[Given, ...], uuid: int, at: Entry, dead_letters: Entry | None) -> Decided:
        key = ("decide", parts, uuid, at, dead_letters)
        return self.remembered(key, lambda: self._decide(parts, uuid, at, dead_letters))  # type: ignore[no-any-return]

    def _decide(self, parts: tuple[Given, ...], uuid: int, at: Entry, dead_letters: Entry | None) -> Decided:
        staged = [self._staged(i, given, uuid, at.ledger) for i, given in enumerate(parts)]
        given = {id(s): p for s, p in zip(staged, parts, strict=True)}
        covered: Coverage = at.ledger.coverage
        if not self.has("partial overlap"):
            covered = Loose(dict(covered.items()))
        if not self.has("containment, not a floor"):
            covered = Floor(dict(covered.items()))
        standing = commit.TableStanding(str(uuid), replace(at.ledger, coverage=covered))
        with (
            self._without("order", commit, "_gap", lambda *_: None),
            self._without("dead letters first", commit, "_missing_dead_letters", lambda *_: []),
        ):
            d = commit.decide(
                staged, standing, {SOURCE: 0}, lambda _: dead_letters.ledger.coverage if dead_letters else Coverage()
            )
        after = replace(at.ledger, coverage=Coverage(dict(d.coverage.items())))
        if d.append:
            after = replace(after, config_digest=d.append[-1].config_digest)
        return Decided(
            tuple(given[id(p)] for p in d.append),
            tuple(given[id(p)] for p in d.mark),
            tuple(given[id(p)] for p, _ in d.rewrite),
            tuple((given[id(p)], tuple(map(ranged, ranges))) for p, _, ranges in d.again),
            tuple(given[id(p)] for p, _ in d.refused),
            tuple(given[id(p)] for p in d.replaced),
            bool(d.waiting),
            d.hole is not None,
            self.entry(after),
        )

    def _staged(self, i: int, given: Given, uuid: int, now: Ledger) -> StagedPart:
        number, config, start, end, part = given
        generation = part.generation if self.has("generation check") else now.generation
        identity = TableIdentity(str(part.uuid if self.has("UUID check") else uuid), generation, "l")
        read = len(part.rows) + (0 if part.target else len(part.dead))
        dead = 0 if part.target else len(part.dead)
        books = (Books(OffsetRange(SOURCE, start, end), read, len(part.rows), dead),)
        files = (DataFile(str(i), len(part.rows), 1, b""),) if part.rows else ()
        result = PartResult(part.table, identity, files, books, part.target)
        return StagedPart(str(number), number, "", str(part.attempt), str(config), NEVER, 0.0, result, part.restaged)

    # Rollback, follow, recover.

    def rolled_back(self, head: Entry, at: Entry | None, mode: Mode, installation: int) -> Entry:
        key = ("rolled back", head, at, mode, installation)

        def make() -> Entry:
            now = head.ledger
            if not self.has("head's generation") and at is not None:
                now = replace(now, generation=at.ledger.generation)
            record = Rollback(0, 0, mode, "", "")
            after = rollback.rolled_back(now, at.ledger if at else None, record, "commit")
            return self.entry(replace(after, installation_id=str(installation)))

        return self.remembered(key, make)  # type: ignore[no-any-return]

    def declared_lost(self, newest: Entry, at: Entry | None, installation: int) -> Entry:
        """A dead-letter table that was set back by hand to *at*, as `recover` leaves it there."""

        def make() -> Entry:
            said = Said(What.ACCEPT_LOSS, NEVER, "", "")
            after = declared_lost(at.ledger if at else None, newest.ledger, said, ())
            record = Rollback(0, 0, Mode.SKIP, "", "")
            generation = newest.ledger.generation + 1
            return self.entry(replace(after, generation=generation, rollback=record, installation_id=str(installation)))

        return self.remembered(("declared lost", newest, at, installation), make)  # type: ignore[no-any-return]

    def follow(
        self,
        notes: tuple[tuple[str, tuple[Range, ...]], ...],
        at: Entry,
        known: int,
        table: str,
        frontier: int,
        fed: str,
    ) -> Followed:
        """*fed* are the tables that today's file feeds."""
        key = ("follow", notes, at, known, table, frontier, fed)

        def make() -> Followed:
            found = [
                PartNote(i, PartState(state), tuple(map(plain, ranges)), "l") for i, (state, ranges) in enumerate(notes)
            ]
            now = at.ledger
            behind = known if self.has("default replay") or now.rollback is None else now.generation - 1
            starts, is_wanted = {} if table == DEAD_LETTERS else {SOURCE: 0}, wanted(_takes(fed), table)
            with self._without("follow holes", following, "lacking", lambda *_: []):
                f = following.follow(found, now, behind, starts, {SOURCE: frontier}, is_wanted)
            redo, left = tuple(map(ranged, f.redo)), tuple(map(ranged, f.left))
            return Followed(frozenset(f.mark), frozenset(f.restage), frozenset(f.abort), redo, left)

        return self.remembered(key, make)  # type: ignore[no-any-return]

    def lacking(self, at: Entry, known: tuple[Range, ...], table: str, frontier: int, fed: str) -> tuple[Range, ...]:
        def make() -> tuple[Range, ...]:
            starts, is_wanted = {} if table == DEAD_LETTERS else {SOURCE: 0}, wanted(_takes(fed), table)
            found = following.lacking(
                at.ledger.coverage, list(map(plain, known)), starts, {SOURCE: frontier}, is_wanted
            )
            return tuple(map(ranged, found))

        return self.remembered(("lacking", at, known, table, frontier, fed), make)  # type: ignore[no-any-return]

    def batches(self, ranges: tuple[Range, ...], dead_letters: Entry, table: str, most: int) -> list[tuple[int, int]]:
        """Ranges of new batches for *table*, as `plan_again` cuts them."""

        def make() -> list[tuple[int, int]]:
            wanted = [OffsetRange(SOURCE, start, end) for _, start, end in ranges]
            if self.has("cut at the dead-letter table's edges"):
                how = Redo({}, "0", most, dead_letters.ledger.coverage, str, _takes(table))
                found = redo.redo_batches(wanted, how, table)
            else:
                found = redo.batches(wanted, most)
            return [(r.start, r.end) for batch in found for r in batch]

        return self.remembered(("batches", ranges, dead_letters, table, most), make)  # type: ignore[no-any-return]

    def rebuilt(self, stands: tuple[tuple[str, int, Entry], ...], fed: str) -> tuple[int, dict[str, tuple[Range, ...]]]:
        """The live frontier, and what each table lacks."""

        def make() -> tuple[int, dict[str, tuple[Range, ...]]]:
            noted = [Stand(name, str(uuid), entry.ledger) for name, uuid, entry in stands]
            r = recover.rebuilt(noted, _takes(fed))
            frontier = next((s.next_offset for s in r.streams if s.source == SOURCE), 0)
            return frontier, {name: tuple(map(ranged, ranges)) for name, ranges in r.redo.items()}

        return self.remembered(("rebuilt", stands, fed), make)  # type: ignore[no-any-return]

    def decided(self, dead_letters: Entry, r: Range) -> tuple[bool, bool]:
        """What the dead-letter table has of a range: all of it, a piece of it."""

        def make() -> tuple[bool, bool]:
            there = dead_letters.ledger.coverage.data
            whole = there.contains(plain(r))
            return whole, there.touches(plain(r)) and not whole

        return self.remembered(("letters", dead_letters, r), make)  # type: ignore[no-any-return]

    def contains(self, at: Entry | None, r: Range) -> bool:
        return at is not None and at.ledger.coverage.contains(plain(r))

    def _without(self, rule: str, module: Any, name: str, instead: Callable[..., Any]) -> AbstractContextManager[Any]:
        return nullcontext() if self.has(rule) else patch.object(module, name, instead)


# What invariants read from a ledger.


def covered_offsets(entry: Entry, target: str, kinds: Sequence[Kind] = tuple(Kind)) -> frozenset[int]:
    """Offsets that the ledger holds of the table itself (no target), or of a target's dead letters."""
    return _covered(entry.ledger, target, tuple(kinds))


_COVERED: dict[tuple[int, str, tuple[Kind, ...]], tuple[Ledger, frozenset[int]]] = {}


def _covered(value: Ledger, target: str, kinds: tuple[Kind, ...]) -> frozenset[int]:
    key = (id(value), target, kinds)
    found = _COVERED.get(key)
    if found is None or found[0] is not value:
        source = covered_range(OffsetRange(SOURCE, 0, 1), target).source
        intervals = value.coverage[source].intervals if source in value.coverage else ()
        found = _COVERED[key] = (
            value,
            frozenset(o for i in intervals if i.kind in kinds for o in range(i.start, i.end)),
        )
    return found[1]
