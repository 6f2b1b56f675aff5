"""The log's knowledge of files in storage: staged ones, their layouts, and the files and state of given batches."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.model.table_files import BatchNote, KnownFiles, name_of


def now(connection: Connection) -> datetime:
    row = connection.execute(queries("files")["now"]).fetchone()
    assert row is not None
    moment: datetime = row["now"]
    return moment


def staged(connection: Connection, table: str) -> list[str]:
    return [row["path"] for row in connection.execute(queries("files")["staged"], {"table": table})]


def part_layouts(connection: Connection, table: str) -> list[tuple[str, int | None]]:
    rows = connection.execute(queries("files")["layouts"], {"table": table})
    return [(row["layout"], row["committed_by"]) for row in rows]


def known(connection: Connection, batch_ids: Collection[str]) -> KnownFiles:
    wanted = {"batch_ids": list(batch_ids)}
    batches = connection.execute(queries("files")["batches"], wanted)
    notes = {row["batch_id"]: BatchNote(row["is_open"], row["attempt"]) for row in batches}
    files = connection.execute(queries("files")["of_batches"], wanted)
    return KnownFiles(notes, frozenset(name_of(row["path"]) for row in files))
