"""A table's snapshots for the page: the kind of each, and the ranges it added."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pyiceberg.table.snapshots import Snapshot

from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.adapters.iceberg.snapshot_builder import REPLACED_MANIFESTS
from lakelock.adapters.iceberg.snapshot_lineage import is_replace
from lakelock.adapters.iceberg.tables import IcebergTables
from lakelock.errors import LedgerUnreadable
from lakelock.model import ledger as codec
from lakelock.model import operator_log as decisions_codec
from lakelock.model.coverage import Coverage
from lakelock.model.evolutions import EVOLUTION, decode
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided
from lakelock.ports import TableState
from lakelock.upkeep.expiry_decision import reach

T = TypeVar("T")

# A snapshot with more keeps them in a side file, which a list does not open.
SHOWN_RANGES = 50
SHOWN_CHANGES = 50
# Kinds of snapshots, each with its text for people.
KINDS = {
    "commit": "commit",
    "redrive": "redrive: dead letters became rows",
    "adoption": "adoption: where each partition begins",
    "columns": "columns changed",
    "rollback": "rollback",
    "replace": "replace: records read again",
    "compaction": "compaction: the same rows in other files",
    "manifests": "manifests rewritten: the same rows",
    "decision": "a decision: the same rows",
    "registry": "new tables or rules of a route: the same rows",
    "mark": "progress of all tables of a route: the same rows",
    # Nothing more is known of it.
    "upkeep": "upkeep: the same rows",
    "other": "another pipeline",
    "foreign": "another writer",
}


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
class ChangedColumns:
    """The first changes of columns that one snapshot made, the number of all, and the place of a record that needed them."""

    changes: tuple[str, ...]
    change_count: int
    record: str


@dataclass(frozen=True, slots=True)
class SnapshotView:
    """One snapshot of the branch's history.

    `kind` is one of `KINDS`. `ranges` has the first ones; `range_count` is None if they are in a side file. `decided`
    names decisions that no earlier snapshot has, as far as its summary has them. `columns` are the changes of columns that
    records asked for, by any pipeline.
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
    columns: ChangedColumns | None


@dataclass(frozen=True, slots=True)
class RolledBack:
    """One rollback, with the time of the first snapshot that records it."""

    timestamp_ms: int
    line: str


class SnapshotViews:
    """Looks at states loaded by *tables*, on behalf of their pipeline."""

    def __init__(self, tables: IcebergTables, pipeline: str) -> None:
        self._tables = tables
        self._pipeline = pipeline

    def snapshots(self, state: TableState, limit: int) -> tuple[list[SnapshotView], int]:
        """The branch's newest snapshots, *limit* besides compactions, and its total number; opens no file."""
        handle = handle_of(state)
        history = list(handle.ancestry())
        shown = history[: reach(map(is_replace, history), limit)]
        # Each snapshot is compared with the next older own one.
        older: dict[int, Mapping[str, str] | None] = {}
        known: Mapping[str, str] | None = None
        for snapshot in reversed(history):
            older[snapshot.snapshot_id] = known
            if self._generation(summary := handle.summary(snapshot)) is not None:
                known = summary
        return [self._view(handle, s, older[s.snapshot_id]) for s in shown], len(history)

    def rollbacks(self, state: TableState) -> list[RolledBack]:
        """Rollbacks recorded in any snapshot, newest first: one may remove others from the history."""
        handle, texts = handle_of(state), dict[str, RolledBack]()
        for snapshot in sorted(handle.snapshots.values(), key=lambda s: (s.sequence_number or 0, s.timestamp_ms)):
            summary = handle.summary(snapshot)
            text = summary.get(codec.ROLLBACK) if summary.get(codec.PIPELINE) == self._pipeline else None
            if text is None or text in texts:
                continue
            try:
                texts[text] = RolledBack(snapshot.timestamp_ms, codec.rollback_of(text).line)
            except (KeyError, ValueError, TypeError, LedgerUnreadable):
                # A commit on top of this snapshot will report it; the other rollbacks are still shown.
                continue
        # Later snapshots repeat the record with fewer remaining offsets of the dead-letter table.
        first: dict[str, RolledBack] = {}
        for one in texts.values():
            first.setdefault(one.line, one)
        return list(first.values())[::-1]

    def brought_by(self, state: TableState, source: Source, offset: int) -> tuple[SnapshotView | None, bool]:
        """The snapshot that first covers *offset*; True if older ones have expired."""
        now = state.ledger.coverage if state.ledger else Coverage()
        # A backfill reads offsets that were gaps before, so only data intervals count for a record.
        at = OffsetRange(source, offset, offset + 1)
        is_record = now.data.contains(at)
        return self._first(state, lambda ledger: (ledger.coverage.data if is_record else ledger.coverage).contains(at))

    def redriven_by(self, state: TableState, source: Source, offset: int) -> tuple[SnapshotView | None, bool]:
        """The snapshot since which the dead letter of *offset* is a row; True as in `brought_by`."""

        def is_row(ledger: Ledger) -> bool:
            covered = ledger.coverage.get(source)
            return covered is not None and any(start <= offset < end for start, end in covered.redriven)

        return self._first(state, is_row)

    def replaced_by(
        self, state: TableState, decision: Decided, source: Source, offset: int
    ) -> tuple[SnapshotView | None, bool]:
        """The first snapshot whose *decision* has *offset*; True as in `brought_by`. Rollbacks keep decisions."""
        return self._first(
            state, lambda ledger: any(d.name == decision.name and d.has(source, offset) for d in ledger.decisions)
        )

    def _first(self, state: TableState, holds: Callable[[Ledger], bool]) -> tuple[SnapshotView | None, bool]:
        handle = handle_of(state)
        own = [s for s in handle.ancestry() if handle.summary(s).get(codec.PIPELINE) == self._pipeline][::-1]

        def holds_there(snapshot: Snapshot) -> bool:
            ledger = self._tables.ledger_at(state, snapshot.snapshot_id)
            return ledger is not None and holds(ledger)

        at = first_holding(own, holds_there)
        if at is None:
            return None, False
        older = handle.summary(own[at - 1]) if at else None
        # Only sequence number 1 proves that nothing came before.
        return self._view(handle, own[at], older), at == 0 and (own[0].sequence_number or 0) > 1

    def _view(self, handle: Handle, snapshot: Snapshot, older: Mapping[str, str] | None) -> SnapshotView:
        summary = handle.summary(snapshot)
        own = summary.get(codec.PIPELINE) == self._pipeline
        rows = json.loads(summary[codec.RANGES]) if own and codec.RANGES in summary else []
        operation = snapshot.summary.operation.value if snapshot.summary else ""
        decided = _decided(summary, older, operation) if own else ()
        kind = _kind(summary, self._pipeline, operation, older, decided)
        return SnapshotView(
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
            # A rollback continues another snapshot's decisions: none of them is its own.
            decided=() if kind == "rollback" else tuple(d.name for d in decided),
            columns=_changed_columns(summary, handle.name, snapshot),
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
    """Kind of a snapshot; *older* is the summary of the next older own one."""
    writer = summary.get(codec.PIPELINE)
    if writer is None:
        return "foreign"
    if writer != pipeline:
        return "other"
    if batches := summary.get(codec.BATCHES):
        # A redrive has no batch: its commit id stands in its place.
        return "redrive" if batches == summary.get(codec.COMMIT_ID) else "commit"
    if EVOLUTION in summary:
        return "columns"
    if operation == "overwrite":
        return "replace"
    if operation == "replace":
        return "manifests" if REPLACED_MANIFESTS in summary else "compaction"
    if older is None:
        return "adoption"
    generation, before = _number(summary.get(codec.GENERATION)), _number(older.get(codec.GENERATION))
    if generation is not None and before is not None and generation > before:
        return "rollback"
    if decided:
        return "decision"
    if any(summary.get(key) != older.get(key) for key in (codec.REGISTRY, codec.REGISTRY_FILE)):
        return "registry"
    return "mark" if any(summary.get(key) != older.get(key) for key in (codec.MARK, codec.MARK_FILE)) else "upkeep"


def _changed_columns(summary: Mapping[str, str], table: str, snapshot: Snapshot) -> ChangedColumns | None:
    text = summary.get(EVOLUTION)
    found = None if text is None else decode(text, table, snapshot.snapshot_id, snapshot.timestamp_ms)
    if found is None:
        return None
    return ChangedColumns(found.changes[:SHOWN_CHANGES], len(found.changes), found.record)


def _decided(summary: Mapping[str, str], older: Mapping[str, str] | None, operation: str) -> tuple[Decided, ...]:
    """Decisions made since *older*; none if either has its decisions in a side file."""
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
    # A replace removes the ranges it reads again from earlier decisions, which then differ.
    return new[-1:] if operation == "overwrite" else new


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def first_holding(history: Sequence[T], holds: Callable[[T], bool]) -> int | None:
    """First index in *history* (oldest first) for which *holds*; bisects, because it then holds for all later ones."""
    at = bisect_left(history, True, key=holds)
    return at if at < len(history) else None
