"""Convert the texts of fields, as JSON has them, to columns by the casts that a pipeline file names."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from decimal import Decimal as Number

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import (
    Boolean,
    ColumnType,
    Date,
    Decimal,
    Floating,
    Integer,
    LeafType,
    ListOf,
    MapOf,
    Struct,
    Text,
    Time,
    Timestamp,
)
from lakelock.model.units import cut
from lakelock.records import reasons
from lakelock.records.casts import EPOCHS_US, PATTERN, TIMES_US, UNSCALED, Reading
from lakelock.records.json import exact_numbers, times
from lakelock.records.json.conversion import converted
from lakelock.records.reasons import Reason, Unfit, found_text
from lakelock.records.time_patterns import TimePattern
from lakelock.records.zones import DAY_US

_NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
_INTEGER = r"^-?(0|[1-9][0-9]*)$"
_INTEGRAL = r"^(-?(?:0|[1-9][0-9]*))\.0+$"
_SHORT = r"^-?[0-9]{1,18}$"
_TOO_FINE = r"(\.\d{6})\d+"
# Wide enough for a number of any column's type, and for what is rounded off.
_WIDE = pa.decimal256(76, 32)
_HUGE = 1e40
_LONG_FRACTION = r"(\.[0-9]{31})[0-9]*[1-9][0-9]*"
_NONE = pa.scalar(None, pa.large_string())
_QUOTED = 60


def cast_column(
    texts: pa.Array, reading: Reading, kind: ColumnType, target: pa.DataType, zone: str | None
) -> tuple[pa.Array, dict[int, Reason]]:
    """*texts* as a column of *target*, Arrow's form of *kind*, and a reason for each that none of the casts takes."""
    present = pc.if_else(pc.equal(texts, "null"), _NONE, texts)
    if reading.is_json:
        return present.cast(target), {}
    assert not isinstance(kind, Struct | ListOf | MapOf)
    column = _fitting(_Cast(reading, kind, target, zone), present)
    unfit = pc.and_(column.is_null(), present.is_valid())
    if "null" in reading.casts or not pc.any(unfit).as_py():
        return column, {}
    path = ".".join(reading.path)
    rows = pc.indices_nonzero(unfit).to_pylist()
    return column, {row: _reason(path, present[row].as_py(), reading) for row in rows}


def _reason(path: str, text: str, reading: Reading) -> Reason:
    message = f"field {path!r}: {cut(text, _QUOTED)} fits none of its casts ({', '.join(reading.casts)})"
    return Reason(reasons.NO_CAST, message, path, found_text(text))


def _fitting(cast: _Cast, texts: pa.Array) -> pa.Array:
    """Null for texts that make *cast* fail, found by halving."""
    try:
        return cast(texts)
    except (Unfit, pa.ArrowException):
        if len(texts) == 1:
            return pa.nulls(1, cast.target)
        middle = len(texts) // 2
        return pa.concat_arrays([_fitting(cast, texts[:middle]), _fitting(cast, texts[middle:])])


class _Cast:
    """Null for a text that no cast takes; raises Unfit or ArrowException if there may be one among them."""

    def __init__(self, reading: Reading, kind: LeafType, target: pa.DataType, zone: str | None) -> None:
        self.target = target
        self._kind, self._zone = kind, zone
        self._casts, self._forms = frozenset(reading.casts), reading.forms
        scales = [c.removeprefix(UNSCALED) for c in reading.casts if c.startswith(UNSCALED)]
        self._unscaled = int(scales[0]) if scales else None
        self._of = self._by_type(kind)

    def __call__(self, texts: pa.Array) -> pa.Array:
        is_text = pc.starts_with(texts, '"')
        bare = pc.if_else(is_text, _NONE, texts)
        return self._of(_unquoted(pc.if_else(is_text, texts, _NONE)), bare)

    def _by_type(self, kind: LeafType) -> Callable[[pa.Array, pa.Array], pa.Array]:
        match kind:
            case Text():
                return self._text
            case Boolean():
                return self._boolean
            case Integer():
                return self._integer
            case Floating():
                return self._floating
            case Decimal():
                return self._decimal
        return self._time

    def _text(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        return (pc.coalesce(quoted, bare) if "stringify" in self._casts else quoted).cast(self.target)

    def _boolean(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        words = self._with_texts(quoted, bare)
        return pc.if_else(pc.equal(words, "true"), True, pc.if_else(pc.equal(words, "false"), False, None)).cast(
            self.target
        )

    def _integer(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        numbers = self._with_texts(quoted, bare)
        assert isinstance(self._kind, Integer)
        if "integral" in self._casts:
            numbers = pc.replace_substring_regex(numbers, _INTEGRAL, r"\1")
        if not {"integral", "round", "clamp"} & self._casts:
            return _only(numbers, _INTEGER).cast(self.target)
        limit = 2 ** (self._kind.bits - 1)
        if pc.all(pc.match_substring_regex(numbers, _SHORT)).as_py() is not False and self._kind.bits == 64:
            return numbers.cast(self.target)
        return self._within(numbers, Number(-limit), Number(limit - 1), 0).cast(self.target)

    def _decimal(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        numbers = self._with_texts(quoted, bare)
        assert isinstance(self._kind, Decimal)
        if self._unscaled is not None:
            found = [None if v is None else _unscaled(v, self._unscaled) for v in quoted.to_pylist()]
            return exact_numbers.decimal(pa.array(found, self.target), self._kind)
        if not {"round", "clamp"} & self._casts:
            return exact_numbers.decimal(_only(numbers, _NUMBER).cast(self.target), self._kind)
        most = (Number(10) ** self._kind.precision - 1).scaleb(-self._kind.scale)
        return self._within(numbers, -most, most, self._kind.scale).cast(self.target)

    def _within(self, numbers: pa.Array, low: Number, high: Number, places: int) -> pa.Array:
        """Rounded to *places* and clamped, as the casts say."""
        numbers = _only(numbers, _NUMBER)
        if "clamp" in self._casts:
            doubles = numbers.cast(pa.float64())
            numbers = pc.if_else(
                pc.greater(doubles, _HUGE), str(high), pc.if_else(pc.less(doubles, -_HUGE), str(low), numbers)
            )
        if "round" in self._casts:
            # The last digit says that there were more, which a tie depends on.
            numbers = pc.replace_substring_regex(numbers, _LONG_FRACTION, r"\11")
        wide = numbers.cast(_WIDE)
        if "round" in self._casts:
            wide = pc.round(wide, places, "half_to_even")
        if "clamp" in self._casts:
            wide = pc.min_element_wise(
                pc.max_element_wise(wide, _scalar(low), skip_nulls=False), _scalar(high), skip_nulls=False
            )
        return wide

    def _floating(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        numbers = _only(self._with_texts(quoted, bare), _NUMBER)
        assert isinstance(self._kind, Floating)
        doubles = numbers.cast(pa.float64())
        most = 3.4028234663852886e38 if self._kind.bits == 32 else 1.7976931348623157e308
        if "clamp" in self._casts:
            doubles = pc.min_element_wise(pc.max_element_wise(doubles, -most, skip_nulls=False), most, skip_nulls=False)
        doubles = exact_numbers.floating(doubles, self._kind)
        if "round" not in self._casts:
            self._refuse_inexact(numbers, self._kind)
        return doubles.cast(self.target, safe=False)

    def _refuse_inexact(self, numbers: pa.Array, kind: Floating) -> None:
        digits = 15 if kind.bits == 64 else 7
        long = pc.and_(pc.match_substring_regex(numbers, _INTEGER), pc.greater(pc.utf8_length(numbers), digits))
        if any(not exact_numbers.is_exact(Number(n), kind) for n in numbers.filter(long).to_pylist()):
            raise Unfit("an integer is too large to be exact in its column")

    def _with_texts(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        return pc.coalesce(bare, quoted) if "text" in self._casts else bare

    def _time(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        """By the first form that takes it."""
        column = pa.nulls(len(quoted), self.target)
        numbers = self._with_texts(quoted, bare)
        for form in self._forms or ("rfc3339",):
            todo = column.is_null()
            if form in TIMES_US:
                found = self._time_of_day(pc.if_else(todo, numbers, _NONE), TIMES_US[form])
            elif form in EPOCHS_US:
                found = self._epoch(pc.if_else(todo, numbers, _NONE), form)
            else:
                found = self._iso(pc.if_else(todo, quoted, _NONE), form)
            column = pc.coalesce(column, found)
        return column

    def _iso(self, texts: pa.Array, form: str) -> pa.Array:
        has_date, has_time = not isinstance(self._kind, Time), not isinstance(self._kind, Date)
        if form.startswith(PATTERN):
            texts = TimePattern.parse(form.removeprefix(PATTERN)).iso(texts, has_date, has_time)
        elif len(self._forms) > 1:
            # Another form may take it.
            texts = _only(texts, r"^\d{4}-\d\d-\d\d([Tt ].*)?$" if has_date else r"^\d\d:\d\d")
        if "truncate_time" in self._casts:
            texts = pc.replace_substring_regex(texts, _TOO_FINE, r"\1")
            if isinstance(self._kind, Date):
                texts = pc.replace_substring_regex(texts, r"[Tt ].*$", "")
        return converted(texts.cast(pa.string()), self._kind, self.target, self._zone)

    def _time_of_day(self, numbers: pa.Array, unit_us: int) -> pa.Array:
        micros = pc.multiply_checked(_only(numbers, _SHORT).cast(pa.int64()), unit_us)
        in_day = pc.and_(pc.greater_equal(micros, 0), pc.less(micros, DAY_US))
        return pc.if_else(in_day, micros, None).cast(pa.time64("us")).cast(self.target)

    def _epoch(self, numbers: pa.Array, form: str) -> pa.Array:
        micros = self._micros(_only(numbers, _NUMBER), form)
        if isinstance(self._kind, Date):
            instants = micros.cast(pa.timestamp("us"))
            days = instants.cast(pa.date32())
            is_midnight = pc.equal(days.cast(pa.timestamp("us")), instants)
            if "truncate_time" not in self._casts and pc.all(is_midnight).as_py() is False:
                raise Unfit("not the beginning of a day")
            return times.in_calendar(days).cast(self.target)
        instants = times.in_calendar(micros.cast(pa.timestamp("us", "UTC")))
        if self._kind == Timestamp(zoned=False):
            assert self._zone is not None
            instants = times.local_times(instants, self._zone)
        return instants.cast(self.target)

    def _micros(self, numbers: pa.Array, form: str) -> pa.Array:
        unit_us = EPOCHS_US[form]
        truncates = "truncate_time" in self._casts
        if pc.all(pc.match_substring_regex(numbers, _SHORT)).as_py() is not False:
            whole = numbers.cast(pa.int64())
            if unit_us is not None:
                return pc.multiply_checked(whole, unit_us)
            nanos = pc.fill_null(whole, 0).to_numpy()
            if not truncates and (nanos % 1000).any():
                raise Unfit("finer than microseconds")
            return pa.array(nanos // 1000, mask=whole.is_null().to_numpy(zero_copy_only=False))
        factor = _scalar(Number("0.001") if unit_us is None else Number(unit_us), pa.decimal256(20, 3))
        micros = pc.multiply(numbers.cast(pa.decimal128(38, 18)).cast(pa.decimal256(50, 18)), factor)
        return (pc.floor(micros) if truncates else micros).cast(pa.int64())


def _unscaled(text: str, scale: int) -> Number:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as fault:
        raise Unfit("not base64") from fault
    return Number(int.from_bytes(data, "big", signed=True)).scaleb(-scale)


def _only(texts: pa.Array, regex: str) -> pa.Array:
    """Null for those that do not match."""
    matching = pc.match_substring_regex(texts, regex)
    return texts if pc.all(matching).as_py() is not False else pc.if_else(matching, texts, _NONE)


def _scalar(number: Number, kind: pa.DataType = _WIDE) -> pa.Scalar:
    return pa.scalar(number, kind)


def _unquoted(quoted: pa.Array) -> pa.Array:
    """The texts that JSON strings stand for."""
    plain = pc.binary_slice(quoted.cast(pa.large_binary()), 1, -1).cast(pa.large_string())
    escaped = pc.match_substring(quoted, "\\")
    if not pc.any(escaped).as_py():
        return plain
    rows = pc.indices_nonzero(pc.fill_null(escaped, False)).to_pylist()
    texts = [_unescaped(quoted[row].as_py()) for row in rows]
    return pc.replace_with_mask(plain, pc.fill_null(escaped, False), pa.array(texts, pa.large_string()))


def _unescaped(quoted: str) -> str:
    text = str(json.loads(quoted))
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        raise Unfit("an unpaired surrogate, which no column can hold") from fault
    return text
