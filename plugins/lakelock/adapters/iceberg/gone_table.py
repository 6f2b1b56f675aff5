"""Advice for a table that is gone from its catalog: its newest metadata file, and the command to register it."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NoSuchNamespaceError
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
) -> str:
    """Sentences for an error message. The location follows from the table's *data_files*, else the catalog's default.

    *uuid* is that of the table; None means the newest of this name.
    """
    try:
        with border.crossing(f"{table}: looking for its metadata files"):
            found = _newest(catalog, table, uuid, data_files)
    except LakelockError as fault:
        # The caller's own error matters more.
        logger.warning("%s", fault)
        found = []
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
