"""The outcomes that steps return; `line` is the one sentence for the log."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from lakelock.model.batches import LIVE, NO_TABLE, Batch, Books, PartResult
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.ledger import Ledger, Mode
from lakelock.model.log_state import Following
from lakelock.model.offsets import OffsetRange, offsets_in
from lakelock.model.operator_log import ranges_of, rows_of
from lakelock.model.units import counted, one_line


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """The outcome of planning; `batch_id` is None if there is nothing to write.

    `something_staged`: a commit may be due. `is_new`: planned just now, not before. `is_stopped`: everything left to
    read lies behind the run's stop. `offsets` are those of the batch, or of the one that a dry run would have planned.
    """

    batch_id: str | None
    something_staged: bool
    publish_due: bool
    line: str
    backlog_offsets: int = 0
    is_new: bool = False
    is_stopped: bool = False
    offsets: int = 0


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """Totals over all tables of a batch; `dead` counts dead letters, not files of the dead-letter table.

    `goes_on`: new offsets still wait behind this batch, which was read again for some table, or planned in pieces.
    `waits`: nothing of the batch could be written yet, without a fault. It holds up only its own tables.
    `columns_changed` are the changes of columns that this attempt made, also of tables that it could not write then.
    `left_out` counts values whose columns were dropped.
    """

    batch_id: str
    line: str
    offsets: int = 0
    goes_on: bool = False
    read: int = 0
    rows: int = 0
    dead: int = 0
    files: int = 0
    size_bytes: int = 0
    seconds: float = 0.0
    waits: bool = False
    columns_changed: tuple[ColumnsChanged, ...] = ()
    left_out: int = 0

    def after(self, changes: Sequence[ColumnsChanged]) -> WriteOutcome:
        """The outcome of a batch that made these *changes* of columns; its line names them."""
        return replace(self, columns_changed=tuple(changes), line="; ".join([self.line, *(c.line for c in changes)]))


@dataclass(frozen=True, slots=True)
class CommitOutcome:
    """The outcome of a commit; `version_id` is None if nothing was appended (not due, or already in the table).

    `columns_changed` are the changes of columns since the last commit of batches.
    """

    table: str
    version_id: int | None
    ranges: tuple[OffsetRange, ...]
    rows: int
    line: str
    columns_changed: tuple[ColumnsChanged, ...] = ()

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> CommitOutcome:
        """From `fields`, after a round trip through JSON."""
        changes = tuple(map(ColumnsChanged.of, fields.get("columns_changed", ())))
        return cls(**{**fields, "ranges": ranges_of(fields["ranges"]), "columns_changed": changes})

    @property
    def fields(self) -> dict[str, Any]:
        """Values for JSON."""
        # Airflow keeps no tuples.
        changed = [{**asdict(c), "changes": list(c.changes)} for c in self.columns_changed]
        return {**asdict(self), "ranges": rows_of(self.ranges), "columns_changed": changed}


def without_links(text: str) -> str:
    """Text from outside for a page that renders Markdown: without links, on one line.

    GitHub's Markdown also links bare addresses, even those that result from its own escapes. A blank breaks them up
    and keeps them readable.
    """
    text = one_line(text).replace("](", "] (").replace("<", "‹")
    text = re.sub(r"&(?=[#\w])|\\(?=[:/.@])", r"\g<0> ", text)
    text = re.sub(r"(?<=[\w.+-])@(?=\w)", " @ ", text.replace("://", ": //"))
    return re.sub(r"(?i)(www)(?=\.)", r"\1 ", text)


def followed(ledger: Ledger, done: Following) -> str:
    """Describe what the log did with a table's batches after a rollback to *ledger*."""
    again = counted(len(done.restage), "batch", "batches")
    parts = [f"{again} will be committed again (or read again if files are gone or no longer fit)"]
    if done.abort:
        skips = ledger.rollback is not None and ledger.rollback.mode is Mode.SKIP
        # A backfill may have requested some of them before the log followed.
        fate = ("skipped, or read again" if done.redo else "skipped") if skips else "read again"
        parts.append(f"the records of {counted(len(done.abort), 'batch', 'batches')} are {fate}")
    parts.append(f"{counted(offsets_in(done.redo), 'offset')} will be read from Kafka again")
    return f"rolled back to generation {ledger.generation}: {', '.join(parts)}"


def withheld(by_topic: Mapping[str, int], shown: int = 5) -> str:
    """The end of a log line about offsets that the run leaves unread behind its stop; empty if there are none."""
    if not by_topic:
        return ""
    most = sorted(by_topic.items(), key=lambda of: (-of[1], of[0]))
    text = ", ".join(f"{counted(offsets, 'offset')} of {topic}" for topic, offsets in most[:shown])
    text += f" and of {len(most) - shown} more topics" if len(most) > shown else ""
    return f"; left unread after this run's stop: {text}"


def listed(ranges: Sequence[OffsetRange], shown: int = 4) -> str:
    """Ranges for a log line: the first few, and how many more."""
    text = ", ".join(str(r) for r in ranges[:shown])
    return text if len(ranges) <= shown else f"{text} and {len(ranges) - shown} more"


def written_outcome(
    batch: Batch, parts: Sequence[PartResult], seconds: float, left_out: int = 0, routed: Sequence[Books] | None = None
) -> WriteOutcome:
    """The outcome of a batch that was just written; *left_out* counts values whose columns were dropped.

    *routed* are the batch's own books, if it has any (`model.batches.Closing`).
    """
    data = [p for p in parts if not p.target]
    rows, dead = (
        sum(p.rows for p in data),
        sum(p.dead for p in data) + sum(p.rows for p in parts if p.target == NO_TABLE),
    )
    filtered = sum(b.filtered for p in data for b in p.books) + sum(b.filtered for b in routed or ())
    besides = f", filtered {counted(filtered, 'record')}" if filtered else ""
    besides += f", left out {counted(left_out, 'value')} of dropped columns" if left_out else ""
    files, size_bytes = sum(len(p.files) for p in parts), sum(p.size_bytes for p in parts)
    ranges = sorted({b.range for books in (*(p.books for p in data), routed or ()) for b in books})
    # Records that several tables take were read once.
    read = sum(b.read for b in ({b.range: b for p in data for b in p.books}.values() if routed is None else routed))
    line = (
        f"batch {batch.batch_id}: {listed(ranges)}: read {counted(read, 'record')} of {counted(offsets_in(ranges), 'offset')}, "
        f"wrote {counted(rows, 'row')} and {counted(dead, 'dead letter')} in {counted(files, 'file')}, {size_bytes} bytes"
        f"{besides}, {seconds:.2f} s"
    )
    offsets = offsets_in(p.range for p in batch.ranges)
    goes_on = batch.lane != LIVE
    return WriteOutcome(
        batch.batch_id, line, offsets, goes_on, read, rows, dead, files, size_bytes, seconds, left_out=left_out
    )


def nothing_written(batch: Batch) -> WriteOutcome:
    """The outcome of a batch without a row or a dead letter."""
    return WriteOutcome(
        batch.batch_id, f"batch {batch.batch_id}: nothing written", offsets_in(p.range for p in batch.ranges)
    )
