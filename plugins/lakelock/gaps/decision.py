"""Decide on gaps, offsets that a table will never get by an operator's decision, and on their effect on the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lakelock.errors import DecisionRefused, Fenced, State, WalUnusable
from lakelock.ingest.outcome import listed
from lakelock.model.batches import Batch
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.log_state import PartNote, PartState, Recorded
from lakelock.model.offsets import FOREVER, OffsetRange, Source, overlap, united, without
from lakelock.model.older_log import older_log


def unread(
    coverage: Coverage, starts: Mapping[Source, int], staged: Iterable[OffsetRange], within: OffsetRange
) -> list[OffsetRange]:
    """The offsets of *within* that the table should get, but neither holds nor has in *staged* ranges.

    It should get those from its declared start on, and those that were requested.
    """
    source = within.source
    covered = coverage.get(source)
    start = covered.start_offset if covered else starts.get(source)
    out = overlap([OffsetRange(source, a, b) for a, b in covered.requested], [within]) if covered else []
    if start is not None and max(start, within.start) < within.end:
        out += coverage.lacking(OffsetRange(source, max(start, within.start), within.end))
    return without(united(out), staged)


def given_up(
    notes: Sequence[PartNote], coverage: Coverage, never_read: Iterable[OffsetRange]
) -> dict[int, list[OffsetRange]]:
    """Planned parts to give up, by id, each with the ranges of it to plan again.

    A part is given up if it has offsets of *never_read* that the table no longer needs, because its range cannot be
    read as a whole. These are offsets that a person gave up, or that the table has: the part may have been planned for
    their dead letters, which then stay unknown. Staged parts were read before, and are decided at their commit.
    """
    gaps = overlap(coverage.ranges, never_read)
    return {
        n.part_id: without(n.ranges, gaps) for n in notes if n.state is PartState.PLANNED and overlap(n.ranges, gaps)
    }


def moved(next_offset: int, gaps: Iterable[tuple[int, int]]) -> int:
    """The frontier after the gaps that begin at or contain it."""
    for start, end in sorted(gaps):
        if start <= next_offset < end:
            next_offset = end
    return next_offset


def known_ends(frontiers: Mapping[Source, int], parts: Iterable[OffsetRange]) -> dict[Source, int]:
    """*frontiers*, with the end of the planned *parts* for sources that are no longer read."""
    out = dict(frontiers)
    for r in parts:
        if frontiers.get(r.source, FOREVER) == FOREVER:
            end = out.get(r.source, FOREVER)
            out[r.source] = r.end if end == FOREVER else max(end, r.end)
    return out


def kinds(gaps: Iterable[OffsetRange], kind: Kind, frontiers: Mapping[Source, int]) -> list[tuple[OffsetRange, Kind]]:
    """*gaps* with their kinds; an endless gap is retired beyond the source's frontier, and of *kind* before it.

    It is not lost there, because it is unknown whether records existed.
    """
    out = []
    for r in gaps:
        frontier = frontiers.get(r.source, FOREVER)
        if r.end != FOREVER or frontier == FOREVER or kind is Kind.RETIRED:
            out.append((r, Kind.RETIRED if r.end == FOREVER else kind))
            continue
        if r.start < frontier:
            out.append((OffsetRange(r.source, r.start, frontier), kind))
        out.append((OffsetRange(r.source, max(r.start, frontier), FOREVER), Kind.RETIRED))
    return out


def refuse_moved(table: str, recorded: Recorded, uuid: str | None, generation: int) -> None:
    """Raise Fenced if the log knows the table by another *uuid* or *generation* than *recorded*.

    Then *recorded* says nothing about the effect of a rollback, a recovery or another table with the same name.
    """
    if uuid != recorded.uuid:
        raise _fenced(
            table,
            f"UUID {recorded.uuid} was recorded, but the log has {uuid}"
            if recorded.uuid
            else "the pipeline wrote to it",
        )
    if recorded.uuid and generation != recorded.ledger.generation:
        raise _fenced(table, f"generation {recorded.ledger.generation} was recorded, but the log is at {generation}")


def refuse_read(table: str, batch_id: object, holder: str | None, attempt: str) -> None:
    """Raise Fenced if another attempt than *attempt* holds a batch that has to be given up."""
    if holder != attempt:
        raise _fenced(table, f"batch {batch_id} must be given up, but another task may be reading it")


def _fenced(table: str, why: str) -> Fenced:
    return Fenced(
        f"table {table}: the table changed while the decision was being recorded: {why}. Tables that recorded the decision keep "
        "it, and no batch was given up.",
        do="Run the same command again: it previews the offsets that will not be read.",
    )


def not_known(table: str) -> WalUnusable:
    """The error for a routed *table* that is registered, and of which the log has no record."""
    return older_log(f"the write-ahead log does not know table {table}, which is registered", State.NOTHING_CHANGED)


def refuse_reread(table: str, planned: Iterable[Batch]) -> None:
    """Raise DecisionRefused if a batch that is not closed reads records again that the routed *table* may have.

    The retirement would begin with that batch, and make dead letters of records that this table has, or another of theirs.
    """
    again = united(p.range for b in planned if not b.closed and not b.has_survey for p in b.ranges)
    if again:
        raise DecisionRefused(
            f"table {table}: {listed(again)} is read for all tables after a recovery, or by a backfill.",
            State.NOTHING_CHANGED,
            "Run the pipeline, or `bin/lakelock backfill FILE --yes` for a backfill, until these batches are written. "
            "Then retire the table.",
        )
