"""Decode records once for several tables.

Tables whose columns read the record in ways that go together share one decoder of all their columns. A record that it
refuses, or whose row one of the tables cannot hold, is decoded again for that table alone, which finds the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import Column, ColumnType
from lakelock.records.casts import Reading
from lakelock.records.decoding import NONE, Decoded, Decoder, Indexes, RowShape, refused_rows
from lakelock.records.json.quick import quick
from lakelock.records.json.record_fields import Node, Path, RecordFields
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.json.wire_types import wire_type
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

_Read = tuple[Reading, ColumnType, str | None]
# If more than one in so many records of a block is decoded again for a table, tables decode the next blocks alone.
_ONE_IN, _BLOCKS_ALONE = 10, 20


@dataclass(frozen=True, slots=True)
class _Habits:
    """All that decides which records a table refuses, beside the types of its columns. Only tables that agree share a decoder.

    *texts* are the fields taken as text, of which Arrow sees nothing. *fields* are those that are not new, None if new fields
    are ignored.
    """

    unknown_fields: str
    dropped: tuple[Path, ...]
    texts: frozenset[Path]
    fields: object


def together(shapes: Sequence[RowShape], decoders: Sequence[Decoder]) -> list[Decoder]:
    """A decoder for each shape: one that shares its work with others, or its own of *decoders* if no other goes with it."""
    out = list(decoders)
    groups: dict[_Habits, list[list[int]]] = {}
    for number, shape in enumerate(shapes):
        # Without any column, decoded rows have no number.
        if shape.rest is not None or shape.reshape is not None or shape.ignores_case or not _read(shape):
            continue
        of_habits = groups.setdefault(_habits(shape), [])
        for group in of_habits:
            if _go_together([shapes[n] for n in (*group, number)]):
                group.append(number)
                break
        else:
            of_habits.append([number])
    for group in (g for of_habits in groups.values() for g in of_habits if len(g) > 1):
        shared = _Shared([shapes[n] for n in group])
        for n in group:
            out[n] = _TableDecoder(shapes[n], decoders[n], shared)
    return out


def _read(shape: RowShape) -> list[tuple[Column, _Read]]:
    """How each column that takes a field reads it."""
    return [
        (c, (shape.readings.get(c.name, Reading((c.name,))), c.type, shape.zones.get(c.name)))
        for c in shape.filled
        if wire_type(c.type) is not None
    ]


def _habits(shape: RowShape) -> _Habits:
    fields = RecordFields()
    for column, (reading, _, zone) in _read(shape):
        if not reading.whole:
            fields.read(column, reading, zone)
    for path in shape.dropped:
        fields.take_text(path)
    known = None if shape.unknown_fields == "ignore" else _plain(fields.nodes())
    return _Habits(shape.unknown_fields, tuple(sorted(shape.dropped)), frozenset(fields.slots), known)


def _plain(node: Node) -> object:
    return node.name, node.kind, node.slot is not None, frozenset(map(_plain, node.children))


def _go_together(shapes: Sequence[RowShape]) -> bool:
    fields = RecordFields()
    zones: dict[Path, str | None] = {}
    try:
        for column, (reading, _, zone) in (r for shape in shapes for r in _read(shape)):
            if not reading.whole:
                fields.read(column, reading, zone)
            if zones.setdefault(reading.path, zone) != zone:
                return False
        fields.check()
    except Unfit:
        return False
    return True


class _Shared:
    """Decodes all columns of several tables, each way to read a field once; keeps the newest block until all tables have it."""

    def __init__(self, shapes: Sequence[RowShape]) -> None:
        self._tables = len(shapes)
        self.names: dict[_Read, str] = {}
        columns, arrow = [], []
        for shape in shapes:
            for column, read in _read(shape):
                if read not in self.names:
                    self.names[read] = name = str(len(self.names))
                    columns.append(replace(column, name=name, required=False))
                    arrow.append(shape.schema.field(column.name).with_name(name).with_nullable(True))
        shape = replace(
            shapes[0],
            columns=columns,
            schema=pa.schema(arrow),
            zones={name: zone for (_, _, zone), name in self.names.items() if zone is not None},
            skip=frozenset(),
            readings={name: reading for (reading, _, _), name in self.names.items()},
            check=lambda rows: None,
        )
        self._decoder = quick(shape, ShapedDecoder.of(shape))
        self._newest: tuple[Values, Indexes, Decoded | None] | None = None
        self._given = self._alone = 0

    def decode(self, values: Values, filtered: Indexes) -> Decoded | None:
        """None if the tables had better decode these values alone."""
        newest = self._newest
        if newest is None or newest[0] is not values or not np.array_equal(newest[1], filtered):
            newest = self._newest = (values, filtered, self._next(values, filtered))
            self._given = 0
        self._given += 1
        if self._given == self._tables:
            self._newest = None
        return newest[2]

    def _next(self, values: Values, filtered: Indexes) -> Decoded | None:
        if self._alone:
            self._alone -= 1
            return None
        return self._decoder.decode(values, filtered)

    def decoded_again(self, records: int, of: int) -> None:
        """A table decodes so many of a block's records again."""
        if records * _ONE_IN > of:
            self._alone = _BLOCKS_ALONE


class _TableDecoder:
    """Rows of one table from what is decoded for several; `own` decodes records for it alone."""

    def __init__(self, shape: RowShape, own: Decoder, shared: _Shared) -> None:
        self._shape, self._own, self._shared = shape, own, shared
        self._names = {column.name: shared.names[read] for column, read in _read(shape)}

    @property
    def unknown_fields(self) -> set[str]:
        return self._own.unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        """As the table's own decoder would."""
        shared = self._shared.decode(values, filtered)
        if shared is None:
            return self._own.decode(values, filtered)
        good = np.arange(len(values)) if shared.good is None else np.array(shared.good, np.int64)
        table = self._rows(shared.table)
        unfit = sorted({*self._without_required(table), *refused_rows(self._shape.check, table)})
        if not shared.bad and not unfit:
            return Decoded(table, shared.good, ())
        again = np.sort(
            np.concatenate([good[unfit], np.array([b.index for b in shared.bad], np.int64)]).astype(np.int64)
        )
        self._shared.decoded_again(len(again), len(values))
        kept = np.setdiff1d(np.arange(len(good)), unfit)
        alone = self._own.decode(values.take(again))
        found = again if alone.good is None else again[np.array(alone.good, np.int64)]
        indexes = np.concatenate([good[kept], found])
        order = np.argsort(indexes, kind="stable")
        rows = pa.concat_tables([table.take(pa.array(kept)), alone.table]).take(pa.array(order))
        bad = [replace(b, index=int(again[b.index])) for b in alone.bad]
        return Decoded(rows, indexes[order].tolist(), bad, alone.news and alone.news.at(again))

    def _rows(self, shared: pa.Table) -> pa.Table:
        arrays = [
            shared.column(self._names[f.name]) if f.name in self._names else pa.nulls(shared.num_rows, f.type)
            for f in self._shape.schema
        ]
        return pa.Table.from_arrays(arrays, schema=self._shape.schema)

    def _without_required(self, table: pa.Table) -> list[int]:
        """Rows without a value in a required column."""
        rows: list[int] = []
        for column in self._shape.filled:
            array = table.column(column.name)
            if column.required and array.null_count:
                rows += pc.indices_nonzero(array.is_null()).to_pylist()
        return rows
