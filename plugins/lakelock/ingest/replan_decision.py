"""In which batches offsets are read again, and what those take the place of."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from lakelock.model.batches import covered_range, covered_source, of_target
from lakelock.model.coverage import Coverage
from lakelock.model.log_state import PartNote, PartState, Redo
from lakelock.model.offsets import OffsetRange, Source, overlap, without

# The tail's next batch waits for Spark until the backfill's is done.
_SHARE_OF_A_BATCH = 10


def told_again(ranges: Iterable[OffsetRange]) -> dict[str, list[OffsetRange]]:
    """Of *ranges* those that a dead-letter table's coverage names, as their target's coverage does, by target."""
    found: dict[str, list[OffsetRange]] = {}
    for r in ranges:
        target, plain = of_target(r.source)
        if target:
            found.setdefault(target, []).append(OffsetRange(plain, r.start, r.end))
    return found


def in_the_way(notes: Sequence[PartNote], again: Sequence[OffsetRange]) -> dict[int, list[OffsetRange]]:
    """Open parts of a table, by id, that must never land once its dead letters in *again* are read again; and what else
    they bring, which then must be read again, too.

    Which of their records are rows was decided by dead letters that are no more: beside those that come now, a record
    would be both or neither.
    """
    open_parts = [n for n in notes if n.state is not PartState.COMMITTED]
    return {n.part_id: without(n.ranges, again) for n in open_parts if overlap(n.ranges, again)}


def cut(ranges: Iterable[OffsetRange], letters: Coverage, table: str, held: Coverage) -> list[OffsetRange]:
    """*ranges* cut where what the dead-letter table has of *table* begins or ends, or what the table itself has (*held*).

    So each range is settled there as a whole or not at all, and its dead letters land as a whole or not at all; and of each
    the table has all rows, with which its dead letters can be compared, or none.
    """
    out = []
    for r in ranges:
        there = (letters.get(covered_source(r.source, table)), held.get(r.source))
        edges = {e for h in there if h for i in h.intervals for e in (i.start, i.end) if r.start < e < r.end}
        points = [r.start, *sorted(edges), r.end]
        out += [OffsetRange(r.source, a, b) for a, b in itertools.pairwise(points)]
    return out


def in_part(ranges: Iterable[OffsetRange], held: Coverage) -> bool:
    """Whether a table that has *held* has a piece of one of *ranges*, or one partly as rows and partly as gaps."""
    return any(c.touches(r) and not c.contains(r) for r in ranges for c in (held, held.data))


def readers(ranges: Iterable[OffsetRange], table: str) -> list[tuple[str, list[OffsetRange]]]:
    """Who reads *ranges* again: *table*, or the target of those that a dead-letter table's coverage names.

    Dead letters of each source are read alone: rows that a target holds of two sources may have been written under different
    columns, and a batch whose dead letters must be the other records would fit neither.
    """
    found: dict[tuple[str, tuple[Source, ...]], list[OffsetRange]] = {}
    for r in ranges:
        target, plain = of_target(r.source)
        key: tuple[str, tuple[Source, ...]] = (target, (plain,)) if target else (table, ())
        found.setdefault(key, []).append(OffsetRange(plain, r.start, r.end))
    return [(name, found[name, alone]) for name, alone in sorted(found)]


def bounded(redo: Redo) -> Redo:
    """*redo* as a backfill's batches are planned."""
    return replace(redo, max_offsets=most_offsets(redo.max_offsets))


def redo_batches(ranges: Iterable[OffsetRange], redo: Redo, table: str) -> list[list[OffsetRange]]:
    """Batches that read *ranges* of *table* again, cut as `cut` says.

    Ranges whose dead letters a rollback left out for good are in batches of their own: dead letters of a batch land
    together, and theirs never do.
    """
    letters = redo.letters
    pieces = cut(ranges, letters, table, redo.held.get(table, Coverage()))
    named = {r: covered_range(r, table) for r in pieces}
    left_out = {r for r, n in named.items() if letters.contains(n) and not letters.data.touches(n)}
    return [
        *batches([r for r in pieces if r not in left_out], redo.max_offsets),
        *batches(left_out, redo.max_offsets),
    ]


def batches(ranges: Iterable[OffsetRange], max_offsets: int) -> list[list[OffsetRange]]:
    """Bounded batches, each with at most one range of a source, a source's ranges in order."""
    out: list[list[OffsetRange]] = []
    rooms: list[int] = []
    after: dict[Source, int] = {}
    for r in sorted(ranges):
        start = r.start
        while start < r.end:
            at = after.get(r.source, 0)
            while at < len(out) and rooms[at] <= 0:
                at += 1
            if at == len(out):
                out.append([])
                rooms.append(max_offsets)
            end = min(r.end, start + rooms[at])
            out[at].append(OffsetRange(r.source, start, end))
            rooms[at] -= end - start
            after[r.source] = at + 1
            start = end
    return out


def most_offsets(of_a_batch: int) -> int:
    """The most offsets of a backfill's batch, where the tail's may have *of_a_batch*."""
    return max(1, of_a_batch // _SHARE_OF_A_BATCH)
