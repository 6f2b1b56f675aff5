"""The committer, one step at a time: read the staged parts, load and decide, settle, swap, mark."""

from __future__ import annotations

from collections.abc import Iterator

from model import wal
from model.actors import Move, guarded
from model.decisions import Decided
from model.lake import Loaded, load, swap
from model.setup import Env
from model.state import DEAD_LETTERS, Entry, Given, Process, World


def commits(env: Env, world: World) -> Iterator[Move]:
    """A process begins to commit a table that has staged parts, or that a rollback was begun on."""
    for table in env.first_in_line:
        if world.wal.staged(table) or wal.unsettled(env, world.wal, table):
            yield from committer(env, world, ("commit", table, "begin"))


@guarded
def committer(env: Env, world: World, process: Process) -> Iterator[Move]:
    """As ingest/commit: read the staged parts, load and decide, settle, swap, mark."""
    _, table, step, *covered = process
    if step == "begin":
        yield from _begun(env, world, table)
    elif step == "staged":
        yield from _decided(env, world, table, *covered)
    elif step == "follow":
        at, dead_letters = covered
        after = follow(env, world, at)
        yield Move(
            f"the log follows {table} to generation {at.entry.ledger.generation}",
            after,
            _reads(env, after, table, dead_letters),
        )
    elif step == "settle":
        yield from _settled(env, world, table, *covered)
    elif step == "swap":
        yield from _swapped(env, world, table, *covered)
    elif step == "ask":
        yield from _requested(env, world, table, *covered)
    elif step == "mark":
        given, entry = covered
        yield Move(f"commit of {table} marks {_listed(given)}", wal.mark(env, world, table, given, entry))


def _reads(env: Env, world: World, table: str, dead_letters: Entry | None) -> Process:
    return ("commit", table, "staged", dead_letters, world.wal.staged(table), world.wal.generations[env.at[table]])


def _begun(env: Env, world: World, table: str) -> Iterator[Move]:
    dead_letters = None
    if table != DEAD_LETTERS and any(g.part.dead for g in world.wal.staged(table)):
        at = load(env, world, DEAD_LETTERS)
        if wal.ahead(env, world.wal, DEAD_LETTERS, at.entry):
            yield Move(f"commit of {table} finds D ahead", world, ("commit", DEAD_LETTERS, "follow", at, None))
            return
        dead_letters = at.entry
    yield Move(
        f"commit of {table} reads what is staged: {_listed(world.wal.staged(table))}",
        world,
        _reads(env, world, table, dead_letters),
    )


def _decided(
    env: Env, world: World, table: str, dead_letters: Entry | None, given: tuple[Given, ...], known: int
) -> Iterator[Move]:
    at = load(env, world, table)
    seen = at.entry.ledger.generation > known and env.has("generation first, then what is staged")
    if seen or wal.ahead(env, world.wal, table, at.entry):
        yield Move(
            f"commit loads {table}: generation {at.entry.ledger.generation} is ahead of the log",
            world,
            ("commit", table, "follow", at, dead_letters),
        )
        return
    if not given:
        yield Move(f"commit loads {table}: nothing to do", world)
        return
    decided = env.core.decide(given, at.uuid, at.entry, dead_letters)
    if decided.replaced:
        yield Move(f"commit loads {table}: TableReplaced", world, stopped="TableReplaced")
        return
    gone = tuple(g for g in decided.append if (g.part.attempt, table, g.part.target) in world.gone)
    line = f"commit loads {table} at {at.main}: "
    if decided.mark or decided.rewrite or decided.again or gone:
        noted = [
            (decided.mark, "held"),
            (decided.rewrite, "write again"),
            (tuple(g for g, _ in decided.again), "held in part"),
            (gone, "files gone"),
        ]
        what = "; ".join(f"{word} {_listed(some)}" for some, word in noted if some)
        yield Move(line + what, world, ("commit", table, "settle", at, dead_letters, decided, gone))
    elif decided.append:
        yield _going_to_swap(line, world, at, dead_letters, decided)
    elif decided.refused:
        yield Move(line + "Fenced: staged under a generation it does not know", world, stopped="Fenced refused")
    else:
        yield Move(line + ("a hole" if decided.hole else "all waits"), world, stopped="hole" if decided.hole else None)


def _going_to_swap(line: str, world: World, at: Loaded, dead_letters: Entry | None, decided: Decided) -> Move:
    process = ("commit", at.name, "swap", at, dead_letters, decided.append, decided.after)
    return Move(f"{line}will add {_listed(decided.append)}", world, process)


def _settled(
    env: Env,
    world: World,
    table: str,
    at: Loaded,
    dead_letters: Entry | None,
    decided: Decided,
    gone: tuple[Given, ...],
) -> Iterator[Move]:
    if decided.mark:
        world = wal.mark(env, world, table, decided.mark, at.entry)
    for given in (*decided.rewrite, *gone):
        world = wal.replan(env, world, given)
    for given, ranges in decided.again:
        world = wal.replace(env, world, given, ranges, load(env, world, DEAD_LETTERS).entry)
    line = f"commit of {table} settles that in the log"
    if gone:
        yield Move(line, world, _reads(env, world, table, dead_letters))
    elif decided.append:
        yield _going_to_swap(line + "; ", world, at, dead_letters, decided)
    else:
        yield Move(line, world)


def _swapped(
    env: Env, world: World, table: str, at: Loaded, dead_letters: Entry | None, given: tuple[Given, ...], entry: Entry
) -> Iterator[Move]:
    before, what = world.tables[env.at[table]], f"commit of {table}"
    rows = tuple((g.part.target, o, g.part.attempt) for g in given for o in g.part.rows)
    done = swap(env, world, at, entry, at.main.rows + rows)
    if done is None:
        yield Move(f"{what} is refused", world, _reads(env, world, table, dead_letters))
    else:
        after, wrong = done
        if any(g.part.generation < before.reached for g in given):
            wrong = wrong or f"I7 files of an older generation are committed to {table}"
        if any(g.part.uuid != before.uuid for g in given):
            wrong = wrong or f"I8 files that were written for another table are committed to {table}"
        lands = f"{what} lands {_listed(given)}"
        yield Move(lands, after, ("commit", table, "mark", given, entry), wrong)
        lost = f"{lands}; its answer is lost"
        asks: Process = ("commit", table, "ask", before.next_number, dead_letters, given, entry)
        if not env.has("unknown is not failed"):
            files = ((g.part.attempt, table, g.part.target) for g in given)
            after = after._replace(gone=tuple(sorted({*after.gone, *files})))
            for one in given:
                after = wal.replan(env, after, one)
            lost, asks = lost + ": taken as failed", ()
        yield Move(lost, after, asks, wrong, "unknown")
    if not env.has("unknown is not landed"):
        marks = ("commit", table, "mark", given, entry)
        yield Move(f"{what} does not land, its answer is lost: taken as landed", world, marks, None, "unknown")


def _requested(
    env: Env, world: World, table: str, number: int, dead_letters: Entry | None, given: tuple[Given, ...], entry: Entry
) -> Iterator[Move]:
    """After a lost answer: what does the branch's history show?"""
    at = load(env, world, table)
    if any(s.number == number for s in at.main.history()):
        yield Move(f"commit of {table} finds that it landed", world, ("commit", table, "mark", given, entry))
    else:
        yield Move(f"commit of {table} does not find itself", world, _reads(env, world, table, dead_letters))


def follow(env: Env, world: World, at: Loaded) -> World:
    """As `PipelineContext.follow`."""
    return wal.follow(env, world, at.name, at.uuid, at.entry, load(env, world, DEAD_LETTERS).entry)


def _listed(given: tuple[Given, ...]) -> str:
    return ", ".join(_one(g) for g in given) or "nothing"


def _one(g: Given) -> str:
    of = f" for {g.part.target}" if g.part.target else ""
    return f"b{g.number}{of} [{g.start}, {g.end}) of a{g.part.attempt}, generation {g.part.generation}"
