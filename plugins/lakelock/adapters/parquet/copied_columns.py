"""Map the columns of a data file to a table's, by field id and without changing any value.

A file whose rows do not fit the current schema exactly is not copied. PyIceberg's own projection loses nulls inside
lists and maps.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import IdentityTransform

from lakelock.adapters.parquet.file_form import arrow_schema, small_type

_ID = b"PARQUET:field_id"
_WIDER = {pa.int32(): pa.int64(), pa.float32(): pa.float64()}
_COARSER = ("s", "ms")


class FileUnfit(Exception):
    """Reason why a file cannot be copied."""


@dataclass(frozen=True, slots=True)
class CopiedColumn:
    """A column of the table; *place* is its index in the file, None if the file is older than the column."""

    field: pa.Field
    place: int | None


class Columns:
    """Columns of a table, and their mapping from the columns of its files."""

    def __init__(self, schema: Schema, spec: PartitionSpec) -> None:
        self.schema = arrow_schema(schema)
        # Iceberg lets a file omit these columns: their values are then those of the partition.
        self._of_partition = {f.source_id for f in spec.fields if isinstance(f.transform, IdentityTransform)}

    def of(self, parquet: pq.ParquetFile) -> list[CopiedColumn]:
        """The table's columns in the file; raises FileUnfit."""
        if any(parquet.schema.column(n).physical_type == "INT96" for n in range(len(parquet.schema.names))):
            raise FileUnfit("it has INT96 timestamps")
        places: dict[int, int] = {}
        for place, field in enumerate(parquet.schema_arrow):
            field_id = _id(field)
            if field_id is None:
                raise FileUnfit(f"its column {field.name} has no field id")
            if places.setdefault(field_id, place) != place:
                raise FileUnfit(f"its column {field.name} has the field id of another column")
        return [self._column(field, parquet.schema_arrow, places.get(_required_id(field))) for field in self.schema]

    def taken(self, columns: list[CopiedColumn], batch: pa.RecordBatch) -> pa.Table:
        """Rows of *batch*, which has all columns of its file, in the table's schema."""
        taken = [
            pa.nulls(batch.num_rows, c.field.type) if c.place is None else _as(batch.column(c.place), c.field)
            for c in columns
        ]
        return pa.Table.from_arrays(taken, schema=self.schema)

    def _column(self, field: pa.Field, file: pa.Schema, place: int | None) -> CopiedColumn:
        if place is None:
            if not field.nullable or _required_id(field) in self._of_partition:
                raise FileUnfit(f"it lacks the column {field.name}")
        elif not _fits(file.field(place), field):
            raise FileUnfit(f"its column {field.name} is {file.field(place).type}, the table's is {field.type}")
        return CopiedColumn(field, place)


def _id(field: pa.Field) -> int | None:
    text = (field.metadata or {}).get(_ID)
    return None if text is None else int(text)


def _required_id(field: pa.Field) -> int:
    return int(field.metadata[_ID])


def _fits(have: pa.Field, want: pa.Field) -> bool:
    """Whether every value of *have* is a value of *want* with the same meaning. Nested types must be the same."""
    if pa.types.is_nested(want.type):
        return _same(have, want, named=False)
    kind = _plain(have.type)
    wanted = _plain(want.type)
    if pa.types.is_decimal(kind) and pa.types.is_decimal(wanted):
        return bool(kind.scale == wanted.scale and kind.precision <= wanted.precision)
    if pa.types.is_timestamp(kind) and pa.types.is_timestamp(wanted):
        return (kind.tz is None) == (wanted.tz is None) and kind.unit in {*_COARSER, wanted.unit}
    return bool(kind == wanted or _WIDER.get(kind) == wanted)


def _same(have: pa.Field, want: pa.Field, named: bool = True) -> bool:
    """Whether two nested types are the same, including field names in structs, ids, and nullability."""
    if have.nullable and not want.nullable:
        return False
    if named and (_id(have) != _id(want)):
        return False
    one, other = small_type(have.type), want.type
    if one.id != other.id:
        return False
    if pa.types.is_struct(other):
        return bool(
            [f.name for f in one] == [f.name for f in other]
            and all(_same(a, b) for a, b in zip(one, other, strict=True))
        )
    if pa.types.is_list(other):
        return _same(one.value_field, other.value_field)
    if pa.types.is_map(other):
        return _same(one.key_field, other.key_field) and _same(one.item_field, other.item_field)
    return bool(_plain(one) == _plain(other))


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type regardless of its memory layout."""
    kind = small_type(kind)
    return kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind


def _as(column: pa.Array, field: pa.Field) -> pa.Array:
    if column.null_count and not field.nullable:
        raise FileUnfit(f"its column {field.name} has nulls, which the table's must not have")
    if column.type == field.type:
        return column
    if isinstance(field.type, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(field.type, column.cast(field.type.storage_type))
    return column.cast(field.type)
