"""Decide how the write-ahead log follows a table whose generation is ahead of the log's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from lakelock.ingest.changed_records import replaced
from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode
from lakelock.model.log_state import Following, PartNote, PartState, Wanted
from lakelock.model.offsets import FOREVER, OffsetRange, Source, overlap, without


def follow(
    parts: Sequence[PartNote],
    ledger: Ledger,
    known_generation: int,
    starts: Mapping[Source, int],
    frontiers: Mapping[Source, int],
    is_wanted: Wanted,
    *,
    is_routed: bool = False,
) -> Following:
    """Decide for all parts of a table at once.

    *starts* are the table's declared starts, *frontiers* the live lane's. If the log is more than one generation
    behind, or the ledger has no record of the rollback, the fate of the files in between is unknown and everything is
    read again. A rollback never removes dead letters, so staged ones are always kept. A table that *is_routed* did not request
    the parts that backfills of all tables gave it before its start.
    """
    coverage, replacements = ledger.coverage, replaced(ledger)
    reached = ledger.generation == known_generation + 1 and ledger.rollback is not None
    mode = ledger.rollback.mode if reached and ledger.rollback else Mode.REPLAY
    mark, restage, abort = [], [], []
    on_its_way = [r for part in parts if part.state is PartState.PLANNED for r in part.ranges]
    given_up: list[OffsetRange] = []
    for part in parts:
        staged = part.state is PartState.STAGED
        if part.state is PartState.PLANNED:
            continue
        if all(coverage.contains(r) for r in part.ranges):
            if not (part.has_dead_letters or all(coverage.has_records(r) for r in part.ranges)):
                # A backfill may read the gap later, and these files must never land with it.
                abort.append(part.part_id)
            elif staged:
                mark.append(part.part_id)
        elif part.has_dead_letters and staged:
            restage.append(part.part_id)
            on_its_way += part.ranges
        elif (
            mode is Mode.REPLAY
            or any(map(coverage.touches, part.ranges))
            # Left out and then requested: it is read again, even if an older copy of the log has it as staged.
            or (mode is Mode.SKIP and overlap(part.ranges, coverage.requested))
            # Replaced rows must not come back as they were. A log that was set back may have them as staged only.
            or (replacements and overlap(part.ranges, replacements))
        ):
            abort.append(part.part_id)
            given_up += part.ranges
        else:
            restage.append(part.part_id)
            on_its_way += part.ranges
    redo = lacking(coverage, on_its_way, starts, frontiers, is_wanted)
    if is_routed:
        before = [r for r in given_up if r.end <= starts.get(r.source, 0)]
        redo += without(before, [*coverage.ranges, *on_its_way, *redo])
    left = without([r for r in given_up if not is_wanted(r.source)], [*coverage.ranges, *on_its_way])
    return Following(tuple(mark), tuple(restage), tuple(abort), tuple(redo), tuple(left))


def reread(
    then: Following,
    notes: Sequence[PartNote],
    misfits: Collection[str],
    without_files: Collection[int],
    before: Sequence[OffsetRange],
) -> list[OffsetRange]:
    """Ranges that a rollback makes necessary to read from Kafka, beyond those lacking *before* it.

    Parts that are committed again are written again if their files were written for a layout among *misfits*, or if some
    files are gone: those that compaction replaced may have expired since.
    """
    landing = set(then.restage)
    written_again = [n for n in notes if n.part_id in landing and (n.layout in misfits or n.part_id in without_files)]
    return without([*then.redo, *(r for n in written_again for r in n.ranges)], before)


def nowhere(streams: Iterable[StreamState], coverage: Coverage, on_its_way: Iterable[OffsetRange]) -> list[OffsetRange]:
    """Ranges of live streams that were planned once but are neither in a table nor on their way to one.

    *coverage* joins the coverage of all tables.
    """
    way = list(on_its_way)
    whole = []
    for stream in sorted(streams, key=lambda s: s.source):
        covered = coverage.get(stream.source)
        end = covered.end_offset if covered and stream.retired else stream.next_offset
        if stream.start_offset < end < FOREVER:
            whole.append(OffsetRange(stream.source, stream.start_offset, end))
    return without(whole, [*coverage.ranges, *coverage.requested, *way])


def lacking(
    coverage: Coverage,
    on_its_way: Iterable[OffsetRange],
    starts: Mapping[Source, int],
    frontiers: Mapping[Source, int],
    is_wanted: Wanted,
) -> list[OffsetRange]:
    """Ranges that the table should have but that are neither held nor on their way.

    These are `[start, frontier)` of each wanted source, and other ranges that were requested. A retired source ends at
    its last known offset.
    """
    way = list(on_its_way)
    whole = []
    for source, declared in sorted(starts.items()):
        covered = coverage.get(source)
        # A table that left the file for a while begins where its own ledger says.
        start = min(declared, covered.start_offset) if covered else declared
        frontier = frontiers.get(source, start)
        if frontier == FOREVER:
            frontier = max([covered.end_offset if covered else start, *(r.end for r in way if r.source == source)])
        if is_wanted(source) and frontier > start:
            whole.append(OffsetRange(source, start, frontier))
    whole += without([r for r in coverage.requested if is_wanted(r.source)], whole)
    return without(whole, [*coverage.ranges, *way])


def unasked(notes: Sequence[PartNote], ledger: Ledger, is_wanted: Wanted) -> tuple[list[OffsetRange], list[int]]:
    """Ranges that *ledger*, the newest, requests and no open part supplies, and ids of committed parts that had them.

    These parts are no longer in the table. Their offsets are read from Kafka again; the old files are never committed.
    """
    way = [r for n in notes if n.state is not PartState.COMMITTED for r in n.ranges]
    ranges = without([r for r in ledger.coverage.requested if is_wanted(r.source)], way)
    gone = [n.part_id for n in notes if n.state is PartState.COMMITTED and overlap(n.ranges, ranges)]
    return ranges, gone
