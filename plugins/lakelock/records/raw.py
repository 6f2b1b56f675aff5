"""Values as they are: the whole value in one column, or nothing of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pyarrow as pa

from lakelock.model.column_types import Binary, Column, Text
from lakelock.model.type_notation import type_text
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Format, Indexes, RowShape, refused_rows
from lakelock.records.infer import InferredSchema
from lakelock.records.reasons import Reason, Unfit
from lakelock.records.values import Flags, Values

COLUMN = "value"
NO_VALUE = Reason(reasons.NO_VALUE, "the record has no value (a tombstone)")


class RawDecoder:
    """The table's only column beside metadata columns takes the value, which is text or bytes."""

    def __init__(self, shape: RowShape) -> None:
        if len(shape.filled) != 1:
            names = ", ".join(c.name for c in shape.filled) or "none"
            raise Unfit(
                f"format raw fills one column beside the metadata columns, and there are {len(shape.filled)}: {names}"
            )
        (self._column,) = shape.filled
        if self._column.type not in (Text(), Binary()):
            raise Unfit(
                f"format raw fills a string or binary, and column {self._column.name!r} is {type_text(self._column.type)}"
            )
        self._shape = shape
        self.unknown_fields: set[str] = set()

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        bad = [BadRecord(i, "decode", NO_VALUE) for i in np.setdiff1d(np.flatnonzero(values.absent), filtered).tolist()]
        if self._column.type == Text():
            bad += [BadRecord(i, "decode", why) for i, why in not_texts(values, values.absent).items()]
        return decoded(self._shape, values, filtered, bad, {self._column.name: values.binary()})


class NothingDecoder:
    """Nothing of the value: all columns but metadata columns are null."""

    def __init__(self, shape: RowShape) -> None:
        if required := [c.name for c in shape.filled if c.required]:
            raise Unfit(f"format none fills no column, and column {required[0]!r} is required")
        self._shape = shape
        self.unknown_fields: set[str] = set()

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        return decoded(self._shape, values, filtered, [], {})


def decoded(
    shape: RowShape, values: Values, filtered: Indexes, bad: list[BadRecord], columns: dict[str, pa.Array]
) -> Decoded:
    """The rows of *columns*, which have a place for each value, without records that are filtered or bad."""
    out = {b.index for b in bad} | set(filtered.tolist())
    good = np.setdiff1d(np.arange(len(values)), list(out)) if out else np.arange(len(values))
    chosen = pa.array(good)
    arrays = [
        columns[f.name].take(chosen).cast(f.type) if f.name in columns else pa.nulls(len(good), f.type)
        for f in shape.schema
    ]
    table = pa.Table.from_arrays(arrays, schema=shape.schema)
    if refused := refused_rows(shape.check, table):
        bad = [*bad, *(BadRecord(int(good[row]), "convert", why) for row, why in refused.items())]
        fitting = np.setdiff1d(np.arange(len(good)), list(refused))
        table, good = table.take(pa.array(fitting)), good[fitting]
    return Decoded(
        table, None if len(good) == len(values) else good.tolist(), sorted(bad, key=lambda found: found.index)
    )


def not_texts(values: Values, but: Flags) -> dict[int, Reason]:
    """Reasons for values that are not UTF-8, by index, without those flagged in *but*."""
    if values.is_utf8():
        return {}
    return {i: why for i in values.beyond_ascii().tolist() if not but[i] and (why := not_text(values[i]))}


def not_text(value: bytes | None) -> Reason | None:
    try:
        (value or b"").decode()
    except UnicodeDecodeError as fault:
        return Reason(reasons.NOT_UTF8, f"not UTF-8: byte {fault.start} is {fault.object[fault.start]:#04x}")
    return None


def _one_column(values: Sequence[bytes], reserved: Collection[str]) -> InferredSchema:
    kind = Text() if all(not_text(v) is None for v in values) else Binary()
    return InferredSchema((Column(COLUMN, kind),), (), len(values), 0)


def _no_column(values: Sequence[bytes], reserved: Collection[str]) -> InferredSchema:
    return InferredSchema((), (), len(values), 0)


RAW = Format(RawDecoder, _one_column)
NONE_OF_IT = Format(NothingDecoder, _no_column)
