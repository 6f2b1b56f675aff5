"""audit: is every offset of a source accounted for, and do the table, its ledger and the books say the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lakelock.core.batch import StreamState
from lakelock.core.coverage import Coverage, Kind, SourceCoverage
from lakelock.core.offsets import OffsetRange, Source, missing


@dataclass(frozen=True, slots=True)
class Totals:
    """Books of everything that one table committed of one source, `[start_offset, end_offset)`, in records."""

    start_offset: int
    end_offset: int
    read: int
    written: int
    dead: int
    filtered: int


@dataclass(frozen=True, slots=True)
class Accounts:
    """What the write-ahead log says of a pipeline at one moment; `totals` is by table, target and source."""

    streams: tuple[StreamState, ...]
    open: Mapping[str, Sequence[OffsetRange]]
    totals: Mapping[tuple[str, str, Source], Totals]


@dataclass(frozen=True, slots=True)
class Counted:
    """Rows of one source as another engine counts them in the table; `outside` lie in no interval the ledger has."""

    rows: int
    distinct: int
    outside: int


@dataclass(frozen=True, slots=True)
class Letters:
    """Dead letters of one target and source, as another engine counts them."""

    rows: int
    distinct: int


@dataclass(frozen=True, slots=True)
class SourceAudit:
    """One source in one table. `held` and `open` are offsets, `lag` those after the frontier that nobody planned yet.

    `gaps` counts offsets that were declared as not to be read, by kind. Each of `faults` is a sentence; none: complete.
    """

    table: str
    source: Source
    start_offset: int
    end_offset: int
    held: int
    open: int
    lag: int
    gaps: Mapping[str, int]
    totals: Totals | None
    counted: Counted | None
    letters: Letters | None
    faults: tuple[str, ...]


def judge(
    table: str,
    source: Source,
    held: SourceCoverage,
    *,
    frontier: int | None,
    frontier_after: int | None,
    end_offset: int | None,
    in_flight: Collection[OffsetRange],
    totals: Totals | None,
    counted: Counted | None = None,
    letters: Letters | None = None,
) -> SourceAudit:
    """Puts what four witnesses say of a source side by side.

    *held* is the table's own ledger; *frontier*, *in_flight* (open parts) and *totals* are the write-ahead log's at one
    moment before the table was loaded, *frontier_after* its frontier at one after; *end_offset* is Kafka's (None: the topic
    is gone); *counted* and *letters* (rows of the dead-letter table) are an independent reader's, None where nobody counted.
    With that order a pipeline that runs on meanwhile looks complete at every moment.
    """
    start = held.start_offset
    reached = max((i.end for i in held.intervals), default=start)
    end = max(reached, frontier or 0)
    open_parts = [(r.start, r.end) for r in in_flight if r.source == source]
    accounted = [*((i.start, i.end) for i in held.intervals), *open_parts]
    faults = [f"[{a}, {b}) is neither in the table nor on its way" for a, b in missing(start, end, accounted)]
    if frontier_after is None:
        faults.append("the write-ahead log does not know this source, the table does")
    elif frontier_after < reached:
        faults.append(
            f"the write-ahead log is behind the table: frontier {frontier_after}, the table has up to {reached}"
        )
    gaps = Counter[str]()
    for i in held.intervals:
        if i.kind is not Kind.DATA:
            gaps[i.kind.name.lower()] += i.end - i.start
    return SourceAudit(
        table=table,
        source=source,
        start_offset=start,
        end_offset=end if end_offset is None else max(end, end_offset),
        held=sum(i.end - i.start for i in held.intervals),
        open=_overlap(start, end, open_parts, held),
        lag=0 if end_offset is None else max(0, end_offset - end),
        gaps=gaps,
        totals=totals,
        counted=counted,
        letters=letters,
        faults=(*faults, *_of_books(held, reached, totals, counted, letters), *_of_rows(counted, letters)),
    )


def _overlap(start: int, end: int, open_parts: Sequence[tuple[int, int]], held: SourceCoverage) -> int:
    """Offsets of open parts that the table does not have yet (a landed part without its mark is open, too)."""
    lacking = held.missing(start, end)
    return sum(max(0, min(b, d) - max(a, c)) for a, b in lacking for c, d in open_parts)


def _of_books(
    held: SourceCoverage, reached: int, totals: Totals | None, counted: Counted | None, letters: Letters | None
) -> list[str]:
    if totals is None:
        return []
    out = []
    if totals.read != totals.written + totals.dead + totals.filtered:
        out.append(
            f"the books do not balance: read {totals.read}, written {totals.written}, dead letters {totals.dead}, "
            f"filtered {totals.filtered}"
        )
    if totals.end_offset > reached:
        out.append(f"the write-ahead log has [{reached}, {totals.end_offset}) as committed, the table does not")
    # After a rebuild of the log its books begin later than the table: then they say nothing about all rows.
    whole = (totals.start_offset, totals.end_offset) == (held.start_offset, reached)
    if whole and counted is not None and counted.rows - counted.outside != totals.written:
        out.append(f"{totals.written} rows were written, {counted.rows - counted.outside} are there")
    if whole and letters is not None and letters.rows != totals.dead:
        out.append(f"{totals.dead} dead letters were written, {letters.rows} are there")
    return out


def _of_rows(counted: Counted | None, letters: Letters | None) -> list[str]:
    out = []
    if counted is not None and counted.rows != counted.distinct:
        out.append(f"{counted.rows - counted.distinct} rows have an offset that another row has, too")
    if counted is not None and counted.outside:
        out.append(f"{counted.outside} rows have an offset that the ledger does not have")
    if letters is not None and letters.rows != letters.distinct:
        out.append(f"{letters.rows - letters.distinct} dead letters have an offset that another one has, too")
    return out


def countable(coverage: Coverage) -> dict[int, Source] | None:
    """Which source each partition number means; None where one number means several, as with two topics in a table."""
    out: dict[int, Source] = {}
    for source in coverage:
        if out.setdefault(source.partition, source) != source:
            return None
    return out
