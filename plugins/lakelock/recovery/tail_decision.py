"""Decide which offsets a pipeline with routes reads again for all of its routed tables after its log was lost."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.model.batches import NO_TABLE, of_target, plain_range
from lakelock.model.coverage import Coverage
from lakelock.model.coverage_gaps import decided
from lakelock.model.ledger import registry_of
from lakelock.model.log_state import Stand, TailBatch
from lakelock.model.offsets import OffsetRange, Source, overlap, united, without
from lakelock.model.registry import ConfiguredRange, Registry


@dataclass(frozen=True, slots=True)
class Routes:
    """What a dead-letter table says of the routed tables: where they are complete, which there are, and which are *behind*."""

    mark: Coverage = field(default_factory=Coverage)
    registry: Registry = field(default_factory=Registry)
    behind: Mapping[str, Sequence[OffsetRange]] = field(default_factory=dict)

    @classmethod
    def of(cls, stands: Sequence[Stand]) -> Routes:
        """Those of all *stands* that have a registry, the current one first; empty for a pipeline without routes."""
        marked = [(s.ledger.mark, s.ledger.behind) for s in stands if s.ledger.mark is not None]
        mark, behind = max(marked, key=lambda of: of[0].size, default=(Coverage(), {}))
        return cls(mark, registry_of(s.ledger for s in stands) or Registry(), behind)

    def is_routed(self, table: str) -> bool:
        return table in self.registry.tables

    @property
    def starts(self) -> dict[Source, int]:
        """Where routing began, by source: no table may have a record yet."""
        out: dict[Source, int] = {}
        for config in self.registry.configs:
            for source, first in config.first_offsets.items():
                out[source] = min(first, out.get(source, first))
        return out


def lacking_below(stands: Sequence[Stand], routes: Routes) -> dict[str, tuple[OffsetRange, ...]]:
    """What routed tables lack below the mark, by table: they have all else there, as rows or because no record is routed to them.

    Also of tables that cannot be loaded: these get it once they can.
    """
    retired = routes.registry.retired
    lack = {
        name: list(ranges) for name, ranges in routes.behind.items() if routes.is_routed(name) and name not in retired
    }
    for stand in (s for s in stands if routes.is_routed(s.table)):
        own = stand.ledger.coverage
        lack[stand.table] = without(united([*lack.get(stand.table, ()), *own.owed]), own.ranges)
    below = {name: tuple(overlap(ranges, routes.mark.ranges)) for name, ranges in lack.items()}
    return {name: ranges for name, ranges in below.items() if ranges}


def tail(
    stands: Sequence[Stand],
    routes: Routes,
    starts: Mapping[Source, int],
    frontiers: Mapping[Source, int],
    max_offsets: int,
) -> tuple[TailBatch, ...]:
    """Batches from the mark up to *frontiers*, under the registered configurations, in planning order.

    They are cut where anything that a routed table or the dead-letter table has of a source begins or ends. A range is then
    in a table whole or not at all, and so are its dead letters; and a table is retired for the whole of it, or not. Offsets
    before the first configuration were not routed.
    """
    routed = [s.ledger.coverage for s in stands if routes.is_routed(s.table)]
    dead_letters = [_of_routed(s.ledger.coverage, routes) for s in stands if s.ledger.holds_dead_letters]
    whole = [OffsetRange(s, start, frontiers[s]) for s, start in sorted(starts.items()) if start < frontiers[s]]
    edges: dict[Source, set[int]] = {}
    for r in (r for coverage in (*routed, *dead_letters) for r in coverage.ranges):
        edges.setdefault(of_target(r.source)[1], set()).update((r.start, r.end))
    for source in {r.source for r in whole}:
        edges.setdefault(source, set()).update(routes.registry.retirement_edges(source))
    pieces = [
        piece
        for r in without(whole, [*routes.mark.ranges, *_given_up(routed)])
        for part in _cut(r, edges.get(r.source, ()))
        for piece in routes.registry.pieces(part)
    ]
    lost = [plain_range(r) for c in dead_letters for r, _ in c.gaps]
    return _batches(pieces, lost, routes.registry, max_offsets)


def _of_routed(dead_letters: Coverage, routes: Routes) -> Coverage:
    """*dead_letters* without those of other tables."""
    targets = {NO_TABLE, *routes.registry.tables}
    return Coverage({s: covered for s, covered in dead_letters.items() if of_target(s)[0] in targets})


def _given_up(routed: Sequence[Coverage]) -> list[OffsetRange]:
    """Offsets that operators gave up in all routed tables."""
    out = decided(routed[0]) if routed else []
    for coverage in routed[1:]:
        out = overlap(out, decided(coverage))
    return out


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
