"""`lakelock.ports.Storage` over the files of the catalog in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from lakelock.errors import TableUnfit
from lakelock.model.layouts import Layout
from lakelock.model.table_files import Compared, LiveFile, OfTime, RowsOf
from lakelock.ports import TableState
from lakelock.testing.catalog import MemoryCatalog
from lakelock.testing.table_reading import is_of, meta_of


class MemoryStorage:
    """The parts of `lakelock.ports.Storage` that compactions and replaces use. A file's size is its number of rows."""

    def __init__(self, catalog: MemoryCatalog) -> None:
        self.catalog = catalog

    def live_files(self, state: TableState) -> list[LiveFile]:
        head = meta_of(state).head
        return [LiveFile(f, 0, "[]", n := len(self.catalog.rows[f]), n, 0) for f in (head.files if head else ())]

    def live_among(self, state: TableState, paths: Collection[str], read: dict[str, Any]) -> list[LiveFile]:
        return [f for f in self.live_files(state) if f.path in paths]

    def unfit(self, state: TableState, files: Sequence[LiveFile]) -> Mapping[str, str]:
        return {f.path: "its file is gone" for f in files if f.path in self.catalog.deleted}

    def candidates(self, state: TableState, rows: RowsOf) -> list[LiveFile]:
        return self.live_files(state)

    def rows_within(self, state: TableState, rows: RowsOf, paths: Sequence[str]) -> Mapping[str, int]:
        if gone := [p for p in paths if p in self.catalog.deleted]:
            raise TableUnfit(f"{gone[0]} is gone")
        return {p: n for p in paths if (n := sum(is_of(row, rows) for row in self.catalog.rows[p]))}

    def of_time(
        self, state: TableState, rows: RowsOf, moment: str | None, between_ms: tuple[int, int]
    ) -> Mapping[int, OfTime]:
        """All rows of *rows* as timeless: rows in memory have no timestamp."""
        places = self._places([f.path for f in self.candidates(state, rows)], rows)
        out = {}
        for number in {n for n, _ in places}:
            offsets = [o for n, o in places if n == number]
            out[number] = OfTime(len(offsets), min(offsets), max(offsets), timeless=len(offsets))
        return out

    def compared(
        self, state: TableState, rows: RowsOf, old: Sequence[str], new: Collection[str]
    ) -> Mapping[int, Compared]:
        before, after = (Counter(self._places(paths, rows)) for paths in (old, new))
        out = {}
        for number in {n for n, _ in {*before, *after}}:
            was, now = ({o: c for (n, o), c in one.items() if n == number} for one in (before, after))
            twice = {o for one in (was, now) for o, c in one.items() if c > 1}
            lost, more = was.keys() - now.keys(), now.keys() - was.keys()
            firsts = (min(some, default=None) for some in (twice, lost, more))
            counts = (sum(was.values()), sum(now.values()), len(twice), len(lost), len(more))
            out[number] = Compared(*counts, *firsts)
        return out

    def _places(self, paths: Collection[str], rows: RowsOf) -> list[tuple[int, int]]:
        return [row[3:5] for p in paths for row in self.catalog.rows[p] if row is not None and is_of(row, rows)]

    def landed(self, state: TableState) -> frozenset[int]:
        return frozenset()

    def layout(self, state: TableState, partitioning: int) -> Layout:
        return state.layout
