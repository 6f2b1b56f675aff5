"""Write the manifests of one own snapshot: one per partition spec and schema, merging small old ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from pyiceberg.avro.codecs import AvroCompressionCodec
from pyiceberg.io import FileIO
from pyiceberg.manifest import (
    DataFile,
    ManifestContent,
    ManifestEntry,
    ManifestEntryStatus,
    ManifestFile,
    ManifestWriter,
    write_manifest,
)
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema

from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.parquet.data_file_json import DecodedFile
from lakelock.errors import State, TableUnfit
from lakelock.upkeep.manifests_decision import DEFAULT_TARGET_BYTES, MERGE_FILES, Entries, check_books, placed

THREADS = 8
CODEC: AvroCompressionCodec = "deflate"
# Every commit rewrites the manifest list, and every reader opens the manifests: more small ones than this are merged.
MAX_SMALL_MANIFESTS = 100


@dataclass(frozen=True, slots=True)
class ManifestWriting:
    """Settings shared by all manifests of one snapshot; *path* gives the path of the n-th.

    *schema* is the table's current one among its *schemas*, which are by id as its *specs* are.
    *target_bytes* is the approximate size to which manifests are merged; *merges* says whether commits merge them.
    *sequence_number* is the data sequence number of new files, None for the snapshot's.
    """

    io: FileIO
    schema: Schema
    schemas: Mapping[int, Schema]
    specs: Mapping[int, PartitionSpec]
    snapshot_id: int
    path: Callable[[int], str]
    target_bytes: int = DEFAULT_TARGET_BYTES
    merges: bool = True
    sequence_number: int | None = None

    def added(self, files: Iterable[DecodedFile], table: str, first: int, tally: internals.Tally) -> list[ManifestFile]:
        """New manifests, each with the files of one spec and schema.

        Under another's spec they would vanish from filtered scans, and the manifest's partition type follows from its
        schema. Consumes *files* one at a time and counts each in *tally*.
        """
        writers: dict[tuple[int, int], ManifestWriter] = {}
        with ExitStack() as opened:
            for file in files:
                spec, schema = self._spec_of(file.entry, table), self._schema_of(file, table)
                tally.add(file.entry, spec)
                place = spec.spec_id, schema.schema_id
                if place not in writers:
                    opening = self._writer(first + len(writers), spec.spec_id, schema)
                    writers[place] = opened.enter_context(opening)
                writers[place].add_entry(self._new(file.entry))
        return [writers[place].to_manifest_file() for place in sorted(writers)]

    def _schema_of(self, file: DecodedFile, table: str) -> Schema:
        if file.schema_id is None:
            return self.schema
        if (schema := self.schemas.get(file.schema_id)) is None:
            raise TableUnfit(
                f"{table}: file {file.entry.file_path} was written with schema {file.schema_id}, and the table has "
                f"{', '.join(map(str, sorted(self.schemas)))}.",
                State.STAGED,
                "Read its range again.",
            )
        return schema

    def _spec_of(self, file: DataFile, table: str) -> PartitionSpec:
        spec_id = internals.spec_id_of(file)
        spec = self.specs.get(spec_id) if spec_id is not None else None
        if spec is None:
            raise TableUnfit(
                f"{table}: file {file.file_path} was written under partition spec {spec_id}, and the table has "
                f"{', '.join(map(str, sorted(self.specs)))}.",
                State.STAGED,
                "Read its range again.",
            )
        return spec

    def without(
        self, manifests: Sequence[ManifestFile], gone: Collection[str], table: str, first: int, tally: internals.Tally
    ) -> tuple[list[ManifestFile], list[ManifestFile]]:
        """Rewrite manifests to mark files at the paths *gone* as deleted; returns rewritten and other manifests.

        Each path must be live exactly once. Removed files are counted in *tally*.
        """
        named: Counter[str] = Counter()
        untouched: list[ManifestFile] = []
        touched: dict[int, list[ManifestFile]] = {}
        for manifest in manifests:
            found = [p for p in self._paths(manifest) if p in gone] if manifest.content == ManifestContent.DATA else []
            named.update(found)
            if found:
                touched.setdefault(manifest.partition_spec_id, []).append(manifest)
            else:
                untouched.append(manifest)
        wrong = [p for p in gone if named[p] != 1]
        if wrong or not self._known_all(touched):
            raise TableUnfit(
                f"{table}: {len(wrong)} of {len(gone)} files to replace are not in it exactly once, or "
                f"are under a partition spec that can no longer be written, first {min(wrong, default='')}.",
                State.NOTHING_CHANGED,
            )
        written: list[ManifestFile] = []
        for spec_id, of_spec in sorted(touched.items()):
            entries = self._after(of_spec, gone, self.specs[spec_id], tally)
            while some := list(islice(entries, MERGE_FILES)):
                written.append(self._written(first + len(written), spec_id, some))
        return written, untouched

    def _paths(self, manifest: ManifestFile) -> Iterator[str]:
        return (e.data_file.file_path for e in manifest.fetch_manifest_entry(self.io))

    def _after(
        self, manifests: Sequence[ManifestFile], gone: Collection[str], spec: PartitionSpec, tally: internals.Tally
    ) -> Iterator[ManifestEntry]:
        for entry in (e for m in manifests for e in m.fetch_manifest_entry(self.io)):
            if entry.data_file.file_path in gone:
                tally.remove(entry.data_file, spec)
                yield _marked(entry, ManifestEntryStatus.DELETED, self.snapshot_id)
            else:
                yield _marked(entry, ManifestEntryStatus.EXISTING)

    def sorted_by_partition(
        self, manifests: Sequence[ManifestFile], chosen: Collection[str], table: str, first: int
    ) -> tuple[list[ManifestFile], list[ManifestFile]]:
        """Rewrite the data manifests at the paths *chosen*, sorted by partition; returns rewritten and other manifests.

        Each file keeps the snapshot that added it and its sequence numbers.
        """
        untouched = [m for m in manifests if m.manifest_path not in chosen]
        taken = [m for m in manifests if m.manifest_path in chosen]
        spec_ids = {m.partition_spec_id for m in taken}
        is_data = all(m.content == ManifestContent.DATA for m in taken)
        if len(taken) != len(chosen) or not is_data or not self._known_all(spec_ids):
            raise TableUnfit(
                f"{table}: {len(chosen)} manifests to rewrite are not in it exactly once, or are under "
                "a partition spec that can no longer be written.",
                State.NOTHING_CHANGED,
            )
        written: list[ManifestFile] = []
        for spec_id in sorted(spec_ids):
            of_spec = [m for m in taken if m.partition_spec_id == spec_id]
            with ThreadPoolExecutor(THREADS) as pool:
                entries = list(chain.from_iterable(pool.map(lambda m: m.fetch_manifest_entry(self.io), of_spec)))
            entries.sort(key=lambda e: (partition_place(e.data_file), e.sequence_number or 0))
            made = self._rolled(first + len(written), spec_id, entries)
            read = Entries(len(entries), sum(e.data_file.record_count for e in entries))
            (after,) = _listed(made)
            check_books(table, [*_listed(of_spec), read], after)
            written += made
        return written, untouched

    def _rolled(self, first: int, spec_id: int, entries: Iterable[ManifestEntry]) -> list[ManifestFile]:
        """All entries as EXISTING ones, in manifests of about the target size."""
        written: list[ManifestFile] = []
        left = iter(entries)
        while some := list(islice(left, 1)):
            with self._writer(first + len(written), spec_id) as writer:
                for entry in chain(some, islice(left, MERGE_FILES - 1)):
                    writer.add_entry(_marked(entry, ManifestEntryStatus.EXISTING))
                    if writer.tell() >= self.target_bytes:
                        break
            written.append(writer.to_manifest_file())
        return written

    def carried(self, manifests: Sequence[ManifestFile], first: int) -> list[ManifestFile]:
        """The parent's manifests for the next snapshot: without dead ones, and with small ones merged above a limit."""
        live = [m for m in manifests if m.has_added_files() or m.has_existing_files()]
        merged: list[ManifestFile] = []
        gone: set[str] = set()
        for spec_id in sorted({m.partition_spec_id for m in live}):
            of_spec = [m for m in live if m.partition_spec_id == spec_id]
            group = to_merge(of_spec, self.target_bytes) if self.merges else []
            if group and self._known_all([spec_id]):
                entries = (e for m in group for e in m.fetch_manifest_entry(self.io))
                existing = (_marked(e, ManifestEntryStatus.EXISTING) for e in entries)
                merged.append(self._written(first + len(merged), spec_id, existing))
                gone.update(m.manifest_path for m in group)
        return merged + [m for m in live if m.manifest_path not in gone]

    def _known_all(self, spec_ids: Iterable[int]) -> bool:
        return all(is_writable(self.specs.get(spec_id), self.schema) for spec_id in spec_ids)

    def _new(self, file: DataFile) -> ManifestEntry:
        # An unset data sequence number is inherited from the manifest list (Iceberg specification). The file sequence
        # number is always unset: it records when the file was added, whichever deletes apply to it.
        return ManifestEntry.from_args(
            status=ManifestEntryStatus.ADDED,
            snapshot_id=self.snapshot_id,
            sequence_number=self.sequence_number,
            file_sequence_number=None,
            data_file=file,
        )

    def _written(self, number: int, spec_id: int, entries: Iterable[ManifestEntry]) -> ManifestFile:
        with self._writer(number, spec_id) as writer:
            for entry in entries:
                writer.add_entry(entry)
        return writer.to_manifest_file()

    def _writer(self, number: int, spec_id: int, schema: Schema | None = None) -> ManifestWriter:
        """With the current schema, unless another is given."""
        output = self.io.new_output(self.path(number))
        return write_manifest(2, self.specs[spec_id], schema or self.schema, output, self.snapshot_id, CODEC)


def to_merge(manifests: Sequence[ManifestFile], target_bytes: int) -> list[ManifestFile]:
    """The manifests of one spec to merge into one, oldest first; none while there are few small ones.

    It copies at most what one manifest may hold; a manifest with half the files or bytes counts as full and is left
    alone.

    A manifest that dwarfs the others together waits for a later merge, so that each entry is copied a logarithmic
    number of times over a table's life.
    """
    small = [
        m
        for m in manifests
        if m.content == ManifestContent.DATA and _files(m) < MERGE_FILES // 2 and m.manifest_length < target_bytes // 2
    ]
    if len(small) <= MAX_SMALL_MANIFESTS:
        return []
    chosen = sorted(small, key=_files)
    files, size_bytes = sum(map(_files, chosen)), sum(m.manifest_length for m in chosen)
    while len(chosen) > 2:
        largest = chosen[-1]
        if files <= MERGE_FILES and size_bytes <= target_bytes and _files(largest) <= 2 * (files - _files(largest)):
            break
        chosen.pop()
        files -= _files(largest)
        size_bytes -= largest.manifest_length
    return sorted(chosen, key=lambda m: m.sequence_number)


def _files(manifest: ManifestFile) -> int:
    return (manifest.added_files_count or 0) + (manifest.existing_files_count or 0)


def _listed(manifests: Sequence[ManifestFile]) -> list[Entries]:
    """Totals from the manifest list; empty if any manifest has format version 1, where counts are optional."""
    rows = [(m.added_rows_count, m.existing_rows_count) for m in manifests]
    known = [added + existing for added, existing in rows if added is not None and existing is not None]
    return [Entries(sum(map(_files, manifests)), sum(known))] if len(known) == len(rows) else []


def partition_place(file: DataFile) -> tuple[tuple[Any, ...], ...]:
    """Sort key of the file's partition among those of its spec."""
    return tuple(placed(file.partition[i]) for i in range(len(file.partition)))


def is_writable(spec: PartitionSpec | None, schema: Schema) -> bool:
    """Whether *schema* has all columns of *spec*: otherwise the spec cannot be written."""
    return spec is not None and all(f.source_id in schema.field_ids for f in spec.fields)


def _marked(entry: ManifestEntry, status: ManifestEntryStatus, snapshot_id: int | None = None) -> ManifestEntry:
    """The entry for a later manifest; *snapshot_id* is the snapshot that deletes it."""
    return ManifestEntry.from_args(
        status=status,
        snapshot_id=entry.snapshot_id if snapshot_id is None else snapshot_id,
        sequence_number=entry.sequence_number,
        file_sequence_number=entry.file_sequence_number,
        data_file=entry.data_file,
    )
