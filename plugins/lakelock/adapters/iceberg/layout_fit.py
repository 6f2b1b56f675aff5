"""Whether files that were written for an earlier layout of a table may still be committed to it.

Readers find a column in a file by its field id, so files of an older schema are read as well as those that are in the table
already: with nulls in columns that they lack, and with promoted types (Iceberg specification, Schema Evolution).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyiceberg.schema import Schema
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.types import (
    DecimalType,
    DoubleType,
    FloatType,
    IcebergType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StructType,
)

from lakelock.adapters.parquet.file_layout import Written, digest_of

_PROMOTIONS: dict[type[IcebergType], type[IcebergType]] = {IntegerType: LongType, FloatType: DoubleType}


def misfit(metadata: TableMetadata, token: str) -> str:
    """Why files that were written for the layout *token* must not be committed; empty if they may.

    Values in a dropped column would be hidden as soon as they are committed, and values that the table no longer has a
    type for would be read wrongly or not at all.
    """
    written = Written.of(token)
    if written is None:
        return f"its files were written for another kind of table ({token})"
    schema = next((s for s in metadata.schemas if s.schema_id == written.schema_id), None)
    if schema is None or written.schema_digest not in (None, digest_of(schema)):
        return f"its files were written for {token}, and the table has no such schema"
    now = metadata.schema()
    if why := next(_struct("", schema.as_struct(), now.as_struct()), ""):
        return f"its files were written for {token}: {why}"
    spec = metadata.specs().get(written.spec_id)
    if spec is None:
        return f"its files were written for {token}, and the table has no such partition spec"
    if not has_columns(now, (f.source_id for f in spec.fields)):
        return f"its files were written for {token}, and a column of that partition spec was dropped"
    return ""


def has_columns(schema: Schema, ids: Iterable[int]) -> bool:
    """A partition spec can be written only while the schema has its source columns."""
    return all(i in schema.field_ids for i in ids)


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
        case _ if not _reads(then, now):
            yield f"column {name} was {then} and is {now}"


def _reads(then: IcebergType, now: IcebergType) -> bool:
    """Whether *now* is *then*, or a promotion of it that format version 2 permits."""
    if isinstance(then, DecimalType) and isinstance(now, DecimalType):
        return then.scale == now.scale and then.precision <= now.precision
    return then == now or _PROMOTIONS.get(type(then)) is type(now)
