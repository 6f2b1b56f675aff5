"""audit: is every offset of a source accounted for, and do the table, its ledger and the books say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """What the write-ahead log says of a pipeline at one moment.

    `open` has the ranges of open parts by table and source, `unwritten` those that must still be read from Kafka; `totals`
    is by table, target and source.
    """

    streams: Mapping[Source, StreamState]
    open: Mapping[tuple[str, Source], Sequence[OffsetRange]]
    unwritten: tuple[OffsetRange, ...]
    totals: Mapping[tuple[str, str, Source], Totals]


@dataclass(frozen=True, slots=True)
class Counted:
    """Rows of one source as another engine counts them in the table.

    `booked` lie within the books' offsets, `outside` in no interval that the ledger has.
    """

    rows: int = 0
    distinct: int = 0
    booked: int = 0
    outside: int = 0


@dataclass(frozen=True, slots=True)
class Letters:
    """Dead letters of one target and source within the books' offsets, as another engine counts them."""

    rows: int = 0
    distinct: int = 0


@dataclass(frozen=True, slots=True)
class SourceAudit:
    """One source in one table. `held` and `open` are offsets, `lag` those after the frontier that nobody planned yet.

    `without_record` are committed offsets at which Kafka delivered no record: transaction markers, aborted and compacted
    records. `gaps` counts offsets that were declared as not to be read, by kind. Each of `faults` is a sentence.
    """

    table: str
    source: Source
    start_offset: int
    end_offset: int
    held: int
    open: int
    lag: int
    without_record: int | None
    gaps: Mapping[str, int]
    totals: Totals | None
    counted: Counted | None
    letters: Letters | None
    faults: tuple[str, ...]


def judge(
    table: str,
    source: Source,
    held: SourceCoverage,
    accounts: Accounts,
    *,
    taken: bool,
    frontier_after: int | None,
    end_offset: int | None,
    counted: Counted | None = None,
    letters: Letters | None = None,
) -> SourceAudit:
    """Puts what four witnesses say of a source side by side.

    *held* is the table's own ledger. *accounts* are the write-ahead log's of a moment before the table was loaded,
    *frontier_after* is its frontier at one after: with that order a pipeline that runs on meanwhile looks complete at every
    moment. *taken* is whether the pipeline still puts this source into this table. *end_offset* is Kafka's (None: nobody
    knows), *counted* and *letters* are an independent reader's (None: nobody counted).
    """
    start = held.start_offset
    reached = max((i.end for i in held.intervals), default=start)
    totals = accounts.totals.get((table, "", source))
    parts = [(r.start, r.end) for r in accounts.open.get((table, source), ())]
    stream = accounts.streams.get(source)
    frontier = stream.next_offset if taken and stream else 0
    end = max([reached, totals.end_offset if totals else 0, *(b for _, b in parts), frontier])
    held_or_open = [*((i.start, i.end) for i in held.intervals), *parts]
    faults = [f"[{a}, {b}) is neither in the table nor on its way" for a, b in missing(start, end, held_or_open)]
    if frontier_after is None:
        faults.append("the write-ahead log does not know this source, the table does")
    elif frontier_after < reached:
        faults.append(
            f"the write-ahead log is behind the table: frontier {frontier_after}, the table has up to {reached}"
        )
    gaps: dict[str, int] = {}
    for i in held.intervals:
        if i.kind is not Kind.DATA:
            gaps[i.kind.name.lower()] = gaps.get(i.kind.name.lower(), 0) + i.end - i.start
    lacking = held.missing(start, end)
    return SourceAudit(
        table=table,
        source=source,
        start_offset=start,
        end_offset=max(end, end_offset or 0),
        held=sum(i.end - i.start for i in held.intervals),
        # A part that landed without its mark is open, too, and is not counted twice.
        open=sum(max(0, min(b, d) - max(a, c)) for a, b in lacking for c, d in parts),
        lag=max(0, end_offset - end) if taken and end_offset is not None else 0,
        without_record=totals.end_offset - totals.start_offset - totals.read if totals else None,
        gaps=gaps,
        totals=totals,
        counted=counted,
        letters=letters,
        faults=(*faults, *_of_books(reached, totals, counted, letters), *_of_rows(counted, letters)),
    )


def _of_books(reached: int, totals: Totals | None, counted: Counted | None, letters: Letters | None) -> list[str]:
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
    if counted is not None and counted.booked != totals.written:
        out.append(f"{totals.written} rows were written, {counted.booked} are there")
    if letters is not None and letters.rows != totals.dead:
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
