"""Parse dates, times of day and timestamps from ISO 8601 text (RFC 3339 with an offset), exactly or not at all."""

from __future__ import annotations

from datetime import date
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import LeafType, Timestamp
from lakelock.records.local_times import DAY_US, Micros
from lakelock.records.local_times import zone as of_zone
from lakelock.records.reasons import Unfit

_UTC_US = pa.timestamp("us", "UTC")
_NAIVE_US = pa.timestamp("us")
_FIRST_DAY = date(1, 1, 1).toordinal() - date(1970, 1, 1).toordinal()
_LAST_DAY = date(9999, 12, 31).toordinal() - date(1970, 1, 1).toordinal() + 1
# Of the calendar, half-open, in microseconds since 1970.
FIRST_US, END_US = _FIRST_DAY * DAY_US, _LAST_DAY * DAY_US
_OFFSET = r"\d\d:\d\d.*([Zz]|[+-]\d\d(:?\d\d)?)$"
_TOO_FINE = r"(\.\d{6})0+"
_TIME = r"^\d\d:\d\d(:\d\d(\.\d{1,6})?)?$"


def about_offset(array: pa.Array, kind: LeafType, zone: str | None) -> str:
    """The change that would make the text a timestamp of *kind*, as the end of a sentence; empty if there is none."""
    if not isinstance(kind, Timestamp) or zone is not None:
        return ""
    other, has = (_NAIVE_US, "has no offset (Z or +01:00)") if kind.zoned else (_UTC_US, "has an offset")
    try:
        _cast_time(array, other)
    except (Unfit, pa.ArrowException):
        return ""
    return f": it {has}, and the column names no zone"


def in_calendar(array: pa.Array) -> pa.Array:
    """Refuse years other than 1 to 9999 in UTC: ISO 8601 needs an agreement for them, readers' calendars lack them."""
    first, last = (_FIRST_DAY, _LAST_DAY) if pa.types.is_date(array.type) else (FIRST_US, END_US)
    bounds = pc.min_max(array.view(pa.int32() if pa.types.is_date(array.type) else pa.int64()))
    low, high = bounds["min"].as_py(), bounds["max"].as_py()
    if low is not None and (low < first or high >= last):
        raise Unfit("outside the years 1 to 9999")
    return array


def _finer(array: pa.Array) -> pa.Array:
    """Drop trailing zeros beyond microseconds; the cast refuses any other digits there."""
    return pc.replace_substring_regex(array, _TOO_FINE, r"\1")


def _cast_time(array: pa.Array, to: pa.DataType) -> pa.Array:
    """Cast; a retry in upper case, as RFC 3339 allows a small t and z and Arrow does not."""
    try:
        return in_calendar(array.cast(to))
    except pa.ArrowInvalid:
        return in_calendar(pc.utf8_upper(_finer(array)).cast(to))


def _with_time_of_day(array: pa.Array) -> None:
    shortest = pc.min(pc.binary_length(array)).as_py()
    if shortest is not None and shortest < len("2026-11-21T04:05"):
        raise Unfit("a timestamp needs a date and a time of day")


def timestamptz(array: pa.Array, zone: str | None) -> pa.Array:
    _with_time_of_day(array)
    if zone is None:
        return _cast_time(array, _UTC_US)
    zoned = pc.match_substring_regex(array, _OFFSET)
    none = pa.scalar(None, pa.string())
    with_offset = _cast_time(pc.if_else(zoned, array, none), _UTC_US)
    local = _cast_time(pc.if_else(zoned, none, array), _NAIVE_US)
    instants, counts = of_zone(zone).instants(_micros(local))
    # Local times that occur twice or never in the zone are refused, never guessed.
    if (odd := counts[_present(local) & (counts != 1)]).size:
        raise Unfit(f"a time that {zone} {'has twice' if odd[0] else 'skips'}, when its clocks change")
    return pc.coalesce(with_offset, in_calendar(_times(instants, local, _UTC_US)))


def timestamp(array: pa.Array, zone: str | None) -> pa.Array:
    _with_time_of_day(array)
    if zone is None:
        return _cast_time(array, _NAIVE_US)
    zoned = pc.match_substring_regex(array, _OFFSET)
    none = pa.scalar(None, pa.string())
    instants = _cast_time(pc.if_else(zoned, array, none), _UTC_US)
    return pc.coalesce(_cast_time(pc.if_else(zoned, none, array), _NAIVE_US), local_times(instants, zone))


def local_times(instants: pa.Array, zone: str) -> pa.Array:
    return in_calendar(_times(of_zone(zone).local(_micros(instants)), instants, _NAIVE_US))


def _micros(times: pa.Array) -> Micros:
    """Microseconds of a timestamp column, with 0 for nulls."""
    return cast(Micros, pc.fill_null(times.view(pa.int64()), 0).to_numpy(zero_copy_only=False))


def _present(times: pa.Array) -> npt.NDArray[np.bool_]:
    return cast("npt.NDArray[np.bool_]", times.is_valid().to_numpy(zero_copy_only=False))


def _times(micros: Micros, beside: pa.Array, to: pa.DataType) -> pa.Array:
    """Timestamps with the nulls of *beside*."""
    return pa.array(micros, mask=~_present(beside)).view(to)


def time_of_day(array: pa.Array) -> pa.Array:
    array = _finer(array)
    if pc.all(pc.match_substring_regex(array, _TIME)).as_py() is False:
        raise Unfit("not a time of day as HH:MM:SS with at most microseconds")
    return pc.binary_join_element_wise("1970-01-01T", array, "").cast(_NAIVE_US).cast(pa.time64("us"))
