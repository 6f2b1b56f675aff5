"""Delete metadata that nothing references after a commit. Best effort, and never data files."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from pyiceberg.catalog import Catalog
from pyiceberg.io import FileIO
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.snapshots import Snapshot

from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg import unreferenced as files
from lakelock.adapters.iceberg.handle import Handle

logger = logging.getLogger(__name__)

THREADS = 8
# Snapshots outside the branch's history may share its manifests; if there are more than this, manifests are kept.
MAX_OTHERS = 50


def clean_up(catalog: Catalog, handle: Handle, after: TableMetadata, expired: Iterable[Snapshot]) -> None:
    """Delete old metadata files, and files of *expired* (never data files) that no retained snapshot references."""
    io = handle.table.io
    try:
        internals.delete_old_metadata(catalog, io, handle.metadata, after)
        gone = [s for s in expired if after.snapshot_by_id(s.snapshot_id) is None]
        if gone:
            paths = unnamed(io, handle.after(after), gone)
            deleted = files.delete(io, paths)
            logger.info("%s: expired %s snapshots, deleted %s metadata files", handle.name, len(gone), deleted)
    except Exception as fault:
        logger.warning("%s: committed, but deleting old metadata files failed: %s", handle.name, fault)


def unnamed(io: FileIO, after: Handle, expired: Iterable[Snapshot]) -> list[str]:
    """Paths that only *expired* referenced.

    A manifest dropped along a history never reappears in later snapshots, so of the branch only the oldest retained
    snapshot is compared; every snapshot outside its history is.
    """
    expired = list(expired)
    paths = {s.manifest_list for s in expired}
    paths |= files.beside(expired) - files.beside(after.snapshots.values())
    history = list(after.ancestry())
    in_history = {s.snapshot_id for s in history}
    others = [s for s in after.snapshots.values() if s.snapshot_id not in in_history]
    if history and len(others) <= MAX_OTHERS:
        with ThreadPoolExecutor(THREADS) as pool:
            named = set().union(*pool.map(lambda s: _manifests(io, s), [history[-1], *others]))
            dropped = set().union(*pool.map(lambda s: _manifests(io, s), expired))
        paths |= dropped - named
    return sorted(paths)


def _manifests(io: FileIO, snapshot: Snapshot) -> set[str]:
    return {m.manifest_path for m in snapshot.manifests(io)}
