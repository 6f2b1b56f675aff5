"""Diagnose why a scalar does not fit a column of its type."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from lakelock.model.units import cut
from lakelock.records import reasons
from lakelock.records.json.conversion import no_text_of
from lakelock.records.json.exact_numbers import in_range, is_exact
from lakelock.records.json.wire_types import decimal_digits
from lakelock.records.reasons import Reason, found_text, with_article

_KINDS = {
    dict: "object",
    list: "list",
    str: "text",
    bool: "boolean",
    Decimal: "number",
    type(None): "null",
    float: "number that JSON does not have",
}
_INTEGERS = {"int": 2**31, "long": 2**63}
# Characters of a value that a message quotes.
QUOTED = 40
Unfitting = Callable[[str, str], Reason]


class Integer(Decimal):
    """A number written without fraction and exponent."""


def kind_of(value: object) -> str:
    """Name of a value's JSON type."""
    return next((text for of, text in _KINDS.items() if isinstance(value, of)), type(value).__name__)


def in_words(kind: str) -> str:
    return kind if kind in ("text", "null") else with_article(kind)


def other_type(found: object, wanted: str, path: str, expected: str) -> Reason:
    kind = kind_of(found)
    message = f"field {path!r}: expected {expected}, found {in_words(kind)}"
    return Reason(reasons.wrong_type(kind, wanted), message, path, found_text(found))


def no_leaf(found: object, kind: str, path: str, zone: str | None) -> Reason | None:
    """Why *found* is not a value of the leaf type *kind*; None if it is one."""

    def unfit(of: str, message: str) -> Reason:
        return Reason(of, f"field {path!r}: {message}", path, found_text(found))

    digits = decimal_digits(kind)
    if kind == "boolean":
        return None if isinstance(found, bool) else other_type(found, kind, path, "a boolean")
    if kind in _INTEGERS:
        if isinstance(found, Decimal):
            return _no_integer(found, kind, unfit)
        return other_type(found, kind, path, "an integer")
    if kind in ("double", "float"):
        if isinstance(found, Decimal):
            return _no_floating(found, kind, unfit)
        return other_type(found, kind, path, "a number")
    if digits and not isinstance(found, str):
        if isinstance(found, Decimal):
            return _no_decimal(found, *digits, unfit)
        return other_type(found, kind, path, "a number")
    if not isinstance(found, str):
        return other_type(found, kind, path, f"text for {in_words(kind)}")
    why = no_text_of(found, kind, zone)
    return unfit(reasons.no_such_text(kind), why) if why else None


def _no_integer(found: Decimal, kind: str, unfit: Unfitting) -> Reason | None:
    if not isinstance(found, Integer):
        return unfit(reasons.NOT_AN_INTEGER, f"{_quoted(found)} is not written as an integer")
    if -_INTEGERS[kind] <= found < _INTEGERS[kind]:
        return None
    return unfit(reasons.OUT_OF_RANGE, f"{_quoted(found)} does not fit {in_words(kind)}")


def _no_floating(found: Decimal, kind: str, unfit: Unfitting) -> Reason | None:
    if not in_range(found, kind):
        return unfit(reasons.OUT_OF_RANGE, f"{_quoted(found)} is too large for a {kind}")
    if isinstance(found, Integer) and not is_exact(found, kind):
        return unfit(reasons.NOT_EXACT, f"{_quoted(found)} is an integer that a {kind} does not hold exactly")
    return None


def _no_decimal(found: Decimal, precision: int, scale: int, unfit: Unfitting) -> Reason | None:
    if _decimal_places(found) > scale:
        return unfit(reasons.OUT_OF_RANGE, f"{_quoted(found)} has more than {scale} decimal places")
    if found.copy_abs() >= Decimal(10) ** (precision - scale):
        return unfit(reasons.OUT_OF_RANGE, f"{_quoted(found)} has more than {precision} digits at scale {scale}")
    return None


def _decimal_places(number: Decimal) -> int:
    """Number of decimal places without trailing zeros, which the parser drops as well."""
    _, digits, exponent = number.as_tuple()
    places = -exponent if isinstance(exponent, int) else 0
    for digit in reversed(digits):
        if digit or places <= 0:
            break
        places -= 1
    return places


def _quoted(number: Decimal) -> str:
    return cut(str(number), QUOTED)
