"""What must be true: in every state, across every step, and once everything has run to its end without a further fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from model.tables import committing, marking, planning, recovering, rules, writing
from model.tables.decisions import Core
from model.tables.state import COMMITTED, LIVE, Batch, Move, Table, World

# More steps than lie between any world and its end.
FURTHEST = 90


def broken(core: Core, world: World) -> str | None:
    """The first invariant that *world* breaks."""
    for offset in range(core.setup.offsets):
        if fault := _record(core, world, offset):
            return fault
    for name, table in zip(core.setup.names, world.tables, strict=True):
        if table and (fault := _table(core, world, name, table)):
            return fault
    return None


def _record(core: Core, world: World, offset: int) -> str | None:
    rows = [(t, c) for t, table in _present(core, world) for o, c in table.rows if o == offset]
    letters = world.directory.rows.count(offset)
    if len({t for t, _ in rows}) < len(rows):
        return f"record {offset} is in {rows[0][0]} twice"
    if letters > 1:
        return f"record {offset} is a dead letter twice"
    if rows and letters:
        return f"record {offset} is a row of {rows[0][0]} and a dead letter"
    if len({c for _, c in rows}) > 1:
        return f"record {offset} was routed by two configurations: {_shown(rows)}"
    return _marked(core, world, offset) if offset in world.directory.ledger.complete and core.has(rules.MARK) else None


def _marked(core: Core, world: World, offset: int) -> str | None:
    """The mark is true: a marked record is a dead letter, or in each of its tables, or owed by it."""
    ledger = world.directory.ledger
    if offset in world.directory.rows or not core.has(rules.REGISTER_CONFIGS):
        return None
    config = ledger.config_at[offset]
    for at, name in enumerate(core.setup.names):
        if name not in core.setup.route(config, offset):
            continue
        if name not in ledger.tables and core.has(rules.REGISTER_FORBIDDEN):
            return f"the mark passes record {offset} of {name}, which the ledger does not name"
        table = world.tables[at]
        if table is None or ledger.tables.get(name) != table.uuid:
            continue
        there = (
            {o for o, _ in table.rows} | table.ledger.owes | table.ledger.skipped | ledger.lacks.get(name, frozenset())
        )
        if offset not in there:
            return f"the mark says that {name} has record {offset}, and it does not"
    return None


def _table(core: Core, world: World, name: str, table: Table) -> str | None:
    held, owes = table.ledger.held, table.ledger.owes
    if any(o not in held for o, _ in table.rows):
        return f"{name} has a row that its ledger does not count"
    holes = set(range(max(held | owes, default=-1) + 1)) - held - owes
    if world.log is None or world.installation > 1:
        # A recovery reads all that is above the mark again, for all tables.
        holes &= world.directory.ledger.complete - world.directory.ledger.lacks.get(name, frozenset())
    if core.has(rules.ORDER) and holes and core.has(rules.OWED):
        return f"{name} has a hole below its newest offset"
    return None


def stepped(core: Core, before: World, after: World) -> str | None:
    """What a step must not do: take the mark or a name back, or land what the ledger does not name."""
    old, new = before.directory.ledger, after.directory.ledger
    if old is not new:
        if old.complete - new.complete:
            return "the mark goes back"
        for name, uuid in old.tables.items():
            if name not in new.tables or (uuid is not None and new.tables[name] is None):
                return f"the ledger forgets {name}"
        for o in sorted(old.complete):
            if old.config_at[o] != new.config_at[o]:
                return f"the ledger forgets by which configuration record {o} was routed"
    for name, one, other in zip(core.setup.names, before.tables, after.tables, strict=True):
        if other is None or one is other or one is None or one.uuid != other.uuid:
            continue
        for o, config in sorted(set(other.rows) - set(one.rows)):
            if not core.is_registered(new, name, other.uuid):
                return f"record {o} is committed to {name}, which the ledger does not name"
            if core.has(rules.REGISTER_CONFIGS) and new.config_at[o] != config:
                return f"record {o} is committed to {name} under configuration {config}, which the ledger does not name"
            if any(o < newer for newer, _ in one.rows) and core.has(rules.ORDER):
                return f"an older record is committed to {name} after a newer one"
    return None


class Ends:
    """Runs a world to its end without faults, one whole process after the other; ends are remembered."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._known: dict[tuple[World, bool], str | None] = {}
        self._said: list[str] = []

    def fault(self, world: World, last: bool) -> str | None:
        """What is wrong in the end, or on the way there. Undecided records are read in the first way, or in the *last*."""
        way, here = [], world
        self._said = []
        while True:
            if (here, last) in self._known:
                found = self._known[here, last]
                break
            way.append(here)
            if len(way) > FURTHEST:
                found = "the world comes to no end"
                break
            further = self._further(here, last)
            if further is None:
                found = self._final(here)
                break
            move, after = further
            found = move.wrong or broken(self._core, after)
            if found:
                break
            here = after
        for one in way:
            self._known[one, last] = found
        return found

    def story(self, world: World, last: bool) -> list[str]:
        """Line by line how *world* runs to the fault in its end."""
        self._known.clear()
        self.fault(world, last)
        return self._said

    def _further(self, world: World, last: bool) -> tuple[Move, World] | None:
        core = self._core
        if world.log is None:
            return self._run(Move("recover begins", world, recovering.Recovery()), recovering.recover, last)
        for move in committing.commits(core, world):
            done = self._run(move, committing.commit, last)
            if done[1] != world:
                return done
        claims: dict[int, list[Move]] = {}
        for move in writing.claims(core, world):
            assert isinstance(move.process, writing.Writer)
            claims.setdefault(move.process.batch.number, []).append(move)
        for ways in claims.values():
            move = ways[-1 if last else 0]
            said = len(self._said)
            done = self._run(move, writing.write, last)
            if done[1].directory != world.directory or _batches(done[1]) != _batches(world):
                return done
            del self._said[said:]
        # Nothing else can be done: each table that still has an open part may be behind.
        for marked in list(marking.marks(core, world))[-1:]:
            return self._run(marked, marking.write_mark, last)
        if not _unclosed(world):
            for move in list(planning.plan(core, world))[:1]:
                return self._run(move, committing.commit, last)
        for at in _to_rebind(core, world):
            self._said.append(f"an operator binds {core.setup.names[at]} again")
            after = recovering.rebind(core, world, at)
            return Move("", after, wrong=self._beside(world)), after
        return None

    def _beside(self, world: World) -> str | None:
        """Before an operator binds tables again: all others have continued."""
        core = self._core
        assert world.log is not None
        bad = {core.setup.names[at] for at in _to_rebind(core, world)}
        still = {p.table for b in world.log.batches for p in b.parts if p.state != COMMITTED} - bad
        if still:
            return f"{sorted(bad)} blocks others: {sorted(still)}"
        if core.setup.behind and len(world.directory.ledger.complete) < core.setup.offsets:
            return f"{sorted(bad)} holds the mark at {len(world.directory.ledger.complete)}"
        return None

    def _run(self, move: Move, step: Callable[..., Iterator[Move]], last: bool) -> tuple[Move, World]:
        self._said.append(move.line)
        while move.process is not None and move.wrong is None:
            move = next(m for m in step(self._core, move.world, move.process) if m.fault is None)
            self._said.append(move.line)
        return move, move.world

    def _final(self, world: World) -> str | None:
        core, ledger = self._core, world.directory.ledger
        assert world.log is not None
        for offset in range(core.setup.offsets):
            if offset in world.directory.rows:
                continue
            rows = [(t, c) for t, table in _present(core, world) for o, c in table.rows if o == offset]
            skipped = {t for t, table in _present(core, world) if offset in table.ledger.skipped}
            configs = {c for _, c in rows} or {str(i) for i in range(len(core.setup.routes))}
            wanted = [{*core.setup.route(c, offset)} for c in sorted(configs)]
            if not any({t for t, _ in rows} == tables - skipped for tables in wanted):
                waits = [t for t in core.setup.names if offset in world.log.open(t)]
                how = f"never reaches {waits[0]}: its part stays open" if waits else "is lost"
                return f"record {offset} {how}; it is in {_shown(rows) or 'no table'}"
        if any(p.state != COMMITTED for b in world.log.batches for p in b.parts):
            return "a part stays open"
        if core.has(rules.MARK) and len(ledger.complete) < core.setup.offsets:
            return f"the mark stays at {len(ledger.complete)}"
        if ledger.lacks:
            return f"{sorted(ledger.lacks)} stays behind"
        return None


def _to_rebind(core: Core, world: World) -> list[int]:
    """Tables that are known with a UUID and are not there with it: only an operator goes on."""
    assert world.log is not None
    found = []
    for at, (name, table) in enumerate(zip(core.setup.names, world.tables, strict=True)):
        uuid = world.log.bound[at]
        if core.has(rules.MARK_UUID):
            uuid = world.directory.ledger.tables.get(name) or uuid
        if uuid is not None and (table is None or table.uuid != uuid):
            found.append(at)
    return found


def _batches(world: World) -> list[Batch]:
    """What the log has, but for who claimed it."""
    assert world.log is not None
    return [b._replace(attempt=0) for b in world.log.batches]


def _unclosed(world: World) -> bool:
    assert world.log is not None
    return any(not b.closed for b in world.log.batches if b.lane == LIVE)


def _present(core: Core, world: World) -> list[tuple[str, Table]]:
    return [(t, table) for t, table in zip(core.setup.names, world.tables, strict=True) if table]


def _shown(rows: list[tuple[str, str]]) -> str:
    return ", ".join(f"{t} by c{c}" for t, c in rows)
