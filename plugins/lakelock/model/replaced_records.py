"""Records that changed after their commit, by a replace or a redrive, derived from two ledgers of a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from lakelock.model.batches import of_target, plain_range
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, overlap, united, without
from lakelock.model.operator_log import Decided, What


def replaced(ledger: Ledger) -> list[OffsetRange]:
    """Records whose rows were replaced: older files hold other rows for them."""
    return united(r for d in ledger.decisions if d.what is What.REPLACE for r in d.ranges)


def _name(decision: Decided) -> tuple[What, str, str, datetime]:
    return decision.what, decision.who, decision.why, decision.at


def since(before: Ledger | None, now: Ledger) -> list[tuple[Decided, list[OffsetRange]]]:
    """Ranges replaced after *before*, each with its decision."""
    then = {_name(d): d.ranges for d in (before.decisions if before else ())}
    out = []
    for decision in now.decisions:
        ranges = without(decision.ranges, then.get(_name(decision), ())) if decision.what is What.REPLACE else []
        if ranges:
            out.append((decision, ranges))
    return out


def undone(head: Ledger, at: Ledger | None) -> list[tuple[Decided, list[OffsetRange]]]:
    """Replace decisions that a rollback to *at* undoes, each with the ranges that then show their old rows."""
    there = at.coverage.data.ranges if at else []
    found = [(decision, overlap(ranges, there)) for decision, ranges in since(at, head)]
    return [(decision, ranges) for decision, ranges in found if ranges]


def overtaken(ranges: Sequence[OffsetRange], before: Ledger, now: Ledger) -> str:
    """Why rows of *ranges* read at *before* must not be committed: newer rows may exist. Empty if they may be."""
    for decision, again in since(before, now):
        if overlap(ranges, again):
            return f"{decision.who} has replaced some of these records since ({decision.why})"
    if overlap(ranges, before.coverage.redriven) != overlap(ranges, now.coverage.redriven):
        return "some of its dead letters have become rows since"
    return ""


def still_changed(ranges: Sequence[OffsetRange], then: Ledger | None, now: Ledger) -> bool:
    """Whether any rows of *ranges* that the table had at *then* are unchanged *now*, so that manual changes made to
    them at that time are still visible.
    """
    there = overlap(ranges, then.coverage.data.ranges) if then else []
    return bool(without(there, [r for _, again in since(then, now) for r in again]))


def dead_letters_again(head: Coverage, after: Coverage) -> list[OffsetRange]:
    """Redriven dead letters whose rows are gone *after*. They are open again if a dead-letter table still has them."""
    return without(head.redriven, after.redriven)


def lost_for_good(table: str, again: Sequence[OffsetRange], dead_letters: Coverage) -> list[OffsetRange]:
    """Those of *table*'s dead letters *again* that were declared lost; *dead_letters* is the joint dead-letter coverage."""
    out = without(dead_letters.ranges, dead_letters.data.ranges)
    return overlap(again, [plain_range(r) for r in out if of_target(r.source)[0] == table])
