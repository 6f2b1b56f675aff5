"""The consistent cut of a pipeline with routes, as the dead-letter table's ledger last had it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, offsets_in
from lakelock.model.units import counted
from lakelock.model.valid_through import text
from lakelock.monitor.table_status import TableStatus


@dataclass(frozen=True, slots=True)
class CutOffset:
    """All tables but those that are behind have the offsets of *source* from *start_offset*, the declared start, to *offset*."""

    source: Source
    offset: int
    start_offset: int = 0


@dataclass(frozen=True, slots=True)
class TableBehind:
    """A table that may lack *ranges* of the cut. Its lag and retention headroom are those of `TableStatus`."""

    table: str
    ranges: tuple[OffsetRange, ...]
    lag_s: float | None = None
    retention_left_s: float | None = None


@dataclass(frozen=True, slots=True)
class CutStatus:
    """*valid_through_ms*: records with earlier timestamps lie before the cut; None if unknown."""

    offsets: tuple[CutOffset, ...]
    valid_through_ms: int | None
    behind: tuple[TableBehind, ...] = ()

    @property
    def total(self) -> int:
        """Offsets of all sources."""
        return sum(o.offset - o.start_offset for o in self.offsets)

    @property
    def line(self) -> str:
        """Text for people, without the tables that are behind."""
        if not self.total:
            return "in all tables: nothing yet"
        offsets = counted(self.total, "offset")
        through = "an unknown time" if self.valid_through_ms is None else text(self.valid_through_ms)
        but = f", but for {counted(len(self.behind), 'table')} behind" if self.behind else ""
        return f"in all tables{but}: {offsets} of {counted(len(self.offsets), 'partition')}, through {through}"


def cut_status(ledger: Ledger | None, tables: Iterable[TableStatus] = ()) -> CutStatus | None:
    """None if *ledger*, the dead-letter table's, has no mark yet."""
    if ledger is None or ledger.mark is None:
        return None
    known = {t.table: t for t in tables}
    behind = [
        TableBehind(name, ranges, *((of.lag_s, of.retention_left_s) if (of := known.get(name)) else ()))
        for name, ranges in ledger.behind.items()
    ]
    offsets = [CutOffset(s, covered.prefix_end, covered.start_offset) for s, covered in sorted(ledger.mark.items())]
    ranked = sorted(behind, key=lambda t: (-(t.lag_s or 0.0), -offsets_in(t.ranges), t.table))
    return CutStatus(tuple(offsets), ledger.mark_through_ms, tuple(ranked))
