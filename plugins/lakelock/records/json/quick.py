"""Decode records whose columns are one value each in one step, without Arrow's parser.

Only records that are certain to fit become rows this way. All others go to the decoder that knows every rule, which accepts
them or has the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np
import pyarrow as pa

from lakelock.model.column_types import Boolean, Column, Decimal, Floating, Integer, Text
from lakelock.records.decoding import NONE, Decoded, Decoder, Indexes, RowShape, refused_rows
from lakelock.records.json.conversion_by_type import converted
from lakelock.records.json.field_tree import FieldTree, field_tree
from lakelock.records.reasons import Unfit
from lakelock.records.values import Flags, Values

# If more than one in so many records of a block is left, the other decoder gets the next blocks alone.
_ONE_IN, _BLOCKS_ALONE = 4, 20


@dataclass(frozen=True, slots=True)
class Read:
    """Whether a record was *taken*, and the columns of those that were, as the tree's columns have them."""

    taken: Flags
    arrays: Sequence[pa.Array]


class Reader(Protocol):
    """Makes readers of records that are UTF-8, which look at none that is *out*."""

    def __call__(self, tree: FieldTree, /) -> Callable[[Values, Flags], Read]: ...


def quick(shape: RowShape, own: Decoder) -> Decoder:
    """*own*, with less work for it if the columns of *shape* allow that."""
    tree = None if shape.reader is None else field_tree(shape)
    return own if tree is None or shape.reader is None else _QuickDecoder(shape, own, shape.reader(tree))


class _QuickDecoder:
    def __init__(self, shape: RowShape, own: Decoder, read: Callable[[Values, Flags], Read]) -> None:
        self._shape, self._own, self._read = shape, own, read
        self._columns = {column.name: number for number, column in enumerate(shape.filled)}
        self._filled = shape.filled
        self._alone = 0

    @property
    def unknown_fields(self) -> set[str]:
        return self._own.unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        """As the decoder that is given the rest."""
        if self._alone or not len(values):
            self._alone = max(self._alone - 1, 0)
            return self._own.decode(values, filtered)
        out = np.zeros(len(values), np.bool_)
        out[filtered] = True
        if not values.is_utf8():
            out[values.beyond_ascii()] = True
        read = self._read(values, out)
        good, table = self._rows(np.flatnonzero(read.taken), read.arrays)
        if len(good) == len(values):
            return Decoded(table, None, ())
        left = np.ones(len(values), np.bool_)
        left[good] = left[filtered] = False
        again = np.flatnonzero(left)
        if len(again) * _ONE_IN > len(values):
            self._alone = _BLOCKS_ALONE
        if not len(again):
            return Decoded(table, good.tolist(), ())
        return _merged(good, table, again, self._own.decode(values.take(again)))

    def _rows(self, good: Indexes, arrays: Sequence[pa.Array]) -> tuple[Indexes, pa.Table]:
        """The rows that fit of the records *good*, and their indexes."""
        try:
            table = self._table(arrays, len(good))
            self._shape.check(table)
        except (Unfit, pa.ArrowException):
            good, table = self._fitting(good, arrays)
        return good, table

    def _fitting(self, good: Indexes, arrays: Sequence[pa.Array]) -> tuple[Indexes, pa.Table]:
        fits = np.ones(len(good), np.bool_)
        for column, array in zip(self._filled, arrays, strict=True):
            fits[list(refused_rows(partial(self._check, column), pa.table([array], ["column"])))] = False
        kept = pa.array(np.flatnonzero(fits))
        good, table = good[fits], self._table([array.take(kept) for array in arrays], len(kept))
        refused = np.array(list(refused_rows(self._shape.check, table)), np.int64)
        kept = np.setdiff1d(np.arange(len(good)), refused)
        return good[kept], table.take(pa.array(kept))

    def _check(self, column: Column, rows: pa.Table) -> None:
        try:
            self._converted(rows.column(0).combine_chunks(), column)
        except pa.ArrowException as fault:
            raise Unfit(str(fault)) from fault

    def _table(self, arrays: Sequence[pa.Array], rows: int) -> pa.Table:
        """Raises Unfit or ArrowException if a value does not fit."""
        found = []
        for field in self._shape.schema:
            number = self._columns.get(field.name)
            # A reader that has taken nothing has no columns.
            if number is None or not rows:
                found.append(pa.nulls(rows, field.type))
            else:
                found.append(self._converted(arrays[number], self._filled[number]))
        return pa.Table.from_arrays(found, schema=self._shape.schema)

    def _converted(self, array: pa.Array, column: Column) -> pa.Array:
        kind, target = column.type, self._shape.schema.field(column.name).type
        if isinstance(kind, Integer | Floating | Decimal | Boolean | Text):
            return array if array.type == target else array.cast(target)
        return converted(array, kind, target, self._shape.zones.get(column.name))


def _merged(good: Indexes, table: pa.Table, again: Indexes, rest: Decoded) -> Decoded:
    """Rows of the records *good*, and what was decoded of *again*."""
    bad = [replace(b, index=int(again[b.index])) for b in rest.bad]
    news = rest.news and rest.news.at(again)
    if not rest.table.num_rows:
        return Decoded(table, good.tolist(), bad, news)
    indexes = np.concatenate([good, again if rest.good is None else again[np.array(rest.good, np.int64)]])
    order = np.argsort(indexes, kind="stable")
    rows = pa.concat_tables([table, rest.table]).take(pa.array(order))
    return Decoded(rows, indexes[order].tolist(), bad, news)
