"""Columns from the texts of fields.

Each type reads the text that JSON has within quotes; numbers and booleans are read as by the cast `text`.
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model import column_types as types
from lakelock.model.column_types import Binary, ColumnType, Date, Decimal, LeafType, Text, Time, Timestamp, Uuid
from lakelock.model.type_notation import type_text
from lakelock.model.units import cut
from lakelock.records import reasons
from lakelock.records.casts import Reading
from lakelock.records.json.cast_columns import cast_texts
from lakelock.records.json.cast_parts import fitting
from lakelock.records.json.conversion_by_type import converted, no_text_of
from lakelock.records.reasons import Reason, found_text, with_article

_QUOTED = 60
_IMPLIED = "text"


def text_column(
    texts: pa.Array, reading: Reading, kind: LeafType, target: pa.DataType, zone: str | None
) -> tuple[pa.Array, dict[int, Reason]]:
    """*texts* (large strings) as a column of *target*, Arrow's form of *kind*, and a reason for each that does not fit.

    Without casts, a text fits by the rule of its type alone.
    """
    if isinstance(kind, Text):
        return texts.cast(target), {}
    if isinstance(kind, Uuid | Binary):
        column = fitting(lambda some: converted(some.cast(pa.string()), kind, target), texts, target)
        bad = _missing(column, texts)
    else:
        casts = reading.casts if _IMPLIED in reading.casts or reading.scale is not None else (*reading.casts, _IMPLIED)
        column, unfit = cast_texts(texts, replace(reading, casts=casts), kind, target, zone)
        bad = list(unfit)
    path = ".".join(reading.path)
    return column, {row: _reason(path, texts[row].as_py(), reading, kind, zone) for row in bad}


def _missing(column: pa.Array, texts: pa.Array) -> list[int]:
    rows: list[int] = pc.indices_nonzero(pc.and_(column.is_null(), texts.is_valid())).to_pylist()
    return rows


def _reason(path: str, text: str, reading: Reading, kind: ColumnType, zone: str | None) -> Reason:
    if reading.casts:
        message = f"field {path!r}: {cut(text, _QUOTED)!r} fits none of its casts ({', '.join(reading.casts)})"
        return Reason(reasons.NO_CAST, message, path, found_text(text))
    wanted = type_text(kind)
    why = no_text_of(text, kind, zone) if isinstance(kind, Uuid | Binary | Date | Time | Timestamp | Decimal) else None
    message = f"field {path!r}: {why or f'{cut(text, _QUOTED)!r} is not {with_article(wanted)}'}"
    return Reason(reasons.no_such_text(wanted), message, path, found_text(text))


def inferred_type(texts: pa.Array) -> ColumnType:
    """The first of boolean, long, double, timestamptz that takes each text; else string."""
    for kind, target in (
        (types.Boolean(), pa.bool_()),
        (types.Integer(64), pa.int64()),
        (types.Floating(64), pa.float64()),
        (Timestamp(zoned=True), pa.timestamp("us", "UTC")),
    ):
        if not text_column(texts, Reading(("",)), kind, target, None)[1]:
            return kind
    return Text()
