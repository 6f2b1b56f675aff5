"""Plan the batches in which offsets are read again."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from lakelock.errors import State, TableUnfit
from lakelock.model.batches import NO_TABLE, StagedPart, covered_range, covered_source
from lakelock.model.coverage import Coverage
from lakelock.model.log_state import Redo
from lakelock.model.offsets import OffsetRange, Source

# The next live batch waits for Spark until the backfill's batch is done.
_SHARE_OF_A_BATCH = 10


def cut(ranges: Iterable[OffsetRange], dead_letters: Coverage, table: str) -> list[OffsetRange]:
    """Cut *ranges* where the intervals that the dead-letter table has of *table*, or of no table, begin or end.

    Each range is then settled there as a whole or not at all, and its dead letters land as a whole or not at all.
    """
    out = []
    for r in ranges:
        targets = (dead_letters.get(covered_source(r.source, target)) for target in (table, NO_TABLE))
        intervals = [i for covered in targets if covered for i in covered.intervals]
        edges = {e for i in intervals for e in (i.start, i.end) if r.start < e < r.end}
        points = [r.start, *sorted(edges), r.end]
        out += [OffsetRange(r.source, a, b) for a, b in itertools.pairwise(points)]
    return out


def bounded(redo: Redo) -> Redo:
    """*redo* with the batch size of a backfill."""
    return replace(redo, max_offsets=most_offsets(redo.max_offsets))


def redo_batches(ranges: Iterable[OffsetRange], redo: Redo, table: str) -> list[list[OffsetRange]]:
    """Batches that read *ranges* of *table* again, each under one configuration (`Redo.config_at`), cut as by `cut`.

    Ranges whose dead letters are declared lost get batches of their own: dead letters of a batch land together, and
    lost ones never land. So do topics of a routed table: the rules of a batch give it records of all its ranges, or of none.
    """
    dead_letters = redo.dead_letters
    data = dead_letters.data
    is_routed = redo.registry is not None and table in redo.registry.tables
    alike: dict[tuple[str, str, bool], list[OffsetRange]] = {}
    for piece in (p for r in cut(ranges, dead_letters, table) for p in redo.pieces(table, r)):
        named = covered_range(piece.range, table)
        lost = dead_letters.contains(named) and not data.touches(named)
        topic = piece.range.source.topic if is_routed else ""
        alike.setdefault((piece.digest, topic, lost), []).append(piece.range)
    ordered = [some for last in (False, True) for (_, _, lost), some in alike.items() if lost is last]
    return [batch for some in ordered for batch in batches(some, redo.max_offsets)]


def batches(ranges: Iterable[OffsetRange], max_offsets: int) -> list[list[OffsetRange]]:
    """Bounded batches, each with at most one range per source; a source's ranges stay in order."""
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
    """The size limit of a backfill's batch, if that of a live batch is *of_a_batch*."""
    return max(1, of_a_batch // _SHARE_OF_A_BATCH)


def rows_are_there(part: StagedPart, reason: str) -> TableUnfit:
    """The error for dead letters that cannot be written again because the rows beside them are in the table."""
    target = part.result.target
    if target == NO_TABLE:
        return TableUnfit(
            f"table {part.result.table}: dead letters of batch {part.batch_id}, for which no table is known, cannot be committed "
            f"({reason}), but a routed table already has its rows of the same batch.",
            State.STAGED,
            f"Undo the change of {part.result.table}, or restore its files.",
        )
    return TableUnfit(
        f"table {part.result.table}: dead letters of batch {part.batch_id} cannot be committed ({reason}), but the rows of the "
        f"same batch are already in {target}.",
        State.STAGED,
        f"Undo the change of {part.result.table}, or restore its files. Or roll {target} back to a state before these rows in "
        "mode replay: rows and dead letters are then read again together.",
    )
