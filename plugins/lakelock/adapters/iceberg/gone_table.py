"""Advice for a table that is gone from its catalog: its new name, or its newest metadata file and the command to register it."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NoSuchIcebergTableError, NoSuchNamespaceError, NoSuchTableError
from pyiceberg.io import load_file_io
from pyiceberg.serializers import FromInputFile

from lakelock.adapters.iceberg.errors import Border
from lakelock.adapters.iceberg.listing import entries
from lakelock.adapters.iceberg.snippets import registering
from lakelock.errors import LakelockError

logger = logging.getLogger(__name__)

# Numbered as PyIceberg and Iceberg's Java library do.
_METADATA = re.compile(r"(\d+)-.+\.metadata\.json")
# Skip metadata of other tables in the same folder, such as an earlier table of this name.
MOST_READ = 50
# Tables that are looked at for the UUID of one that is gone.
MOST_LOADED = 50
PLACEHOLDER = "METADATA_FILE"


@dataclass(frozen=True, slots=True)
class _Found:
    number: int
    updated_ms: int
    path: str


def way_back(
    catalog: Catalog,
    border: Border,
    properties: Mapping[str, str],
    table: str,
    uuid: str | None,
    data_files: Sequence[str],
    known: Collection[str] = (),
) -> str:
    """Sentences for an error message. The location follows from the table's *data_files*, else the catalog's default.

    *uuid* is that of the table; None means the newest of this name. *known* are tables of the catalog that are others.
    """
    found, renamed = list[_Found](), None
    try:
        with border.crossing(f"{table}: looking for its metadata files"):
            renamed = None if uuid is None else _renamed(catalog, table, uuid, known)
            found = [] if renamed else _newest(catalog, table, uuid, data_files)
    except LakelockError as fault:
        # The caller's own error matters more.
        logger.warning("%s", fault)
    if renamed:
        return (
            f"The catalog has this table as {renamed}: another tool renamed it. Rename it back (in Spark SQL: "
            f"`ALTER TABLE {renamed} RENAME TO {table}`)"
        )
    file = found[0].path if found else PLACEHOLDER
    command = f"`{registering(table, file, catalog.name, properties)}`"
    if not found:
        return (
            f"Its newest metadata file was not found where the catalog would put it. Look for the one with the highest number in "
            f"the folder metadata/ of the table, and register it under its name: {command}"
        )
    others = [f.path for f in found[1:] if f.number == found[0].number]
    beside = f" (the same number have {', '.join(others)}: of these one at most was the table's)" if others else ""
    return f"Its newest metadata file is {file}{beside}. Register it under its name: {command}"


def _renamed(catalog: Catalog, table: str, uuid: str, known: Collection[str]) -> str | None:
    """The name that the table with this UUID has now: in its namespace, or else in another one, among the first few tables."""
    own = tuple(table.split(".")[:-1])
    spaces = [own, *(space for space in catalog.list_namespaces() if space != own)]
    names = (".".join(name) for space in spaces for name in _tables_in(catalog, space))
    for name in islice((n for n in names if n not in known), MOST_LOADED):
        try:
            if str(catalog.load_table(name).metadata.table_uuid) == uuid:
                return name
        except (NoSuchTableError, NoSuchIcebergTableError):
            continue
    return None


def _tables_in(catalog: Catalog, space: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
    try:
        return catalog.list_tables(space)
    except NoSuchNamespaceError:
        return ()


def _newest(catalog: Catalog, table: str, uuid: str | None, data_files: Sequence[str]) -> list[_Found]:
    """Metadata files, newest first."""
    out: list[_Found] = []
    for folder in dict.fromkeys(_folders(catalog, table, data_files)):
        io = load_file_io(dict(catalog.properties), folder)
        numbered = [
            (int(match[1]), e.modified_ms, e.relative)
            for e in entries(io, f"{folder}/metadata")
            if (match := _METADATA.fullmatch(e.relative))
        ]
        for number, _, name in sorted(numbered, reverse=True)[:MOST_READ]:
            path = f"{folder}/metadata/{name}"
            metadata = FromInputFile.table_metadata(io.new_input(path))
            if uuid in {None, str(metadata.table_uuid)}:
                out.append(_Found(number, metadata.last_updated_ms, path))
        if out:
            break
    return sorted(out, key=lambda f: (f.updated_ms, f.number), reverse=True)


def _folders(catalog: Catalog, table: str, data_files: Sequence[str]) -> Iterator[str]:
    for path in data_files:
        before, found, _ = path.rpartition("/data/")
        if found:
            yield before
    *namespace, name = table.split(".")
    try:
        known = catalog.load_namespace_properties(tuple(namespace)).get("location")
    except NoSuchNamespaceError:
        known = None
    if known:
        yield f"{str(known).rstrip('/')}/{name}"
    warehouse = str(catalog.properties.get("warehouse", ""))
    if "/" in warehouse:
        base = f"{warehouse.rstrip('/')}/{'.'.join(namespace)}"
        # PyIceberg's convention, and Hive's.
        yield f"{base}/{name}"
        yield f"{base}.db/{name}"
