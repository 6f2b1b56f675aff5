"""The past of a table's columns, as far as its metadata still has it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pyiceberg.table.metadata import TableMetadata

from lakelock.adapters.iceberg.handle import handle_of
from lakelock.ports import TableState


@dataclass(frozen=True, slots=True)
class Since:
    """The first retained schema that has a column, and the time of the first retained snapshot with that schema.

    If the one before is gone, the column may have been in it (*or_before*), and the time is None.
    """

    schema_id: int
    at_ms: int | None
    or_before: bool = False


@dataclass(frozen=True, slots=True)
class SummaryEntry:
    """A property of a snapshot's summary."""

    snapshot_id: int
    at_ms: int
    key: str
    text: str


def column_beginnings(state: TableState) -> dict[str, Since]:
    """By dotted name of the column, or field within one."""
    metadata = handle_of(state).metadata
    first: dict[int, int] = {}
    for schema in sorted(metadata.schemas, key=lambda s: s.schema_id):
        for field_id in schema.field_ids:
            first.setdefault(field_id, schema.schema_id)
    return _since(metadata, first)


def name_beginnings(state: TableState) -> dict[str, Since]:
    """By dotted name: the first schema from which on it is the name of its column."""
    metadata = handle_of(state).metadata
    first: dict[int, tuple[str | None, int]] = {}
    for schema in sorted(metadata.schemas, key=lambda s: s.schema_id):
        for field_id in schema.field_ids:
            name = schema.find_column_name(field_id)
            if field_id not in first or first[field_id][0] != name:
                first[field_id] = (name, schema.schema_id)
    return _since(metadata, {field_id: schema_id for field_id, (_, schema_id) in first.items()})


def _since(metadata: TableMetadata, first: Mapping[int, int]) -> dict[str, Since]:
    """By dotted name, for the *first* schema by field id."""
    began: dict[int, int] = {}
    for snapshot in sorted(metadata.snapshots, key=lambda s: s.timestamp_ms):
        if snapshot.schema_id is not None:
            began.setdefault(snapshot.schema_id, snapshot.timestamp_ms)
    now, there = metadata.schema(), {s.schema_id for s in metadata.schemas}
    names = {field_id: now.find_column_name(field_id) for field_id in now.field_ids}
    return {name: _of_schema(first[i], began, there) for i, name in names.items() if name is not None}


def _of_schema(schema_id: int, began: Mapping[int, int], there: Collection[int]) -> Since:
    or_before = schema_id > 0 and schema_id - 1 not in there
    return Since(schema_id, None if or_before else began.get(schema_id), or_before)


def summary_entries(state: TableState, keys: Collection[str]) -> list[SummaryEntry]:
    """Properties of these names in the branch's history, newest first."""
    handle = handle_of(state)
    return [
        SummaryEntry(snapshot.snapshot_id, snapshot.timestamp_ms, key, summary[key])
        for snapshot in handle.ancestry()
        for summary in [handle.summary(snapshot)]
        for key in keys
        if key in summary
    ]
