"""Derive the content of a write-ahead log from the tables alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from lakelock.ingest.reconcile_decision import follow, nowhere
from lakelock.ingest.replan_decision import most_offsets
from lakelock.model.batches import StreamState, is_target, of_target
from lakelock.model.coverage import Coverage
from lakelock.model.coverage_gaps import reached
from lakelock.model.joint_coverage import joined
from lakelock.model.log_state import Rebuilt, Stand, wanted
from lakelock.model.offsets import FOREVER, Source
from lakelock.model.registry import RegisteredTable
from lakelock.recovery.tail_decision import Routes, backfills, lacking_below, tail

UNKNOWN = RegisteredTable("")


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
    registry = Routes.of(stands).registry
    for stand in stands:
        if stand.table not in bound and stand.ledger.is_used:
            return f"it does not know {stand.table}, which has been written to: the log was restored or lost"
        if stand.table not in bound and registry.tables.get(stand.table, UNKNOWN).uuid == stand.uuid:
            return f"it does not know {stand.table}, which is registered: the log was restored or lost"
        known = {source: reached(stand.ledger.coverage[source]) for source in stand.starts}
        known |= {source: covered.end_offset for source, covered in (stand.ledger.mark or {}).items()}
        for source, end in known.items():
            if source not in frontiers:
                return f"it does not know {source}, but {stand.table} does: the log was restored or lost"
            if frontiers[source] < end:
                return f"it is behind {stand.table}, which has {source} up to {end}: the log was restored or lost"
    return None


def dead_letters_of(stands: Sequence[Stand]) -> Coverage:
    """Joint coverage of the dead-letter tables among *stands*."""
    return joined(s.ledger.coverage for s in stands if s.ledger.holds_dead_letters)


def known_end(stands: Sequence[Stand], source: Source) -> int:
    """Where the tables end in a *source* that is retired."""
    known = [c[source] for s in stands for c in (s.ledger.coverage, s.ledger.mark) if c is not None and source in c]
    return max(covered.end_offset for covered in known)


def rebuilt(stands: Sequence[Stand], takes: Callable[[str, str], bool], max_offsets: int = FOREVER) -> Rebuilt:
    """Continue the live lane after the furthest table, and read missing offsets before that for each other table.

    *takes* says whether the pipeline file gives a topic to a table: (table, topic). Dead-letter tables count as well:
    if the dead letters of a batch landed but its rows did not, it must be read again in the same pieces, or its ranges
    would be settled there only in part.

    Routed tables get what they lack below the mark, and are read together from there on, in batches of at most *max_offsets*. So
    are the requested backfills that are not marked.
    """
    routes = Routes.of(stands)
    starts, frontiers = _extent(stands, routes)
    redo = {}
    for stand in (s for s in stands if not routes.is_routed(s.table)):
        is_wanted = wanted(takes, stand.table)
        ranges = follow((), stand.ledger, stand.ledger.generation, stand.starts, frontiers, is_wanted).redo
        if ranges:
            redo[stand.table] = ranges
    redo |= lacking_below(stands, routes)
    retired = {s for stand in stands for s, covered in stand.ledger.coverage.items() if covered.retired}
    streams = tuple(StreamState(s, starts[s], FOREVER if s in retired else frontiers[s]) for s in sorted(starts))
    together = joined([*(stand.ledger.coverage for stand in stands), routes.mark])
    last = tail(stands, routes, starts, frontiers, max_offsets)
    before = backfills(stands, routes, most_offsets(max_offsets))
    again = [r for ranges in (*redo.values(), *(b.ranges for b in last)) for r in ranges]
    there, registered = {s.table for s in stands}, routes.registry.tables
    left_out = tuple(n for n, t in registered.items() if t.uuid is not None and not t.is_retired and n not in there)
    return Rebuilt(streams, redo, tuple(nowhere(streams, together, again)), last, before, left_out)


def _extent(stands: Sequence[Stand], routes: Routes) -> tuple[dict[Source, int], dict[Source, int]]:
    """Starts and frontiers of all sources.

    What a retired table has is not asked: its records before its retirement are never dead letters. All before the registered
    configurations was planned, and is read again by the rules of then: a table that is gone may have it.
    """
    starts, frontiers = dict(routes.starts), dict(routes.starts)
    for coverage in (*(stand.ledger.coverage for stand in stands), routes.mark):
        for source, covered in coverage.items():
            if not is_target(source):
                starts[source] = min(covered.start_offset, starts.get(source, covered.start_offset))
                ends = [covered.end_offset, *(end for _, end in covered.owed)]
                frontiers[source] = max(*ends, frontiers.get(source, 0))
    for source, end in ((s, end) for t in routes.registry.tables.values() for s, end in t.retirement.begins.items()):
        if source in frontiers:
            frontiers[source] = max(frontiers[source], end)
    for source, first in (item for c in routes.registry.configs for item in c.first_offsets.items()):
        frontiers[source] = max(frontiers[source], first)
    for r in (r for stand in stands for r in stand.ledger.coverage.ranges if is_target(r.source)):
        _, plain = of_target(r.source)
        if plain in frontiers:
            frontiers[plain] = max(frontiers[plain], r.start if r.end == FOREVER else r.end)
    return starts, frontiers
