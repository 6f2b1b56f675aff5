"""Judge what routing did with the records of each source: read = filtered + without a table + routed to at least one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lakelock.ingest.assigned_letters import AssignedLetters
from lakelock.model.counts import RoutedRange
from lakelock.model.offsets import Source
from lakelock.records.reasons import CountedCause


@dataclass(frozen=True, slots=True)
class RouteSums:
    """Records of one source, of batches whose detail is kept, up to the offset that is complete in all tables."""

    source: Source
    start_offset: int
    end_offset: int
    read: int
    filtered: int
    without_table: int
    routed: int
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RouteAudit:
    """Sums by source; and of all dead letters that no table is known for, how many there are, and their commonest causes.

    The *faults* are those of the sums, and of these dead letters. *assigned* are those that an operator gave to tables.
    """

    sums: tuple[RouteSums, ...] = ()
    letters: int = 0
    causes: tuple[CountedCause, ...] = ()
    faults: tuple[str, ...] = ()
    assigned: AssignedLetters = field(default_factory=AssignedLetters)


def route_sums(ranges: Iterable[RoutedRange]) -> tuple[RouteSums, ...]:
    """The sums of each source, with a fault for each range whose records are not where the batch's books say."""
    by_source: dict[Source, list[RoutedRange]] = {}
    for r in ranges:
        by_source.setdefault(r.range.source, []).append(r)
    return tuple(_sums(source, of) for source, of in sorted(by_source.items()))


def _sums(source: Source, of: Sequence[RoutedRange]) -> RouteSums:
    return RouteSums(
        source,
        min(r.range.start for r in of),
        max(r.range.end for r in of),
        sum(r.read for r in of),
        sum(r.filtered for r in of),
        sum(r.without_table for r in of),
        sum(r.routed for r in of),
        tuple(fault for r in of for fault in _faults(r)),
    )


def _faults(r: RoutedRange) -> list[str]:
    where, out = f"[{r.range.start}, {r.range.end})", []
    if r.letters is not None and r.letters != r.without_table:
        out.append(
            f"{where}: {r.without_table} records have no table, and {r.letters} dead letters of them are committed"
        )
    # A record may go to several tables.
    if r.in_tables is not None and (r.in_tables < r.routed or (not r.routed and r.in_tables)):
        out.append(f"{where}: {r.routed} records are routed to tables, and the tables have {r.in_tables}")
    return out
