"""What the write-ahead log knows about offsets for which a routed table has no part, and what follows for its coverage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from lakelock.model.batches import Books
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, Source, overlap, without


@dataclass(frozen=True, slots=True)
class RouteEvidence:
    """For the sources of one table's topics, in the live lane.

    *starts* are the declared starts. All batches before *closed_to* are closed, and all dead letters without a table before
    *letters_to* are in the dead-letter table. *open* are the ranges of parts of the table that are not committed, in any
    lane. *frontiers* are where planning goes on, or went on last. Of batches of backfills, which lie before the starts,
    *letters* are the ranges whose dead letters without a table are not in the dead-letter table.
    """

    starts: Mapping[Source, int]
    closed_to: Mapping[Source, int]
    letters_to: Mapping[Source, int]
    open: tuple[OffsetRange, ...] = ()
    frontiers: Mapping[Source, int] = field(default_factory=dict)
    letters: tuple[OffsetRange, ...] = ()

    @property
    def lacks_letters(self) -> bool:
        """Whether closed batches have dead letters without a table that are not in the dead-letter table."""
        return bool(self.letters) or any(self.letters_to.get(source, 0) < end for source, end in self.closed_to.items())

    def undecided(self, ranges: Iterable[OffsetRange]) -> list[OffsetRange]:
        """Those of *ranges*, which are of closed batches, with dead letters that are not in the dead-letter table."""
        return [r for r in ranges if self.letters_to.get(r.source, 0) < r.end or overlap([r], self.letters)]

    def filled(self, own: Coverage) -> list[OffsetRange]:
        """Ranges that a table with *own* coverage lacks and that have no records for it."""
        whole = []
        for source, start in sorted(self.starts.items()):
            end = min(self.closed_to.get(source, start), self.letters_to.get(source, start))
            if start < end:
                whole.append(OffsetRange(source, start, end))
        return self.without_records(whole, own)

    def without_records(self, decided: Iterable[OffsetRange], own: Coverage) -> list[OffsetRange]:
        """Those of *decided*, of closed batches, that a table with *own* coverage lacks and that have no records for it."""
        return without(decided, [*own.ranges, *own.requested, *own.owed, *self.open, *self.letters])

    def effective(self, own: Coverage, generation: int) -> Coverage:
        """*own* coverage and the offsets that are `filled`, as data of *generation*."""
        return with_ranges(own, self.filled(own), self.starts, generation)

    def extended(self, own: Coverage, generation: int) -> Coverage:
        """*own* coverage and the offsets that are `filled` and follow it: it stays a prefix of each source."""
        out = own
        for r in self.filled(own):
            end = out[r.source].prefix_end if r.source in out else self.starts[r.source]
            if end == r.start:
                out = with_ranges(out, [r], self.starts, generation)
        return out

    def assigned(self, own: Coverage, generation: int, letters: Iterable[OffsetRange]) -> Coverage:
        """As `extended`, also with dead *letters* before the starts, which batches of backfills left without a table."""
        out = self.extended(own, generation)
        before = [OffsetRange(source, 0, start) for source, start in self.starts.items() if start]
        return with_ranges(out, self.without_records(overlap(letters, before), out), self.starts, generation)

    def in_closed(self, own: Coverage, generation: int) -> Coverage:
        """As `effective`, no matter whether dead letters have landed: closed batches have no other records for the table."""
        return replace(self, letters_to=self.closed_to).effective(own, generation)

    def as_planned(self, own: Coverage, generation: int) -> Coverage:
        """As `effective`, up to the frontiers: what it leaves out is owed, requested or in an open part.

        For decisions on what to read again: records of a batch that is not closed are on their way to all tables. A ledger
        never has offsets on this ground.
        """
        ahead = replace(self, closed_to=self.frontiers, letters_to=self.frontiers)
        return ahead.effective(own, generation)


def with_ranges(
    coverage: Coverage, ranges: Iterable[OffsetRange], starts: Mapping[Source, int], generation: int
) -> Coverage:
    """*coverage* with *ranges*, which have no records for the table."""
    return coverage.adding([Books(r, 0, 0) for r in ranges], starts, generation)
