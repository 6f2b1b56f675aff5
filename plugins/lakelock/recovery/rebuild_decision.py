"""Derive the content of a write-ahead log from the tables alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lakelock.ingest.reconcile_decision import follow, nowhere
from lakelock.model.batches import StreamState, is_target, of_target
from lakelock.model.coverage import Coverage, joined
from lakelock.model.log_state import Rebuilt, Stand, wanted
from lakelock.model.offsets import FOREVER, Source


def letters_of(stands: Sequence[Stand]) -> Coverage:
    """Joint coverage of the dead-letter tables among *stands*."""
    return joined(s.ledger.coverage for s in stands if s.ledger.holds_letters)


def rebuilt(stands: Sequence[Stand], takes: Callable[[str, str], bool]) -> Rebuilt:
    """Continue the live lane after the furthest table, and read missing offsets before that for each other table.

    *takes* says whether the pipeline file gives a topic to a table: (table, topic). Dead-letter tables count as well:
    if the dead letters of a batch landed but its rows did not, it must be read again in the same pieces, or its ranges
    would be settled there only in part.
    """
    starts: dict[Source, int] = {}
    frontiers: dict[Source, int] = {}
    for stand in stands:
        for source, start in stand.starts.items():
            starts[source] = min(start, starts.get(source, start))
            frontiers[source] = max(stand.ledger.coverage[source].end_offset, frontiers.get(source, start))
    for r in (r for stand in stands for r in stand.ledger.coverage.ranges if is_target(r.source)):
        _, plain = of_target(r.source)
        if plain in frontiers:
            frontiers[plain] = max(frontiers[plain], r.start if r.end == FOREVER else r.end)
    redo = {}
    for stand in stands:
        is_wanted = wanted(takes, stand.table)
        then = follow((), stand.ledger, stand.ledger.generation, stand.starts, frontiers, is_wanted)
        if then.redo:
            redo[stand.table] = then.redo
    retired = {s for stand in stands for s, held in stand.ledger.coverage.items() if held.retired}
    streams = tuple(StreamState(s, starts[s], FOREVER if s in retired else frontiers[s]) for s in sorted(starts))
    together = joined(stand.ledger.coverage for stand in stands)
    again = [r for ranges in redo.values() for r in ranges]
    return Rebuilt(streams, redo, tuple(nowhere(streams, together, again)))
