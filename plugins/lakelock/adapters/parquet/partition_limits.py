"""Values whose partition value no manifest can hold: a truncated number that falls below the least of its type."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import TruncateTransform
from pyiceberg.types import DecimalType, IcebergType, IntegerType, LongType
from pyiceberg.utils.decimal import decimal_to_unscaled

from lakelock.adapters.parquet.routes import column_of
from lakelock.records.reasons import PARTITION_VALUE, Unfit

_LEAST: dict[IcebergType, int] = {IntegerType(): -(1 << 31), LongType(): -(1 << 63)}


class PartitionLimits:
    """Truncation takes a number down to a multiple of its width (Iceberg specification, partition transforms), so that only
    the least values of a column can fall out of its type."""

    def __init__(self, schema: Schema, spec: PartitionSpec) -> None:
        self._schema = schema
        # Of each field the column's id and type, and the width.
        self._fields: list[tuple[int, IcebergType, int]] = []
        for field in spec.fields:
            kind = schema.find_field(field.source_id).field_type
            if isinstance(field.transform, TruncateTransform) and (kind in _LEAST or isinstance(kind, DecimalType)):
                self._fields.append((field.source_id, kind, field.transform.width))

    def check(self, rows: pa.Table) -> None:
        """Raises Unfit."""
        for column_id, kind, width in self._fields:
            least = pc.min(column_of(rows, self._schema, column_id)).as_py()
            if least is not None and not _holds(least, kind, width):
                name = self._schema.find_column_name(column_id)
                message = f"field {name!r}: truncate({width}) of {least}, its partition value, does not fit {kind}"
                raise Unfit(message, PARTITION_VALUE, name)


def _holds(value: int | Decimal, kind: IcebergType, width: int) -> bool:
    number = decimal_to_unscaled(value) if isinstance(value, Decimal) else value
    least = 1 - 10**kind.precision if isinstance(kind, DecimalType) else _LEAST[kind]
    return bool(number - number % width >= least)
