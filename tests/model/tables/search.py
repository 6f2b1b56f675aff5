"""Every order of steps and faults, to the first state that breaks an invariant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from model.breadth_first import Broken, Result, search
from model.tables import committing, marking, planning, recovering, writing
from model.tables.committing import Committer
from model.tables.decisions import Core
from model.tables.invariants import Ends, broken, stepped
from model.tables.marking import Marker
from model.tables.recovering import Recovery
from model.tables.rules import Rule
from model.tables.state import FAULTS, LedgerTable, Log, Move, Setup, State, World, changed
from model.tables.writing import Writer

MOST = 400_000
# Begins the lines of how a state runs to its end.
THEN = "(then) "
STEPS: dict[type, Any] = {
    Writer: writing.write,
    Committer: committing.commit,
    Marker: marking.write_mark,
    Recovery: recovering.recover,
}


def explore(setup: Setup, removed: Iterable[Rule] = (), most: int = MOST) -> Result:
    core = Core(setup, frozenset(removed))
    ends = Ends(core)

    def steps(state: State) -> Iterator[tuple[str, State]]:
        _judge(core, ends, state)
        for move, after in successors(core, state):
            if wrong := move.wrong or stepped(core, state.world, move.world):
                raise Broken(wrong, [move.line])
            yield move.line, after

    return search(setup.name, begin(core), steps, most)


def _judge(core: Core, ends: Ends, state: State) -> None:
    """Raise Broken if something is wrong with a state, or with its end."""
    if wrong := broken(core, state.world):
        raise Broken(wrong)
    for last in (False, True):
        if wrong := ends.fault(state.world, last):
            raise Broken(wrong, [THEN + line for line in ends.story(state.world, last)])


def begin(core: Core) -> State:
    tables = len(core.setup.names)
    log = Log(0, 0, (None,) * tables, (0,) * tables)
    world = World(0, "0", (None,) * tables, LedgerTable(0, core.new_pipeline()), log)
    return State(world, (), core.setup.budget)


def successors(core: Core, state: State) -> Iterator[tuple[Move, State]]:
    for place, move in _moves(core, state):
        budget = state.budget
        if move.fault is not None:
            at = FAULTS.index(move.fault)
            if budget[at] <= 0:
                continue
            budget = changed(budget, at, budget[at] - 1)
        processes = state.processes if place is None else (*state.processes[:place], *state.processes[place + 1 :])
        if move.process is not None:
            processes = tuple(sorted((*processes, move.process), key=_order))
        yield move, State(move.world, processes, budget)


def _order(process: tuple[Any, ...]) -> tuple[str, str]:
    """Processes are alike in any order."""
    who = process.attempt if isinstance(process, Writer) else process.name if isinstance(process, Committer) else ""
    return type(process).__name__, str(who)


def _moves(core: Core, state: State) -> Iterator[tuple[int | None, Move]]:
    """Every next step, with the place of the process that takes it."""
    world, running = state.world, [type(p) for p in state.processes]
    for place, process in enumerate(state.processes):
        yield from ((place, m) for m in STEPS[type(process)](core, world, process))
        yield place, Move(f"{_who(process)} is killed", world, fault="kill")
    left = frozenset(f for f, n in zip(FAULTS, state.budget, strict=True) if n > 0)
    started: list[Iterator[Move]] = [recovering.faults(core, world, left), recovering.folds(core, world)]
    if world.log is None:
        if Recovery not in running:
            started.append(iter([Move("recover begins", world, Recovery())]))
    else:
        started.append(planning.plan(core, world))
        if running.count(Writer) < core.setup.writers:
            started.append(writing.claims(core, world))
        free = Committer not in running
        started.append(m for m in committing.commits(core, world) if m.process is None or free)
        if Marker not in running:
            started.append(marking.marks(core, world))
    for moves in started:
        yield from ((None, m) for m in moves)


def _who(process: tuple[Any, ...]) -> str:
    match process:
        case Writer():
            return process.who
        case Committer():
            return f"commit of {process.name}"
        case Marker():
            return "the marker"
        case _:
            return "recover"
