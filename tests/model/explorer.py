"""Every order of steps and faults, to the first state that breaks an invariant."""

from __future__ import annotations

from collections.abc import Iterator

from model import actors, committer, operators
from model.actors import Move
from model.breadth_first import Broken, Result, search
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


def explore(setup: Setup, removed: frozenset[str] = frozenset(), most: int = 2_000_000) -> Result:
    env = Env(setup, removed)
    ends = Ends(env)

    def steps(state: State) -> Iterator[tuple[str, State]]:
        _judge(env, ends, state)
        for move, after in successors(env, state):
            if move.wrong:
                raise Broken(move.wrong, [move.line])
            yield move.line, after

    # States themselves would take too much memory.
    return search(setup.name, env.begin(), steps, most, key=hash)


def _judge(env: Env, ends: Ends, state: State) -> None:
    """Raise Broken if something is wrong with a state, or with what becomes of it."""
    if wrong := broken(env, state.world):
        raise Broken(wrong)
    for second in (False, True) if env.setup.second_end else (False,):
        if wrong := ends.fault(state.world, second):
            raise Broken(wrong, ends.story(state.world, second))


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
