"""Decide which of lakelock's own files nothing can ever name again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from lakelock.model import file_names
from lakelock.model.table_files import KnownFiles, OwnFile


def data_file(table_uuid: str, folder: str, relative: str, size_bytes: int, modified_ms: int) -> OwnFile | None:
    """The file at *relative* in a table's data folder, if it was written by lakelock for the table with this UUID."""
    found = file_names.batch_and_attempt(relative, table_uuid)
    return OwnFile(f"{folder}/{relative}", size_bytes, modified_ms, *found) if found else None


def metadata_file(table_uuid: str, folder: str, relative: str, size_bytes: int, modified_ms: int) -> OwnFile | None:
    """As `data_file`, for the metadata folder: a manifest, a manifest list, or a file of the ledger."""
    mine = file_names.is_own_metadata(relative, table_uuid)
    return OwnFile(f"{folder}/{relative}", size_bytes, modified_ms) if mine else None


def unnamed(found: Iterable[OwnFile], older_than_ms: int, named: Collection[str]) -> list[OwnFile]:
    """Files that are old enough and that no snapshot of the table names."""
    return [f for f in found if f.modified_ms < older_than_ms and f.name not in named]


def orphans(found: Sequence[OwnFile], known: KnownFiles, alone: bool) -> list[OwnFile]:
    """Of files that no snapshot names, those that no part can name either and that no attempt may still write.

    A batch that the log does not know is finished and folded away, unless the table has writers of another log (it is
    not *alone*): that log may know it.
    """

    def is_orphan(file: OwnFile) -> bool:
        if file.batch_id is None:
            return True
        if file.name in known.files:
            return False
        note = known.batches.get(file.batch_id)
        if note is None:
            return alone
        return not (note.open and note.attempt == file.attempt)

    return list(filter(is_orphan, found))
