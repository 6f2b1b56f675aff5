"""Decide the batches that are read for all routed tables, under the configurations that are registered for their offsets."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from lakelock.model.batches import NO_TABLE, of_target, plain_range
from lakelock.model.coverage import Coverage
from lakelock.model.log_state import TailBatch
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.registry import ConfiguredRange, Registry


def unclosed_batches(
    ranges: Iterable[OffsetRange],
    registry: Registry,
    dead_letters: Sequence[Coverage],
    tables: Sequence[Coverage],
    max_offsets: int,
) -> tuple[TailBatch, ...]:
    """Batches of at most *max_offsets* that read *ranges*, in planning order; offsets that were not routed are left out.

    They are cut where anything that routed *tables* or dead-letter tables have of a source begins or ends. A range is then in a
    table whole or not at all, and so are its dead letters; and a table is retired for the whole of it, or not.
    """
    of_routed = [_of_routed(c, registry) for c in dead_letters]
    edges: dict[Source, set[int]] = {}
    for r in (r for coverage in (*tables, *of_routed) for r in coverage.ranges):
        edges.setdefault(of_target(r.source)[1], set()).update((r.start, r.end))
    whole = sorted(ranges)
    for source in {r.source for r in whole}:
        edges.setdefault(source, set()).update(registry.retirement_edges(source))
    pieces = [piece for r in whole for part in _cut(r, edges.get(r.source, ())) for piece in registry.pieces(part)]
    lost = [plain_range(r) for c in of_routed for r, _ in c.gaps]
    return _batches(pieces, lost, registry, max_offsets)


def _of_routed(dead_letters: Coverage, registry: Registry) -> Coverage:
    """*dead_letters* without those of other tables."""
    targets = {NO_TABLE, *registry.tables}
    return Coverage({s: covered for s, covered in dead_letters.items() if of_target(s)[0] in targets})


def _cut(r: OffsetRange, edges: Iterable[int]) -> list[OffsetRange]:
    points = [r.start, *sorted(e for e in edges if r.start < e < r.end), r.end]
    return [OffsetRange(r.source, a, b) for a, b in itertools.pairwise(points)]


def _batches(
    pieces: Sequence[ConfiguredRange], lost: Sequence[OffsetRange], registry: Registry, max_offsets: int
) -> tuple[TailBatch, ...]:
    """Batches of one configuration and the same retired tables each, with at most one range per source; a source's ranges stay in
    order.

    *lost* ranges, whose dead letters are declared lost, get batches of their own, as in `ingest.replan_decision`.
    """
    out: list[tuple[tuple[str, bool, frozenset[str]], Mapping[str, object], list[OffsetRange]]] = []
    after: dict[Source, int] = {}
    for piece in pieces:
        is_lost = any(map(piece.range.overlaps, lost))
        key, start = (piece.digest, is_lost, registry.retired_at(piece.range)), piece.range.start
        while start < piece.range.end:
            source, at = piece.range.source, after.get(piece.range.source, 0)
            while at < len(out) and (out[at][0] != key or _room(out[at][2], max_offsets) <= 0):
                at += 1
            if at == len(out):
                out.append((key, piece.config, []))
            end = min(piece.range.end, start + _room(out[at][2], max_offsets))
            out[at][2].append(OffsetRange(source, start, end))
            after[source], start = at + 1, end
    return tuple(TailBatch(tuple(ranges), digest, config) for (digest, *_), config, ranges in out)


def _room(ranges: Iterable[OffsetRange], max_offsets: int) -> int:
    return max_offsets - sum(r.end - r.start for r in ranges)
