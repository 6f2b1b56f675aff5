"""Dates, times of day and timestamps from the texts of fields, by the first form that takes each."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from decimal import ROUND_FLOOR
from decimal import Decimal as Number

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import Date, LeafType, Time, Timestamp
from lakelock.records.casts import EPOCHS_US, PATTERN, TIMES_US
from lakelock.records.json import iso_times
from lakelock.records.json.cast_parts import (
    EXACT,
    NO_TEXT,
    NUMBER,
    SHORT_INTEGER,
    at_places,
    exact_number,
    fitting,
    integers,
    only,
    where,
    with_exact,
)
from lakelock.records.json.conversion_by_type import converted
from lakelock.records.json.pattern_texts import iso_texts
from lakelock.records.local_times import DAY_US
from lakelock.records.reasons import Unfit
from lakelock.records.time_patterns import TimePattern

_TOO_FINE = r"(\.\d{6})\d+"
_DATE = r"^\d{4}-\d\d-\d\d([Tt ].*)?$"
_TIME = r"^\d\d:\d\d"
_DATE_AND_TIME = (
    r"^(\d{4}-\d\d-\d\d)[Tt ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?([Zz]|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)?$"
)
# Decimal places that are microseconds, by unit.
_PLACES = {Number(1_000_000): 6, Number(1_000): 3}


class TimeCast:
    """*quoted* has the texts within quotes, *bare* other JSON; null for those that no form takes."""

    def __init__(
        self, casts: Set[str], forms: Sequence[str], kind: LeafType, target: pa.DataType, zone: str | None
    ) -> None:
        self._kind, self._target, self._zone = kind, target, zone
        self._forms = forms or ("rfc3339",)
        self._reads_text, self._truncates = "text" in casts, "truncate_time" in casts

    def __call__(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        has_text = quoted.null_count < len(quoted)
        numbers = pc.coalesce(bare, quoted) if self._reads_text and has_text else bare
        column = pa.nulls(len(quoted), self._target)
        for form in self._forms:
            texts = numbers if form in EPOCHS_US or form in TIMES_US else quoted
            if texts.null_count == len(texts):
                continue
            if column.null_count < len(column):
                texts = pc.if_else(column.is_null(), texts, NO_TEXT)
            found = fitting(self._of(form, is_json=numbers is bare), texts, self._target)
            column = found if column.null_count == len(column) else pc.coalesce(column, found)
        return column

    def _of(self, form: str, *, is_json: bool) -> Callable[[pa.Array], pa.Array]:
        if form in EPOCHS_US:
            return lambda texts: self._epoch(texts, form, is_json=is_json)
        if form in TIMES_US:
            return lambda texts: self._time_of_day(texts, TIMES_US[form])
        return lambda texts: self._text(texts, form)

    def _time_of_day(self, numbers: pa.Array, unit_us: int) -> pa.Array:
        whole = only(numbers, SHORT_INTEGER).cast(pa.int64())
        in_day = pc.and_(pc.greater_equal(whole, 0), pc.less(whole, DAY_US // unit_us))
        return pc.multiply(where(in_day, whole), unit_us).cast(pa.time64("us")).cast(self._target)

    def _text(self, texts: pa.Array, form: str) -> pa.Array:
        if form.startswith(PATTERN):
            has_date, has_time = not isinstance(self._kind, Time), not isinstance(self._kind, Date)
            pattern = TimePattern.parse(form.removeprefix(PATTERN))
            return self._iso(iso_texts(pattern, texts, has_date, has_time))
        try:
            return self._iso(texts)
        except (Unfit, pa.ArrowException):
            # Without texts that are nothing like it, halving has less to find.
            return self._iso(only(texts, _TIME if isinstance(self._kind, Time) else _DATE))

    def _iso(self, texts: pa.Array) -> pa.Array:
        if self._truncates:
            texts = pc.replace_substring_regex(texts, _TOO_FINE, r"\1")
            if isinstance(self._kind, Date):
                texts = pc.replace_substring_regex(texts, _DATE_AND_TIME, r"\1")
        return converted(texts.cast(pa.string()), self._kind, self._target, self._zone)

    def _epoch(self, numbers: pa.Array, form: str, *, is_json: bool) -> pa.Array:
        micros = self._micros(numbers, EPOCHS_US[form], is_json=is_json)
        if isinstance(self._kind, Date):
            days, beyond = np.divmod(pc.fill_null(micros, 0).to_numpy(), DAY_US)
            fits = micros.is_valid() if self._truncates else pc.and_(micros.is_valid(), pa.array(beyond == 0))
            return where(fits, pa.array(days, pa.int64())).cast(pa.int32()).view(pa.date32()).cast(self._target)
        instants = micros.view(pa.timestamp("us", "UTC"))
        if self._kind == Timestamp(zoned=False):
            assert self._zone is not None
            instants = iso_times.local_times(instants, self._zone)
        return instants.cast(self._target)

    def _micros(self, numbers: pa.Array, unit_us: Number, *, is_json: bool) -> pa.Array:
        """Since 1970, null outside of the calendar and, unless the casts truncate, for finer ones."""
        whole = integers(numbers, is_json=is_json)
        if whole is not None:
            return self._of_whole(whole, unit_us)
        places = _PLACES.get(unit_us)
        short = SHORT_INTEGER if places is None else rf"^-?(0|[1-9][0-9]{{0,{17 - places}}})([.][0-9]{{1,{places}}})?$"
        is_short = pc.match_substring_regex(numbers, short)
        some = pc.if_else(is_short, numbers, NO_TEXT)
        found = self._of_whole(some.cast(pa.int64()), unit_us) if places is None else _of_short(some, places)
        odd = pc.and_(pc.invert(is_short), pc.match_substring_regex(numbers, NUMBER))
        return with_exact(found, numbers, odd, lambda text: self._of_any(text, unit_us), pa.int64())

    def _of_whole(self, whole: pa.Array, unit_us: Number) -> pa.Array:
        if unit_us < 1:
            a_micro = int(1 / unit_us)
            micros, finer = np.divmod(pc.fill_null(whole, 0).to_numpy(), a_micro)
            fits = whole.is_valid() if self._truncates else pc.and_(whole.is_valid(), pa.array(finer == 0))
            return where(fits, pa.array(micros))
        unit = int(unit_us)
        low, high = -(-iso_times.FIRST_US // unit), (iso_times.END_US - 1) // unit
        return pc.multiply(where(pc.and_(pc.greater_equal(whole, low), pc.less_equal(whole, high)), whole), unit)

    def _of_any(self, text: str, unit_us: Number) -> int | None:
        exact = EXACT.multiply(exact_number(text), unit_us)
        floor = at_places(exact, 0, ROUND_FLOOR)
        if not iso_times.FIRST_US <= floor < iso_times.END_US or not (self._truncates or floor == exact):
            return None
        return int(floor)


def _of_short(numbers: pa.Array, places: int) -> pa.Array:
    """Microseconds of at most 18 digits: a decimal holds them without the point."""
    read = numbers.cast(pa.decimal128(18, places))
    low_halves = np.frombuffer(read.buffers()[1], np.int64)[::2][: len(read)]
    micros = pa.array(low_halves, mask=read.is_null().to_numpy(zero_copy_only=False))
    return where(pc.and_(pc.greater_equal(micros, iso_times.FIRST_US), pc.less(micros, iso_times.END_US)), micros)
