"""What casts of numbers and of times share: rows that do not fit become null, and numbers are exact.

Arrow reads decimals exactly, but divides some of them wrongly, also to round or to lower a scale. So all that has to be
divided is left to Python.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, InvalidOperation

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records.reasons import Unfit

# As JSON writes them.
NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
INTEGER = r"^-?(0|[1-9][0-9]*)$"
SHORT_INTEGER = r"^-?(0|[1-9][0-9]{0,17})$"
NO_TEXT = pa.scalar(None, pa.large_string())
EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
# Beyond every column's type, in both directions.
_FAR = 60


def fitting(cast: Callable[[pa.Array], pa.Array], texts: pa.Array, target: pa.DataType) -> pa.Array:
    """*cast* of *texts*, null for those that make it fail, found by halving."""
    try:
        return cast(texts)
    except (Unfit, pa.ArrowException):
        if len(texts) == 1:
            return pa.nulls(1, target)
        middle = len(texts) // 2
        return pa.concat_arrays([fitting(cast, texts[:middle], target), fitting(cast, texts[middle:], target)])


def only(texts: pa.Array, regex: str) -> pa.Array:
    """Null for those that do not match."""
    return where(pc.match_substring_regex(texts, regex), texts)


def where(holds: pa.Array, values: pa.Array) -> pa.Array:
    """*values*, and null where the condition does not hold."""
    return values if all_hold(holds) else pc.if_else(holds, values, pa.scalar(None, values.type))


def all_hold(holds: pa.Array) -> bool:
    """Whether none is false."""
    return pc.all(holds).as_py() is not False


def integers(numbers: pa.Array, *, is_json: bool) -> pa.Array | None:
    """As int64 if each is written as an integer that fits; *is_json* if they are known to be JSON and no strings."""
    if not is_json and not all_hold(pc.match_substring_regex(numbers, SHORT_INTEGER)):
        return None
    try:
        return numbers.cast(pa.int64())
    except pa.ArrowInvalid:
        return None


def exact_number(text: str) -> Decimal:
    """The number that *text* spells; one of the same sign in its place if it is far beyond any column."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        mantissa, _, exponent = text.lower().partition("e")
        far = f"{'-' if exponent.startswith('-') else ''}{10**15}"
        number = Decimal(f"{mantissa}e{far}")
    if not number:
        return Decimal(0)
    if -_FAR <= number.adjusted() <= _FAR:
        return number
    return Decimal(1).scaleb(_FAR if number.adjusted() > 0 else -_FAR).copy_sign(number)


def at_places(number: Decimal, places: int, rounding: str) -> Decimal:
    return number.quantize(Decimal((0, (1,), -places)), rounding, EXACT)


def with_exact(
    found: pa.Array, numbers: pa.Array, odd: pa.Array, convert: Callable[[str], object], target: pa.DataType
) -> pa.Array:
    """*found*, and what *convert* makes of the *numbers* that are *odd*, one by one."""
    odd = pc.fill_null(odd, False)
    values = [convert(text) for text in numbers.filter(odd).to_pylist()]
    return pc.replace_with_mask(found, odd, pa.array(values, target))
