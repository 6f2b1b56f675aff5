"""Decide what a table owes after a rollback: the ranges that were removed from it, until they are back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Rollback
from lakelock.model.offsets import OffsetRange, united, without
from lakelock.rollback import decision as rollback

from model.tables.fill_decision import adding


def rolled_back(
    head: Ledger,
    owed: Sequence[OffsetRange],
    at: Ledger | None,
    record: Rollback,
    commit_id: str,
    filled_since: Iterable[OffsetRange],
) -> tuple[Ledger, tuple[OffsetRange, ...]]:
    """The ledger after a rollback to the snapshot whose ledger was *at*, and what the table then owes.

    The table keeps ranges that were only filled since that snapshot: no record of them was removed.
    """
    removed = without(rollback.taken_out(head.coverage, at.coverage if at else Coverage()), filled_since)
    after = rollback.rolled_back(head, at, record, commit_id)
    kept = without(head.coverage.ranges, [*removed, *after.coverage.ranges])
    coverage = adding(after.coverage, kept, after.generation)
    decided = after.decided(commit_id, coverage, after.decisions)
    return decided, tuple(without(united([*owed, *removed]), coverage.ranges))


def repaid(owed: Sequence[OffsetRange], landed: Iterable[OffsetRange]) -> tuple[OffsetRange, ...]:
    """What a table still owes after *landed* was committed to it."""
    return tuple(without(owed, landed))
