"""Files that only some snapshots of a table reference: an expiry may delete them once these snapshots are gone."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pyiceberg.io import FileIO
from pyiceberg.manifest import ManifestFile
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.snapshots import Snapshot

from lakelock.model import ledger as codec

logger = logging.getLogger(__name__)

THREADS = 8
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Stored:
    """A file in storage; the size is 0 if it is not recorded."""

    path: str
    size_bytes: int = 0


def key_of(path: str) -> str:
    """A path independent of its scheme's spelling: engines differ in `file:/` and `s3a:`."""
    return _SCHEME.sub("", path, count=1).lstrip("/")


def stranded(io: FileIO, metadata: TableMetadata, gone: Sequence[Snapshot], kept: Sequence[Snapshot]) -> list[Stored]:
    """Files that *gone* reference and *kept* do not: data and delete files, manifests, lists, ledger files, statistics.

    A snapshot in *gone* that cannot be read strands nothing; an unreadable one in *kept* raises. Statistics are looked
    up in *metadata*, from before the expiry.
    """
    with ThreadPoolExecutor(THREADS) as pool:
        manifests: dict[str, ManifestFile] = {}
        for listed in pool.map(lambda s: s.manifests(io), kept):
            manifests.update({key_of(m.manifest_path): m for m in listed})
        only: dict[str, ManifestFile] = {}
        out: dict[str, Stored] = {}
        for snapshot, listed in zip(gone, pool.map(lambda s: _readable(io, s), gone), strict=True):
            if listed is None:
                continue
            out[key_of(snapshot.manifest_list)] = Stored(snapshot.manifest_list)
            only.update({k: m for m in listed if (k := key_of(m.manifest_path)) not in manifests})
        out.update({k: Stored(m.manifest_path, m.manifest_length) for k, m in only.items()})
        content: dict[str, Stored] = {}
        for found in pool.map(lambda m: _content(io, m), only.values()):
            content.update(found)
        if content:
            for live in pool.map(lambda m: _live(io, m, content), manifests.values()):
                for key in live:
                    content.pop(key, None)
    out.update(content)
    out.update({key_of(p): Stored(p) for p in beside(gone) - beside(kept)})
    out.update(_statistics(metadata, gone, kept))
    for snapshot in kept:
        out.pop(key_of(snapshot.manifest_list), None)
    return list(out.values())


def named(io: FileIO, snapshots: Iterable[Snapshot], name_of: Callable[[str], str]) -> set[str]:
    """The names of all files that any of *snapshots* needs, except statistics."""
    snapshots = list(snapshots)
    manifests: dict[str, ManifestFile] = {}
    out = {name_of(s.manifest_list) for s in snapshots} | set(map(name_of, beside(snapshots)))
    with ThreadPoolExecutor(THREADS) as pool:
        for listed in pool.map(lambda s: s.manifests(io), snapshots):
            manifests.update({m.manifest_path: m for m in listed})
        out.update(map(name_of, manifests))
        for live in pool.map(lambda m: _names(io, m, name_of), manifests.values()):
            out |= live
    return out


def delete(io: FileIO, paths: Collection[str]) -> int:
    """Delete *paths* and return how many were deleted; files already gone do not count, others that fail are logged."""
    with ThreadPoolExecutor(THREADS) as pool:
        return sum(pool.map(lambda path: _delete(io, path), paths))


def beside(snapshots: Iterable[Snapshot]) -> set[str]:
    """Paths of ledger files that *snapshots* reference."""
    keys = [side.file_key for side in codec.SIDE_FILES]
    return {path for s in snapshots if s.summary for key in keys if (path := s.summary.additional_properties.get(key))}


def _readable(io: FileIO, snapshot: Snapshot) -> list[ManifestFile] | None:
    try:
        return snapshot.manifests(io)
    except FileNotFoundError as fault:
        logger.warning(
            "snapshot %s is expired, but its list is gone, so its files stay: %s", snapshot.snapshot_id, fault
        )
        return None


def _content(io: FileIO, manifest: ManifestFile) -> dict[str, Stored]:
    try:
        return {
            key_of(e.data_file.file_path): Stored(e.data_file.file_path, e.data_file.file_size_in_bytes)
            for e in manifest.fetch_manifest_entry(io, discard_deleted=False)
        }
    except FileNotFoundError as fault:
        logger.warning("manifest %s is gone, so its files stay: %s", manifest.manifest_path, fault)
        return {}


def _live(io: FileIO, manifest: ManifestFile, among: Collection[str]) -> set[str]:
    keys = (key_of(e.data_file.file_path) for e in manifest.fetch_manifest_entry(io))
    return {k for k in keys if k in among}


def _names(io: FileIO, manifest: ManifestFile, name_of: Callable[[str], str]) -> set[str]:
    return {name_of(e.data_file.file_path) for e in manifest.fetch_manifest_entry(io)}


def _statistics(metadata: TableMetadata, gone: Sequence[Snapshot], kept: Sequence[Snapshot]) -> dict[str, Stored]:
    files = [*metadata.statistics, *metadata.partition_statistics]
    ids, others = {s.snapshot_id for s in gone}, {s.snapshot_id for s in kept}
    still = {key_of(f.statistics_path) for f in files if f.snapshot_id in others}
    of_gone = [f for f in files if f.snapshot_id in ids]
    return {
        k: Stored(f.statistics_path, f.file_size_in_bytes)
        for f in of_gone
        if (k := key_of(f.statistics_path)) not in still
    }


def _delete(io: FileIO, path: str) -> bool:
    try:
        io.delete(path)
    except FileNotFoundError:
        return False
    except OSError as fault:
        logger.warning("%s could not be deleted: %s", path, fault)
        return False
    return True
