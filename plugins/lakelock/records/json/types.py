"""From Iceberg types to how JSON is read: what the parser reads natively, and how its columns become the table's.

Rules, the same for one record and for a block: an integer is written without fraction or exponent; a double takes any
number, an integer only if it is exactly representable; a decimal takes a number or text within precision and scale;
dates, times, timestamps are ISO 8601 text (RFC 3339 with an offset for timestamptz, unless the column names a zone);
uuid is text, binary and fixed are base64 text. Nothing is rounded, nothing overflows, text is never a number.
"""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Collection
from datetime import date
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.units import cut
from lakelock.records.reasons import UNREADABLE
from lakelock.records.zones import DAY_US, Micros
from lakelock.records.zones import zone as of_zone

UTC_US = pa.timestamp("us", "UTC")
NAIVE_US = pa.timestamp("us")
EXACT_INTEGERS = {pa.float64(): float(2**53), pa.float32(): float(2**24)}
_FIRST_DAY = date(1, 1, 1).toordinal() - date(1970, 1, 1).toordinal()
_LAST_DAY = date(9999, 12, 31).toordinal() - date(1970, 1, 1).toordinal() + 1
MAX_FLOAT = 3.4028234663852886e38

_PLAIN = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "double": pa.float64(),
    "float": pa.float64(),
    "string": pa.string(),
}
_TEXT = ("date", "time", "timestamp", "timestamptz", "uuid", "binary")
_DECIMAL = re.compile(r"decimal\((\d+),\s*(\d+)\)")
_FIXED = re.compile(r"fixed\[(\d+)\]")
_OFFSET = r"\d\d:\d\d.*([Zz]|[+-]\d\d(:?\d\d)?)$"
_TOO_FINE = r"(\.\d{6})0+"
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TIME = r"^\d\d:\d\d(:\d\d(\.\d{1,6})?)?$"


class Unfit(ValueError):
    """A value of a column does not fit; which row it is in is found by trying rows alone. *kind* is a reason's."""

    def __init__(self, message: str, kind: str = UNREADABLE, field: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.field = field


def wire_type(kind: Any) -> pa.DataType | None:
    """What the JSON parser reads a column of this Iceberg type as, maps as lists of entries; None if it cannot."""
    if isinstance(kind, str):
        if kind in _PLAIN:
            return _PLAIN[kind]
        if match := _DECIMAL.fullmatch(kind):
            return pa.decimal128(int(match[1]), int(match[2]))
        if kind in _TEXT or _FIXED.fullmatch(kind):
            return pa.string()
        return None
    if kind["type"] == "struct":
        children = [(f["name"], wire_type(f["type"])) for f in kind["fields"]]
        return pa.struct([pa.field(n, t) for n, t in children]) if all(t is not None for _, t in children) else None
    if kind["type"] == "list":
        element = wire_type(kind["element"])
        return None if element is None else pa.list_(element)
    key, value = wire_type(kind["key"]), wire_type(kind["value"])
    if key is None or value is None:
        return None
    return pa.list_(pa.struct([("key", key), ("value", value)]))


def leaves(kind: Any) -> int:
    """How many columns of a file a column of this type makes."""
    if isinstance(kind, str):
        return 1
    match kind["type"]:
        case "struct":
            return sum(leaves(f["type"]) for f in kind["fields"])
        case "list":
            return leaves(kind["element"])
        case _:
            return leaves(kind["key"]) + leaves(kind["value"])


def with_empty(kind: Any, read: pa.DataType, paths: Collection[tuple[str, ...]]) -> pa.DataType:
    """*read*, the wire type of *kind*, that also takes fields at *paths* which hold nothing; a path's steps are names, `element`
    and `value`."""
    if kind["type"] == "struct":
        types = {f["name"]: f["type"] for f in kind["fields"]}
        fields = []
        for field in read:
            below = [path[1:] for path in paths if path[0] == field.name and len(path) > 1 and field.name in types]
            fields.append(field.with_type(with_empty(types[field.name], field.type, below)) if below else field)
        return pa.struct([*fields, *_empty_fields([path for path in paths if path[0] not in types])])
    (of,) = {path[0] for path in paths}
    below = [path[1:] for path in paths]
    if kind["type"] == "list":
        return pa.list_(with_empty(kind[of], read.value_type, below))
    key, value = read.value_type
    return pa.list_(pa.struct([key, value.with_type(with_empty(kind[of], value.type, below))]))


def _empty_fields(paths: Collection[tuple[str, ...]]) -> list[pa.Field]:
    """A field that holds nothing may have such fields itself."""
    inside: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in paths:
        inside.setdefault(first, []).extend([tuple(rest)] if rest else [])
    return [pa.field(name, pa.struct(_empty_fields(rest))) for name, rest in sorted(inside.items())]


def converted(array: pa.Array, kind: Any, target: pa.DataType, zone: str | None = None) -> pa.Array:
    """*array* of `wire_type(kind)` as *target*; raises Unfit or ArrowInvalid if any value does not fit exactly."""
    if isinstance(kind, str):
        return _leaf(array, kind, target, zone)
    if kind["type"] == "struct":
        present = array.is_valid()
        children = []
        # Behind them lies what `with_empty` has added.
        for i, (field, child) in enumerate(zip(kind["fields"], array.flatten(), strict=False)):
            # A missing child counts only where its struct is there.
            if field.get("required") and pc.any(pc.and_(child.is_null(), present)).as_py():
                raise Unfit(f"{field['name']} is required")
            children.append(converted(child, field["type"], target.field(i).type))
        return pa.StructArray.from_arrays(children, fields=list(target), mask=array.is_null())
    if array.offset:
        array = pa.concat_arrays([array])
    if kind["type"] == "map":
        return _map(array, kind, target)
    element = converted(array.values, kind["element"], target.value_type)
    if kind.get("element-required") and array.flatten().null_count:
        raise Unfit("a list has a null where an element is required")
    return pa.ListArray.from_arrays(
        array.offsets, element, type=target, mask=array.is_null() if array.null_count else None
    )


def _map(array: pa.ListArray, kind: Any, target: pa.DataType) -> pa.MapArray:
    """Entries that the reader was given, so that none of them is null."""
    keys, values = array.values.flatten()
    if kind.get("value-required") and values.null_count:
        raise Unfit("a map has a null where a value is required")
    return pa.MapArray.from_arrays(
        array.offsets,
        converted(keys, kind["key"], target.key_type),
        converted(values, kind["value"], target.item_type),
        type=target,
        mask=array.is_null() if array.null_count else None,
    )


def _leaf(array: pa.Array, kind: str, target: pa.DataType, zone: str | None) -> pa.Array:
    match kind:
        case "double" | "float":
            return _floating(array, kind).cast(target)
        case "date":
            return _in_calendar(array.cast(pa.date32()))
        case "time":
            return _time(array)
        case "timestamp":
            return _timestamp(array, zone)
        case "timestamptz":
            return _timestamptz(array, zone)
        case "uuid":
            return pa.array([_uuid(v) for v in array.to_pylist()], pa.binary(16)).cast(target)
        case "binary":
            return pa.array([_base64(v) for v in array.to_pylist()], target)
    if match_decimal := _DECIMAL.fullmatch(kind):
        return _decimal(array, int(match_decimal[1]), int(match_decimal[2]))
    if match_fixed := _FIXED.fullmatch(kind):
        values = [_base64(v) for v in array.to_pylist()]
        if any(v is not None and len(v) != int(match_fixed[1]) for v in values):
            raise Unfit(f"{kind} takes exactly {match_fixed[1]} bytes")
        return pa.array(values, target)
    return array if array.type == target else array.cast(target)


def _floating(array: pa.Array, kind: str) -> pa.Array:
    """Refuses NaN and infinity (JSON has neither) and what overflows; big integers are for `inexact_integers`."""
    bounds = pc.min_max(array)
    low, high = bounds["min"].as_py(), bounds["max"].as_py()
    finite = pc.all(pc.is_finite(array)).as_py()
    if finite is False:
        raise Unfit("not a finite number")
    if kind == "float" and low is not None and max(abs(low), abs(high)) > MAX_FLOAT:
        raise Unfit("too large for a float")
    return array


def _decimal(array: pa.Array, precision: int, scale: int) -> pa.Array:
    """The parser checks the digits as written, not those after they are brought to the column's scale."""
    bounds = pc.min_max(array)
    for bound in (bounds["min"].as_py(), bounds["max"].as_py()):
        if bound is not None and bound.copy_abs() >= Decimal(10) ** (precision - scale):
            raise Unfit(f"{bound} has more than {precision} digits at scale {scale}")
    return array


def may_hold_inexact_integers(array: pa.Array) -> bool:
    """Whether any double or float of a converted column, at whatever depth, is so large that an integer may have been
    rounded."""
    if pa.types.is_struct(array.type):
        return any(may_hold_inexact_integers(child) for child in array.flatten())
    if pa.types.is_list(array.type):
        return may_hold_inexact_integers(array.flatten())
    if pa.types.is_map(array.type):
        return may_hold_inexact_integers(array.items)
    exact = EXACT_INTEGERS.get(array.type)
    if exact is None:
        return False
    bounds = pc.min_max(array)
    return any(v is not None and abs(v) >= exact for v in (bounds["min"].as_py(), bounds["max"].as_py()))


def is_exact(integer: Decimal, kind: str) -> bool:
    """Whether a double or float holds it; of those it can hold at all."""
    return Decimal(float(integer) if kind == "double" else float(np.float32(float(integer)))) == integer


def in_range(number: Decimal, kind: str) -> bool:
    """Of a double or float."""
    return abs(float(number)) <= (MAX_FLOAT if kind == "float" else sys.float_info.max)


def no_text_of(text: str, kind: str, zone: str | None = None) -> str | None:
    """Why *text* is no value of a type that JSON writes as text; None if it is one."""
    if kind == "string":
        return None
    try:
        array = pa.array([text])
        if match := _DECIMAL.fullmatch(kind):
            array = array.cast(pa.decimal128(int(match[1]), int(match[2])))
        _leaf(array, kind, pa.binary(), zone)
    except Unfit as fault:
        return str(fault)
    except UnicodeEncodeError:
        return f"{cut(text, 40)!r} is no {kind}"
    except pa.ArrowException:
        return f"{cut(text, 40)!r} is no {kind}{_about_offset(array, kind, zone)}"
    return None


def _about_offset(array: pa.Array, kind: str, zone: str | None) -> str:
    other = {"timestamptz": (NAIVE_US, "has no offset (Z or +01:00)"), "timestamp": (UTC_US, "has an offset")}.get(kind)
    if other is None or zone is not None:
        return ""
    try:
        _cast_time(array, other[0])
    except (Unfit, pa.ArrowException):
        return ""
    return f": it {other[1]}, and the column names no zone"


def _in_calendar(array: pa.Array) -> pa.Array:
    """Years 1 to 9999 in UTC: what ISO 8601 writes without agreement, and what readers' calendars hold."""
    first, last = (_FIRST_DAY, _LAST_DAY) if pa.types.is_date(array.type) else (_FIRST_DAY * DAY_US, _LAST_DAY * DAY_US)
    bounds = pc.min_max(array.view(pa.int32() if pa.types.is_date(array.type) else pa.int64()))
    low, high = bounds["min"].as_py(), bounds["max"].as_py()
    if low is not None and (low < first or high >= last):
        raise Unfit("outside the years 1 to 9999")
    return array


def _finer(array: pa.Array) -> pa.Array:
    """Fractions beyond microseconds lose trailing zeros; what is left beyond is refused by the cast."""
    return pc.replace_substring_regex(array, _TOO_FINE, r"\1")


def _cast_time(array: pa.Array, to: pa.DataType) -> pa.Array:
    """RFC 3339 lets t and z be small letters; Arrow does not."""
    try:
        return _in_calendar(array.cast(to))
    except pa.ArrowInvalid:
        return _in_calendar(pc.utf8_upper(_finer(array)).cast(to))


def _with_time_of_day(array: pa.Array) -> None:
    shortest = pc.min(pc.binary_length(array)).as_py()
    if shortest is not None and shortest < len("2026-11-21T04:05"):
        raise Unfit("a timestamp needs a date and a time of day")


def _timestamptz(array: pa.Array, zone: str | None) -> pa.Array:
    _with_time_of_day(array)
    if zone is None:
        return _cast_time(array, UTC_US)
    zoned = pc.match_substring_regex(array, _OFFSET)
    none = pa.scalar(None, pa.string())
    with_offset = _cast_time(pc.if_else(zoned, array, none), UTC_US)
    local = _cast_time(pc.if_else(zoned, none, array), NAIVE_US)
    instants, counts = of_zone(zone).instants(_micros(local))
    # An hour that occurs twice or never in that zone is not guessed.
    if (odd := counts[_present(local) & (counts != 1)]).size:
        raise Unfit(f"a time that {zone} {'has twice' if odd[0] else 'skips'}, when its clocks change")
    return pc.coalesce(with_offset, _in_calendar(_times(instants, local, UTC_US)))


def _timestamp(array: pa.Array, zone: str | None) -> pa.Array:
    _with_time_of_day(array)
    if zone is None:
        return _cast_time(array, NAIVE_US)
    zoned = pc.match_substring_regex(array, _OFFSET)
    none = pa.scalar(None, pa.string())
    instants = _cast_time(pc.if_else(zoned, array, none), UTC_US)
    local = _times(of_zone(zone).local(_micros(instants)), instants, NAIVE_US)
    return pc.coalesce(_cast_time(pc.if_else(zoned, none, array), NAIVE_US), _in_calendar(local))


def _micros(times: pa.Array) -> Micros:
    """Of a timestamp column, with 0 in place of nulls."""
    return cast(Micros, pc.fill_null(times.view(pa.int64()), 0).to_numpy(zero_copy_only=False))


def _present(times: pa.Array) -> npt.NDArray[np.bool_]:
    return cast("npt.NDArray[np.bool_]", times.is_valid().to_numpy(zero_copy_only=False))


def _times(micros: Micros, beside: pa.Array, to: pa.DataType) -> pa.Array:
    """With the nulls of *beside*."""
    return pa.array(micros, mask=~_present(beside)).view(to)


def _time(array: pa.Array) -> pa.Array:
    array = _finer(array)
    if pc.all(pc.match_substring_regex(array, _TIME)).as_py() is False:
        raise Unfit("not a time of day as HH:MM:SS with at most microseconds")
    return pc.binary_join_element_wise("1970-01-01T", array, "").cast(NAIVE_US).cast(pa.time64("us"))


def _uuid(value: str | None) -> bytes | None:
    if value is None:
        return None
    # Not by int(), which takes spaces, signs and underscores.
    if not _UUID.fullmatch(value):
        raise Unfit(f"not a UUID: {value[:40]!r}")
    return UUID(value).bytes


def _base64(value: str | None) -> bytes | None:
    if value is None:
        return None
    try:
        return base64.b64decode(value, validate=True)
    except ValueError as fault:
        raise Unfit("not base64") from fault
