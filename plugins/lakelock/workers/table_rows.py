"""Decode Kafka values to rows of one table, including the table's metadata columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from lakelock.adapters.csv.splitter import splitter
from lakelock.adapters.json.reader import reader
from lakelock.adapters.json.reshape import reshaper
from lakelock.adapters.json.scanner import scanner
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.partition_limits import PartitionLimits
from lakelock.errors import State, TableUnfit
from lakelock.model.column_types import Column
from lakelock.ports import Target
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Indexes, RowShape
from lakelock.records.formats import named
from lakelock.records.headers import Fitted, Headers, not_texts
from lakelock.records.metadata import header_of, needs_headers
from lakelock.records.readings import ADVICE
from lakelock.records.reasons import Reason, Unfit
from lakelock.records.sql.expressions import Expressions
from lakelock.records.sql.types import arrow_type
from lakelock.records.values import Values
from lakelock.workers.filled_columns import FilledColumns
from lakelock.workers.left_out_fields import LeftOutFields
from lakelock.workers.renamed_columns import RenamedColumns

Metadata = Callable[[str], pa.Array]


class TableRows:
    """Decoder for a target; *schema* is its Arrow schema with all columns.

    Rows also have the inputs of the target's expressions, behind its columns; columns that these derive are null.
    """

    def __init__(self, target: Target, schema: pa.Schema) -> None:
        expressions = target.expressions or Expressions()
        for column in expressions.inputs:
            schema = schema.append(pa.field(column.name, arrow_type(column.type)))
        metadata = {k: n for k, n in target.metadata_columns.items() if n in schema.names}
        self._metadata = {schema.get_field_index(n): (k, schema.field(n)) for k, n in metadata.items()}
        self._has_headers = needs_headers(metadata)
        self._topics = target.topics
        layout = FileLayout.of(target.final_layout)
        limits = PartitionLimits(layout.schema, layout.spec)
        columns, also, whole, renamed = target.columns, tuple[Column, ...](), schema, target.renamed
        self._renamed: RenamedColumns | None = None
        if renamed:
            self._renamed = RenamedColumns(target.columns, schema, renamed, limits.check)
            columns, also, whole = self._renamed.columns, self._renamed.also, self._renamed.schema
        self._left_out = LeftOutFields(target.left_out, whole.names) if target.left_out else None
        left_out = self._left_out.columns if self._left_out else ()
        self._shape = RowShape(
            (*columns, *expressions.inputs, *also, *left_out),
            pa.schema([*whole, *(self._left_out.fields if self._left_out else ())]),
            scanner,
            splitter,
            zones={**target.zones, **{old: target.zones[now] for old, now in renamed.items() if now in target.zones}},
            skip=frozenset((*metadata.values(), *target.constants, *expressions.derived)),
            unknown_fields=target.unknown_fields,
            readings={
                **target.readings,
                **{
                    old: replace(target.readings[now], path=(old,))
                    for old, now in renamed.items()
                    if now in target.readings
                },
                **(self._left_out.readings if self._left_out else {}),
            },
            rest=target.rest_column,
            dropped=target.dropped,
            check=limits.check,
            reshape=target.reshape,
            reshaper=reshaper,
            reader=reader,
            evolving=target.evolving,
            ignores_case=target.ignores_case,
        )
        try:
            self._format = named(target.format, target.options)
            self._filled = FilledColumns(target, schema, limits.check)
            self._decoder = self._format.decoder(self._shape)
        except Unfit as fault:
            raise TableUnfit(f"table {target.table}: {fault}.", State.PART_PLANNED, ADVICE) from fault

    @property
    def unknown_fields(self) -> set[str]:
        """Unknown fields for which a record was refused."""
        return self._decoder.unknown_fields

    @property
    def left_out(self) -> Mapping[str, int]:
        """Values of rows in fields whose columns were dropped, by dotted path."""
        return self._left_out.counts if self._left_out else {}

    def decode(self, values: Values, metadata: Metadata, filtered: Indexes = NONE) -> Decoded:
        """Decode *values* except for those *filtered*; *metadata* has a column of all of them by key, but no single header."""
        decoded = self._decoder.decode(values, filtered)
        if self._renamed is not None:
            decoded = self._renamed.follow(decoded)
        if self._left_out is not None:
            decoded = self._left_out.counted(decoded)
        columns: dict[int, pa.Array] = {}
        for index, (column, unfit) in self._columns(metadata).items():
            decoded = self._without_unfit(decoded, column, self._metadata[index][1], unfit)
            columns[index] = column
        chosen = None if decoded.good is None else pa.array(decoded.good, pa.int64())
        table = decoded.table
        for index, column in columns.items():
            field = self._metadata[index][1]
            rows = column if chosen is None else column.take(chosen)
            table = table.set_column(index, field, rows if rows.type == field.type else rows.cast(field.type))
        return self._filled.fill(replace(decoded, table=table))

    def _columns(self, metadata: Metadata) -> dict[int, Fitted]:
        """The metadata columns by their place in the table."""
        headers = Headers(metadata("headers")) if self._has_headers else None
        columns: dict[int, Fitted] = {}
        for index, (key, field) in self._metadata.items():
            name = header_of(key)
            if headers is not None and name is not None:
                columns[index] = headers.of_name(name, field)
            elif headers is not None and key == "headers":
                columns[index] = headers.all(field)
            else:
                column = metadata(key)
                columns[index] = column, _no_texts(column, field)
        return columns

    def _without_unfit(
        self, decoded: Decoded, column: pa.Array, field: pa.Field, unfit: Mapping[int, Reason]
    ) -> Decoded:
        """Without the rows whose value in a metadata *column* the table's *field* cannot hold."""
        reasons_by_index = {**_nulls(column, field), **unfit}
        if not reasons_by_index:
            return decoded
        bad = reasons_by_index.keys() & set(range(len(column)) if decoded.good is None else decoded.good)
        found = [*decoded.bad, *(BadRecord(i, "convert", reasons_by_index[i]) for i in bad)]
        return replace(decoded.without(frozenset(bad)), bad=sorted(found, key=lambda b: b.index))


def share_decoding(tables: Sequence[TableRows]) -> None:
    """Have tables of the same topics decode each block once, as far as their format and columns go together."""
    for topics, form in {(t._topics, t._format) for t in tables}:
        group = [t for t in tables if (t._topics, t._format) == (topics, form)]
        if form.together is not None and len(group) > 1:
            decoders = form.together([t._shape for t in group], [t._decoder for t in group])
            for table, decoder in zip(group, decoders, strict=True):
                table._decoder = decoder


def _nulls(column: pa.Array, field: pa.Field) -> dict[int, Reason]:
    if field.nullable or not column.null_count:
        return {}
    reason = Reason(
        reasons.REQUIRED_NULL, f"column {field.name!r} is required, but the record has no value for it", field.name
    )
    return dict.fromkeys(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False)).tolist(), reason)


def _no_texts(column: pa.Array, field: pa.Field) -> dict[int, Reason]:
    """Keys are bytes, and a column of text takes those that are UTF-8."""
    if column.type not in (pa.binary(), pa.large_binary()) or field.type not in (pa.string(), pa.large_string()):
        return {}
    reason = Reason(reasons.NOT_UTF8, f"column {field.name!r}: the key is not UTF-8", field.name)
    return dict.fromkeys(not_texts(column).tolist(), reason)


def tombstones(values: Values, kept: Collection[int]) -> Indexes:
    """Indexes of the records without a value, except for those *kept*."""
    return np.setdiff1d(np.flatnonzero(values.absent), list(kept))
