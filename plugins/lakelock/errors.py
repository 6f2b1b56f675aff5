"""Every error lakelock raises, by what a caller should do about it.

LakelockError
├── Retryable            the next attempt may succeed; nothing was decided
│   ├── Unreachable      a server did not answer (broker, Postgres, catalog, Spark, warehouse)
│   ├── BatchBusy        another live attempt works on the batch
│   ├── PlanConflict     another planner was faster
│   ├── NothingToInfer       no record shows the columns of a table that is to be created
│   ├── CommitConflict   the table moved under a commit: reload, decide again
│   ├── BackfillUnfinished   others still write what was asked for
│   ├── ReplaceUnfinished    rows that were read again came too late to take the place of the old ones
│   └── CompactionTooSlow · RedriveTooSlow   files took so long to be written that a clean-up may delete them
├── OutcomeUnknown       an effect was sent and no answer proves or disproves it: read before acting
└── Terminal             a person or a newer attempt must act first
    ├── ConfigFaults         a pipeline file is wrong (all faults at once)
    ├── RunRefused           the configuration of one run does not fit the pipeline
    ├── ConnectionFault      an Airflow connection is missing or incomplete
    ├── AccessDenied         wrong password, missing right
    ├── Fenced               a newer attempt or generation exists
    ├── WalUnusable          Postgres is a replica, has an unknown schema, or lost what its tables know
    ├── RollbackRefused      a table cannot go back to where somebody wants it
    ├── DecisionRefused      what somebody decided does not fit what tables and Kafka hold
    ├── BackfillRefused      an interval cannot be asked for
    ├── ReplaceRefused       rows of an interval cannot be read again in place of those that are there
    ├── RedriveRefused       dead letters cannot become rows as things are
    ├── RecoveryRefused      the log cannot be rebuilt while a table cannot be read
    ├── CleanUpRefused       files cannot be told to be orphans
    ├── ClockBehind          this machine's clock is behind the table it would commit to
    ├── TopicMissing · TopicRecreated · HistoryMissing
    ├── TableMissing · TableReplaced · TableUnfit · BadTableDefinition
    ├── LedgerForeign · LedgerDetached · LedgerUnreadable
    ├── CatalogUnfit         the catalog's compare-and-swap does not hold
    ├── DeadLetterLimit      too many records would become dead letters
    └── BooksUnbalanced      read ≠ written + dead letters + filtered: a bug, never committed

An error says what happened, what state things are in (`State`), and what to do. It pickles as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class State(Enum):
    """The state that an error leaves things in; the value is the sentence that says so."""

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
    TABLE_WAITS = "Nothing was changed, Kafka's records and staged files are kept, and other tables go on."
    LOG_KEPT = "The log was left as it is."
    READ_KEPT = "What was read before is kept."
    ROWS_KEPT = "Nothing was changed: the rows stay as they are."
    FILES_KEPT = "Nothing was changed: the files to rewrite stay as they are."
    ORPHANED = "Nothing was changed, and `orphans` deletes the files that were written."
    JOB_REPEATED = "Nothing references the files that the job wrote; the next attempt writes them again."
    DEAD_LETTERS_KEPT = "Nothing was changed: dead letters and table are as they were."


BUG = "This is a bug: please report it with this line."

# Of a batch that another attempt writes again.
OF_A_BATCH = frozenset({State.BATCH_PLANNED, State.PART_PLANNED})


class LakelockError(Exception):
    """Root of all errors raised on purpose: *what* happened, what state things are in, what to *do*; each in sentences."""

    def __init__(self, what: str, state: State | None = None, do: str = "") -> None:
        super().__init__(what, state, do)
        self.what, self.state, self.do = what, state, do

    def __str__(self) -> str:
        return " ".join(filter(None, [self.what, self.state.value if self.state else "", self.do]))

    def keeping(self, state: State) -> LakelockError:
        """The same error by a caller that knows better what state things are in."""
        out = type(self)(self.what, state, self.do)
        out.__cause__ = self
        return out

    @property
    def fields(self) -> dict[str, str]:
        """For JSON; `from_fields` reads it."""
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
    """Another attempt, whose heartbeat is fresh, works on the batch."""


class PlanConflict(Retryable):
    """Another planner moved the frontier first."""


class NothingToInfer(Retryable):
    """A table is to be created with inferred columns, and Kafka has no JSON object with fields yet."""


class CommitConflict(Retryable):
    """The table moved between load and commit; nothing landed."""


class BackfillUnfinished(Retryable):
    """Some of what a backfill is to bring is not in the tables yet."""


class ReplaceUnfinished(Retryable):
    """Rows were read again, and the files of the old ones were rewritten by others meanwhile, or it took too long."""


class CompactionTooSlow(Retryable):
    """Files that were rewritten are so old that a clean-up may take them for orphans; nothing landed."""


class RedriveTooSlow(Retryable):
    """Rows of dead letters are so old that a clean-up may take their files for orphans; nothing landed."""


class OutcomeUnknown(LakelockError):
    """An effect was sent, and no answer proves or disproves that it happened."""


# A later try may do, without anybody mending anything: the exit code of a command says so.
LATER = (Retryable, OutcomeUnknown)


class Terminal(LakelockError):
    """A person, or a newer attempt, must act first."""


class ConfigFaults(Terminal):
    """A pipeline file is wrong; the message lists every fault with file and line."""


class RunRefused(Terminal):
    """The configuration of a run names what its form or the pipeline does not have."""


class ConnectionFault(Terminal):
    """An Airflow connection is missing or incomplete."""


class AccessDenied(Terminal):
    """A server refused the credentials or a right is missing."""


class Fenced(Terminal):
    """A newer attempt of the batch, or a newer generation of the table, exists."""


class JobCancelled(Terminal):
    """A Spark job was stopped while it ran; nothing of it is used."""


class WalUnusable(Terminal):
    """Postgres is a replica, holds what this release cannot read, or lost what its tables still know."""


class RollbackRefused(Terminal):
    """A table cannot go back to the snapshot that was asked for, or what would follow cannot be done."""


class DecisionRefused(Terminal):
    """What somebody decided does not fit what the tables and Kafka hold, or is more than they were shown."""


class BackfillRefused(Terminal):
    """What a backfill was to bring cannot be asked for, or is more than was shown."""


class ReplaceRefused(Terminal):
    """What a table has of an interval cannot be read again as the same records, or not be told from other rows."""


class RedriveRefused(Terminal):
    """Dead letters cannot become rows as tables and dead-letter tables are, or more would than was shown."""


class RecoveryRefused(Terminal):
    """The log would be rebuilt without a table of the file, or what nothing else has would be lost; or more than was shown."""


class CleanUpRefused(Terminal):
    """What the write-ahead log or a folder shows does not prove which files are orphans."""


class ClockBehind(Terminal):
    """This machine's clock is behind what a table already holds."""


class TopicMissing(Terminal):
    """A topic that the pipeline reads does not exist."""


class TopicRecreated(Terminal):
    """A topic has another topic id than the ranges that were planned from it."""


class HistoryMissing(Terminal):
    """Kafka no longer holds offsets that were not read yet."""


class TableMissing(Terminal):
    """A table that lakelock has written to is gone."""


class TableReplaced(Terminal):
    """A table of this name exists, but it is not the one lakelock wrote to."""


class TableUnfit(Terminal):
    """A table cannot take the pipeline's rows as it is."""


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


class BooksUnbalanced(Terminal):
    """Read is not written + dead letters + filtered for a range."""


def from_fields(fields: Mapping[str, str]) -> LakelockError:
    """The error of another process; Retryable if this release has no such class."""
    found = globals().get(fields["kind"])
    kind = found if isinstance(found, type) and issubclass(found, LakelockError) else Retryable
    return kind(fields["what"], State[fields["state"]] if fields["state"] else None, fields["do"])
