"""What people do, `rollback` and `recover`, step by step; and the faults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lakelock.errors import LakelockError

from model import wal
from model.actors import Move, guarded
from model.committer import follow
from model.decisions import Mode, covered_offsets
from model.lake import Loaded, appended, expired, ledger_at, load, lost_files, set_back, swap
from model.setup import Env
from model.state import DEAD_LETTERS, Entry, Process, Snapshot, State, Wal, World, snapshot

# Rollback.


def rollbacks(env: Env, world: World) -> Iterator[Move]:
    """An operator wants a table back at one of its snapshots, in some mode."""
    for table in env.setup.rolls_back.replace(DEAD_LETTERS, ""):
        try:
            at = load(env, world, table)
        except LakelockError:
            continue
        if wal.ahead(env, world.wal, table, at.entry):
            continue
        for target in list(at.main.history())[1:]:
            for mode in env.setup.modes:
                yield from rollback(env, world, ("rollback", table, "begin", at, target, mode))


@guarded
def rollback(env: Env, world: World, process: Process) -> Iterator[Move]:
    """As rollback/rollback: load and decide, swap, then the log follows."""
    _, table, step, at, *covered = process
    if step == "begin":
        target, mode = covered
        entry = env.core.rolled_back(at.entry, ledger_at(target), mode, world.wal.installation)
        if wal.follows(env, world, table, entry)[1].left:
            return
        awaited = wal.await_generation(env, world, table, entry)
        line = f"rollback loads {table} at {at.main}: to {target}, {mode.value}"
        yield Move(line, awaited, ("rollback", table, "swap", at, target, entry), fault="rollback")
    elif step == "swap":
        target, entry = covered
        done = swap(env, world, at, entry, target.rows, onto=target)
        if done is None:
            yield Move(f"rollback of {table} is refused", world)
        else:
            after, wrong = done
            record = entry.ledger.rollback
            if record and record.mode is Mode.REPLAY:
                after = _condemned(env, after, table, at.main, target)
            line = f"rollback of {table} lands, generation {entry.ledger.generation}"
            yield Move(line, after, ("rollback", table, "follow", at._replace(entry=entry)), wrong)
    else:
        yield Move(f"the log follows the rollback of {table}", follow(env, world, at))


def _condemned(env: Env, world: World, name: str, head: Snapshot, target: Snapshot) -> World:
    """Files that an operator wants read again: they must not come back."""
    t = env.at[name]
    table = world.tables[t]
    files = {attempt for _, _, attempt in set(head.rows) - set(target.rows)}
    return world.with_table(t, table._replace(condemned=tuple(sorted({*table.condemned, *files}))))


# Recover.


class Found(NamedTuple):
    """What `recover` decided when it began."""

    mode: Mode
    rebuilds: bool
    order: tuple[str, ...]


def recovers(env: Env, world: World) -> Iterator[Move]:
    """An operator runs recover when there is something to fix: lost, restored, set back by hand, or a hole and nothing to do."""
    for found in _found(env, world):
        yield from recover(env, world, ("recover", found, -1 if found.rebuilds else 0, ()))


def _found(env: Env, world: World) -> list[Found]:
    """As `Recovery._preview`: which tables can be repaired, and whether the log must be rebuilt from them."""
    loaded: dict[str, Loaded] = {}
    for name in env.first_in_line:
        try:
            at = load(env, world, name, detached=True, owner=world.tables[env.at[name]].owner)
            if not at.attached:
                ledger_at(at.main)
        except LakelockError:
            continue
        loaded[name] = at
    rebuilds = world.suspect or any(_unknown(env, world, at) for at in loaded.values())
    if rebuilds and not {DEAD_LETTERS, *wal.fed(env, world)} <= set(loaded):
        return []
    by_hand = any(not at.attached for at in loaded.values())
    if not rebuilds and not by_hand and not any(_fixes(env, world, at) for at in loaded.values()):
        return []
    modes = env.setup.recover_modes if by_hand else env.setup.recover_modes[:1]
    return [Found(mode, rebuilds, tuple(loaded)) for mode in modes]


def _unknown(env: Env, world: World, at: Loaded) -> bool:
    """As `rebuild_reason`: the table knows more than the log."""
    bound, end = world.wal.bound[env.at[at.name]], max(covered_offsets(at.entry, ""), default=-1) + 1
    foreign = int(at.entry.ledger.installation_id) != world.wal.installation
    return foreign or (bound == -1 and at.entry.ledger.is_used) or world.wal.frontier < end


def _fixes(env: Env, world: World, at: Loaded) -> bool:
    return wal.ahead(env, world.wal, at.name, at.entry) or bool(wal.lacking(env, world, at.name, at.entry))


@guarded
def recover(env: Env, world: World, process: Process) -> Iterator[Move]:
    """As recovery/recover: every table gets a snapshot of a generation of its own, dead letters first; then the log."""
    _, found, i, stands = process
    if i < 0:
        # The operator who runs it lets nothing else begin before it has ended.
        suspect = world.suspect or env.has("stop until recover")
        after = wal.give_up(world)._replace(suspect=suspect)
        yield Move("recover gives up all parts in the log", after, ("recover", found, 0, stands))
    elif i < len(found.order):
        yield _adopted(env, world, found, i, stands)
    elif found.rebuilds:
        by_name = {name: entry for name, _, entry in stands}
        after = wal.rebuild(env, world, stands, by_name[DEAD_LETTERS])
        yield Move("recover rebuilds the log from the tables", after._replace(suspect=False))
    else:
        for name in found.order:
            at = load(env, world, name)
            if wal.ahead(env, world.wal, name, at.entry):
                world = follow(env, world, at)
            lacks = wal.lacking(env, world, name, at.entry)
            world = wal.plan_again(env, world, name, lacks, world.config, load(env, world, DEAD_LETTERS).entry)
        yield Move("recover: the log follows, and what is lacking is planned", world)


def _adopted(env: Env, world: World, found: Found, i: int, stands: tuple[tuple[str, int, Entry], ...]) -> Move:
    name = found.order[i]
    t = env.at[name]
    table, owner = world.tables[t], world.tables[t].owner
    at = load(env, world, name, detached=True, owner=owner)
    if not found.rebuilds and at.attached:
        return Move(f"recover looks at {name}", world, ("recover", found, i + 1, stands))
    if found.rebuilds and at.attached and not env.has("recover's fence"):
        return _without_fence(env, world, found, i, stands, at)
    dead_letters_back = name == DEAD_LETTERS and not at.attached
    put_back = dead_letters_back and found.mode is not Mode.SKIP
    before = at.entry if at.attached or put_back else ledger_at(at.main)
    if dead_letters_back and found.mode is Mode.SKIP:
        entry = env.core.declared_lost(at.entry, before, world.wal.installation)
    else:
        mode = Mode.RECOMMIT if at.attached or dead_letters_back else found.mode
        entry = env.core.rolled_back(at.entry, before, mode, world.wal.installation)
    onto = at.tag if put_back else None
    shown = onto or at.main
    done = swap(env, wal.await_generation(env, world, name, entry), at, entry, shown.rows, onto)
    assert done is not None
    after, wrong = done
    what = "fences" if at.attached else "puts back" if put_back else f"adopts, {found.mode.value},"
    line = f"recover {what} {name}, generation {entry.ledger.generation}"
    stand = (name, table.uuid, entry)
    return Move(line, after, ("recover", found, i + 1, (*stands, stand)), wrong)


def _without_fence(
    env: Env, world: World, found: Found, i: int, stands: tuple[tuple[str, int, Entry], ...], at: Loaded
) -> Move:
    """Only the owner is written; branch and tag stay, and so does the generation."""
    table = world.tables[env.at[at.name]]
    entry = env.core.owned(at.entry, world.wal.installation)

    def owned(s: Snapshot) -> Snapshot:
        return snapshot(s.number, entry, s.rows, s.parent) if s.number == at.tag.number else s

    after = table._replace(owner=world.wal.installation, main=owned(table.main), tag=owned(at.tag))
    line = f"recover takes over {at.name}"
    return Move(
        line,
        world.with_table(env.at[at.name], after),
        ("recover", found, i + 1, (*stands, (at.name, table.uuid, entry))),
    )


# Faults.


def faults(env: Env, state: State) -> Iterator[Move]:
    """Everything that others, machines and editors do, each as often as the setup lets it."""
    world, n = state.world, len(state.world.tables)
    if world.wal.batches:
        empty = Wal(world.wal.installation + 1, 0, (-1,) * n, (0,) * n, (0,) * n)
        yield Move(
            "POSTGRES IS LOST, an empty one takes its place", world._replace(wal=empty, suspect=False), fault="lost"
        )
    if state.backup is not None and state.backup != world.wal:
        noted = env.has("stop until recover")
        line = "POSTGRES IS RESTORED to the backup" + ("" if noted else ", and no run stops")
        yield Move(line, world._replace(wal=state.backup, suspect=noted), fault="restore")
    if world.config + 1 < len(env.setup.files):
        line = "the pipeline file is edited"
        yield Move(line, world._replace(config=world.config + 1), fault="edit")
    for name in env.setup.rolls_back:
        t = env.at[name]
        table = world.tables[t]
        yield Move(f"ANOTHER WRITER appends to {name}", world.with_table(t, appended(table)), fault="append")
        for target, after in set_back(table):
            yield Move(f"A USER sets {name} back to {target} by hand", world.with_table(t, after), fault="by hand")
        after = expired(table)
        if after != table:
            gone = tuple(sorted({*world.gone, *lost_files(name, table, after)}))
            line = f"A USER expires old snapshots of {name}"
            yield Move(line, world.with_table(t, after)._replace(gone=gone), fault="expire")
        if name != DEAD_LETTERS:
            first = snapshot(1, env.core.adopted(table.owner, dead_letters=False), (), None)
            new = table._replace(uuid=table.uuid + 1, main=first, tag=first, next_number=2, reached=0)
            line = f"A USER puts a copy of {name} as it was at first, a table of its own, in its place"
            yield Move(line, world.with_table(t, new), fault="replaced")
