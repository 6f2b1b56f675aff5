"""Changes of a table's columns as updates of its schema, those that snapshots record, and columns of earlier schemas."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from cachetools import LRUCache
from pyiceberg.schema import Schema
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.update import (
    AddSchemaUpdate,
    AssertLastAssignedFieldId,
    SetCurrentSchemaUpdate,
    TableRequirement,
    TableUpdate,
)
from pyiceberg.types import ListType, MapType, NestedField, StructType

from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.columns import type_from
from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.adapters.parquet.file_layout import Written
from lakelock.errors import BadTableDefinition, State
from lakelock.model import ledger as codec
from lakelock.model.column_changes import Added, ColumnChange, ColumnPath, Commented, MadeOptional
from lakelock.model.evolutions import EVOLUTION, ColumnsChanged, decode
from lakelock.model.layouts import tokens_in
from lakelock.model.versions import ColumnSet
from lakelock.ports.tables import PastColumns, TableState

# A table that changed often has many schemas, and a process may load the same metadata several times.
_known: LRUCache[tuple[str, str, int], PastColumns] = LRUCache(64)
_known_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """Updates that give a table another current schema, of this id, and what they rely on beside its schema now."""

    schema_id: int
    updates: tuple[TableUpdate, ...]
    requirements: tuple[TableRequirement, ...]


def schema_change(handle: Handle, changes: Sequence[ColumnChange]) -> SchemaChange:
    """Field ids are the table's next ones, and its name mapping gets the new columns. Raises BadTableDefinition."""
    update = internals.schema_update(handle.table)
    try:
        for change in changes:
            match change:
                case Added(path, kind, doc):
                    update.add_column(path, type_from(kind, ".".join(path)), doc)
                case MadeOptional(path):
                    update.make_column_optional(path)
                case Commented(path, doc):
                    update.update_column(path, doc=doc)
                case _:
                    update.update_column(change.path, type_from(change.type, ".".join(change.path)))
        updates = internals.schema_updates(update)
    except ValueError as fault:
        raise BadTableDefinition(
            f"{handle.name}: its columns cannot change: {str(fault).splitlines()[0]}.", State.NOTHING_CHANGED
        ) from fault
    added = next((u.schema_.schema_id for u in updates if isinstance(u, AddSchemaUpdate)), None)
    current = next((u.schema_id for u in updates if isinstance(u, SetCurrentSchemaUpdate)), -1)
    schema_id = added if added is not None else current if current >= 0 else handle.metadata.current_schema_id
    last = AssertLastAssignedFieldId.model_validate({"last-assigned-field-id": handle.metadata.last_column_id})
    return SchemaChange(schema_id, updates, (last,))


def schema_after(state: TableState, changes: Sequence[ColumnChange]) -> Schema:
    """The table's schema once *changes* have landed. Raises BadTableDefinition."""
    handle = handle_of(state)
    updates = schema_change(handle, changes).updates
    return next((u.schema_ for u in updates if isinstance(u, AddSchemaUpdate)), handle.metadata.schema())


def past_columns(handle: Handle) -> PastColumns:
    """Columns that an earlier schema had by names that no column has now."""
    metadata = handle.metadata
    key = (str(metadata.table_uuid), handle.table.metadata_location, metadata.last_updated_ms)
    with _known_lock:
        known = _known.get(key)
    if known is None:
        known = _past_columns(metadata)
        with _known_lock:
            _known[key] = known
    return known


def _past_columns(metadata: TableMetadata) -> PastColumns:
    now = metadata.schema()
    paths_now = dict(_paths(now))
    taken = set(paths_now.values())
    dropped: set[ColumnPath] = set()
    renamed: dict[ColumnPath, ColumnPath] = {}
    ids: dict[ColumnPath, set[int]] = {}
    for schema in metadata.schemas:
        if schema.schema_id == now.schema_id:
            continue
        for field_id, path in _paths(schema):
            if path in taken:
                continue
            ids.setdefault(path, set()).add(field_id)
            if field_id in paths_now:
                renamed[path] = paths_now[field_id]
            else:
                dropped.add(path)
    several = frozenset(path for path, of_path in ids.items() if len(of_path) > 1)
    return PastColumns(frozenset(dropped - renamed.keys()), renamed, several)


def column_sets(handle: Handle, staged: Collection[str]) -> list[ColumnSet]:
    """All schemas of the table. *staged* are tokens of layouts."""
    metadata = handle.metadata
    written = {found.schema_id for token in staged for one in tokens_in(token) if (found := Written.of(one))}
    snapshots: dict[int, set[int]] = {}
    for snapshot in handle.snapshots.values():
        # A snapshot without one is read with the current schema.
        if snapshot.schema_id is not None:
            snapshots.setdefault(snapshot.schema_id, set()).add(snapshot.snapshot_id)
    return [
        ColumnSet(
            schema.schema_id,
            frozenset((path, field_id) for field_id, path in _paths(schema)),
            frozenset(snapshots.get(schema.schema_id, ())),
            schema.schema_id == metadata.current_schema_id,
            schema.schema_id in written,
        )
        for schema in metadata.schemas
    ]


def columns_changed(handle: Handle, pipeline: str, *, since_commit: bool) -> list[ColumnsChanged]:
    """By all snapshots of *pipeline*, or by those after its last commit of batches; oldest first."""
    out: list[ColumnsChanged] = []
    for snapshot in sorted(handle.snapshots.values(), key=lambda s: s.sequence_number or 0, reverse=True):
        summary = snapshot.summary.additional_properties if snapshot.summary else {}
        if summary.get(codec.PIPELINE) != pipeline:
            continue
        # Dead letters that became rows are no batch: their snapshot has its commit id there.
        if since_commit and summary.get(codec.BATCHES, "") not in {"", summary.get(codec.COMMIT_ID)}:
            break
        if EVOLUTION in summary:
            changed = decode(summary[EVOLUTION], handle.name, snapshot.snapshot_id, snapshot.timestamp_ms)
            out += [changed] if changed is not None else []
    return out[::-1]


def _paths(schema: Schema) -> Iterator[tuple[int, ColumnPath]]:
    """Fields by id, but for keys of maps."""
    for field in schema.fields:
        yield from _of_field(field, ())


def _of_field(field: NestedField, within: ColumnPath) -> Iterator[tuple[int, ColumnPath]]:
    path = (*within, field.name)
    yield field.field_id, path
    match field.field_type:
        case StructType(fields=fields):
            for inner in fields:
                yield from _of_field(inner, path)
        case ListType() as kind:
            yield from _of_field(kind.element_field, path)
        case MapType() as kind:
            yield from _of_field(kind.value_field, path)
