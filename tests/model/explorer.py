"""Breadth first through every order of steps and faults, to the first state that breaks an invariant: the shortest way."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from model import actors, committer, operators
from model.actors import Move
from model.invariants import Ends, broken
from model.setup import FAULTS, Env, Setup
from model.state import Process, State, changed

STEPS = {
    "writer": actors.writer,
    "commit": committer.committer,
    "rollback": operators.rollback,
    "recover": operators.recover,
    "planner": actors.planner,
}


@dataclass
class Result:
    """What a search found: `trace` leads to the violation, empty where there is none; `whole` if nothing was left out."""

    setup: str
    states: int = 0
    whole: bool = True
    seconds: float = 0.0
    wrong: str | None = None
    trace: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        lines = [f"{i:4d}. {line}" for i, line in enumerate(self.trace, 1)]
        return "\n".join([f"{self.setup}: {self.wrong or 'clean'}", *lines])


def explore(setup: Setup, removed: frozenset[str] = frozenset(), most: int = 2_000_000) -> Result:
    began = time.monotonic()
    env = Env(setup, removed)
    ends = Ends(env)
    first = env.begin()
    result = Result(setup.name)
    seen: dict[int, tuple[int, str] | None] = {hash(first): None}
    queue = deque([first])
    while queue and result.wrong is None:
        if len(seen) > most:
            result.whole = False
            break
        state = queue.popleft()
        came = hash(state)
        result.wrong, story = judged(env, ends, state)
        if result.wrong:
            result.trace = [*_trace(seen, came), *story]
            break
        for move, after in successors(env, state):
            if move.wrong:
                result.wrong, result.trace = move.wrong, [*_trace(seen, came), move.line]
                break
            key = hash(after)
            if key not in seen:
                seen[key] = (came, move.line)
                queue.append(after)
    result.states, result.seconds = len(seen), time.monotonic() - began
    return result


def judged(env: Env, ends: Ends, state: State) -> tuple[str | None, list[str]]:
    """What is wrong with a state or with what becomes of it, and how it becomes that."""
    found = broken(env, state.world)
    if found:
        return found, []
    for second in (False, True) if env.setup.second_end else (False,):
        found = ends.fault(state.world, second)
        if found:
            return found, ends.story(state.world, second)
    return None, []


def successors(env: Env, state: State) -> Iterator[tuple[Move, State]]:
    for place, move in _moves(env, state):
        budget = state.budget
        if move.fault is not None:
            at = FAULTS.index(move.fault)
            if budget[at] <= 0:
                continue
            budget = changed(budget, at, budget[at] - 1)
        processes = state.processes if place is None else changed(state.processes, place, move.process)
        backup = state.backup
        if move.fault == "restore":
            backup = None
        after = State(move.world, _sorted(env, processes), budget, backup)
        yield move, after
        if place is None and move.fault is None and backup is None and budget[FAULTS.index("restore")] > 0:
            yield (
                Move(move.line + "; Postgres is backed up just before", move.world),
                after._replace(backup=state.world.wal),
            )


def _moves(env: Env, state: State) -> Iterator[tuple[int | None, Move]]:
    """Every next step of everybody, with the place of the process that takes it."""
    s, world = env.setup, state.world
    recovering, first_planner = s.writers + s.committers + 1, s.writers + s.committers + 2
    stopped = world.suspect
    for place, process in enumerate(state.processes):
        if process:
            for move in STEPS[process[0]](env, world, process):
                yield place, move
            yield place, Move(f"CRASH: {_who(process)} is killed", world, fault="crash")
    if not stopped:
        if not s.planners and world.next_batch <= s.most_batches:
            yield from ((None, m) for m in actors.plan(env, world))
        starts = [
            (0, s.writers, actors.claims),
            (s.writers, s.committers, committer.commits),
            (s.writers + s.committers, 1, operators.rollbacks),
        ]
        for begin, count, moves in starts:
            free = next((p for p in range(begin, begin + count) if not state.processes[p]), None)
            if free is not None:
                yield from ((free, m) for m in moves(env, world))
        for place in range(first_planner, len(state.processes)):
            if not state.processes[place] and world.next_batch <= s.most_batches:
                yield from ((place, m) for m in actors.planner(env, world, ()))
                break
    if not state.processes[recovering]:
        yield from ((recovering, m) for m in operators.recovers(env, world))
    yield from ((None, m) for m in operators.faults(env, state))


def _who(process: Process) -> str:
    return f"{process[0]} {process[1] if isinstance(process[1], (str, int)) else ''}".strip()


def _sorted(env: Env, processes: tuple[Process, ...]) -> tuple[Process, ...]:
    """Writers are alike, and so are committers and planners."""
    s = env.setup
    w, c = s.writers, s.writers + s.committers
    groups = processes[:w], processes[w:c], processes[c : c + 2], processes[c + 2 :]
    one, two, three, four = groups
    return (*_ordered(one), *_ordered(two), *three, *_ordered(four))


def _ordered(some: tuple[Process, ...]) -> tuple[Process, ...]:
    return some if len(some) < 2 else tuple(sorted(some, key=lambda p: (not p, hash(p))))


def _trace(seen: dict[int, tuple[int, str] | None], key: int) -> list[str]:
    out = []
    while (came := seen[key]) is not None:
        key, line = came
        out.append(line)
    return out[::-1]
