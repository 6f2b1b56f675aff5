"""Data files and manifests of a branch's head, and the reasons why some cannot be rewritten."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from pyiceberg.conversions import from_bytes
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestEntry,
    ManifestFile,
    PartitionFieldSummary,
)
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import VoidTransform
from pyiceberg.types import IcebergType, PrimitiveType

from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.manifest_writer import is_writable
from lakelock.adapters.parquet.data_file_json import partition_text
from lakelock.model.table_files import LiveFile, Manifest
from lakelock.upkeep.manifests_decision import NAN, NULL, placed

THREADS = 8
NONE = -1
DELETED = "delete files may hide some of its rows"
Place = tuple[int, str]


@dataclass(slots=True)
class _Deletes:
    """Sequence numbers (from 0) of delete files by scope: of position deletes the newest, of equality deletes all."""

    by_position: dict[Place, int] = field(default_factory=dict)
    by_value: dict[Place, set[int]] = field(default_factory=dict)
    by_value_anywhere: set[int] = field(default_factory=set)

    def add(self, file: DataFile, place: Place, number: int, everywhere: bool) -> None:
        if file.content == DataFileContent.POSITION_DELETES:
            self.by_position[place] = max(number, self.by_position.get(place, NONE))
        else:
            (self.by_value_anywhere if everywhere else self.by_value.setdefault(place, set())).add(number)

    def position_may_apply(self, place: Place, number: int) -> bool:
        """Whether position deletes may apply to a data file of this sequence number, according to the specification."""
        return number <= self.by_position.get(place, NONE)

    def first_by_value(self, place: Place, number: int) -> int | None:
        """Lowest equality delete that, by the specification, applies to a data file of this sequence number."""
        return min((n for n in self.by_value.get(place, set()) | self.by_value_anywhere if n > number), default=None)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A data file's manifest entry, in any snapshot; `partition` is None if it has no plain form."""

    path: str
    partitioning: int
    partition: str | None
    rows: int
    size_bytes: int
    sequence_number: int
    snapshot_id: int
    unfit: str


def live_files(handle: Handle) -> Iterator[LiveFile]:
    """Live files of the head."""
    return _live_files(handle, lambda manifest: _entries(handle, manifest))


def live_among(handle: Handle, paths: Collection[str], read: dict[str, Any]) -> Iterator[LiveFile]:
    """Live files of the head among *paths*. *read* caches manifests' entries, because a manifest never changes."""

    def entries(manifest: ManifestFile) -> list[_Entry]:
        if manifest.manifest_path not in read:
            read[manifest.manifest_path] = [e for e in _entries(handle, manifest) if e.path in paths]
        known: list[_Entry] = read[manifest.manifest_path]
        return known

    return _live_files(handle, entries)


def live_where(handle: Handle, wanted: Callable[[DataFile], bool]) -> Iterator[LiveFile]:
    """Live files of the head that are *wanted*."""

    def entries(manifest: ManifestFile) -> list[_Entry]:
        found = manifest.fetch_manifest_entry(handle.table.io)
        return [_entry(manifest.partition_spec_id, e) for e in found if wanted(e.data_file)]

    return _live_files(handle, entries)


def _live_files(handle: Handle, read: Callable[[ManifestFile], list[_Entry]]) -> Iterator[LiveFile]:
    head = handle.head
    manifests = head.manifests(handle.table.io) if head else []
    deletes = _deletes(handle, [m for m in manifests if m.content == ManifestContent.DELETES])
    data = [m for m in manifests if _shows_data(m)]
    with ThreadPoolExecutor(THREADS) as pool:
        # A few at a time: the entries of all manifests together may exceed memory.
        for n in range(0, len(data), THREADS):
            for entries in pool.map(read, data[n : n + THREADS]):
                for entry in entries:
                    yield _live(handle, entry, deletes)


def live_manifests(handle: Handle) -> list[Manifest]:
    """Data manifests of the head."""
    specs, schema = handle.metadata.specs(), handle.metadata.schema()
    manifests = handle.head.manifests(handle.table.io) if handle.head else []
    return [_manifest(m, specs.get(m.partition_spec_id), schema) for m in manifests if _shows_data(m)]


def _manifest(manifest: ManifestFile, spec: PartitionSpec | None, schema: Schema) -> Manifest:
    spec_id = manifest.partition_spec_id
    files = (manifest.added_files_count or 0) + (manifest.existing_files_count or 0)
    size_bytes = manifest.manifest_length
    if spec is None or not is_writable(spec, schema):
        return Manifest(manifest.manifest_path, spec_id, files, size_bytes, unfit=dropped(spec_id))
    kinds = [f.field_type for f in spec.partition_type(schema).fields]
    said: Sequence[PartitionFieldSummary | None] = manifest.partitions or []
    # Without a summary nothing is known about the values.
    bounds = [_bounds(kind, summary) for kind, summary in zip_longest(kinds, said[: len(kinds)])]
    low, high = tuple(b[0] for b in bounds), tuple(b[1] for b in bounds)
    return Manifest(manifest.manifest_path, spec_id, files, size_bytes, low, high)


def _bounds(kind: IcebergType | None, said: PartitionFieldSummary | None) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The first and the last value of a partition field in a manifest."""
    if said is None or not isinstance(kind, PrimitiveType):
        return NULL, NAN
    values = [placed(from_bytes(kind, b)) for b in (said.lower_bound, said.upper_bound) if b is not None]
    values += [NULL] * said.contains_null + [NAN] * bool(said.contains_nan)
    return (min(values), max(values)) if values else (NULL, NAN)


def _shows_data(manifest: ManifestFile) -> bool:
    return manifest.content == ManifestContent.DATA and (manifest.has_added_files() or manifest.has_existing_files())


def dropped(spec_id: int) -> str:
    return f"a column of its partition spec {spec_id} was dropped"


def _entries(handle: Handle, manifest: ManifestFile) -> list[_Entry]:
    return [_entry(manifest.partition_spec_id, e) for e in manifest.fetch_manifest_entry(handle.table.io)]


def _entry(spec_id: int, entry: ManifestEntry) -> _Entry:
    file = entry.data_file
    partition, unfit = partition_text(file), ""
    if file.file_format != FileFormat.PARQUET:
        unfit = "it is not a Parquet file"
    elif file.key_metadata is not None:
        unfit = "it is encrypted"
    elif partition is None:
        unfit = "its partition value has no plain form"
    return _Entry(
        file.file_path,
        spec_id,
        partition,
        file.record_count,
        file.file_size_in_bytes,
        entry.sequence_number or 0,
        entry.snapshot_id or 0,
        unfit,
    )


def _deletes(handle: Handle, manifests: list[ManifestFile]) -> _Deletes:
    out = _Deletes()
    for manifest in manifests:
        spec = handle.metadata.specs().get(manifest.partition_spec_id)
        # Deletes under an unknown spec may apply to any file.
        everywhere = spec is None or all(isinstance(f.transform, VoidTransform) for f in spec.fields)
        for entry in manifest.fetch_manifest_entry(handle.table.io):
            file = entry.data_file
            place = (manifest.partition_spec_id, partition_text(file) or "")
            out.add(file, place, entry.sequence_number or 0, everywhere)
    return out


def _live(handle: Handle, entry: _Entry, deletes: _Deletes) -> LiveFile:
    added_by = handle.snapshots.get(entry.snapshot_id)
    unfit, deleted_at = entry.unfit, None
    place = (entry.partitioning, entry.partition or "")
    if not unfit and not is_writable(handle.metadata.specs().get(entry.partitioning), handle.metadata.schema()):
        unfit = dropped(entry.partitioning)
    elif not unfit:
        by_position = deletes.position_may_apply(place, entry.sequence_number)
        deleted_at = None if by_position else deletes.first_by_value(place, entry.sequence_number)
        unfit = DELETED if by_position or deleted_at is not None else ""
    return LiveFile(
        entry.path,
        entry.partitioning,
        entry.partition or "",
        entry.rows,
        entry.size_bytes,
        entry.sequence_number,
        added_by.timestamp_ms if added_by else None,
        unfit,
        deleted_at,
    )
