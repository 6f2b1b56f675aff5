"""Judge whether every offset of a source is accounted for and table, ledger and books agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lakelock.model import units
from lakelock.model.counts import Accounts, Counted, DeadLetterCounts
from lakelock.model.coverage import Kind, SourceCoverage, Totals
from lakelock.model.coverage_gaps import reached as read_up_to
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import FOREVER, OffsetRange, Source, missing, offsets_in, overlap


@dataclass(frozen=True, slots=True)
class SourceAudit:
    """One source in one table. `held` and `open` are offsets, `lag` those after the frontier that are not planned yet.

    * `without_record` are committed offsets at which Kafka delivered no record: transaction markers, aborted and
      compacted records. Those of a routed table include offsets whose records went to other tables.
    * `gaps` counts offsets that were declared as not to be read, by kind.
    * `asked` counts those that a backfill has yet to load.
    * `retired_from`: nothing of a retired source is read from there on.
    * `redriven` counts dead letters that are rows now, and exist as both.
    * `faults` has a sentence for each fault.
    """

    table: str
    source: Source
    start_offset: int
    end_offset: int
    held: int
    open: int
    lag: int
    without_record: int
    gaps: Mapping[str, int]
    totals: Totals
    counted: Counted | None
    letters: DeadLetterCounts | None
    faults: tuple[str, ...]
    retired_from: int | None = None
    asked: int = 0
    redriven: int = 0

    @property
    def lines(self) -> list[str]:
        """Text about offsets and records that the numbers of the source include."""
        lines = [f"declared as not to be read: {n} offsets, {kind}" for kind, n in self.gaps.items()]
        lines += [f"requested, to be read by a backfill: {self.asked} offsets"] if self.asked else []
        lines += [f"redriven: {units.counted(self.redriven, 'dead letter')} became rows"] if self.redriven else []
        lines += [f"retired: nothing from {self.retired_from} on is read"] if self.retired_from is not None else []
        return lines


def about_causes(sources: Iterable[SourceAudit]) -> list[str]:
    """Text about the dead letters of a table, after their causes."""
    redriven = sum(s.redriven for s in sources)
    return [f"{redriven:,} of these became rows"] if redriven else []


def judge(
    table: str,
    source: Source,
    ledger: Ledger,
    covered: SourceCoverage,
    accounts: Accounts,
    *,
    taken: bool,
    frontier_after: int | None,
    end_offset: int | None,
    low_offset: int | None = None,
    counted: Counted | None = None,
    dead_letters: DeadLetterCounts | None = None,
    had_no_table: Sequence[OffsetRange] = (),
) -> SourceAudit:
    """Compare four independent accounts of a source.

    *covered* is the entry of the table's own *ledger*. *accounts* are the write-ahead log's from before the table was
    loaded, *frontier_after* is its frontier from after: with that order a running pipeline looks complete at every
    moment. *taken* is whether the pipeline still puts this source into this table. *end_offset* and *low_offset* are
    Kafka's (None: unknown). *counted* and *dead_letters* are an independent reader's (None: not counted).
    """
    start, reached = covered.start_offset, covered.end_offset
    parts = [(r.start, r.end) for r in accounts.open.get((table, source), ())]
    stream = accounts.streams.get(source)
    frontier = stream.next_offset if taken and stream and not stream.retired else 0
    end = max([reached, *(b for _, b in parts), frontier])
    accounted = [*((i.start, i.end) for i in covered.intervals), *parts, *covered.requested]
    faults = [f"[{a}, {b}) is neither in the table nor on its way" for a, b in missing(start, end, accounted)]
    faults += [
        f"the write-ahead log has seen [{a}, {b}) in the table, and it is no longer there"
        for a, b in _vanished(accounts.seen.get(table), ledger, source, covered)
    ]
    if taken and low_offset is not None:
        # Staged offsets no longer need Kafka, and planned ones are reported elsewhere.
        dropped = [gap for a, b in covered.requested if a < low_offset for gap in missing(a, min(b, low_offset), parts)]
        faults += [f"[{a}, {b}) was requested, and Kafka holds only from {low_offset} on" for a, b in dropped]
    if frontier_after is None:
        faults.append("the write-ahead log does not know this source, the table does")
    elif frontier_after < (known := read_up_to(covered)):
        faults.append(
            f"the write-ahead log is behind the table: frontier {frontier_after}, the table has up to {known}"
        )
    gaps: dict[str, int] = {}
    finite = [i for i in covered.intervals if i.end != FOREVER]
    for i in finite:
        if i.kind is not Kind.DATA:
            gaps[i.kind.name.lower()] = gaps.get(i.kind.name.lower(), 0) + i.end - i.start
    without_table = offsets_in(overlap(had_no_table, [OffsetRange(source, *rows) for rows in covered.redriven]))
    lacking = covered.missing(min([start, *(a for a, _ in parts)]), end)
    return SourceAudit(
        table=table,
        source=source,
        start_offset=start,
        end_offset=max(end, end_offset or 0),
        held=sum(i.end - i.start for i in finite),
        # A part that landed without its mark is open too, and is not counted twice.
        open=sum(max(0, min(b, d) - max(a, c)) for a, b in lacking for c, d in parts),
        lag=max(0, end_offset - end) if taken and end_offset is not None and not covered.retired else 0,
        without_record=sum(i.end - i.start for i in covered.data) - covered.totals.read,
        gaps=gaps,
        totals=covered.totals,
        counted=counted,
        letters=dead_letters,
        faults=(
            *faults,
            *_of_rows(covered.totals, counted),
            *of_dead_letters(covered.dead_letters - without_table, dead_letters),
        ),
        retired_from=reached if covered.retired else None,
        asked=sum(b - a for a, b in covered.requested),
        redriven=sum(b - a for a, b in covered.redriven),
    )


def _vanished(seen: Ledger | None, now: Ledger, source: Source, covered: SourceCoverage) -> list[tuple[int, int]]:
    """Offsets of an earlier commit that the table no longer has, within one generation.

    A rollback removes offsets but begins another generation, and a backfill requests declared gaps.
    """
    before = seen.coverage.get(source) if seen and seen.generation == now.generation else None
    there = [(i.start, i.end) for i in covered.intervals]
    out = []
    for i in before.intervals if before else ():
        out += missing(i.start, i.end, there if i.kind is Kind.DATA else [*there, *covered.requested])
    return out


def _of_rows(totals: Totals, counted: Counted | None) -> list[str]:
    if counted is None:
        return []
    out = []
    if (there := counted.rows - counted.outside) != totals.written:
        out.append(f"{totals.written} rows were written, {there} are there")
    if counted.rows != counted.distinct:
        out.append(f"{counted.rows - counted.distinct} rows have an offset that another row has, too")
    if counted.outside:
        out.append(f"{counted.outside} rows have an offset that the ledger does not have")
    return out


def of_dead_letters(dead: int, dead_letters: DeadLetterCounts | None) -> list[str]:
    """Faults of dead letters of which the books have *dead*."""
    if dead_letters is None:
        return []
    out = []
    at_most = dead_letters.rows + dead_letters.lost
    if dead_letters.rows > dead or at_most < dead:
        out.append(f"{dead} dead letters were written, {dead_letters.rows} are there")
    if dead_letters.rows != dead_letters.distinct:
        out.append(f"{dead_letters.rows - dead_letters.distinct} dead letters have an offset that another one has, too")
    return out
