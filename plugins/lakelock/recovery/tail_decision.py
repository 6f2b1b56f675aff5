"""Decide which offsets a pipeline with routes reads again for all of its routed tables after its log was lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.ingest.unclosed_decision import unclosed_batches
from lakelock.model.coverage import Coverage
from lakelock.model.coverage_gaps import decided
from lakelock.model.joint_mark import Marked
from lakelock.model.ledger import registry_of
from lakelock.model.log_state import Stand, TailBatch
from lakelock.model.offsets import OffsetRange, Source, overlap, united, without
from lakelock.model.registry import Registry


@dataclass(frozen=True, slots=True)
class Routes:
    """What dead-letter tables say of the routed ones: where they are complete, which there are, and which are *behind*."""

    mark: Coverage = field(default_factory=Coverage)
    registry: Registry = field(default_factory=Registry)
    behind: Mapping[str, Sequence[OffsetRange]] = field(default_factory=dict)

    @classmethod
    def of(cls, stands: Sequence[Stand]) -> Routes:
        """Those of all *stands* that have a registry, the current one first; empty for a pipeline without routes."""
        marked = Marked(None, {}).joined(Marked.of(s.ledger) for s in stands)
        return cls(marked.mark or Coverage(), registry_of(s.ledger for s in stands) or Registry(), marked.behind)

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
        lack[stand.table] = without(united([*lack.get(stand.table, ()), *own.owed, *own.requested]), own.ranges)
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

    They are cut as in `unclosed_batches`. Offsets before the first configuration were not routed.
    """
    whole = [OffsetRange(s, start, frontiers[s]) for s, start in sorted(starts.items()) if start < frontiers[s]]
    return _unclosed(stands, routes, whole, max_offsets)


def backfills(stands: Sequence[Stand], routes: Routes, max_offsets: int) -> tuple[TailBatch, ...]:
    """Batches of the requested backfills of all tables, as far as the mark does not have them."""
    return _unclosed(stands, routes, routes.registry.backfilled, max_offsets)


def _unclosed(
    stands: Sequence[Stand], routes: Routes, whole: Sequence[OffsetRange], max_offsets: int
) -> tuple[TailBatch, ...]:
    routed = [s.ledger.coverage for s in stands if routes.is_routed(s.table)]
    dead_letters = [s.ledger.coverage for s in stands if s.ledger.holds_dead_letters]
    left = without(whole, [*routes.mark.ranges, *_given_up(routed)])
    return unclosed_batches(left, routes.registry, dead_letters, routed, max_offsets)


def _given_up(routed: Sequence[Coverage]) -> list[OffsetRange]:
    """Offsets that operators gave up in all routed tables."""
    out = decided(routed[0]) if routed else []
    for coverage in routed[1:]:
        out = overlap(out, decided(coverage))
    return out
