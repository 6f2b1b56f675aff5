"""Diagnose why a scalar does not fit a column of its type."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from lakelock.model import column_types as types
from lakelock.model.column_types import Boolean, Floating, LeafType
from lakelock.model.type_notation import type_text
from lakelock.model.units import cut
from lakelock.records import reasons
from lakelock.records.json.conversion_by_type import no_text_of
from lakelock.records.json.exact_numbers import in_range, is_exact
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
# Characters of a value that a message quotes.
QUOTED = 40
Unfitting = Callable[[str, str], Reason]


class WrittenInteger(Decimal):
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


def no_leaf(found: object, kind: LeafType, path: str, zone: str | None) -> Reason | None:
    """Why *found* is not a value of the leaf type *kind*; None if it is one."""

    def unfit(of: str, message: str) -> Reason:
        return Reason(of, f"field {path!r}: {message}", path, found_text(found))

    def other(expected: str) -> Reason:
        return other_type(found, type_text(kind), path, expected)

    match kind:
        case Boolean():
            return None if isinstance(found, bool) else other("a boolean")
        case types.Integer():
            return _no_integer(found, kind, unfit) if isinstance(found, Decimal) else other("an integer")
        case Floating():
            return _no_floating(found, kind, unfit) if isinstance(found, Decimal) else other("a number")
        case types.Decimal() if not isinstance(found, str):
            return _no_decimal(found, kind, unfit) if isinstance(found, Decimal) else other("a number")
    if not isinstance(found, str):
        return other(f"text for {in_words(type_text(kind))}")
    why = no_text_of(found, kind, zone)
    return unfit(reasons.no_such_text(type_text(kind)), why) if why else None


def _no_integer(found: Decimal, kind: types.Integer, unfit: Unfitting) -> Reason | None:
    if not isinstance(found, WrittenInteger):
        return unfit(reasons.NOT_AN_INTEGER, f"{_quoted(found)} is not written as an integer")
    limit = 2 ** (kind.bits - 1)
    if -limit <= found < limit:
        return None
    return unfit(reasons.OUT_OF_RANGE, f"{_quoted(found)} does not fit {in_words(type_text(kind))}")


def _no_floating(found: Decimal, kind: Floating, unfit: Unfitting) -> Reason | None:
    if not in_range(found, kind):
        return unfit(reasons.OUT_OF_RANGE, f"{_quoted(found)} is too large for a {type_text(kind)}")
    if isinstance(found, WrittenInteger) and not is_exact(found, kind):
        text = f"{_quoted(found)} is an integer that a {type_text(kind)} does not hold exactly"
        return unfit(reasons.NOT_EXACT, text)
    return None


def _no_decimal(found: Decimal, kind: types.Decimal, unfit: Unfitting) -> Reason | None:
    if _decimal_places(found) > kind.scale:
        return unfit(reasons.OUT_OF_RANGE, f"{_quoted(found)} has more than {kind.scale} decimal places")
    if found.copy_abs() >= Decimal(10) ** (kind.precision - kind.scale):
        text = f"{_quoted(found)} has more than {kind.precision} digits at scale {kind.scale}"
        return unfit(reasons.OUT_OF_RANGE, text)
    return None


def _decimal_places(number: Decimal) -> int:
    """Number of decimal places without trailing zeros, which the parser drops as well."""
    _, digits, exponent = number.as_tuple()
    places = -exponent if number and isinstance(exponent, int) else 0
    for digit in reversed(digits):
        if digit or places <= 0:
            break
        places -= 1
    return places


def _quoted(number: Decimal) -> str:
    return cut(str(number), QUOTED)
