"""Derive the content of a write-ahead log from the tables alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from lakelock.ingest.reconcile_decision import follow, nowhere
from lakelock.model.batches import StreamState, is_target, of_target
from lakelock.model.coverage import Coverage
from lakelock.model.coverage_gaps import reached
from lakelock.model.joint_coverage import joined
from lakelock.model.log_state import Rebuilt, Stand, wanted
from lakelock.model.offsets import FOREVER, Source


def rebuild_reason(
    stands: Sequence[Stand],
    frontiers: Mapping[Source, int],
    bound: Collection[str],
    installation_id: str,
    *,
    restored: bool,
    began_by: str | None,
) -> str | None:
    """Why the write-ahead log must be rebuilt from the tables; None if it can be used.

    *frontiers* and the *bound* tables are the log's, and *installation_id* is its own. An operator declared it *restored*; a
    rebuild that was *begun by* one has not ended.
    """
    if any(stand.ledger.installation_id != installation_id for stand in stands):
        return "it replaces one that is lost"
    if restored:
        return "it was restored to an earlier moment"
    if began_by is not None:
        return f"{began_by} started to rebuild it, and the rebuild did not finish"
    for stand in stands:
        if stand.table not in bound and stand.ledger.is_used:
            return f"it does not know {stand.table}, which has been written to: the log was restored or lost"
        for source in stand.starts:
            known = reached(stand.ledger.coverage[source])
            if source not in frontiers:
                return f"it does not know {source}, but {stand.table} does: the log was restored or lost"
            if frontiers[source] < known:
                return f"it is behind {stand.table}, which has {source} up to {known}: the log was restored or lost"
    return None


def dead_letters_of(stands: Sequence[Stand]) -> Coverage:
    """Joint coverage of the dead-letter tables among *stands*."""
    return joined(s.ledger.coverage for s in stands if s.ledger.holds_dead_letters)


def known_end(stands: Sequence[Stand], source: Source) -> int:
    """Where the tables end in a *source* that is retired."""
    return max(s.ledger.coverage[source].end_offset for s in stands if source in s.ledger.coverage)


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
    retired = {s for stand in stands for s, covered in stand.ledger.coverage.items() if covered.retired}
    streams = tuple(StreamState(s, starts[s], FOREVER if s in retired else frontiers[s]) for s in sorted(starts))
    together = joined(stand.ledger.coverage for stand in stands)
    again = [r for ranges in redo.values() for r in ranges]
    return Rebuilt(streams, redo, tuple(nowhere(streams, together, again)))
