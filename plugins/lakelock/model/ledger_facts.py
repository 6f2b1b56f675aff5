"""What a table says of its owner and its ledger, and the refusal of anything that does not fit together (fail closed)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lakelock.errors import LedgerDetached, LedgerForeign, State
from lakelock.model.ledger import Ledger, parse


@dataclass(frozen=True, slots=True)
class LedgerMarks:
    """The places that hold a pipeline's ledger, for messages, in the terms of the table's format.

    *newest* names the version of its newest commit, *owner* the installation; *found_by* says how an operator finds the
    version that *newest* named.
    """

    newest: str
    owner: str
    found_by: str

    @property
    def restore(self) -> str:
        return f"Restore its {self.newest} and its {self.owner} ({self.found_by})"


@dataclass(frozen=True, slots=True)
class LedgerFacts:
    """A table's stored ledger values, before validation.

    *summary* is of the pipeline's newest version, with side files already read. `is_in_history`
    is None if versions that would show it have expired.
    """

    table: str
    owner: str | None
    summary: Mapping[str, str] | None
    is_in_history: bool | None
    marks: LedgerMarks


def resolve(facts: LedgerFacts, pipeline: str, installation_id: str) -> Ledger | None:
    """The table's ledger, or None for a table that no lakelock pipeline of this name ever adopted.

    Raises LedgerForeign, LedgerDetached or LedgerUnreadable: missing values never make a table count as new.
    """
    marks = facts.marks
    if facts.owner is None and facts.summary is None:
        return None
    if facts.owner is None or facts.summary is None:
        lost = marks.newest if facts.summary is None else marks.owner
        raise LedgerDetached(
            f"{facts.table}: the table belongs to pipeline {pipeline!r}, but its {lost} is gone, so lakelock does not "
            "know what the table holds.",
            State.STAGED,
            f"{marks.restore}, or give the pipeline another name and table.",
        )
    if facts.owner != installation_id:
        raise LedgerForeign(
            f"{facts.table}: pipeline {pipeline!r} of another installation ({facts.owner}) owns this table; this one is "
            f"{installation_id}.",
            State.NOTHING_CHANGED,
            "Two environments must not write to one table under one pipeline name. If this Postgres replaces one that "
            "is lost, run `bin/lakelock recover FILE --take-over`.",
        )
    ledger = parse(facts.summary, facts.table)
    if ledger.installation_id != installation_id or ledger.pipeline != pipeline:
        raise LedgerForeign(
            f"{facts.table}: its {marks.newest} names a snapshot of pipeline {ledger.pipeline!r}, installation "
            f"{ledger.installation_id}.",
            State.NOTHING_CHANGED,
            "Let it name this pipeline's newest snapshot again.",
        )
    if facts.is_in_history is not True:
        how = (
            "was rolled back or replaced by another tool"
            if facts.is_in_history is False
            else "has expired snapshots between the head and lakelock's newest commit"
        )
        raise LedgerDetached(
            f"{facts.table}: the table {how}: commit {ledger.commit_id} ({marks.newest}) is not in the branch's "
            "history.",
            State.STAGED,
            "Run `bin/lakelock recover FILE` to continue from the table's current state, or set the branch to a snapshot "
            "that follows that commit, and run again.",
        )
    return ledger
