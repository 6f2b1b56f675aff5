"""Columns of a new table: declared or inferred ones, followed by metadata columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lakelock.errors import BadTableDefinition, State, TableUnfit

METADATA_TYPES = {"partition": "int", "offset": "long", "timestamp": "timestamptz"}
_WIDER = {"partition": "long"}


def check_metadata(table: str, schema: Mapping[str, object], metadata_columns: Mapping[str, str]) -> None:
    """Raise TableUnfit if a metadata column in the table has a type that cannot take its values."""
    fields: Any = schema["fields"]
    types = {f["name"]: f["type"] for f in fields}
    for key, name in metadata_columns.items():
        if types.get(name, METADATA_TYPES[key]) not in (METADATA_TYPES[key], _WIDER.get(key)):
            raise TableUnfit(
                f"table {table}: column {name!r} is {types[name]}, but it takes the Kafka {key}, which needs "
                f"{METADATA_TYPES[key]}.",
                State.PART_PLANNED,
                "Rename that column in the table: batches keep the metadata_columns that they were planned with.",
            )


def schema_with_metadata(
    table: str, fields: Sequence[Mapping[str, object]], metadata_columns: Mapping[str, str]
) -> dict[str, object]:
    """Iceberg schema JSON of *fields*, plus the metadata columns that *fields* does not declare."""
    names = [str(f["name"]) for f in fields]
    for key, name in metadata_columns.items():
        declared = next((f for f in fields if f["name"] == name), None)
        if declared is not None and declared["type"] != METADATA_TYPES[key]:
            raise BadTableDefinition(
                f"table {table}: column {name!r} is declared as {declared['type']}, but it takes the Kafka {key}, which is "
                f"{METADATA_TYPES[key]}.",
                State.NOTHING_CREATED,
                "Rename one of them (metadata_columns) or fix its type.",
            )
    added = [
        {"name": name, "type": METADATA_TYPES[key], "required": False}
        for key, name in metadata_columns.items()
        if name not in names
    ]
    numbered = [{**f, "id": n} for n, f in enumerate([*fields, *added], start=1)]
    return {"type": "struct", "schema-id": 0, "fields": numbered}
