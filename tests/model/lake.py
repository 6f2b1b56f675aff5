"""The catalog's side: what a load shows, the compare-and-swap, and what others do to a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lakelock.errors import LedgerDetached, TableReplaced

from model.decisions import Mode, covered_offsets
from model.setup import Env
from model.state import EXPIRED, Entry, Row, Snapshot, Table, World, snapshot


class Loaded(NamedTuple):
    """A table as it was loaded: what a compare-and-swap asserts, and what was decided on."""

    name: str
    uuid: int
    main: Snapshot
    tag: Snapshot
    entry: Entry
    attached: bool


def in_history(table: Table) -> bool | None:
    """As `Handle.tag_in_ancestry`: None where the walk ends before it proves anything."""
    if table.tag is None:
        return False
    for s in table.main.history():
        if s.number == table.tag.number:
            return True
        if s.number <= table.tag.number:
            return False
    return None


def load(env: Env, world: World, name: str, *, detached: bool = False, owner: int | None = None) -> Loaded:
    """As `ingest.bind.load`; *detached* and *owner* as `recover` loads."""
    table, bound = world.tables[env.at[name]], world.wal.bound[env.at[name]]
    if bound not in {-1, table.uuid} and env.has("UUID check"):
        raise TableReplaced(name)
    found = in_history(table)
    entry = env.core.resolved(
        name, table, True if detached and found is False else found, world.wal.installation if owner is None else owner
    )
    if entry is None or table.tag is None:
        raise LedgerDetached(f"{name} carries no ledger")
    return Loaded(name, table.uuid, table.main, table.tag, entry, found is True)


def swap(
    env: Env, world: World, at: Loaded, entry: Entry, rows: tuple[Row, ...], onto: Snapshot | None = None
) -> tuple[World, str | None] | None:
    """One compare-and-swap of branch and tag: the world after it and what is wrong with that; None where it is refused."""
    t = env.at[at.name]
    table = world.tables[t]
    if table.uuid != at.uuid and env.has("UUID check"):
        return None
    if table.main.number != at.main.number and env.has("branch assertion"):
        return None
    if (table.tag.number if table.tag else 0) != at.tag.number and env.has("tag assertion"):
        return None
    new = snapshot(table.next_number, entry, rows, onto or at.main)
    if onto is not None and not env.has("rollback as a commit"):
        new = onto
    moves = onto is not None or env.has("tag move")
    after = table._replace(
        main=new,
        tag=new if moves else table.tag,
        next_number=table.next_number + 1,
        owner=int(entry.ledger.installation_id),
        reached=max(table.reached, entry.ledger.generation),
    )
    return world.with_table(t, after), _wrong(table, at, entry)


def _wrong(table: Table, at: Loaded, entry: Entry) -> str | None:
    """What a commit must never do to a table, whatever was checked before."""
    if table.uuid == at.uuid and table.main.number != at.main.number:
        return f"I3 a snapshot of another writer in {at.name} is removed from the branch"
    head = table.tag.entry if table.tag else None
    if head is not None and head.ledger.generation >= entry.ledger.generation:
        for source in head.ledger.coverage:
            target = source.topic_id.partition(">")[2]
            if not covered_offsets(head, target) <= covered_offsets(entry, target):
                return f"I6 coverage of {at.name} shrinks without a rollback record"
    return None


def ledger_at(at: Snapshot) -> Entry | None:
    """The newest own ledger in the history of *at*; LedgerDetached where that has expired."""
    last = at
    for last in at.history():
        if last.entry is not None:
            return last.entry
    if last.number > 1:
        raise LedgerDetached("what the table held there has expired")
    return None


# What others do.


def appended(table: Table) -> Table:
    """Another writer's append; its rows are not ours and are not looked at."""
    new = snapshot(table.next_number, None, table.main.rows, table.main)
    return table._replace(main=new, next_number=table.next_number + 1)


def set_back(table: Table) -> Iterator[tuple[Snapshot, Table]]:
    """A user sets the branch back to a snapshot of its history, by hand."""
    for target in list(table.main.history())[1:]:
        yield target, table._replace(main=target)


def expired(table: Table) -> Table:
    """Foreign expiry of all that no ref names; its files go, too."""

    def cut(s: Snapshot) -> Snapshot:
        return snapshot(s.number, s.entry, s.rows, EXPIRED if s.parent else None)

    tag = cut(table.tag) if table.tag else None
    return table._replace(main=tag if tag and table.tag and table.main is table.tag else cut(table.main), tag=tag)


def lost_files(name: str, before: Table, after: Table) -> set[tuple[int, str, str]]:
    """Files that snapshots of *before* named and none of *after* does."""

    def named(table: Table) -> set[tuple[int, str, str]]:
        retained = [*table.main.history(), *(table.tag.history() if table.tag else ())]
        return {(attempt, name, target) for s in retained for target, _, attempt in s.rows}

    return named(before) - named(after)


__all__ = ["Loaded", "Mode", "appended", "expired", "in_history", "ledger_at", "load", "lost_files", "set_back", "swap"]
