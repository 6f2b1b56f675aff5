"""Numbers from the texts of fields, by the casts `text`, `integral`, `round` and `clamp`."""

from __future__ import annotations

from collections.abc import Set
from decimal import ROUND_DOWN, ROUND_HALF_EVEN
from decimal import Decimal as Number

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import Decimal, Floating, Integer
from lakelock.records.json import exact_numbers
from lakelock.records.json.cast_parts import (
    INTEGER,
    NO_TEXT,
    NUMBER,
    all_hold,
    at_places,
    exact_number,
    integers,
    only,
    where,
    with_exact,
)
from lakelock.records.json.wire_types import wire_type

# A decimal takes text without any cast, as Arrow reads it.
_DECIMAL = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_MOST = {32: 3.4028234663852886e38, 64: 1.7976931348623157e308}
# Integers of so many digits are exact.
_DIGITS = {32: 7, 64: 15}


def _of_digits(before: int, behind: int) -> str:
    """Numbers with at most so many digits before and behind the point, as JSON writes them."""
    whole = f"(0|[1-9][0-9]{{0,{before - 1}}})" if before else "0"
    return f"^-?{whole}{f'([.][0-9]{{1,{behind}}})?' if behind else ''}$"


class NumberCast:
    """*quoted* has the texts within quotes, *bare* other JSON; null for those that the casts do not take."""

    def __init__(self, casts: Set[str], kind: Integer | Floating | Decimal, target: pa.DataType) -> None:
        self._kind, self._target = kind, target
        self._reads_text = "text" in casts or isinstance(kind, Decimal)
        self._rounds, self._clamps = "round" in casts, "clamp" in casts
        self._is_exact = not casts & {"integral", "round", "clamp"}
        if isinstance(kind, Integer):
            self._places, limit = 0, 2 ** (kind.bits - 1)
            self._low, self._high = Number(-limit), Number(limit - 1)
            self._short = r"^-?(0|[1-9][0-9]{0,17})(\.0+)?$"
        elif isinstance(kind, Decimal):
            self._places = kind.scale
            self._high = Number((0, (9,) * kind.precision, -kind.scale))
            self._low = self._high.copy_negate()
            self._short = _of_digits(kind.precision - kind.scale, kind.scale)

    def __call__(self, quoted: pa.Array, bare: pa.Array) -> pa.Array:
        is_json = not self._reads_text or quoted.null_count == len(quoted)
        numbers = bare if is_json else pc.coalesce(bare, quoted)
        match self._kind:
            case Integer():
                return self._integer(numbers, is_json=is_json)
            case Decimal():
                return self._decimal(numbers)
        return self._floating(numbers, self._kind, is_json=is_json)

    def _integer(self, numbers: pa.Array, *, is_json: bool) -> pa.Array:
        whole = integers(numbers, is_json=is_json)
        if whole is None and self._is_exact:
            return only(numbers, INTEGER).cast(self._target)
        if whole is None:
            return self._within(numbers, NUMBER)
        return self._of_whole(whole)

    def _decimal(self, numbers: pa.Array) -> pa.Array:
        if not self._is_exact:
            return self._within(numbers, _DECIMAL)
        assert isinstance(self._kind, Decimal)
        return exact_numbers.decimal(only(numbers, _DECIMAL).cast(wire_type(self._kind)), self._kind)

    def _within(self, numbers: pa.Array, grammar: str) -> pa.Array:
        """Clamped and rounded, as the casts say."""
        is_short = pc.match_substring_regex(numbers, self._short)
        if all_hold(is_short):
            return self._of_short(numbers)
        found = self._of_short(pc.if_else(is_short, numbers, NO_TEXT))
        odd = pc.and_(pc.invert(is_short), pc.match_substring_regex(numbers, grammar))
        return with_exact(found, numbers, odd, self._of_any, self._target)

    def _of_short(self, numbers: pa.Array) -> pa.Array:
        if isinstance(self._kind, Decimal):
            return numbers.cast(self._target)
        return self._of_whole(pc.replace_substring_regex(numbers, r"\.0+$", "").cast(pa.int64()))

    def _of_whole(self, whole: pa.Array) -> pa.Array:
        if self._target == whole.type:
            return whole
        low, high = int(self._low), int(self._high)
        if self._clamps:
            whole = pc.min_element_wise(pc.max_element_wise(whole, low, skip_nulls=False), high, skip_nulls=False)
        return where(pc.and_(pc.greater_equal(whole, low), pc.less_equal(whole, high)), whole).cast(self._target)

    def _of_any(self, text: str) -> Number | int | None:
        number = exact_number(text)
        if self._clamps:
            number = min(max(number, self._low), self._high)
        found = at_places(number, self._places, ROUND_HALF_EVEN if self._rounds else ROUND_DOWN)
        if not self._low <= found <= self._high or not (self._rounds or found == number):
            return None
        return int(found) if isinstance(self._kind, Integer) else found

    def _floating(self, numbers: pa.Array, kind: Floating, *, is_json: bool) -> pa.Array:
        if not is_json or not all_hold(pc.match_substring_regex(numbers, r"^[-0-9]")):
            numbers = only(numbers, NUMBER)
        doubles, most = numbers.cast(pa.float64()), _MOST[kind.bits]
        in_range = pc.less_equal(pc.abs(doubles), exact_numbers.MOST[kind.bits])
        if self._clamps:
            doubles = pc.min_element_wise(pc.max_element_wise(doubles, -most, skip_nulls=False), most, skip_nulls=False)
        else:
            doubles = where(in_range, doubles)
        if not self._rounds:
            long = pc.and_(pc.greater(pc.binary_length(numbers), _DIGITS[kind.bits]), in_range)
            if pc.any(long).as_py():
                doubles = where(self._exact(numbers, long, kind), doubles)
        return doubles.cast(self._target, safe=False)

    def _exact(self, numbers: pa.Array, long: pa.Array, kind: Floating) -> pa.Array:
        """False for *long* integers that the column does not hold exactly."""
        long = pc.fill_null(pc.and_(long, pc.match_substring_regex(numbers, INTEGER)), False)
        exact = [exact_numbers.is_exact(Number(n), kind) for n in numbers.filter(long).to_pylist()]
        return pc.replace_with_mask(pc.invert(long), long, pa.array(exact, pa.bool_()))
