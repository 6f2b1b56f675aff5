"""Sample rows from a table's newest data files; manifests are read newest first, until enough rows are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLong
from dataclasses import dataclass

from pyiceberg.manifest import DataFile, DataFileContent, FileFormat, ManifestContent

from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.adapters.iceberg.tables import IcebergTables
from lakelock.adapters.parquet.first_rows import RowSample, first_rows, shown_columns
from lakelock.errors import State, Unreachable
from lakelock.model import ledger as codec
from lakelock.ports import TableState

MOST_FILES, MOST_MANIFESTS = 10, 20
TIMEOUT_S = 10.0
# A separate pool, so that hanging storage does not block other requests.
_readers = ThreadPoolExecutor(2, thread_name_prefix="lakelock-sample")


@dataclass(frozen=True, slots=True)
class Sampled:
    """Sample rows and the `files` they come from. `why_few` is the reason why there may be more rows than shown; empty
    if there are not, or if as many are shown as requested.
    """

    sample: RowSample
    files: tuple[str, ...]
    why_few: str


def sample(tables: IcebergTables, state: TableState, pipeline: str, rows: int) -> Sampled:
    """At most *rows* rows of the head, as text.

    If other pipelines write to the table, only files of *pipeline*'s own commits are read, because its readers may not
    have access to other pipelines' records. Raises Unreachable after TIMEOUT_S.
    """

    def read() -> Sampled:
        with tables.border.crossing(f"{state.name}: reading sample rows"):
            return _read(handle_of(state), pipeline, rows)

    reading = _readers.submit(read)
    try:
        return reading.result(TIMEOUT_S)
    except TooLong:
        reading.cancel()
        raise Unreachable(
            f"{state.name}: its storage did not deliver sample rows within {TIMEOUT_S:.0f} s.", State.NOTHING_CHANGED
        ) from None


def _read(handle: Handle, pipeline: str, rows: int) -> Sampled:
    schema = handle.metadata.schema()
    columns, left_out = shown_columns(schema)
    found, files, viewed = list[list[str | None]](), list[str](), 0
    why_few = ""
    for file in _newest(handle, pipeline):
        if isinstance(file, str):
            why_few = file
            continue
        if len(found) == rows:
            break
        if viewed == MOST_FILES:
            why_few = f"They are of the newest {MOST_FILES} files."
            break
        viewed += 1
        read = first_rows(handle.table.io, file.file_path, schema, list(columns), rows - len(found))
        if read:
            found += read
            files.append(file.file_path)
        elif file.record_count:
            why_few = "A file whose columns have no field ids is left out."
    return Sampled(
        RowSample(tuple(columns.values()), found, left_out), tuple(files), "" if len(found) == rows else why_few
    )


def _newest(handle: Handle, pipeline: str) -> Iterator[DataFile | str]:
    """Live data files, newest first, or the reason why one is omitted."""
    io, head = handle.table.io, handle.head
    live = [m for m in head.manifests(io) if m.has_added_files() or m.has_existing_files()] if head else []
    # Which rows of older files a delete file hides is not determined; newer files are not affected.
    deleted = max((m.sequence_number for m in live if m.content == ManifestContent.DELETES), default=-1)
    data = [m for m in live if m.content == ManifestContent.DATA]
    data.sort(key=lambda m: m.sequence_number, reverse=True)
    shared = bool(handle.other_tags)
    for manifest in data[:MOST_MANIFESTS]:
        entries = manifest.fetch_manifest_entry(io, discard_deleted=True)
        for entry in sorted(entries, key=lambda e: e.sequence_number or 0, reverse=True):
            file = entry.data_file
            if file.content != DataFileContent.DATA or file.file_format != FileFormat.PARQUET:
                yield "A file that is not Parquet is left out."
            elif (entry.sequence_number or 0) <= deleted:
                yield "Files with rows that another writer's delete files may hide are left out."
            elif shared and not _is_own(handle, entry.snapshot_id, pipeline):
                yield "Other pipelines also write to the table: only files of this pipeline's own commits are read."
            else:
                yield file
    if len(data) > MOST_MANIFESTS:
        yield f"They are of the newest {MOST_MANIFESTS} of {len(data)} manifests."


def _is_own(handle: Handle, snapshot_id: int | None, pipeline: str) -> bool:
    """Whether a commit of *pipeline* added the file; a compacted file may have rows of others."""
    snapshot = handle.snapshots.get(snapshot_id) if snapshot_id is not None else None
    summary: Mapping[str, str] = handle.summary(snapshot) if snapshot else {}
    return summary.get(codec.PIPELINE) == pipeline and codec.BATCHES in summary
