"""What must be true: in every state, and once everything has run to its end without a further fault."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

from lakelock.model.coverage import Kind

from model import actors, committer, operators, wal
from model.decisions import covered_offsets
from model.lake import in_history
from model.setup import Env
from model.state import COMMITTED, DEAD_LETTERS, PLANNED, STAGED, World

# More steps than any process needs that gets on.
TRIES = 40
# More worlds than lie between any and its end; lines of a story that never ends.
FURTHEST, SHOWN = 80, 24
DEAD_LETTER_TABLE = -1  # the dead-letter table is the last


def broken(env: Env, world: World) -> str | None:
    """The first invariant that *world* breaks."""
    counts = placed(env, world)
    for (name, offset), n in counts.items():
        if n > 1:
            return f"I1 record {offset} of {name} is there {n} times"
    for name, table in zip(env.setup.tables, world.tables, strict=True):
        gone = {(attempt, name, target) for target, _, attempt in table.main.rows} & set(world.gone)
        if gone:
            return f"I9 {name} names deleted files"
        if {attempt for _, _, attempt in table.main.rows} & set(table.condemned):
            return f"I6 files of records that must be read again are back in {name}"
        if table.tag is None or table.tag.entry is None or in_history(table) is not True:
            continue
        fault = _of_ledger(env, world, name)
        if fault:
            return fault
    return _of_log(env, world)


def placed(env: Env, world: World) -> Counter[tuple[str, int]]:
    """How often each (target table, offset) can be read."""
    counts: Counter[tuple[str, int]] = Counter()
    for name, table in zip(env.setup.tables, world.tables, strict=True):
        counts.update((target or name, offset) for target, offset, _ in table.main.rows)
    return counts


def _of_ledger(env: Env, world: World, name: str) -> str | None:
    table = world.tables[env.at[name]]
    assert table.tag is not None
    assert table.tag.entry is not None
    coverage = table.tag.entry.ledger.coverage
    if name != DEAD_LETTERS:
        # What a rollback left out for good stays left out when a second one goes back to before it: no record is behind that hole.
        covered, records = covered_offsets(table.tag.entry, ""), covered_offsets(table.tag.entry, "", (Kind.DATA,))
        if any(offset not in covered for offset in range(max(records, default=0))):
            return f"I2 {name} has a hole below its newest offset"
    shown = Counter(target for target, _, _ in table.main.rows)
    for source, there in coverage.items():
        target = source.topic_id.partition(">")[2]
        if there.totals.written != shown[target]:
            return f"I12 the books of {name} have {there.totals.written} rows, and the table has {shown[target]}"
    for target, offset, _ in table.main.rows:
        if offset not in covered_offsets(table.tag.entry, target):
            return f"I3 {name} has record {offset}, but its ledger does not"
    return None


def _of_log(env: Env, world: World) -> str | None:
    """What the log has marked, the table holds, while they speak of the same generation; live batches do not overlap."""
    if world.suspect:
        return None
    live = sorted((b.start, b.end) for b in world.wal.batches if not b.redo)
    if env.has("database constraint") and any(a[1] > b[0] for a, b in itertools.pairwise(live)):
        return "I5 open ranges of the live lane overlap"
    for batch in world.wal.batches:
        for part in batch.parts:
            t = env.at[part.table]
            table = world.tables[t]
            if part.state != COMMITTED or table.tag is None or in_history(table) is not True:
                continue
            same = table.tag.entry is not None and table.tag.entry.ledger.generation == world.wal.generations[t]
            whole = (part.target, batch.start, batch.end)
            covered_or_coming = env.core.contains(table.tag.entry, whole) or _coming(world, part.table, whole)
            if same and table.uuid == world.wal.bound[t] and not covered_or_coming:
                return f"I4 the log marks b{batch.number} in {part.table} as committed, but the table does not hold it"
    return None


def _coming(world: World, table: str, whole: tuple[str, int, int]) -> bool:
    """Whether a staged part has the range, too: of two, one is marked just before the other lands."""
    target, start, end = whole
    return any(g.part.target == target and g.start <= start and end <= g.end for g in world.wal.staged(table))


class Ends:
    """Runs a world to its end without faults, one whole process after the other; ends are remembered."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self._known: dict[tuple[World, bool], str | None] = {}
        self._said: list[str] = []

    def fault(self, world: World, second: bool) -> str | None:
        """What is wrong in the end, or on the way there."""
        way: list[tuple[World, bool]] = []
        seen = set()
        here: World = world
        while True:
            key = (here, second)
            if key in self._known:
                found = self._known[key]
                break
            if key in seen or len(way) > FURTHEST:
                found = "I13 the world repeats itself without end"
                break
            way.append(key)
            seen.add(key)
            found = broken(self.env, here)
            if found:
                break
            further = self._further(here, second)
            if further is None:
                found = self._final(here)
                break
            here = further
        for key in way:
            self._known[key] = found
        return found

    def story(self, world: World, second: bool) -> list[str]:
        """Line by line how *world* runs to the end that `fault` names."""
        self._said, seen = [], set()
        here: World | None = world
        while here is not None and here not in seen and len(self._said) < SHOWN and not broken(self.env, here):
            seen.add(here)
            here = self._further(here, second)
        return [f"(then) {line}" for line in self._said]

    def _further(self, world: World, second: bool) -> World | None:
        """The world after the next move of any actor; None where nothing is left to do."""
        env, which = self.env, -1 if second else 0
        urgent = [m for m in operators.recovers(env, world) if world.suspect or _stopped(env, world)]
        if urgent and (done := self._run(urgent[which], operators.recover, second)) is not None:
            return done
        stops: list[str] = []
        for move in committer.commits(env, world):
            done = self._run(move, committer.committer, second, stops)
            if done is not None and done != world:
                return done
        for batch in world.wal.batches:
            if batch.planned:
                claimed = wal.claim(world, batch.number)
                mine = ("writer", world.next_attempt, "claimed", batch._replace(attempt=world.next_attempt))
                done = self._run(
                    actors.Move(f"attempt a{world.next_attempt} claims b{batch.number}", claimed, mine),
                    actors.writer,
                    second,
                    stops,
                )
                if done is not None and done != claimed:
                    return done
        for move in list(actors.plan(env, world))[-1:]:
            self._said.append(move.line)
            return move.world
        if any(s.startswith("Fenced refused") for s in stops):
            return world._replace(suspect=True)
        # A commit behind a hole reports it; after an edited file a person looks.
        for move in list(operators.recovers(env, world))[:1] if stops or world.config else []:
            done = self._run(move, operators.recover, second)
            if done is not None and done != world:
                return done
        return None

    def _run(
        self, move: actors.Move, step: Callable[..., list[actors.Move]], second: bool, stops: list[str] | None = None
    ) -> World | None:
        """A process from its first move to its end; None where it stopped with an error."""
        said = [move.line]
        for _ in range(TRIES):
            if not move.process:
                break
            moves = [m for m in step(self.env, move.world, move.process) if m.fault is None]
            move = moves[-1 if second else 0]
            said.append(move.line)
        if move.process or move.stopped is not None:
            if stops is not None:
                stops.append(move.stopped or "it tries again and again")
            return None
        self._said += said
        return move.world

    def _final(self, world: World) -> str | None:
        env = self.env
        counts = placed(env, world)
        dead_letters = world.tables[DEAD_LETTER_TABLE]
        for name, table in zip(env.setup.tables, world.tables, strict=True):
            if _for_a_person(env, world, name) or _for_a_person(env, world, DEAD_LETTERS):
                continue
            if any(p.state in {PLANNED, STAGED} for b in world.wal.batches for p in b.parts if p.table == name):
                return f"I13 a part of {name} stays open"
            if name == DEAD_LETTERS:
                continue
            assert table.tag is not None
            assert table.tag.entry is not None
            assert dead_letters.tag is not None
            assert dead_letters.tag.entry is not None
            taken = name in env.setup.files[world.config]
            for offset in range(env.setup.offsets if taken else 0):
                if offset not in covered_offsets(table.tag.entry, ""):
                    return f"I13 record {offset} never reaches {name}"
                left_out = offset in covered_offsets(table.tag.entry, "", (Kind.SKIPPED,)) or offset in covered_offsets(
                    dead_letters.tag.entry, name, (Kind.ACCEPTED_LOSS,)
                )
                if not counts[name, offset] and not left_out:
                    return f"I1 record {offset} of {name} is lost: covered, but in no table"
        return None


def _stopped(env: Env, world: World) -> bool:
    return any(t.owner != world.wal.installation or in_history(t) is not True for t in world.tables)


def _for_a_person(env: Env, world: World, name: str) -> bool:
    """A loud stop that `recover` leaves: the table was replaced, or what it held where it was set back to has expired."""
    table = world.tables[env.at[name]]
    if world.wal.bound[env.at[name]] not in {-1, table.uuid}:
        return True
    return in_history(table) is not True
