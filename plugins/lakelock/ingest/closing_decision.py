"""Decisions on batches whose tables become known while they are written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace

from lakelock.errors import BatchChanged, State
from lakelock.model.batches import NO_TABLE, Closing, PartResult
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import PartNote, PartState
from lakelock.model.offsets import OffsetRange, overlap, without
from lakelock.model.registry import RegisteredTable
from lakelock.model.route_evidence import RouteEvidence


def fault_of(
    closing: Closing,
    ranges: Set[OffsetRange],
    have_parts: Collection[str],
    routed: Collection[str],
) -> str | None:
    """Why a batch of *ranges* cannot be closed like this, or None.

    *have_parts* are the tables with which it was planned; *routed* are those of its tables that the log knows as routed. Of any
    other table it would never be known for which offsets it has no records.
    """
    if len(closing.books) != len(ranges) or {b.range for b in closing.books} != ranges:
        return "the books of the batch are not of its ranges"
    if odd := [b.range for b in closing.books if not b.balanced]:
        return f"the books of the batch do not add up at {odd[0]}"
    topics = {r.source.topic for r in ranges}
    for table, fed in sorted(closing.tables.items()):
        if table not in routed:
            return f"table {table} is not recorded as a routed table"
        if table in have_parts:
            return f"table {table} has a part already"
        if not fed or not topics.issuperset(fed) or len(set(fed)) < len(fed):
            return f"table {table} has other topics than the batch"
    return None


def retired_since(closing: Closing, ranges: Set[OffsetRange], retirements: Mapping[str, RegisteredTable]) -> str | None:
    """Why a batch of *ranges* cannot have the tables of *closing* any more, or None.

    Of tables with *retirements*, records of these offsets are dead letters, which an attempt that began before does not know.
    """
    for table in sorted(closing.tables.keys() & retirements.keys()):
        known = retirements[table]
        if known.is_retired or known.retirement.has(sorted(ranges)):
            return f"table {table} was retired"
    return None


def overtaken(batch_id: str, attempt: str, why: str) -> BatchChanged:
    """The error for an attempt that holds its batch, and is refused because a decision changed the batch while it wrote."""
    return BatchChanged(
        f"batch {batch_id}: nothing of attempt {attempt} was staged: {why}.",
        State.ORPHANED,
        "The next attempt begins with what is there now.",
    )


def fault_of_letters(
    unroutable: Mapping[OffsetRange, int], letters: PartResult | None, *, due: bool, writes_routed: bool
) -> str | None:
    """Why *letters*, the dead letters of NO_TABLE in a stage, cannot be staged or be absent, or None.

    They are *due* with the closing, and if they are planned again. Then they are exactly those that the batch's books count:
    *unroutable*, by range. What is written of routed tables together with them was decided by one reading.
    """
    wanted = {r: n for r, n in unroutable.items() if n}
    if letters is None:
        missing = due and wanted and writes_routed
        return "the dead letters that no table is known for are missing" if missing else None
    if not due:
        return f"dead letters of {NO_TABLE} are staged with the closing only"
    if len(letters.books) != len(wanted) or {b.range: b.read for b in letters.books} != wanted:
        return "the dead letters that no table is known for are not those of the batch's books"
    return None


def fault_of_uuids(parts: Sequence[PartResult], bound: Mapping[str, str | None]) -> str | None:
    """Why *parts* of routed tables cannot be staged, or None; *bound* has the UUIDs of routed tables.

    An attempt may have begun before a name was bound to another table. Its part could never be committed.
    """
    for part in parts:
        uuid = None if part.target else bound.get(part.table)
        if uuid is not None and uuid != part.identity.uuid:
            return f"table {part.table} was written as UUID {part.identity.uuid}, but the name is bound to {uuid} since"
    return None


def as_planned(evidence: RouteEvidence | None, ledger: Ledger, notes: Sequence[PartNote]) -> Coverage:
    """The coverage with which to decide what a table lacks: that of *ledger*, of a routed table as `RouteEvidence.as_planned`.

    *notes* may be newer than *evidence*: what is open in either of them is not covered.
    """
    if evidence is None:
        return ledger.coverage
    still_open = [r for n in notes if n.state is not PartState.COMMITTED for r in n.ranges]
    both = replace(evidence, open=(*evidence.open, *still_open))
    return both.as_planned(ledger.coverage, ledger.generation)


def without_gaps(ranges: Sequence[OffsetRange], gaps: Sequence[OffsetRange]) -> list[OffsetRange] | None:
    """What is left to read of a batch of *ranges* that is not closed, if *gaps* are never read; None if that is all of it."""
    return without(ranges, gaps) if overlap(ranges, gaps) else None
