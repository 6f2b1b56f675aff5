"""Diagnose why a record does not fit a table, in words for the reader of the dead letters.

A diagnosis is certain or absent: the block parser refuses every record that it names (a property test checks this).
Nested fields are named in Iceberg's notation: `address.city`, `items.element.price`, `counts.value`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from lakelock.model.units import cut
from lakelock.records import reasons
from lakelock.records.json.leaf_diagnosis import QUOTED, Integer, in_words, kind_of, no_leaf, other_type
from lakelock.records.json.maps import is_literal
from lakelock.records.reasons import Reason, found_text

_NO_TEXTS = frozenset({"boolean", "int", "long", "float", "double"})
# For leaf types: the Python type all of whose values fit; the second table does not validate texts.
_FITTING: dict[str, type] = {"boolean": bool, "string": str}
_FITTING_QUICKLY = _FITTING | dict.fromkeys(("date", "time", "timestamp", "timestamptz", "uuid", "binary"), str)
_UNKNOWN_PATH = 500
# Beyond this depth, an empty object nested in objects counts as a fault.
EMPTY_DEPTH = 32


class _Twice(dict[str, Any]):
    """An object with a duplicate name."""

    name = ""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) == len(pairs):
        return out
    names = [name for name, _ in pairs]
    twice = _Twice(out)
    twice.name = next(n for n in names if names.count(n) > 1)
    return twice


@dataclass(frozen=True)
class Diagnosis:
    """Diagnosis of single records against a table's columns.

    *kinds* are the columns' Iceberg types by name; *strict* refuses other names. *texts* also validates texts against
    their types, which takes ten times as long.
    """

    kinds: Mapping[str, Any]
    required: Iterable[str]
    strict: bool
    zones: Mapping[str, str] = field(default_factory=dict)
    texts: bool = True
    _structs: dict[int, tuple[dict[str, Any], list[str]]] = field(default_factory=dict, init=False, compare=False)

    def of(self, value: bytes) -> Reason | None:
        """The first reason found, or None if there is none that is certain."""
        beyond: list[str] = []

        def constant(name: str) -> float:
            beyond.append(name)
            return float(name)

        try:
            record = json.loads(
                value.decode(),
                parse_int=Integer,
                parse_float=Decimal,
                parse_constant=constant,
                object_pairs_hook=_pairs,
            )
        except RecursionError:
            return None
        except ValueError as fault:
            return Reason(reasons.NOT_JSON, f"not JSON: {fault}")
        if not isinstance(record, dict):
            return Reason(reasons.NOT_AN_OBJECT, f"not a JSON object but {in_words(kind_of(record))}")
        why = self._object(record, self.kinds, self.required, "")
        if why is None and beyond:
            return Reason(reasons.NOT_JSON, f"not JSON: {beyond[0]} is no JSON value", None, beyond[0])
        return why

    def unknown_names(self, value: bytes) -> set[str]:
        """Dotted paths of unknown fields with a value."""
        unknown = self._unknown(json.loads(value.decode()), self.kinds, ())
        return {".".join(path) for path, inner_value in unknown if not is_empty(inner_value)}

    def empty_names(self, value: bytes) -> set[tuple[str, ...]]:
        """Paths of unknown fields without any value, nested ones included."""
        unknown = self._unknown(json.loads(value.decode()), self.kinds, ())
        paths = {inner for path, inner_value in unknown if is_empty(inner_value) for inner in _paths(path, inner_value)}
        # An unpaired surrogate cannot be in a column name: the parser refuses the record.
        return {path for path in paths if _is_text("".join(path))}

    def _object(
        self, found: dict[str, Any], kinds: Mapping[str, Any], required: Iterable[str], prefix: str
    ) -> Reason | None:
        # The parser ignores duplicate names in parts that no column takes.
        if isinstance(found, _Twice) and found.name in kinds:
            path = prefix + found.name
            return Reason(reasons.FIELD_TWICE, f"field {path!r} is there twice", path)
        fitting = _FITTING if self.texts else _FITTING_QUICKLY
        for name, value in found.items():
            kind = kinds.get(name)
            # Most fields end here, without a call: this saves three quarters of the time for wide records.
            if kind is not None and (value is None or type(value) is fitting.get(_name(kind))):
                continue
            path = prefix + name
            if kind is None:
                if self.strict and not is_empty(value):
                    path = cut(path, _UNKNOWN_PATH)
                    message = f"field {path!r}: no column takes it (unknown_fields: ignore would drop it)"
                    return Reason(reasons.UNKNOWN_FIELD, message, path, found_text(value))
            elif why := self._misfit(value, kind, path, None if prefix else self.zones.get(name)):
                return why
        for name in required:
            if found.get(name) is None:
                return _required(prefix + name, missing=name not in found)
        return None

    def _misfit(self, found: object, kind: Any, path: str, zone: str | None = None) -> Reason | None:
        if found is None:
            return None
        if isinstance(kind, str):
            if isinstance(found, str) and kind not in _NO_TEXTS and not self.texts:
                return None
            return no_leaf(found, kind, path, zone)
        wanted: type = list if kind["type"] == "list" else dict
        if not isinstance(found, wanted):
            return other_type(found, kind["type"], path, in_words(kind_of(wanted())))
        if isinstance(found, dict) and kind["type"] == "struct":
            return self._object(found, *self._fields(kind), f"{path}.")
        if isinstance(found, dict):
            if why := self._keys(found, kind["key"], f"{path}.key"):
                return why
            of, values = "value", list(found.values())
        else:
            of, values = "element", found  # type: ignore[assignment]
        for value in values:
            if value is None and kind.get(f"{of}-required"):
                return _required(f"{path}.{of}", missing=False)
            if why := self._misfit(value, kind[of], f"{path}.{of}"):
                return why
        return None

    def _unknown(
        self, found: Mapping[str, Any], kinds: Mapping[str, Any], prefix: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], object]]:
        for name, value in found.items():
            if name in kinds:
                yield from self._unknown_within(value, kinds[name], (*prefix, name))
            else:
                yield (*prefix, name), value

    def _unknown_within(
        self, value: object, kind: Any, path: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], object]]:
        if isinstance(kind, str) or not isinstance(value, list | dict):
            return
        if kind["type"] == "struct" and isinstance(value, dict):
            yield from self._unknown(value, self._fields(kind)[0], path)
        elif kind["type"] == "list" and isinstance(value, list):
            for element in value:
                yield from self._unknown_within(element, kind["element"], (*path, "element"))
        elif kind["type"] == "map" and isinstance(value, dict):
            for element in value.values():
                yield from self._unknown_within(element, kind["value"], (*path, "value"))

    def _fields(self, kind: Any) -> tuple[dict[str, Any], list[str]]:
        """Types by name, and required names, of a struct in *kinds*; cached by id, as *kinds* outlives the cache."""
        known = self._structs.get(id(kind))
        if known is None:
            fields = kind["fields"]
            known = {f["name"]: f["type"] for f in fields}, [f["name"] for f in fields if f.get("required")]
            self._structs[id(kind)] = known
        return known

    def _keys(self, found: dict[str, Any], kind: Any, path: str) -> Reason | None:
        if isinstance(found, _Twice):
            message = f"field {path!r}: {cut(found.name, QUOTED)!r} is twice in a map"
            return Reason(reasons.FIELD_TWICE, message, path, found_text(found.name))
        for name in found:
            key = json.loads(name, parse_int=Integer, parse_float=Decimal) if is_literal(name, kind) else name
            if why := self._misfit(key, kind, path):
                return why
        return None


def _name(kind: Any) -> str:
    """Name of a leaf type; empty for nested types."""
    return kind if isinstance(kind, str) else ""


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_empty(value: object, depth: int = 0) -> bool:
    """Whether a field of this value can be dropped without loss: null, or an object whose fields all are."""
    if value is None:
        return True
    return isinstance(value, dict) and depth < EMPTY_DEPTH and all(is_empty(v, depth + 1) for v in value.values())


def _paths(path: tuple[str, ...], value: object) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(value, dict):
        for name, inner_value in value.items():
            yield from _paths((*path, name), inner_value)


def _required(path: str, missing: bool) -> Reason:
    kind, is_ = (reasons.REQUIRED_MISSING, "missing") if missing else (reasons.REQUIRED_NULL, "null")
    return Reason(kind, f"field {path!r} is required, but it is {is_}", path)
