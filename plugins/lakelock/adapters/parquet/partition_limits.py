"""Detect partition values that no manifest can hold: truncated numbers below the minimum of their type."""

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
    """Limits of truncated partition values.

    Truncation rounds a number down to a multiple of its width (Iceberg specification, partition transforms), so only a
    column's minimum can fall below the range of its type.
    """

    def __init__(self, schema: Schema, spec: PartitionSpec) -> None:
        self._schema = schema
        # Column id, type and width of each field.
        self._fields: list[tuple[int, IcebergType, int]] = []
        for field in spec.fields:
            kind = schema.find_field(field.source_id).field_type
            if isinstance(field.transform, TruncateTransform) and (kind in _LEAST or isinstance(kind, DecimalType)):
                self._fields.append((field.source_id, kind, field.transform.width))

    def check(self, rows: pa.Table) -> None:
        """Raise Unfit if a partition value does not fit."""
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
