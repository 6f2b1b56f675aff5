"""What the page shows of a table's snapshots: what each is, and what it brought."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pyiceberg.table.snapshots import Snapshot

from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.adapters.iceberg.snapshots import REPLACED_MANIFESTS, is_replace
from lakelock.adapters.iceberg.tables import IcebergTables
from lakelock.errors import LedgerUnreadable
from lakelock.model import ledger as codec
from lakelock.model import operator_log as decisions_codec
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided
from lakelock.ports import TableState
from lakelock.upkeep.expiry_decision import reach

T = TypeVar("T")

# A snapshot with more has them in a file of its own, which is not opened for a list.
SHOWN_RANGES = 50


@dataclass(frozen=True, slots=True)
class BroughtRange:
    """`[start, end)` of one source and its books, in records."""

    topic_id: str
    partition: int
    start: int
    end: int
    read: int
    written: int
    dead: int
    filtered: int


@dataclass(frozen=True, slots=True)
class SnapshotLook:
    """One snapshot of the branch's history.

    `kind`: commit, redrive, adoption, rollback, replace (records read again), compaction, manifests, decision (rows as before),
    upkeep (rows as before, and no more is known), other (another pipeline's) or foreign.
    `ranges` has the first ones; `range_count` is None where they lie in a file of their own. `decided` names decisions that no
    snapshot before has, as far as its summary has them.
    """

    snapshot_id: int
    timestamp_ms: int
    kind: str
    pipeline: str | None
    added_rows: int
    added_files: int
    added_bytes: int
    total_rows: int | None
    range_count: int | None
    ranges: tuple[BroughtRange, ...]
    decided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RolledBack:
    """One rollback, and when the first snapshot that tells of it was made."""

    timestamp_ms: int
    line: str


class SnapshotLooks:
    """Looks at states that *tables* loaded, on behalf of their pipeline."""

    def __init__(self, tables: IcebergTables, pipeline: str) -> None:
        self._tables = tables
        self._pipeline = pipeline

    def snapshots(self, state: TableState, limit: int) -> tuple[list[SnapshotLook], int]:
        """The newest of the branch, *limit* of them beside compactions, and how many it has; opens no file."""
        handle = handle_of(state)
        history = list(handle.ancestry())
        shown = history[: reach(map(is_replace, history), limit)]
        # What a snapshot is compared with: the next older own one.
        older: dict[int, Mapping[str, str] | None] = {}
        known: Mapping[str, str] | None = None
        for snapshot in reversed(history):
            older[snapshot.snapshot_id] = known
            if self._generation(summary := handle.summary(snapshot)) is not None:
                known = summary
        return [self._look(handle, s, older[s.snapshot_id]) for s in shown], len(history)

    def rollbacks(self, state: TableState) -> list[RolledBack]:
        """Those that any snapshot tells of, newest first: one that goes back further leaves others out of the history."""
        handle, texts = handle_of(state), dict[str, RolledBack]()
        for snapshot in sorted(handle.snapshots.values(), key=lambda s: (s.sequence_number or 0, s.timestamp_ms)):
            summary = handle.summary(snapshot)
            text = summary.get(codec.ROLLBACK) if summary.get(codec.PIPELINE) == self._pipeline else None
            if text is None or text in texts:
                continue
            try:
                texts[text] = RolledBack(snapshot.timestamp_ms, codec.rollback_of(text).line)
            except (KeyError, ValueError, TypeError, LedgerUnreadable):
                # Whoever goes on from this snapshot is told; the others are shown all the same.
                continue
        # What the dead-letter table still owes is repeated with it, and grows less.
        first: dict[str, RolledBack] = {}
        for one in texts.values():
            first.setdefault(one.line, one)
        return list(first.values())[::-1]

    def brought_by(self, state: TableState, source: Source, offset: int) -> tuple[SnapshotLook | None, bool]:
        """The snapshot of the history that the table holds *offset* since; True where older ones have expired."""
        now = state.ledger.coverage if state.ledger else Coverage()
        # A backfill brings what was a gap before: that it was held then says nothing of the record.
        at = OffsetRange(source, offset, offset + 1)
        is_record = now.data.contains(at)
        return self._first(state, lambda ledger: (ledger.coverage.data if is_record else ledger.coverage).contains(at))

    def redriven_by(self, state: TableState, source: Source, offset: int) -> tuple[SnapshotLook | None, bool]:
        """The snapshot that the dead letter of *offset* is a row since; True as in `brought_by`."""

        def is_row(ledger: Ledger) -> bool:
            held = ledger.coverage.get(source)
            return held is not None and any(start <= offset < end for start, end in held.redriven)

        return self._first(state, is_row)

    def replaced_by(
        self, state: TableState, decision: Decided, source: Source, offset: int
    ) -> tuple[SnapshotLook | None, bool]:
        """The snapshot whose *decision* has *offset* first; True as in `brought_by`. A rollback carries decisions on, too."""
        return self._first(
            state, lambda ledger: any(d.name == decision.name and d.has(source, offset) for d in ledger.decisions)
        )

    def _first(self, state: TableState, holds: Callable[[Ledger], bool]) -> tuple[SnapshotLook | None, bool]:
        handle = handle_of(state)
        own = [s for s in handle.ancestry() if handle.summary(s).get(codec.PIPELINE) == self._pipeline][::-1]

        def holds_there(snapshot: Snapshot) -> bool:
            ledger = self._tables.ledger_at(state, snapshot.snapshot_id)
            return ledger is not None and holds(ledger)

        at = first_holding(own, holds_there)
        if at is None:
            return None, False
        older = handle.summary(own[at - 1]) if at else None
        # Only a number tells that nothing came before.
        return self._look(handle, own[at], older), at == 0 and (own[0].sequence_number or 0) > 1

    def _look(self, handle: Handle, snapshot: Snapshot, older: Mapping[str, str] | None) -> SnapshotLook:
        summary = handle.summary(snapshot)
        own = summary.get(codec.PIPELINE) == self._pipeline
        rows = json.loads(summary[codec.RANGES]) if own and codec.RANGES in summary else []
        operation = snapshot.summary.operation.value if snapshot.summary else ""
        decided = _decided(summary, older, operation) if own else ()
        kind = _kind(summary, self._pipeline, operation, older, decided)
        return SnapshotLook(
            snapshot_id=snapshot.snapshot_id,
            timestamp_ms=snapshot.timestamp_ms,
            kind=kind,
            pipeline=summary.get(codec.PIPELINE),
            added_rows=int(summary.get("added-records") or 0),
            added_files=int(summary.get("added-data-files") or 0),
            added_bytes=int(summary.get("added-files-size") or 0),
            total_rows=_number(summary.get("total-records")),
            range_count=None if codec.RANGES_FILE in summary else len(rows),
            ranges=tuple(BroughtRange(*row) for row in rows[:SHOWN_RANGES]),
            # A rollback goes on with the decisions of another snapshot than the one before it: none of them is its own.
            decided=() if kind == "rollback" else tuple(d.name for d in decided),
        )

    def _generation(self, summary: Mapping[str, str]) -> int | None:
        if summary.get(codec.PIPELINE) != self._pipeline:
            return None
        return _number(summary.get(codec.GENERATION))


def _kind(
    summary: Mapping[str, str],
    pipeline: str,
    operation: str,
    older: Mapping[str, str] | None,
    decided: Collection[Decided],
) -> str:
    """*older* is the summary of the next older own snapshot."""
    writer = summary.get(codec.PIPELINE)
    if writer is None:
        return "foreign"
    if writer != pipeline:
        return "other"
    if batches := summary.get(codec.BATCHES):
        # A redrive is no batch: its commit stands for itself.
        return "redrive" if batches == summary.get(codec.COMMIT_ID) else "commit"
    if operation == "overwrite":
        return "replace"
    if operation == "replace":
        return "manifests" if REPLACED_MANIFESTS in summary else "compaction"
    if older is None:
        return "adoption"
    generation, before = _number(summary.get(codec.GENERATION)), _number(older.get(codec.GENERATION))
    if generation is not None and before is not None and generation > before:
        return "rollback"
    return "decision" if decided else "upkeep"


def _decided(summary: Mapping[str, str], older: Mapping[str, str] | None, operation: str) -> tuple[Decided, ...]:
    """What was decided since *older*; nothing where one of them has its decisions in a file."""
    if older is None or codec.DECISIONS_FILE in summary or codec.DECISIONS_FILE in older:
        return ()
    now, before = summary.get(codec.DECISIONS, "[]"), older.get(codec.DECISIONS, "[]")
    if now == before:
        return ()
    try:
        known = decisions_codec.decode(before)
        new = tuple(d for d in decisions_codec.decode(now) if d not in known)
    except (KeyError, ValueError, TypeError):
        return ()
    # A replace takes what it reads again from the decisions before it.
    return new[-1:] if operation == "overwrite" else new


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def first_holding(history: Sequence[T], holds: Callable[[T], bool]) -> int | None:
    """Where in *history* (oldest first) it is held first. Along a branch what is held stays held: only a few are asked."""
    at = bisect_left(history, True, key=holds)
    return at if at < len(history) else None
