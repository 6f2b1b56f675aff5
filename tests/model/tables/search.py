"""Breadth first through every order of steps and faults, to the first state that breaks an invariant: the shortest way."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

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


@dataclass
class Result:
    """What a search found: *trace* leads to the fault, empty where there is none; *whole* if nothing was left out."""

    name: str
    states: int = 0
    whole: bool = True
    cpu_s: float = 0.0
    wrong: str | None = None
    trace: list[str] = field(default_factory=list)


def explore(setup: Setup, removed: Iterable[Rule] = (), most: int = MOST) -> Result:
    began, core = time.process_time(), Core(setup, frozenset(removed))
    ends, result, first = Ends(core), Result(setup.name), begin(core)
    seen: dict[State, tuple[State, str] | None] = {first: None}
    todo = deque([first])
    while todo and result.wrong is None:
        if len(seen) > most:
            result.whole = False
            break
        state = todo.popleft()
        result.wrong, story = judged(core, ends, state)
        result.trace = [*_way(seen, state), *story] if result.wrong else []
        for move, after in successors(core, state) if result.wrong is None else ():
            if wrong := move.wrong or stepped(core, state.world, move.world):
                result.wrong, result.trace = wrong, [*_way(seen, state), move.line]
                break
            if after not in seen:
                seen[after] = (state, move.line)
                todo.append(after)
    result.states, result.cpu_s = len(seen), time.process_time() - began
    return result


def judged(core: Core, ends: Ends, state: State) -> tuple[str | None, list[str]]:
    """What is wrong with a state or with its end, and the way to that end."""
    if wrong := broken(core, state.world):
        return wrong, []
    for last in (False, True):
        if wrong := ends.fault(state.world, last):
            return wrong, [THEN + line for line in ends.story(state.world, last)]
    return None, []


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


def _way(seen: dict[State, tuple[State, str] | None], state: State) -> list[str]:
    way: list[str] = []
    while (step := seen[state]) is not None:
        state, said = step
        way.append(said)
    return way[::-1]
