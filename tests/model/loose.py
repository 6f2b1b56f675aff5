"""Coverage with a rule of its own taken away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lakelock.model.batches import Books
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange


class Loose(Coverage):
    """Coverage that does not see a partial overlap, and takes of an interval what it lacks."""

    def touches(self, r: OffsetRange) -> bool:
        return False

    def adding(self, books: Iterable[Books], starts: Any, generation: int) -> Coverage:
        out: Coverage = Coverage(dict(self.items()))
        for b in books:
            for gap in out.lacking(b.range):
                out = out.adding([replace(b, range=gap)], starts, generation)
        return Loose(dict(out.items()))


class Floor(Coverage):
    """Coverage that takes everything below its end as held."""

    def contains(self, r: OffsetRange) -> bool:
        covered = self.get(r.source)
        return covered is not None and r.end <= covered.end_offset

    def adding(self, books: Iterable[Books], starts: Any, generation: int) -> Coverage:
        return Floor(dict(super().adding(books, starts, generation).items()))
