"""The data files that a branch's head shows, and which of them must be left as they are."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from pyiceberg.io import FileIO
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestEntry,
    ManifestFile,
)
from pyiceberg.transforms import VoidTransform

from lakelock.adapters.data_file_json import partition_text
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.manifests import is_writable
from lakelock.core.compact import LiveFile

THREADS = 8
NONE = -1
Place = tuple[int, str]


@dataclass(slots=True)
class _Deletes:
    """The newest delete files, by what they may delete from; sequence numbers, which begin at 0."""

    by_position: dict[Place, int] = field(default_factory=dict)
    by_value: dict[Place, int] = field(default_factory=dict)
    by_value_anywhere: int = NONE

    def add(self, file: DataFile, place: Place, number: int, everywhere: bool) -> None:
        if file.content == DataFileContent.POSITION_DELETES:
            self.by_position[place] = max(number, self.by_position.get(place, NONE))
        elif everywhere:
            self.by_value_anywhere = max(number, self.by_value_anywhere)
        else:
            self.by_value[place] = max(number, self.by_value.get(place, NONE))

    def may_apply(self, place: Place, number: int) -> bool:
        """As the specification says when a delete file applies to a data file of this sequence number."""
        by_value = max(self.by_value.get(place, NONE), self.by_value_anywhere)
        return number <= self.by_position.get(place, NONE) or number < by_value


def live_files(handle: Handle, among: Collection[str] | None = None) -> Iterator[LiveFile]:
    """Of the head; only those whose paths are in *among*, where that is given."""
    head, io = handle.head, handle.table.io
    manifests = head.manifests(io) if head else []
    deletes = _deletes(handle, [m for m in manifests if m.content == ManifestContent.DELETES])
    data = [
        m for m in manifests if m.content == ManifestContent.DATA and (m.has_added_files() or m.has_existing_files())
    ]
    with ThreadPoolExecutor(THREADS) as pool:
        # A few at a time: what all manifests say together may be more than memory holds.
        for n in range(0, len(data), THREADS):
            some = data[n : n + THREADS]
            for manifest, entries in zip(some, pool.map(lambda m: _entries(io, m, among), some), strict=True):
                for entry in entries:
                    yield _live(handle, manifest, entry, deletes)


def _entries(io: FileIO, manifest: ManifestFile, among: Collection[str] | None) -> list[ManifestEntry]:
    entries = manifest.fetch_manifest_entry(io)
    return [e for e in entries if among is None or e.data_file.file_path in among]


def _deletes(handle: Handle, manifests: list[ManifestFile]) -> _Deletes:
    out = _Deletes()
    for manifest in manifests:
        spec = handle.metadata.specs().get(manifest.partition_spec_id)
        # Under a spec that is not known any more they may be about anything.
        everywhere = spec is None or all(isinstance(f.transform, VoidTransform) for f in spec.fields)
        for entry in manifest.fetch_manifest_entry(handle.table.io):
            file = entry.data_file
            place = (manifest.partition_spec_id, partition_text(file) or "")
            out.add(file, place, entry.sequence_number or 0, everywhere)
    return out


def _live(handle: Handle, manifest: ManifestFile, entry: ManifestEntry, deletes: _Deletes) -> LiveFile:
    file, spec_id = entry.data_file, manifest.partition_spec_id
    partition, number = partition_text(file), entry.sequence_number or 0
    added_by = handle.snapshots.get(entry.snapshot_id or 0)
    unfit = ""
    if file.file_format != FileFormat.PARQUET:
        unfit = "it is no Parquet file"
    elif file.key_metadata is not None:
        unfit = "it is encrypted"
    elif not is_writable(handle.metadata.specs().get(spec_id), handle.metadata.schema()):
        unfit = f"a column of its partition spec {spec_id} was dropped"
    elif partition is None:
        unfit = "its partition value has no plain form"
    elif deletes.may_apply((spec_id, partition), number):
        unfit = "delete files may hide rows of it"
    return LiveFile(
        file.file_path,
        spec_id,
        partition or "",
        file.record_count,
        file.file_size_in_bytes,
        number,
        added_by.timestamp_ms if added_by else None,
        unfit,
    )
