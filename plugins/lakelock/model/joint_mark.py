"""The mark of a pipeline with routes, with the tables that are behind it and the time that it goes through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lakelock.model.consistent_cut import lacked
from lakelock.model.coverage import Coverage
from lakelock.model.coverage_gaps import declaring
from lakelock.model.ledger import Ledger, registry_of
from lakelock.model.offsets import OffsetRange, without
from lakelock.model.route_evidence import with_ranges


class Marked(NamedTuple):
    """What a dead-letter table's ledger says of the routed tables: *mark* is complete in all but those *behind*."""

    mark: Coverage | None
    behind: Mapping[str, tuple[OffsetRange, ...]]
    through_ms: int | None = None

    @classmethod
    def of(cls, ledger: Ledger) -> Marked:
        return cls(ledger.mark, ledger.behind, ledger.mark_through_ms)

    def onto(self, ledger: Ledger) -> Ledger:
        return replace(ledger, mark=self.mark, behind=self.behind, mark_through_ms=self.through_ms)

    def joined(self, others: Iterable[Marked]) -> Marked:
        """With what other dead-letter tables have marked: a table lacks what it has by none of them."""
        out = self
        for other in others:
            out = out._with(other)
        return out

    def _with(self, other: Marked) -> Marked:
        if other.mark is None or (self.mark is not None and not without(other.mark.ranges, self.mark.ranges)):
            return self
        if self.mark is None or not without(self.mark.ranges, other.mark.ranges):
            # The newer one: what a table had by this one, a rollback may have removed since.
            return other
        starts = {source: covered.start_offset for source, covered in other.mark.items()}
        new = without(other.mark.data.ranges, self.mark.ranges)
        gaps = [(r, kind) for gap, kind in other.mark.gaps for r in without([gap], self.mark.ranges)]
        mark = declaring(with_ranges(self.mark.starting(starts), new, starts, 0), gaps, starts, 0)
        behind = {
            table: ranges
            for table in sorted({*self.behind, *other.behind})
            if (ranges := lacked(without(mark.ranges, [*self._has(table), *other._has(table)]), mark.ranges))
        }
        known = [at for at in (self.through_ms, other.through_ms) if at is not None]
        return Marked(mark, behind, max(known, default=None))

    def _has(self, table: str) -> list[OffsetRange]:
        return without(self.mark.ranges if self.mark else (), self.behind.get(table, ()))


def inheriting(ledger: Ledger, others: Sequence[Ledger]) -> Ledger:
    """*ledger* of a dead-letter table with what *others* of its pipeline name and have marked."""
    marked = Marked.of(ledger).joined(map(Marked.of, others))
    return marked.onto(replace(ledger, registry=registry_of([ledger, *others])))
