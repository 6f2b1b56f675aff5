"""Why a record does not fit a table, in words for the person who reads the dead letters.

A diagnosis is certain or absent: what it names, the block reader refuses, too (a property test holds that). Fields inside
others are named as Iceberg names them: `address.city`, `items.element.price`, `counts.value`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

_DECIMAL = re.compile(r"decimal\((\d+),\s*(\d+)\)")
_KINDS = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "a boolean",
    Decimal: "a number",
    type(None): "null",
    float: "a number that JSON does not have",
}
NO_COLUMN = "no column takes it (unknown_fields: ignore would drop it)"
_INTEGERS = {"int": 2**31, "long": 2**63}


class _Twice(dict[str, Any]):
    """An object in which a name is there twice."""

    name = ""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) == len(pairs):
        return out
    names = [name for name, _ in pairs]
    twice = _Twice(out)
    twice.name = next(n for n in names if names.count(n) > 1)
    return twice


def diagnose(
    value: bytes, fields: Mapping[str, Mapping[str, Any]], required: Iterable[str], strict: bool
) -> str | None:
    """The first reason found, or None where this look is not sharp enough to be sure."""
    try:
        record = json.loads(value.decode(), parse_int=Decimal, parse_float=Decimal, object_pairs_hook=_pairs)
    except RecursionError:
        return None
    except ValueError as fault:
        return f"not JSON: {fault}"
    if not isinstance(record, dict):
        return f"not a JSON object but {_kind(record)}"
    return _object(record, {name: f["type"] for name, f in fields.items()}, required, strict, "")


def unknown_names(value: bytes, fields: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Paths in a JSON object that no field has."""
    return set(_unknown(json.loads(value.decode()), {name: f["type"] for name, f in fields.items()}, ""))


def _unknown(found: Mapping[str, Any], kinds: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, value in found.items():
        if name not in kinds:
            yield prefix + name
        else:
            yield from _unknown_inside(value, kinds[name], prefix + name)


def _unknown_inside(value: object, kind: Any, path: str) -> Iterator[str]:
    if isinstance(kind, str) or not isinstance(value, list | dict):
        return
    if kind["type"] == "struct" and isinstance(value, dict):
        yield from _unknown(value, {f["name"]: f["type"] for f in kind["fields"]}, f"{path}.")
    elif kind["type"] == "list" and isinstance(value, list):
        for element in value:
            yield from _unknown_inside(element, kind["element"], f"{path}.element")
    elif kind["type"] == "map" and isinstance(value, dict):
        for element in value.values():
            yield from _unknown_inside(element, kind["value"], f"{path}.value")


def _kind(value: object) -> str:
    return _KINDS.get(type(value), type(value).__name__)


def _object(
    found: dict[str, Any], kinds: Mapping[str, Any], required: Iterable[str], strict: bool, prefix: str
) -> str | None:
    # A name repeated in a part that no column takes is not looked at by the reader.
    if isinstance(found, _Twice) and found.name in kinds:
        return f"field {prefix + found.name!r} is there twice"
    for name, value in found.items():
        if name not in kinds:
            if strict:
                return f"field {prefix + name!r}: {NO_COLUMN}"
        elif why := _misfit(value, kinds[name], strict, prefix + name):
            return why
    for name in required:
        if found.get(name) is None:
            return f"field {prefix + name!r} is required, but it is {'null' if name in found else 'missing'}"
    return None


def _misfit(found: object, kind: Any, strict: bool, path: str) -> str | None:
    if found is None:
        return None
    if isinstance(kind, str):
        why = _no_leaf(found, kind)
        return why and f"field {path!r}: {why}"
    wanted: type = list if kind["type"] == "list" else dict
    if not isinstance(found, wanted):
        return f"field {path!r}: expected {_kind(wanted())}, found {_kind(found)}"
    if isinstance(found, dict) and kind["type"] == "struct":
        kinds = {f["name"]: f["type"] for f in kind["fields"]}
        return _object(found, kinds, [f["name"] for f in kind["fields"] if f.get("required")], strict, f"{path}.")
    of, values = ("element", found) if isinstance(found, list) else ("value", found.values())  # type: ignore[attr-defined]
    for value in values:
        if value is None and kind.get(f"{of}-required"):
            return f"field {f'{path}.{of}'!r} is required, but it is null"
        if why := _misfit(value, kind[of], strict, f"{path}.{of}"):
            return why
    return None


def _no_leaf(found: object, kind: str) -> str | None:
    if kind == "boolean":
        return None if isinstance(found, bool) else f"expected a boolean, found {_kind(found)}"
    if kind in _INTEGERS:
        return _no_integer(found, kind)
    if kind in ("double", "float"):
        return None if isinstance(found, Decimal) else f"expected a number, found {_kind(found)}"
    if match := _DECIMAL.fullmatch(kind):
        return _no_decimal(found, int(match[1]), int(match[2]))
    return None if isinstance(found, str) else f"expected text for a {kind}, found {_kind(found)}"


def _no_integer(found: object, kind: str) -> str | None:
    if not isinstance(found, Decimal):
        return f"expected an integer, found {_kind(found)}"
    if found.as_tuple().exponent != 0:
        return f"{found} is not written as an integer"
    bound = _INTEGERS[kind]
    return None if -bound <= found < bound else f"{found} does not fit a{'n int' if kind == 'int' else ' long'}"


def _decimal_places(number: Decimal) -> int:
    """Without zeros at the end, which the reader drops as well."""
    _, digits, exponent = number.as_tuple()
    places = -exponent if isinstance(exponent, int) else 0
    for digit in reversed(digits):
        if digit or places <= 0:
            break
        places -= 1
    return places


def _no_decimal(found: object, precision: int, scale: int) -> str | None:
    if isinstance(found, str):
        try:
            Decimal(found)
        except ArithmeticError:
            return f"{found[:40]!r} is not a decimal number"
        return None
    if not isinstance(found, Decimal):
        return f"expected a number, found {_kind(found)}"
    if _decimal_places(found) > scale:
        return f"{found} has more than {scale} decimal places"
    return (
        f"{found} has more than {precision} digits" if found.copy_abs() >= Decimal(10) ** (precision - scale) else None
    )
