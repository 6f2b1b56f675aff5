"""Order rows for writing: by Iceberg partition, within it by the table's sort order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.partitioning import PartitionField, PartitionSpec, partition_record_value
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import NullOrder, SortDirection, SortOrder
from pyiceberg.transforms import BucketTransform, IdentityTransform, Transform, TruncateTransform, VoidTransform
from pyiceberg.typedef import Record
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    FixedType,
    IcebergType,
    NestedField,
    StructType,
    TimeType,
    UUIDType,
)

Partition = tuple[object, ...]
# pyiceberg-core does not support these; Python's transform is applied to their distinct values instead.
_BY_VALUE: dict[type[object], tuple[type[IcebergType], ...]] = {
    BucketTransform: (UUIDType, FixedType, BinaryType, TimeType, BooleanType),
    TruncateTransform: (BinaryType,),
}


@dataclass(frozen=True, slots=True)
class RowRun:
    """Rows `[start, end)` of one partition; *record* is the partition as in manifests."""

    partition: Partition
    record: Record
    start: int
    end: int


class PartitionRouter:
    """Orders rows of one table under one partition spec and sort order."""

    def __init__(self, schema: Schema, spec: PartitionSpec, order: SortOrder) -> None:
        self._schema = schema
        self._spec = spec
        self._order = order
        self._partitioned = [f for f in spec.fields if not isinstance(f.transform, VoidTransform)]
        self._records: dict[Partition, Record] = {}

    def routed(self, rows: pa.Table) -> tuple[pa.Table, list[RowRun]]:
        """All rows, grouped by partition, and the run of each partition; rows of equal rank keep their order."""
        if not rows.num_rows:
            return rows, []
        if not self._partitioned:
            return self.sorted(rows), [RowRun((), self._record(()), 0, rows.num_rows)]
        rows = rows.combine_chunks()
        codes, partitions = self._codes(rows)
        if len(partitions) == 1:
            return self.sorted(rows), [RowRun(partitions[0], self._record(partitions[0]), 0, rows.num_rows)]
        order = np.argsort(codes, kind="stable") if not self._order.fields else self._sort_indices(rows, codes)
        starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=len(partitions)))]).tolist()
        runs = [
            RowRun(partition, self._record(partition), starts[n], starts[n + 1])
            for n, partition in enumerate(partitions)
        ]
        return rows.take(pa.array(order)), runs

    def partitions(self, rows: pa.Table) -> dict[Partition, Record]:
        """Those that the rows have."""
        if not rows.num_rows or not self._partitioned:
            return {}
        return {partition: self._record(partition) for partition in self._codes(rows.combine_chunks())[1]}

    def sorted(self, rows: pa.Table) -> pa.Table:
        if not self._order.fields:
            return rows
        rows = rows.combine_chunks()
        return rows.take(self._sort_indices(rows, None))

    def _record(self, partition: Partition) -> Record:
        if partition not in self._records:
            values = dict(zip([f.field_id for f in self._partitioned], partition, strict=True))
            self._records[partition] = Record(*[self._plain(f, values.get(f.field_id)) for f in self._spec.fields])
        return self._records[partition]

    def _plain(self, field: PartitionField, value: Any) -> Any:
        """A value as in manifests, where dates and times of identity partitions are numbers."""
        return (
            partition_record_value(field, value, self._schema)
            if isinstance(field.transform, IdentityTransform)
            else value
        )

    def _codes(self, rows: pa.Table) -> tuple[npt.NDArray[np.int64], list[Partition]]:
        """A number per row, and the partition of each number."""
        combined = np.zeros(rows.num_rows, np.int64)
        dictionaries = []
        for field in self._partitioned:
            encoded = self._transformed(rows, field.source_id, field.transform).dictionary_encode("encode")
            combined = combined * len(encoded.dictionary) + encoded.indices.to_numpy(zero_copy_only=False)
            # Keeps the numbers small for any number of fields.
            used, combined = np.unique(combined, return_inverse=True)
            dictionaries.append((used, encoded.dictionary.to_pylist()))
        partitions = []
        for code in range(len(dictionaries[-1][0])):
            values = []
            for used, dictionary in reversed(dictionaries):
                code, index = divmod(int(used[code]), len(dictionary))  # noqa: PLW2901
                values.append(dictionary[index])
            partitions.append(tuple(reversed(values)))
        return combined, partitions

    def _sort_indices(self, rows: pa.Table, codes: npt.NDArray[np.int64] | None) -> pa.Array:
        columns: dict[str, Any] = {} if codes is None else {"partition": pa.array(codes)}
        keys = [(name, "ascending") for name in columns]
        for n, field in enumerate(self._order.fields):
            column = self._transformed(rows, field.source_id, field.transform)
            columns[f"null{n}"], columns[f"key{n}"] = column.is_null(), column
            # A separate key, because Arrow places nulls the same for all keys, and Iceberg for each.
            keys.append((f"null{n}", "descending" if field.null_order is NullOrder.NULLS_FIRST else "ascending"))
            keys.append((f"key{n}", "ascending" if field.direction is SortDirection.ASC else "descending"))
        return pc.sort_indices(pa.table(columns), sort_keys=keys)

    def _transformed(self, rows: pa.Table, source_id: int, transform: Transform[Any, Any]) -> pa.Array:
        source = self._schema.find_field(source_id)
        column = column_of(rows, self._schema, source_id)
        if isinstance(column, pa.ExtensionArray):
            column = column.storage
        return transformed(column, source.field_type, transform)


def transformed(column: pa.Array, kind: IcebergType, transform: Transform[Any, Any]) -> pa.Array:
    """Partition or sort values of a column according to Iceberg's transform."""
    if isinstance(transform, IdentityTransform):
        return column
    if isinstance(kind, _BY_VALUE.get(type(transform), ())):
        encoded = column.dictionary_encode()
        one: Callable[[Any], Any] = transform.transform(kind)
        result_type = pa.int32() if isinstance(transform, BucketTransform) else column.type
        values = pa.array([one(v) for v in encoded.dictionary.to_pylist()], result_type)
        return values.take(encoded.indices)
    out = transform.pyarrow_transform(kind)(column)
    return out.combine_chunks() if isinstance(out, pa.ChunkedArray) else out


def column_of(rows: pa.Table, schema: Schema, field_id: int) -> pa.Array:
    """A column at any depth of structs; *rows* must have one chunk."""
    first, *inner = path_of(schema.fields, field_id)
    column: pa.Array = rows.column(first).chunk(0)
    for name in inner:
        column = _child(column, name)
    return column


def path_of(fields: Sequence[NestedField], field_id: int) -> tuple[str, ...]:
    """Names on the path through structs to a field; empty if no such path exists.

    A joined name would be ambiguous, because names may contain dots.
    """
    for field in fields:
        if field.field_id == field_id:
            return (field.name,)
        if isinstance(field.field_type, StructType) and (inner := path_of(field.field_type.fields, field_id)):
            return (field.name, *inner)
    return ()


def _child(column: pa.StructArray, name: str) -> pa.Array:
    """Child of a struct, null wherever the struct is."""
    return column.flatten()[column.type.names.index(name)]
