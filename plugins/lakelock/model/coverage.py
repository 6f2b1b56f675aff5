"""Coverage: the offsets that a table has taken in, per source, as intervals with generation and kind."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from lakelock.model.batches import Books
from lakelock.model.offsets import FOREVER, OffsetRange, Source, merged, missing, offsets_in, overlap, without


class Kind(Enum):
    """Why an interval counts as covered; the value is its letter in the text form."""

    DATA = ""
    SKIPPED = "s"
    ACCEPTED_LOSS = "l"
    RETIRED = "r"


@dataclass(frozen=True, order=True, slots=True)
class Interval:
    """Offsets `[start, end)` that were committed under one generation."""

    start: int
    end: int
    generation: int = 0
    kind: Kind = Kind.DATA


@dataclass(frozen=True, slots=True)
class Totals:
    """Record counts over all data intervals of a source. Redriven dead letters count as what they became."""

    written: int = 0
    dead: int = 0
    filtered: int = 0

    @property
    def read(self) -> int:
        return self.written + self.dead + self.filtered

    def plus(self, books: Books) -> Totals:
        return Totals(self.written + books.written, self.dead + books.dead, self.filtered + books.filtered)


# Fields of a source with pairs of offsets, in the order of the text form.
PAIRS = ("requested", "redriven", "owed")


@dataclass(frozen=True, slots=True)
class SourceCoverage:
    """Intervals of one source: disjoint, ordered, neighbours of the same generation and kind merged.

    *requested* are the offsets `[start, end)` of requested backfills, merged and ordered: not covered, but later offsets do
    not wait for them. They may lie before the declared start. *redriven* has the offsets of dead letters that became
    rows, in the same form: each lies within a data interval and is also in the dead-letter table. *owed* are offsets that
    a rollback took from a routed table, until they are back: that no part has them does not mean that they have no records.
    """

    start_offset: int
    intervals: tuple[Interval, ...] = ()
    totals: Totals = Totals()
    requested: tuple[tuple[int, int], ...] = ()
    redriven: tuple[tuple[int, int], ...] = ()
    owed: tuple[tuple[int, int], ...] = ()

    @property
    def fault(self) -> str | None:
        """Why its pairs cannot be as they are, or None."""
        if any(a < i.end and i.start < b for a, b in self.requested for i in self.intervals):
            return "requested offsets are covered"
        held = [(i.start, i.end) for i in self.intervals] if self.owed else []
        if _length(merged([*held, *self.owed])) < _length([*held, *self.owed]):
            return "owed offsets are covered"
        data = [(i.start, i.end) for i in self.data] if self.redriven else []
        # There may be thousands of pairs: they are covered if merging them in adds nothing.
        return "what was redriven is not held" if merged([*data, *self.redriven]) != merged(data) else None

    @property
    def dead_letters(self) -> int:
        """Number of its records that dead-letter tables have, even if they are rows now."""
        return self.totals.dead + sum(b - a for a, b in self.redriven)

    @property
    def end_offset(self) -> int:
        """The first offset after the start and everything covered or requested; of a retired source, the offset at
        which it was retired.
        """
        ends = [*(i.start if i.end == FOREVER else i.end for i in self.intervals), *(end for _, end in self.requested)]
        return max([self.start_offset, *ends])

    @property
    def retired(self) -> bool:
        """Whether nothing of the source is ever read again."""
        return any(i.end == FOREVER for i in self.intervals)

    @property
    def data(self) -> list[Interval]:
        return [i for i in self.intervals if i.kind is Kind.DATA]

    @property
    def prefix_end(self) -> int:
        """The first offset from the declared start that is neither covered nor requested by a backfill."""
        position = self.start_offset
        for start, end in sorted([*((i.start, i.end) for i in self.intervals), *self.requested]):
            if start > position:
                break
            position = max(position, end)
        return position

    @property
    def complete_to(self) -> int:
        """The first offset from the declared start that the table lacks, even if a backfill will read it."""
        later = [max(a, self.start_offset) for a, b in self.requested if b > self.start_offset]
        return min([self.prefix_end, *later])

    def missing(self, start: int, end: int) -> list[tuple[int, int]]:
        return missing(start, end, [(i.start, i.end) for i in self.intervals])

    def with_interval(self, new: Interval) -> SourceCoverage:
        """Add offsets; raises ValueError if any are covered already."""
        if self.missing(new.start, new.end) != [(new.start, new.end)]:
            raise ValueError(f"[{new.start}, {new.end}) is held already")
        out: list[Interval] = []
        for i in sorted((*self.intervals, new), key=lambda i: i.start):
            last = out[-1] if out else None
            if last and last.end == i.start and (last.generation, last.kind) == (i.generation, i.kind):
                out[-1] = Interval(last.start, i.end, i.generation, i.kind)
            else:
                out.append(i)
        requested, owed = (uncovered(pairs, [(new.start, new.end)]) for pairs in (self.requested, self.owed))
        return replace(self, intervals=tuple(out), requested=requested, owed=owed)

    def requesting(self, start: int, end: int) -> SourceCoverage:
        """Add a backfill request, which may include declared gaps; raises ValueError if any of it is data already."""
        if missing(start, end, [(i.start, i.end) for i in self.data]) != [(start, end)]:
            raise ValueError(f"[{start}, {end}) has records")
        left = [
            Interval(a, b, i.generation, i.kind)
            for i in self.intervals
            for a, b in missing(i.start, i.end, [(start, end)])
        ]
        return replace(self, intervals=tuple(left), requested=tuple(merged([*self.requested, (start, end)])))

    def owing(self, start: int, end: int) -> SourceCoverage:
        """Add offsets that it owes; raises ValueError if it covers any of them."""
        if self.missing(start, end) != [(start, end)]:
            raise ValueError(f"[{start}, {end}) is held")
        return replace(self, owed=tuple(merged([*self.owed, (start, end)])))


def _length(pairs: Iterable[tuple[int, int]]) -> int:
    return sum(b - a for a, b in pairs)


def uncovered(pairs: Iterable[tuple[int, int]], covered: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Parts of *pairs* outside all intervals of *covered*, in order."""
    return tuple(piece for a, b in pairs for piece in missing(a, b, covered))


class Coverage(Mapping[Source, SourceCoverage]):
    """Immutable mapping of sources to what a table covers of them."""

    __slots__ = ("_sources",)

    def __init__(self, sources: Mapping[Source, SourceCoverage] | None = None) -> None:
        self._sources = dict(sources or {})

    def __getitem__(self, source: Source) -> SourceCoverage:
        return self._sources[source]

    def __iter__(self) -> Iterator[Source]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coverage) and self._sources == other._sources

    def items(self) -> ItemsView[Source, SourceCoverage]:
        return self._sources.items()

    __hash__ = None  # type: ignore[assignment]

    @property
    def data(self) -> Coverage:
        """The coverage without declared gaps."""
        return Coverage({s: replace(h, intervals=tuple(h.data)) for s, h in self._sources.items()})

    @property
    def ranges(self) -> list[OffsetRange]:
        """All covered ranges, data or gaps, in order."""
        return [
            OffsetRange(s, i.start, i.end) for s, covered in sorted(self._sources.items()) for i in covered.intervals
        ]

    @property
    def requested(self) -> list[OffsetRange]:
        """All ranges that requested backfills still have to read, in order."""
        return self._pairs(lambda covered: covered.requested)

    @property
    def redriven(self) -> list[OffsetRange]:
        """All dead letters that became rows, in order."""
        return self._pairs(lambda covered: covered.redriven)

    @property
    def owed(self) -> list[OffsetRange]:
        """All ranges that a rollback removed and that are not back, in order."""
        return self._pairs(lambda covered: covered.owed)

    def _pairs(self, of: Callable[[SourceCoverage], tuple[tuple[int, int], ...]]) -> list[OffsetRange]:
        found = sorted((s, pairs) for s, covered in self._sources.items() if (pairs := of(covered)))
        return [OffsetRange(s, a, b) for s, pairs in found for a, b in pairs]

    @property
    def size(self) -> int:
        """Grows with every covered offset, and with every dead letter that becomes a row."""
        return offsets_in(self.ranges) + offsets_in(self.redriven)

    def without_rows(self, assigned: Iterable[OffsetRange]) -> list[OffsetRange]:
        """Of dead letters without a table that are *assigned* to this one, those that are no rows of it."""
        return without(assigned, self.redriven)

    @property
    def sums(self) -> dict[str, int]:
        """Numbers of records over all sources."""
        totals = [covered.totals for covered in self._sources.values()]
        sums = {name: sum(getattr(t, name) for t in totals) for name in ("written", "dead", "filtered")}
        return {**sums, "redriven": offsets_in(self.redriven)}

    @property
    def gaps(self) -> list[tuple[OffsetRange, Kind]]:
        """Declared gaps in order, each with its kind."""
        return [
            (OffsetRange(s, i.start, i.end), i.kind)
            for s, covered in sorted(self._sources.items())
            for i in covered.intervals
            if i.kind is not Kind.DATA
        ]

    def has_records(self, r: OffsetRange) -> bool:
        """Whether all of *r* is covered as data."""
        covered = self._sources.get(r.source)
        return covered is not None and not missing(r.start, r.end, [(i.start, i.end) for i in covered.data])

    def contains(self, r: OffsetRange) -> bool:
        covered = self._sources.get(r.source)
        return covered is not None and not covered.missing(r.start, r.end)

    def touches(self, r: OffsetRange) -> bool:
        covered = self._sources.get(r.source)
        return covered is not None and covered.missing(r.start, r.end) != [(r.start, r.end)]

    def lacking(self, r: OffsetRange) -> list[OffsetRange]:
        covered = self._sources.get(r.source)
        gaps = covered.missing(r.start, r.end) if covered else [(r.start, r.end)]
        return [OffsetRange(r.source, a, b) for a, b in gaps]

    def adding(self, books: Iterable[Books], starts: Mapping[Source, int], generation: int) -> Coverage:
        """Coverage after the ranges of *books* are committed as data; *starts* declares sources it does not know."""
        out = dict(self._sources)
        for b in sorted(books, key=lambda b: b.range):
            r = b.range
            covered = out.get(r.source) or SourceCoverage(starts.get(r.source, r.start))
            grown = covered.with_interval(Interval(r.start, r.end, generation))
            out[r.source] = replace(grown, totals=covered.totals.plus(b))
        return Coverage(out)

    def requesting(self, ranges: Iterable[OffsetRange], starts: Mapping[Source, int]) -> Coverage:
        """Coverage with a backfill request for *ranges*, none of them covered as data; *starts* as in `adding`."""
        out = dict(self._sources)
        for r in ranges:
            covered = out.get(r.source) or SourceCoverage(starts[r.source])
            out[r.source] = covered.requesting(r.start, r.end)
        return Coverage(out)

    def owing(self, ranges: Iterable[OffsetRange]) -> Coverage:
        """Coverage that also owes *ranges*, of sources that it knows and none of them covered."""
        out = dict(self._sources)
        for r in ranges:
            out[r.source] = out[r.source].owing(r.start, r.end)
        return Coverage(out)

    def owing_within(self, ranges: Iterable[OffsetRange]) -> Coverage:
        """Coverage that of what it owes only owes what is in *ranges*."""
        out = {s: replace(covered, owed=()) if covered.owed else covered for s, covered in self._sources.items()}
        return Coverage(out).owing(overlap(self.owed, ranges))

    def starting(self, starts: Mapping[Source, int]) -> Coverage:
        """Coverage that also has the declared start of sources it does not know."""
        return Coverage({**{s: SourceCoverage(o) for s, o in starts.items()}, **self._sources})
