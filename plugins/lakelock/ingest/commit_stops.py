"""Explain a commit that appends nothing: by a normal outcome, or by an error that says what to do."""

from __future__ import annotations

from lakelock.errors import Fenced, State, TableUnfit
from lakelock.ingest.commit_decision import Decision
from lakelock.ingest.outcome import CommitOutcome


def unread(table: str, hole: str) -> TableUnfit:
    """The error for missing offsets that no open batch has."""
    return TableUnfit(
        f"table {table}: {hole}, and no open batch holds these offsets. Later batches wait; other tables continue. This happens "
        "if the pipeline file did not name the table for a while.",
        State.STAGED,
        "Run `bin/lakelock recover FILE` to read them. If another tool set the table and its ledger back, undo that, or "
        "run `bin/lakelock recover FILE --restored`. If Kafka no longer has the records, run `bin/lakelock accept-loss FILE "
        "--why TEXT`.",
    )


def nothing_appended(table: str, decision: Decision) -> CommitOutcome:
    """The outcome of a commit without parts to append. Raises Fenced if a part was refused."""
    if decision.refused:
        part, reason = decision.refused[0]
        raise Fenced(
            f"table {table}: batch {part.batch_id} must not be committed: {reason}.",
            State.STAGED,
            "The table was set back to an older metadata file, or this Postgres is not the newest one that the table belongs to: "
            "restore the newest metadata file and run again, or continue from the tables' state: `bin/lakelock recover FILE "
            "--restored`.",
        )
    if decision.waiting:
        part, reason = decision.waiting[0]
        return CommitOutcome(table, None, (), 0, f"{table}: batch {part.batch_id} waits: {reason}")
    return CommitOutcome(table, None, (), 0, f"{table}: nothing new to commit")
