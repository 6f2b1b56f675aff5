"""Errors that lakelock raises on purpose, grouped by how a caller should react.

LakelockError
├── Retryable            the next attempt may succeed; nothing was decided
│   ├── Unreachable      a server did not answer (broker, Postgres, catalog, Spark, warehouse)
│   ├── BatchBusy        another live attempt is working on the batch
│   ├── BatchChanged     a decision changed the batch while it was written
│   ├── PlanConflict     another planner moved the frontier first
│   ├── NothingToInfer       Kafka has no record yet from which to infer a new table's columns
│   ├── CommitConflict   the table changed during a commit: reload, decide again
│   ├── BackfillUnfinished   another attempt is still writing part of the backfill
│   ├── ReplaceUnfinished    the old rows' files changed, or reading the records again took too long
│   └── CompactionTooSlow · RedriveTooSlow   the new files are so old that an orphan clean-up may delete them
├── OutcomeUnknown       a request was sent and no answer proves or disproves its effect: read before acting
└── Terminal             a person or a newer attempt must act first
    ├── ConfigFaults         a pipeline file is wrong (all faults at once)
    ├── RunRefused           the configuration of one run does not fit the pipeline
    ├── ConnectionFault      an Airflow connection is missing or incomplete
    ├── AccessDenied         wrong password or missing permission
    ├── Fenced               a newer attempt or generation exists
    ├── WalUnusable          Postgres is a replica, has an unknown schema, or is behind its tables
    ├── RollbackRefused      a table cannot go back to the requested snapshot
    ├── DecisionRefused      an operator's decision does not fit what tables and Kafka hold
    ├── BackfillRefused      an interval cannot be backfilled
    ├── ReplaceRefused       the rows of an interval cannot be replaced by reading their records again
    ├── RedriveRefused       dead letters cannot become rows in the current state of the tables
    ├── RecoveryRefused      the log cannot be rebuilt while a table cannot be read
    ├── CleanUpRefused       lakelock cannot prove which files are orphans
    ├── ClockBehind          this machine's clock is behind the table it would commit to
    ├── TopicMissing · TopicRecreated · HistoryMissing
    ├── TableMissing · TableReplaced · TableUnfit · BadTableDefinition
    ├── LedgerForeign · LedgerDetached · LedgerUnreadable
    ├── CatalogUnfit         the catalog's compare-and-swap does not hold
    ├── DeadLetterLimit      too many records would become dead letters
    ├── CheckFailed          a row fails a check that stops the batch
    └── BooksUnbalanced      read ≠ written + dead letters + filtered: a bug, never committed

Each error has three parts: what happened, what state things are in (`State`), and what to do. Errors can be pickled.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class State(Enum):
    """State of the system after an error; the value is the sentence that a user reads."""

    NOTHING_CHANGED = "Nothing was changed."
    NOTHING_CREATED = "Nothing was created."
    NOTHING_DELETED = "No file was deleted."
    NOTHING_PLANNED = "Nothing was planned."
    NOTHING_READ = "Nothing was read."
    NOTHING_SKIPPED = "Nothing was skipped."
    NOTHING_STOPPED = "Nothing was stopped."
    NOTHING_WRITTEN = "Nothing was written."
    BATCH_PLANNED = "Nothing was staged, the batch stays planned and Kafka keeps the records."
    PART_PLANNED = "Nothing of this table was staged; its part of the batch stays planned and Kafka keeps the records."
    STAGED = "Nothing was changed and staged files are kept."
    STAGED_KEPT = "Staged files are kept."
    DONE_KEPT = "What was staged or committed before is kept."
    TABLE_WAITS = "Nothing was changed, Kafka's records and staged files are kept, and other tables continue."
    LOG_KEPT = "The log was left as it is."
    READ_KEPT = "What was read before is kept."
    ROWS_KEPT = "Nothing was changed: the rows stay as they are."
    FILES_KEPT = "Nothing was changed: the files to rewrite stay as they are."
    ORPHANED = "Nothing was changed, and `orphans` deletes the files that were written."
    JOB_REPEATED = "Nothing references the files that the job wrote; the next attempt writes them again."
    DEAD_LETTERS_KEPT = "Nothing was changed: dead letters and table are as they were."


BUG = "This is a bug: please report it with this line."

# States of a batch that another attempt will write again.
OF_A_BATCH = frozenset({State.BATCH_PLANNED, State.PART_PLANNED})


class LakelockError(Exception):
    """Root of all errors that lakelock raises on purpose; *what* and *do* are whole sentences."""

    def __init__(self, what: str, state: State | None = None, do: str = "") -> None:
        super().__init__(what, state, do)
        self.what, self.state, self.do = what, state, do

    def __str__(self) -> str:
        return " ".join(filter(None, [self.what, self.state.value if self.state else "", self.do]))

    def keeping(self, state: State) -> LakelockError:
        """The same error with the more precise *state* that a caller knows."""
        out = type(self)(self.what, state, self.do)
        out.__cause__ = self
        return out

    @property
    def fields(self) -> dict[str, str]:
        """Fields for JSON; inverse of `from_fields`."""
        return {
            "kind": type(self).__name__,
            "what": self.what,
            "state": self.state.name if self.state else "",
            "do": self.do,
        }


class Retryable(LakelockError):
    """The next attempt may succeed; nothing was decided."""


class Unreachable(Retryable):
    """A server did not answer in time."""


class BatchBusy(Retryable):
    """Another attempt with a recent heartbeat is working on the batch."""


class BatchChanged(Retryable):
    """A decision, such as the retirement of a table, changed the batch while an attempt wrote it."""


class PlanConflict(Retryable):
    """Another planner moved the frontier first."""


class NothingToInfer(Retryable):
    """Columns of a new table must be inferred, but Kafka has no JSON object with fields yet."""


class CommitConflict(Retryable):
    """The table changed between load and commit; nothing was committed."""


class BackfillUnfinished(Retryable):
    """Part of a backfill is not in the tables yet."""


class ReplaceUnfinished(Retryable):
    """A replace was not committed: other writers rewrote the old rows' files, or it took too long."""


class CompactionTooSlow(Retryable):
    """Rewritten files are so old that an orphan clean-up may delete them; nothing was committed."""


class RedriveTooSlow(Retryable):
    """Files of redriven rows are so old that an orphan clean-up may delete them; nothing was committed."""


class OutcomeUnknown(LakelockError):
    """A request was sent, and no answer proves or disproves its effect."""


# A retry may succeed without any fix: the exit code of a command says so.
LATER = (Retryable, OutcomeUnknown)


class Terminal(LakelockError):
    """A person, or a newer attempt, must act first."""


class ConfigFaults(Terminal):
    """A pipeline file is wrong; the message lists every fault with file and line."""


class RunRefused(Terminal):
    """The configuration of a run has names that neither its form nor the pipeline has."""


class ConnectionFault(Terminal):
    """An Airflow connection is missing or incomplete."""


class AccessDenied(Terminal):
    """A server refused the credentials, or a permission is missing."""


class Fenced(Terminal):
    """A newer attempt of the batch, or a newer generation of the table, exists."""


class JobCancelled(Terminal):
    """A Spark job was stopped while it ran; its output is not used."""


class WalUnusable(Terminal):
    """Postgres is a replica, has a schema that this release cannot read, or is behind its tables."""


class RollbackRefused(Terminal):
    """A table cannot go back to the requested snapshot, or what must follow the rollback is impossible."""


class DecisionRefused(Terminal):
    """A decision does not fit what the tables and Kafka hold, or covers more than its preview showed."""


class BackfillRefused(Terminal):
    """A backfill cannot be requested, or covers more than its preview showed."""


class ReplaceRefused(Terminal):
    """The records of an interval can no longer be read in full, or their rows cannot be distinguished from others."""


class RedriveRefused(Terminal):
    """Dead letters cannot become rows in the current state of the tables, or there are more than the preview showed."""


class RecoveryRefused(Terminal):
    """A table of the file is missing, records would be lost, or the recovery does more than its preview showed."""


class CleanUpRefused(Terminal):
    """Neither the write-ahead log nor the folder proves which files are orphans."""


class ClockBehind(Terminal):
    """This machine's clock is behind a time that a table already records."""


class TopicMissing(Terminal):
    """A topic that the pipeline reads does not exist."""


class TopicRecreated(Terminal):
    """A topic's id differs from that of the ranges that were planned from it."""


class HistoryMissing(Terminal):
    """Kafka no longer holds offsets that lakelock has not read."""


class TableMissing(Terminal):
    """A table that lakelock has written to is gone."""


class TableReplaced(Terminal):
    """A table of this name exists, but it is not the one lakelock wrote to."""


class TableUnfit(Terminal):
    """A table cannot take the pipeline's rows in its current form."""


class RouteLimit(Terminal):
    """Records ask for more routed tables than the pipeline file allows."""


class BadTableDefinition(Terminal):
    """The declared columns, partitioning or properties of a new table are wrong."""


class LedgerForeign(Terminal):
    """The table's ledger belongs to another installation."""


class LedgerDetached(Terminal):
    """The table's history no longer contains lakelock's newest commit."""


class LedgerUnreadable(Terminal):
    """The table's ledger cannot be understood by this release."""


class CatalogUnfit(Terminal):
    """The catalog accepts commits that it must refuse."""


class DeadLetterLimit(Terminal):
    """More records than the pipeline allows would become dead letters."""


class CheckFailed(Terminal):
    """A record's row fails a check that stops the batch."""


class BooksUnbalanced(Terminal):
    """For a range, read differs from written + dead letters + filtered."""


def meaning_of(kind: str) -> str:
    """What the error class *kind* means, if its errors wait for a fix; else empty, also if this release has no such class."""
    found = globals().get(kind)
    waits = isinstance(found, type) and issubclass(found, Terminal) and not issubclass(found, (Fenced, JobCancelled))
    return (found.__doc__ or "").rstrip(".") if waits else ""


def from_fields(fields: Mapping[str, str]) -> LakelockError:
    """Rebuild an error from another process; Retryable if this release has no such class."""
    found = globals().get(fields["kind"])
    kind = found if isinstance(found, type) and issubclass(found, LakelockError) else Retryable
    return kind(fields["what"], State[fields["state"]] if fields["state"] else None, fields["do"])
