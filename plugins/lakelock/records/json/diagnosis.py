"""Diagnose why a record does not fit a table, in words for the reader of the dead letters.

A diagnosis is certain or absent: the block parser refuses every record that it names (a property test checks this).
Nested fields are named in Iceberg's notation: `address.city`, `items.element.price`, `counts.value`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from lakelock.model.column_types import (
    Binary,
    Boolean,
    Column,
    ColumnType,
    Date,
    Floating,
    Integer,
    ListOf,
    MapOf,
    Struct,
    Text,
    Time,
    Timestamp,
    Uuid,
)
from lakelock.model.type_notation import type_name
from lakelock.model.units import cut
from lakelock.records import reasons
from lakelock.records.json.leaf_diagnosis import QUOTED, WrittenInteger, in_words, kind_of, no_leaf, other_type
from lakelock.records.json.maps import is_literal
from lakelock.records.json.wire_types import IN_LIST, IN_OBJECT
from lakelock.records.reasons import Reason, found_text

_UNKNOWN_PATH = 500
# Beyond this depth, an empty object nested in objects counts as a fault.
EMPTY_DEPTH = 32


class _Fields(NamedTuple):
    """Fields of an object: types by name, required names, and the Python type all of whose values fit, if there is one."""

    kinds: Mapping[str, ColumnType]
    required: Sequence[str]
    fitting: Mapping[str, type]


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

    *columns* are those that records fill, *required* the names of all that must be filled; *strict* refuses other names.
    *texts* also validates texts against their types, which takes ten times as long. With *empty_lists*, a list without any
    value is empty, too: no type follows from it.
    """

    columns: Sequence[Column]
    required: Sequence[str]
    strict: bool
    zones: Mapping[str, str] = field(default_factory=dict)
    texts: bool = True
    empty_lists: bool = False
    _structs: dict[int, _Fields] = field(default_factory=dict, init=False, compare=False)
    _top: _Fields = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_top", self._known(self.columns)._replace(required=self.required))

    @property
    def kinds(self) -> Mapping[str, ColumnType]:
        return self._top.kinds

    def of(self, value: bytes) -> Reason | None:
        """The first reason found, or None if there is none that is certain."""
        beyond: list[str] = []

        def constant(name: str) -> float:
            beyond.append(name)
            return float(name)

        try:
            record = json.loads(
                value.decode(),
                parse_int=WrittenInteger,
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
        why = self._object(record, self._top, "")
        if why is None and beyond:
            return Reason(reasons.NOT_JSON, f"not JSON: {beyond[0]} is no JSON value", None, beyond[0])
        return why

    def unknown_names(self, value: bytes) -> set[str]:
        """Dotted paths of unknown fields with a value."""
        unknown = self._unknown(json.loads(value.decode()), self.kinds, ())
        return {".".join(path) for path, inner_value in unknown if not is_empty(inner_value, self.empty_lists)}

    def empty_names(self, value: bytes) -> set[tuple[str, ...]]:
        """Paths of unknown fields without any value, nested ones included."""
        unknown = self._unknown(json.loads(value.decode()), self.kinds, ())
        paths = {
            inner for path, inner_value in unknown if self._is_empty(inner_value) for inner in _paths(path, inner_value)
        }
        # An unpaired surrogate cannot be in a column name: the parser refuses the record.
        return {path for path in paths if all(step in (IN_LIST, IN_OBJECT) or _is_text(step) for step in path)}

    def _object(self, found: dict[str, Any], fields: _Fields, prefix: str) -> Reason | None:
        kinds, required, fitting = fields
        # The parser ignores duplicate names in parts that no column takes.
        if isinstance(found, _Twice) and found.name in kinds:
            path = prefix + found.name
            return Reason(reasons.FIELD_TWICE, f"field {path!r} is there twice", path)
        for name, value in found.items():
            kind = kinds.get(name)
            # Most fields end here, without a call: this saves three quarters of the time for wide records.
            if kind is not None and (value is None or type(value) is fitting.get(name)):
                continue
            path = prefix + name
            if kind is None:
                if self.strict and not self._is_empty(value):
                    path = cut(path, _UNKNOWN_PATH)
                    message = f"field {path!r}: no column takes it ({_way_out(name, kinds, prefix)})"
                    return Reason(reasons.UNKNOWN_FIELD, message, path, found_text(value))
            elif why := self._misfit(value, kind, path, None if prefix else self.zones.get(name)):
                return why
        for name in required:
            if found.get(name) is None:
                return _required(prefix + name, missing=name not in found)
        return None

    def _is_empty(self, value: object) -> bool:
        return value is None or is_empty(value, self.empty_lists)

    def _misfit(self, found: object, kind: ColumnType, path: str, zone: str | None = None) -> Reason | None:
        if found is None:
            return None
        if not isinstance(kind, Struct | ListOf | MapOf):
            if isinstance(found, str) and not isinstance(kind, Boolean | Integer | Floating) and not self.texts:
                return None
            return no_leaf(found, kind, path, zone)
        wanted: type = list if isinstance(kind, ListOf) else dict
        if not isinstance(found, wanted):
            return other_type(found, type_name(kind), path, in_words(kind_of(wanted())))
        if isinstance(kind, Struct):
            assert isinstance(found, dict)
            return self._object(found, self._fields(kind), f"{path}.")
        if isinstance(kind, MapOf):
            assert isinstance(found, dict)
            if why := self._keys(found, kind.key, f"{path}.key"):
                return why
            return self._none_misfits(list(found.values()), kind.value, kind.value_required, f"{path}.value")
        assert isinstance(found, list)
        return self._none_misfits(found, kind.element, kind.element_required, f"{path}.element")

    def _none_misfits(self, found: list[Any], kind: ColumnType, required: bool, path: str) -> Reason | None:
        for value in found:
            if value is None and required:
                return _required(path, missing=False)
            if why := self._misfit(value, kind, path):
                return why
        return None

    def _unknown(
        self, found: Mapping[str, Any], kinds: Mapping[str, ColumnType], prefix: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], object]]:
        for name, value in found.items():
            if name in kinds:
                yield from self._unknown_within(value, kinds[name], (*prefix, name))
            else:
                yield (*prefix, name), value

    def _unknown_within(
        self, value: object, kind: ColumnType, path: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], object]]:
        if isinstance(kind, Struct) and isinstance(value, dict):
            yield from self._unknown(value, self._fields(kind).kinds, path)
        elif isinstance(kind, ListOf) and isinstance(value, list):
            for element in value:
                yield from self._unknown_within(element, kind.element, (*path, "element"))
        elif isinstance(kind, MapOf) and isinstance(value, dict):
            for element in value.values():
                yield from self._unknown_within(element, kind.value, (*path, "value"))

    def _fields(self, kind: Struct) -> _Fields:
        """Fields of a struct in *columns*; cached by id, as *columns* outlive the cache."""
        known = self._structs.get(id(kind))
        if known is None:
            known = self._structs[id(kind)] = self._known(kind.fields)
        return known

    def _known(self, columns: Sequence[Column]) -> _Fields:
        fitting = {c.name: of for c in columns if (of := self._fitting(c.type)) is not None}
        return _Fields({c.name: c.type for c in columns}, [c.name for c in columns if c.required], fitting)

    def _fitting(self, kind: ColumnType) -> type | None:
        match kind:
            case Boolean():
                return bool
            case Text():
                return str
            case Date() | Time() | Timestamp() | Uuid() | Binary() if not self.texts:
                return str
        return None

    def _keys(self, found: dict[str, Any], kind: ColumnType, path: str) -> Reason | None:
        if isinstance(found, _Twice):
            message = f"field {path!r}: {cut(found.name, QUOTED)!r} is twice in a map"
            return Reason(reasons.FIELD_TWICE, message, path, found_text(found.name))
        for name in found:
            key = json.loads(name, parse_int=WrittenInteger, parse_float=Decimal) if is_literal(name, kind) else name
            if why := self._misfit(key, kind, path):
                return why
        return None


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_empty(value: object, lists: bool = False, depth: int = 0) -> bool:
    """Whether a field of this value can be dropped without loss: null, or an object whose fields all are.

    With *lists*, a list of such values is, too.
    """
    if value is None:
        return True
    within = value.values() if isinstance(value, dict) else value if lists and isinstance(value, list) else None
    return within is not None and depth < EMPTY_DEPTH and all(is_empty(v, lists, depth + 1) for v in within)


def _paths(path: tuple[str, ...], value: object) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(value, dict):
        yield (*path, IN_OBJECT)
        for name, inner_value in value.items():
            yield from _paths((*path, name), inner_value)
    elif isinstance(value, list):
        yield (*path, IN_LIST)
        for element in value:
            yield from _paths((*path, IN_LIST), element)


def _required(path: str, missing: bool) -> Reason:
    kind, is_ = (reasons.REQUIRED_MISSING, "missing") if missing else (reasons.REQUIRED_NULL, "null")
    return Reason(kind, f"field {path!r} is required, but it is {is_}", path)


def _way_out(name: str, kinds: Iterable[str], prefix: str) -> str:
    alike = next((kind for kind in kinds if kind.lower() == name.lower()), None)
    if alike is None:
        return "new_fields: ignore would drop it"
    return f"{cut(prefix + alike, _UNKNOWN_PATH)!r} differs in case alone; case_sensitive: false makes them one"
