"""Convert the texts of fields, as JSON has them, to columns by the casts that a pipeline file names."""

from __future__ import annotations

import json
from collections.abc import Callable, Set
from decimal import ROUND_DOWN
from decimal import Decimal as Number

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import Boolean, ColumnType, Decimal, Floating, Integer, ListOf, MapOf, Struct, Text
from lakelock.model.units import cut
from lakelock.records import reasons
from lakelock.records.casts import Reading
from lakelock.records.json.cast_numbers import NumberCast
from lakelock.records.json.cast_parts import EXACT, NO_TEXT, at_places, fitting
from lakelock.records.json.cast_times import TimeCast
from lakelock.records.json.conversion_by_type import bytes_of
from lakelock.records.reasons import Reason, found_text

_QUOTED = 60
# Of the texts within quotes, and of other JSON; null for those that it does not take.
_Cast = Callable[[pa.Array, pa.Array], pa.Array]


def cast_column(
    texts: pa.Array, reading: Reading, kind: ColumnType, target: pa.DataType, zone: str | None
) -> tuple[pa.Array, dict[int, Reason]]:
    """*texts* as a column of *target*, Arrow's form of *kind*, and a reason for each that none of the casts takes."""
    is_null = pc.equal(texts, "null")
    present = pc.if_else(is_null, NO_TEXT, texts) if pc.any(is_null).as_py() else texts
    if reading.is_json:
        return present.cast(target), {}
    cast = _cast(reading, kind, target, zone)
    return _with_reasons(fitting(lambda some: cast(*_split(some)), present, target), present, reading)


def cast_texts(
    texts: pa.Array, reading: Reading, kind: ColumnType, target: pa.DataType, zone: str | None
) -> tuple[pa.Array, dict[int, Reason]]:
    """As `cast_column` for large strings that are no JSON: each is what a JSON string stands for."""
    cast = _cast(reading, kind, target, zone)
    column = fitting(lambda some: cast(some, pa.nulls(len(some), pa.large_string())), texts, target)
    return _with_reasons(column, texts, reading)


def _with_reasons(column: pa.Array, present: pa.Array, reading: Reading) -> tuple[pa.Array, dict[int, Reason]]:
    """*column*, and a reason for each of the *present* texts that it does not have."""
    if column.null_count == present.null_count or "null" in reading.casts:
        return column, {}
    path = ".".join(reading.path)
    rows = pc.indices_nonzero(pc.and_(column.is_null(), present.is_valid())).to_pylist()
    return column, {row: _reason(path, present[row].as_py(), reading) for row in rows}


def _reason(path: str, text: str, reading: Reading) -> Reason:
    message = f"field {path!r}: {cut(text, _QUOTED)} fits none of its casts ({', '.join(reading.casts)})"
    return Reason(reasons.NO_CAST, message, path, found_text(text))


def _cast(reading: Reading, kind: ColumnType, target: pa.DataType, zone: str | None) -> _Cast:
    casts = frozenset(reading.casts)
    match kind:
        case Struct() | ListOf() | MapOf():
            raise AssertionError("rules of the pipeline file refuse such a cast")
        case Text():
            return _text(casts, target)
        case Boolean():
            return _boolean(casts, target)
        case Decimal() if (scale := reading.scale) is not None:
            return _unscaled(scale, kind, target, numbers=reading.numbers)
        case Integer() | Floating() | Decimal():
            return NumberCast(casts, kind, target)
    return TimeCast(casts, reading.forms, kind, target, zone)


def _text(casts: Set[str], target: pa.DataType) -> _Cast:
    return lambda quoted, bare: (pc.coalesce(quoted, bare) if "stringify" in casts else quoted).cast(target)


def _boolean(casts: Set[str], target: pa.DataType) -> _Cast:
    def cast(quoted: pa.Array, bare: pa.Array) -> pa.Array:
        words = pc.coalesce(bare, quoted) if "text" in casts else bare
        no_other = pc.if_else(pc.equal(words, "false"), False, None)
        return pc.if_else(pc.equal(words, "true"), True, no_other).cast(target)

    return cast


def _unscaled(scale: int, kind: Decimal, target: pa.DataType, *, numbers: bool) -> _Cast:
    as_numbers = NumberCast(frozenset(), kind, target)

    def cast(quoted: pa.Array, bare: pa.Array) -> pa.Array:
        found = pa.array([_number(text, scale, kind) for text in quoted.to_pylist()], target)
        if not numbers or bare.null_count == len(bare):
            return found
        return pc.coalesce(found, as_numbers(pa.nulls(len(bare), pa.large_string()), bare))

    return cast


def _number(text: str | None, scale: int, kind: Decimal) -> Number | None:
    """None for what is no base64, and for a number that the column does not hold."""
    try:
        data = bytes_of(text or "")
    except ValueError:
        return None
    number = EXACT.scaleb(Number(int.from_bytes(data, "big", signed=True)), -scale)
    if not data or abs(number) >= EXACT.scaleb(Number(1), kind.precision - kind.scale):
        return None
    at_scale = at_places(number, kind.scale, ROUND_DOWN)
    return at_scale if at_scale == number else None


def _split(texts: pa.Array) -> tuple[pa.Array, pa.Array]:
    """The texts that JSON strings stand for, and the other JSON."""
    is_text = pc.starts_with(texts, '"')
    if not pc.any(is_text).as_py():
        return pa.nulls(len(texts), pa.large_string()), texts
    if pc.all(is_text).as_py():
        return _unquoted(texts), pa.nulls(len(texts), pa.large_string())
    return _unquoted(pc.if_else(is_text, texts, NO_TEXT)), pc.if_else(is_text, NO_TEXT, texts)


def _unquoted(quoted: pa.Array) -> pa.Array:
    plain = pc.binary_slice(quoted.cast(pa.large_binary()), 1, -1).cast(pa.large_string())
    escaped = pc.match_substring(quoted, "\\")
    if not pc.any(escaped).as_py():
        return plain
    escaped = pc.fill_null(escaped, False)
    texts = [_unescaped(text) for text in quoted.filter(escaped).to_pylist()]
    return pc.replace_with_mask(plain, escaped, pa.array(texts, pa.large_string()))


def _unescaped(quoted: str) -> str | None:
    """None for an unpaired surrogate, which no column can hold."""
    text = str(json.loads(quoted))
    try:
        text.encode()
    except UnicodeEncodeError:
        return None
    return text
