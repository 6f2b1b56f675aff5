"""What the write-ahead log makes of a table whose generation is ahead of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode
from lakelock.model.log_state import Following, PartNote, PartState, Wanted
from lakelock.model.offsets import FOREVER, OffsetRange, Source, overlap, without
from lakelock.model.replaced_records import replaced


def follow(
    parts: Sequence[PartNote],
    ledger: Ledger,
    known_generation: int,
    starts: Mapping[Source, int],
    frontiers: Mapping[Source, int],
    is_wanted: Wanted,
) -> Following:
    """Decides for all parts of a table at once.

    *starts* are the table's declared starts, *frontiers* the live lane's. More than one generation behind, or without a
    record, nothing is known of what became of the files in between: all of it is read again. No rollback takes out dead
    letters, so that staged ones are always kept.
    """
    coverage, anew = ledger.coverage, replaced(ledger)
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
            if not (part.has_letters or all(coverage.has_records(r) for r in part.ranges)):
                # A backfill may ask for what was left out: these rows must never come with it.
                abort.append(part.part_id)
            elif staged:
                mark.append(part.part_id)
        elif part.has_letters and staged:
            restage.append(part.part_id)
            on_its_way += part.ranges
        elif (
            mode is Mode.REPLAY
            or any(map(coverage.touches, part.ranges))
            # Left out, then asked for: it is read anew, whatever an older copy of the log knows of it.
            or (mode is Mode.SKIP and overlap(part.ranges, coverage.asked))
            # What was replaced must not come back as it was before. A log that was set back may have that as staged only.
            or (anew and overlap(part.ranges, anew))
        ):
            abort.append(part.part_id)
            given_up += part.ranges
        else:
            restage.append(part.part_id)
            on_its_way += part.ranges
    redo = lacking(coverage, on_its_way, starts, frontiers, is_wanted)
    left = without([r for r in given_up if not is_wanted(r.source)], [*coverage.ranges, *on_its_way])
    return Following(tuple(mark), tuple(restage), tuple(abort), tuple(redo), tuple(left))


def reread(
    then: Following,
    notes: Sequence[PartNote],
    schema_id: int,
    spec_id: int,
    without_files: Collection[int],
    before: Sequence[OffsetRange],
) -> list[OffsetRange]:
    """What a rollback makes necessary to read from Kafka, beyond what was lacking *before* it.

    Parts that land again are written again where their files are of another schema or partition spec, or some are gone:
    what compaction replaced may have expired since.
    """
    landing = set(then.restage)
    written_again = [
        n
        for n in notes
        if n.part_id in landing and ((n.schema_id, n.spec_id) != (schema_id, spec_id) or n.part_id in without_files)
    ]
    return without([*then.redo, *(r for n in written_again for r in n.ranges)], before)


def nowhere(streams: Iterable[StreamState], coverage: Coverage, on_its_way: Iterable[OffsetRange]) -> list[OffsetRange]:
    """What of live streams was planned once, and is neither in any table (*coverage* joins them) nor on its way to one."""
    way = list(on_its_way)
    whole = []
    for stream in sorted(streams, key=lambda s: s.source):
        held = coverage.get(stream.source)
        end = held.end_offset if held and stream.retired else stream.next_offset
        if stream.start_offset < end < FOREVER:
            whole.append(OffsetRange(stream.source, stream.start_offset, end))
    return without(whole, [*coverage.ranges, *coverage.asked, *way])


def lacking(
    coverage: Coverage,
    on_its_way: Iterable[OffsetRange],
    starts: Mapping[Source, int],
    frontiers: Mapping[Source, int],
    is_wanted: Wanted,
) -> list[OffsetRange]:
    """What of `[start, frontier)` of each wanted source, and what else it was asked for, is neither held nor on its way; of
    a retired one, up to what is known."""
    way = list(on_its_way)
    whole = []
    for source, declared in sorted(starts.items()):
        held = coverage.get(source)
        # A table that was out of the file for a while begins where its own ledger says.
        start = min(declared, held.start_offset) if held else declared
        frontier = frontiers.get(source, start)
        if frontier == FOREVER:
            frontier = max([held.end_offset if held else start, *(r.end for r in way if r.source == source)])
        if is_wanted(source) and frontier > start:
            whole.append(OffsetRange(source, start, frontier))
    whole += without([r for r in coverage.asked if is_wanted(r.source)], whole)
    return without(whole, [*coverage.ranges, *way])


def unasked(notes: Sequence[PartNote], ledger: Ledger, is_wanted: Wanted) -> tuple[list[OffsetRange], list[int]]:
    """What *ledger*, the newest, was asked for and nothing brings, and the parts, by id, that had brought some of that once.

    Such a part is in the table no more: what was left out is read anew, and never lands from its old files.
    """
    way = [r for n in notes if n.state is not PartState.COMMITTED for r in n.ranges]
    ranges = without([r for r in ledger.coverage.asked if is_wanted(r.source)], way)
    gone = [n.part_id for n in notes if n.state is PartState.COMMITTED and overlap(n.ranges, ranges)]
    return ranges, gone
