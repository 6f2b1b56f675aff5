"""Whether files that were written for an earlier layout of a table may still be committed to it.

Readers find a column in a file by its field id, so files of an older schema are read as well as those that are in the table
already: with nulls in columns that they lack, and with promoted types (Iceberg specification, Schema Evolution).
"""

from __future__ import annotations

from collections.abc import Iterator

from pyiceberg.schema import Schema
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.types import IcebergType, ListType, MapType, NestedField, StructType

from lakelock.adapters.iceberg.columns import type_of
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.landing import can_name, landing_spec
from lakelock.adapters.parquet.file_layout import Written, digest_of, digest_of_spec
from lakelock.model.column_changes import widens
from lakelock.model.layouts import tokens_in


def misfit(handle: Handle, token: str) -> str:
    """Why files that were written for the layouts of *token* must not be committed; empty if they may. Raises storage errors.

    Values in a dropped column would be hidden as soon as they are committed, and values that the table no longer has a
    type for would be read wrongly or not at all.
    """
    found = ((one, _misfit(handle, one)) for one in tokens_in(token))
    return next((f"{one} no longer fits: {why}" for one, why in found if why), "")


def _misfit(handle: Handle, token: str) -> str:
    metadata, written = handle.metadata, Written.of(token)
    if written is None:
        return "it is the layout of another kind of table"
    schema = next((s for s in metadata.schemas if s.schema_id == written.schema_id), None)
    landing = landing_spec(metadata)
    spec = landing if landing.spec_id == written.spec_id else metadata.specs().get(written.spec_id)
    if written.digests is None:
        # Recorded by version 0.2.0, without digests: another schema that has the same id cannot be recognized.
        is_current = (written.schema_id, written.spec_id) == (metadata.current_schema_id, metadata.default_spec_id)
        return "" if is_current else "the table has another schema or partition spec now"
    if schema is None or digest_of(schema) != written.digests[0]:
        return "the table has no such schema"
    if spec is None or digest_of_spec(spec) != written.digests[1]:
        return "the table has no such partition spec"
    if why := next(_struct("", schema.as_struct(), metadata.schema().as_struct()), ""):
        return why
    if name := next(_came_back(metadata, schema), ""):
        return f"column {name} was dropped, and is there again"
    return "" if can_name(handle, spec.spec_id) else "no file of the table has this partition spec"


def _came_back(metadata: TableMetadata, schema: Schema) -> Iterator[str]:
    """Columns that the table has now and had before *schema*, but not in it.

    A copy of rows that was made meanwhile lacks their values.
    """
    before = {i for s in metadata.schemas if s.schema_id < schema.schema_id for i in s.field_ids}
    now = metadata.schema()
    for column_id in now.field_ids:
        if column_id in before and column_id not in schema.field_ids:
            yield now.find_column_name(column_id) or str(column_id)


def _struct(within: str, then: StructType, now: StructType) -> Iterator[str]:
    """Why a struct of a file cannot be read as the one that the table has now, by field ids."""
    there = {f.field_id: f for f in now.fields}
    had = {f.field_id for f in then.fields}
    for field in then.fields:
        if (current := there.get(field.field_id)) is None:
            yield f"column {within}{field.name} was dropped"
        else:
            yield from _field(within, field, current)
    for field in now.fields:
        if field.required and field.field_id not in had:
            yield f"the table has a new required column {within}{field.name}"


def _field(within: str, then: NestedField, now: NestedField) -> Iterator[str]:
    name = f"{within}{now.name}"
    if now.field_id != then.field_id:
        yield f"column {within}{then.name} was dropped"
    elif now.required and not then.required:
        yield f"column {name} is required now"
    else:
        yield from _type(name, then.field_type, now.field_type)


def _type(name: str, then: IcebergType, now: IcebergType) -> Iterator[str]:
    match then, now:
        case StructType(), StructType():
            yield from _struct(f"{name}.", then, now)
        case ListType(), ListType():
            yield from _field(f"{name}.", then.element_field, now.element_field)
        case MapType(), MapType():
            yield from _field(f"{name}.", then.key_field, now.key_field)
            yield from _field(f"{name}.", then.value_field, now.value_field)
        case _ if then != now and not widens(type_of(then), type_of(now)):
            yield f"column {name} was {then} and is {now}"
