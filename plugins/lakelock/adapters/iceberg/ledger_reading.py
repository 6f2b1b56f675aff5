"""Read ledgers and history from the snapshots of a loaded table."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from pyiceberg.table.snapshots import Snapshot

from lakelock.adapters.iceberg.errors import Border
from lakelock.adapters.iceberg.handle import TAG_PREFIX, Handle
from lakelock.adapters.iceberg.side_files import SideFiles
from lakelock.errors import LedgerDetached, LedgerUnreadable, State
from lakelock.model import ledger as codec
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.ledger_facts import LedgerFacts, LedgerMarks, resolve
from lakelock.model.versions import OwnVersion, PastVersion

logger = logging.getLogger(__name__)


def tag_name(pipeline: str) -> str:
    return TAG_PREFIX + pipeline


def marks_of(pipeline: str) -> LedgerMarks:
    return LedgerMarks(
        newest=f"tag {tag_name(pipeline)!r}",
        owner=f"property {codec.owner_property(pipeline)!r}",
        found_by="the tag names the newest snapshot with 'lakelock.' properties",
    )


class LedgerReader:
    """Reads for one pipeline of one installation. Raises Ledger…, and storage errors translated by *border*."""

    def __init__(self, pipeline: str, installation_id: str, side_files: SideFiles, border: Border) -> None:
        self._pipeline = pipeline
        self._installation_id = installation_id
        self._side_files = side_files
        self._border = border

    def current(self, handle: Handle, detached: bool) -> Ledger | None:
        """Ledger of the tagged snapshot; None for a table never adopted. *detached* accepts a tag outside history."""
        tagged = handle.tagged
        summary = self._with_side_files(handle, handle.summary(tagged)) if tagged else None
        owner = handle.metadata.properties.get(codec.owner_property(self._pipeline))
        in_ancestry = handle.tag_in_ancestry if tagged else False
        # If the walk proves nothing, the removed snapshots are unknown.
        attached = True if detached and in_ancestry is False else in_ancestry
        facts = LedgerFacts(handle.name, owner, summary, attached, marks_of(self._pipeline))
        return resolve(facts, self._pipeline, self._installation_id)

    def at(self, handle: Handle, snapshot_id: int) -> Ledger | None:
        """The ledger in force at a snapshot; None before the table was adopted."""
        last = handle.snapshots.get(snapshot_id)
        for snapshot in handle.ancestry(last) if last else ():
            summary, last = handle.summary(snapshot), snapshot
            if summary.get(codec.PIPELINE) == self._pipeline:
                return codec.parse(self._with_side_files(handle, summary), handle.name)
        # Expiry may clear the parent of a remaining snapshot: only sequence number 1 proves that nothing came before.
        if last is None or (last.sequence_number or 0) > 1:
            raise LedgerDetached(
                f"{handle.name}: the state of the table at snapshot {snapshot_id} is not known: the snapshots that would show "
                "it have expired.",
                State.NOTHING_CHANGED,
                "Choose a later snapshot.",
            )
        return None

    def since(self, handle: Handle, snapshot_id: int) -> list[OwnVersion] | None:
        """Own snapshots after *snapshot_id*, oldest first; None if one may be missing or cannot be read."""
        out: list[OwnVersion] = []
        for snapshot in handle.ancestry():
            if snapshot.snapshot_id == snapshot_id:
                return out[::-1]
            summary = handle.summary(snapshot)
            if summary.get(codec.PIPELINE) == self._pipeline:
                try:
                    summary = self._with_side_files(handle, summary, codec.SIDE_FILES)
                    coverage = codec.parse(summary, handle.name).coverage
                    out.append(OwnVersion(coverage, codec.ranges_of(summary[codec.RANGES], coverage)))
                except (LedgerUnreadable, KeyError, ValueError) as fault:
                    logger.warning("%s: snapshot %s cannot be read: %s", handle.name, snapshot.snapshot_id, fault)
                    return None
        return None

    def others(self, handle: Handle) -> dict[str, Coverage]:
        """Coverage of other pipelines that write to the table, by pipeline name."""
        out: dict[str, Coverage] = {}
        for ref in handle.other_tags:
            snapshot = handle.snapshots.get(ref.snapshot_id)
            if snapshot is not None:
                ledger = codec.parse(self._with_side_files(handle, handle.summary(snapshot)), handle.name)
                out[ledger.pipeline] = ledger.coverage
        return out

    def _with_side_files(
        self, handle: Handle, summary: dict[str, str], side_files: Sequence[codec.SideFile] = codec.LEDGER_SIDE_FILES
    ) -> dict[str, str]:
        for side in side_files:
            if side.key not in summary and side.file_key in summary:
                with self._border.crossing(f"{handle.name}: reading its ledger"):
                    path = summary[side.file_key]
                    summary = summary | {side.key: self._side_files.read(handle.table.io, path, handle.name)}
        return summary


def past_snapshots(handle: Handle) -> list[PastVersion]:
    """The branch's history, newest first."""
    return [_past(s, handle.summary(s)) for s in handle.ancestry()]


def _past(snapshot: Snapshot, summary: Mapping[str, str]) -> PastVersion:
    rows, files = summary.get("total-records"), summary.get("total-data-files")
    return PastVersion(
        snapshot.snapshot_id,
        snapshot.timestamp_ms,
        summary.get(codec.PIPELINE),
        bool(summary.get(codec.BATCHES)),
        None if rows is None else int(rows),
        None if files is None else int(files),
        snapshot.summary.operation.value if snapshot.summary else "",
        snapshot.sequence_number or 0,
    )
