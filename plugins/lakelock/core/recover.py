"""recover: what a write-ahead log must say, told by the tables alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.core.batch import StreamState, is_target, of_target
from lakelock.core.coverage import Coverage, joined
from lakelock.core.follow import follow, nowhere, owing, wanted
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import FOREVER, OffsetRange, Source, without
from lakelock.core.redo import told_again


@dataclass(frozen=True, slots=True)
class Stand:
    """A table as it is: which one, and its newest ledger."""

    table: str
    uuid: str
    ledger: Ledger

    @property
    def starts(self) -> dict[Source, int]:
        """Declared starts; empty for the dead-letter table, whose coverage has no order."""
        return {s: h.start_offset for s, h in self.ledger.coverage.items() if not is_target(s)}


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """Streams of the live lane, and by table what it lacks below their frontiers.

    *nowhere* is in no table, and the pipeline file gives it to none that lacks it: nobody would read it. *left* are dead
    letters that a table owes, by table, of what the pipeline file does not give to their target any more.
    """

    streams: tuple[StreamState, ...]
    redo: Mapping[str, tuple[OffsetRange, ...]]
    nowhere: tuple[OffsetRange, ...]
    left: Mapping[str, tuple[OffsetRange, ...]] = field(default_factory=dict)


def letters_of(stands: Sequence[Stand]) -> Coverage:
    """What the dead-letter tables among them hold together."""
    return joined(s.ledger.coverage for s in stands if s.ledger.holds_letters)


def rebuilt(stands: Sequence[Stand], takes: Callable[[str, str], bool]) -> Rebuilt:
    """The live lane goes on after the furthest table; what the others lack up to there is read for them alone.

    *takes* says what the pipeline file still gives to whom: (table, topic).

    The dead-letter table counts, too: what it has got of a batch that landed nowhere else must be read again in the same
    pieces, or it would be settled there in part; and what it owes is read for it, and for its target in one.
    """
    starts: dict[Source, int] = {}
    frontiers: dict[Source, int] = {}
    for stand in stands:
        for source, start in stand.starts.items():
            starts[source] = min(start, starts.get(source, start))
            frontiers[source] = max(stand.ledger.coverage[source].end_offset, frontiers.get(source, start))
    told = [
        r for stand in stands for r in (*stand.ledger.coverage.ranges, *owing(stand.ledger, ())) if is_target(r.source)
    ]
    for r in told:
        _, plain = of_target(r.source)
        if plain in frontiers:
            frontiers[plain] = max(frontiers[plain], r.start if r.end == FOREVER else r.end)
    redo, left, letters = {}, {}, letters_of(stands)
    for stand in stands:
        is_wanted = wanted(takes, stand.table)
        then = follow((), stand.ledger, stand.ledger.generation, stand.starts, frontiers, is_wanted)
        if then.redo:
            redo[stand.table] = then.redo
        # What one dead-letter table owes may have landed in another that the file named since.
        if unread := without(then.left, letters.ranges):
            left[stand.table] = tuple(unread)
    for target, ranges in told_again(r for found in redo.values() for r in found).items():
        redo[target] = tuple(without(redo.get(target, ()), ranges))
    retired = {s for stand in stands for s, held in stand.ledger.coverage.items() if held.retired}
    streams = tuple(StreamState(s, starts[s], FOREVER if s in retired else frontiers[s]) for s in sorted(starts))
    together = joined(stand.ledger.coverage for stand in stands)
    again = [r for ranges in redo.values() for found in (ranges, *told_again(ranges).values()) for r in found]
    redo = {table: ranges for table, ranges in redo.items() if ranges}
    return Rebuilt(streams, redo, tuple(nowhere(streams, together, again)), left)
