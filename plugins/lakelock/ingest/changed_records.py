"""Records that changed after their commit, by a replace or a redrive, derived from ledgers of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from lakelock.ingest.outcome import listed, without_links
from lakelock.model.batches import of_target, plain_range
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, offsets_in, overlap, united, without
from lakelock.model.operator_log import Decided, What
from lakelock.model.units import counted


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


@dataclass(frozen=True, slots=True)
class Undone:
    """Changes of records that a table undoes by going back to an earlier state.

    * `replaces` has decisions, each with the offsets that show their earlier rows again.
    * `reopened` counts redriven dead letters that are open again, `gone` those that no dead-letter table still has.
    """

    replaces: tuple[tuple[Decided, list[OffsetRange]], ...] = ()
    reopened: int = 0
    gone: int = 0

    @property
    def lines(self) -> list[str]:
        """Text for a preview."""
        return [*(_as_before(decision, ranges) for decision, ranges in self.replaces), *self.left]

    @property
    def left(self) -> list[str]:
        """Lines about rows that are not committed again by themselves."""
        return [
            *([f"{counted(self.reopened, 'redriven dead letter')} are open again: redrive them again"] if self.reopened else []),
            *([f"{counted(self.gone, 'redriven dead letter')} are lost with their rows, because the dead letters "
               "themselves were declared lost"] if self.gone else []),
        ]  # fmt: skip


def changes_undone(
    table: str, head: Ledger, at: Ledger | None, after: Ledger, dead_letters: Callable[[], Coverage] = Coverage
) -> Undone:
    """The changes that *table* undoes by going back from *head* to *at*; its ledger is then *after*.

    *dead_letters* reads the joint coverage of the dead-letter tables, if it matters; without it, none counts as gone.
    """
    again = dead_letters_again(head.coverage, after.coverage)
    gone = lost_for_good(table, again, dead_letters()) if again else []
    return Undone(tuple(replaces_undone(head, at)), offsets_in(again) - offsets_in(gone), offsets_in(gone))


def replaces_undone(head: Ledger, at: Ledger | None) -> list[tuple[Decided, list[OffsetRange]]]:
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


def _as_before(decision: Decided, ranges: Sequence[OffsetRange]) -> str:
    """Describe a replace that a rollback undoes; *ranges* are shown as before it."""
    at = f"{decision.at:%Y-%m-%d %H:%M:%S} by {decision.who} ({without_links(decision.why)})"
    return f"undoes the replace of {at}: {decision.about}: {listed(ranges)}"
