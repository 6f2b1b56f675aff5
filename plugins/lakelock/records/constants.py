"""Columns with the same value in every row, by the rules of a JSON field."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pyarrow as pa

from lakelock.model.column_types import Column, ColumnType, Decimal, ListOf, MapOf, Struct
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.diagnosis import Diagnosis
from lakelock.records.json.wire_types import wire_type
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values


def _record(column: Column, text: str) -> bytes:
    return f"{{{json.dumps(column.name)}:{text}}}".encode()


def unfit_constant(column: Column, text: str, zone: str | None) -> str | None:
    """Why the column cannot have the constant, which is JSON *text*, as the end of a sentence; None if nothing is certain."""
    if wire_type(column.type) is None:
        return "a constant is for types that lakelock writes"
    if _is_rounded(json.loads(text), column.type):
        return "its constant needs quotes: YAML reads a decimal without them as a double, which may be another number"
    record = _record(column, text)
    zones = {column.name: zone} if zone else {}
    why = Diagnosis([column], [column.name], strict=True, zones=zones).of(record)
    return None if why is None else f"its constant does not fit: {why.message}"


def _is_rounded(value: object, kind: ColumnType) -> bool:
    """Whether a decimal is written as a number with a fraction or exponent, of which a pipeline file keeps some 16 digits."""
    match kind:
        case Decimal():
            return isinstance(value, float)
        case Struct(fields) if isinstance(value, dict):
            return any(_is_rounded(value.get(f.name), f.type) for f in fields)
        case ListOf(element) if isinstance(value, list):
            return any(_is_rounded(v, element) for v in value)
        case MapOf() if isinstance(value, dict):
            return any(_is_rounded(v, kind.value) for v in value.values())
    return False


def constant_array(column: Column, field: pa.Field, text: str, zones: Mapping[str, str]) -> pa.Array:
    """The constant alone, as Arrow's *field*. Raises Unfit if it does not fit."""
    own = {column.name: zones[column.name]} if column.name in zones else {}
    decoder = JsonDecoder([column], pa.schema([field]), zones=own, skip=frozenset(), unknown_fields="dead_letter")
    record = _record(column, text)
    decoded = decoder.decode(Values.from_list([record]))
    if decoded.bad:
        raise Unfit(f"column {column.name!r}: its constant does not fit: {decoded.bad[0].reason.message}")
    return decoded.table.column(0).combine_chunks()
