"""follow: what the write-ahead log makes of a table whose generation is ahead of its own."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from lakelock.core.coverage import Coverage
from lakelock.core.ledger import Ledger, Mode
from lakelock.core.offsets import FOREVER, OffsetRange, Source, missing
from lakelock.core.rollback import still_owed


class PartState(Enum):
    PLANNED = "planned"
    STAGED = "staged"
    COMMITTED = "committed"


@dataclass(frozen=True, slots=True)
class PartNote:
    """A part of the table, with its ranges as the table's coverage names them."""

    part_id: int
    state: PartState
    ranges: tuple[OffsetRange, ...]


@dataclass(frozen=True, slots=True)
class Following:
    """Parts by id: *mark* is in the table, *restage* lands again under the new generation, *abort* never will.

    *redo* is what then is neither in the table nor on its way, and must be read again.
    """

    mark: tuple[int, ...] = ()
    restage: tuple[int, ...] = ()
    abort: tuple[int, ...] = ()
    redo: tuple[OffsetRange, ...] = ()


@dataclass(frozen=True, slots=True)
class Redo:
    """How offsets are planned again: the configuration, the most offsets of a batch, what the dead-letter table has."""

    config: Mapping[str, object]
    config_digest: str
    max_offsets: int
    letters: Coverage
    new_id: Callable[[], str]


def follow(
    parts: Sequence[PartNote],
    ledger: Ledger,
    known_generation: int,
    starts: Mapping[Source, int],
    frontiers: Mapping[Source, int],
) -> Following:
    """Decides for all parts of a table at once.

    *starts* are the table's declared starts, *frontiers* the live lane's. More than one generation behind, or without a
    record, nothing is known of what became of the files in between: all of it is read again.
    """
    coverage = ledger.coverage
    reached = ledger.generation == known_generation + 1 and ledger.rollback is not None
    mode = ledger.rollback.mode if reached and ledger.rollback else Mode.REPLAY
    mark, restage, abort = [], [], []
    on_its_way: list[OffsetRange] = []
    for part in parts:
        if part.state is PartState.PLANNED:
            on_its_way += part.ranges
        elif all(coverage.contains(r) for r in part.ranges):
            if part.state is PartState.STAGED:
                mark.append(part.part_id)
        elif any(coverage.touches(r) for r in part.ranges):
            abort.append(part.part_id)
        elif mode is Mode.RECOMMIT or (mode is Mode.SKIP and part.state is PartState.STAGED):
            restage.append(part.part_id)
            on_its_way += part.ranges
        else:
            abort.append(part.part_id)
    redo = lacking(coverage, on_its_way, starts, frontiers)
    if ledger.rollback is not None:
        redo += _owed(still_owed(ledger.rollback.owed, coverage), on_its_way)
    return Following(tuple(mark), tuple(restage), tuple(abort), tuple(redo))


def lacking(
    coverage: Coverage, on_its_way: Iterable[OffsetRange], starts: Mapping[Source, int], frontiers: Mapping[Source, int]
) -> list[OffsetRange]:
    """What of `[start, frontier)` of each source is neither held nor on its way; of a retired one, up to what is known."""
    way = _by_source(on_its_way)
    out = []
    for source, start in sorted(starts.items()):
        held = coverage.get(source)
        have = [*((i.start, i.end) for i in held.intervals), *way[source]] if held else way[source]
        frontier = frontiers.get(source, start)
        if frontier == FOREVER:
            frontier = max((a if b == FOREVER else b for a, b in have), default=start)
        out += [OffsetRange(source, a, b) for a, b in missing(start, frontier, have)]
    return out


def _owed(owed: Coverage, on_its_way: Iterable[OffsetRange]) -> list[OffsetRange]:
    way = _by_source(on_its_way)
    return [
        OffsetRange(source, a, b)
        for source, held in sorted(owed.items())
        for i in held.intervals
        for a, b in missing(i.start, i.end, way[source])
    ]


def _by_source(ranges: Iterable[OffsetRange]) -> defaultdict[Source, list[tuple[int, int]]]:
    out: defaultdict[Source, list[tuple[int, int]]] = defaultdict(list)
    for r in ranges:
        out[r.source].append((r.start, r.end))
    return out


def cut(ranges: Iterable[OffsetRange], letters: Coverage, table: str) -> list[OffsetRange]:
    """*ranges* cut where what the dead-letter table has of *table* begins or ends.

    So each range is settled there as a whole or not at all, and its dead letters land as a whole or not at all.
    """
    out = []
    for r in ranges:
        named = Source(r.source.topic, f"{r.source.topic_id}>{table}", r.source.partition)
        held = letters.get(named)
        edges = {e for i in held.intervals for e in (i.start, i.end) if r.start < e < r.end} if held else set()
        points = [r.start, *sorted(edges), r.end]
        out += [OffsetRange(r.source, a, b) for a, b in itertools.pairwise(points)]
    return out


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
