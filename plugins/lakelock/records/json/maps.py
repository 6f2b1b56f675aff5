"""Rewrite JSON objects for map columns as lists of entries, the only form that the block parser reads.

Everything else stays exactly as written: digits of numbers, duplicate names, nulls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from lakelock.model.column_types import Boolean, ColumnType, Decimal, Floating, Integer, ListOf, MapOf, Struct

_LITERAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false")


class _Literal(str):
    """A number exactly as written."""

    __slots__ = ()


class _Pairs(list[tuple[str, Any]]):
    """An object exactly as written, with duplicate names."""


def is_literal(key: str, kind: ColumnType) -> bool:
    """Whether a map's key is read as the number or boolean that it spells."""
    return isinstance(kind, Boolean | Integer | Floating | Decimal) and bool(_LITERAL.fullmatch(key))


def has_map(kind: ColumnType) -> bool:
    match kind:
        case MapOf():
            return True
        case ListOf(element):
            return has_map(element)
        case Struct(fields):
            return any(has_map(f.type) for f in fields)
    return False


def with_entries(value: bytes, kinds: Mapping[str, ColumnType]) -> bytes:
    """The record with `[{"key": …, "value": …}, …]` for each map; raises ValueError or RecursionError if not JSON.

    Also raises ValueError for a duplicate key in a map, which Iceberg does not allow.
    """
    return _object(_parsed(value), kinds).encode()


def without_empty(value: bytes, kinds: Mapping[str, ColumnType], lists: bool = False) -> bytes:
    """The record without empty fields that are not in *kinds* (types by name). Raises as `with_entries`.

    With *lists*, those are lists of empty values, too.
    """
    return _text(_Kept(lists).of(_parsed(value), kinds), None).encode()


def _parsed(value: bytes) -> _Pairs:
    record = json.loads(
        value.decode(), parse_int=_Literal, parse_float=_Literal, parse_constant=_Literal, object_pairs_hook=_Pairs
    )
    if not isinstance(record, _Pairs):
        raise ValueError("not a JSON object")
    return record


class _Kept:
    def __init__(self, lists: bool) -> None:
        self._lists = lists

    def of(self, pairs: _Pairs, kinds: Mapping[str, ColumnType]) -> _Pairs:
        kept = ((n, v) for n, v in pairs if n in kinds or not self._is_empty(v))
        return _Pairs((n, self._within(v, kinds[n]) if n in kinds else v) for n, v in kept)

    def _within(self, value: Any, kind: ColumnType) -> Any:
        match kind:
            case Struct(fields) if isinstance(value, _Pairs):
                return self.of(value, {f.name: f.type for f in fields})
            case MapOf() if isinstance(value, _Pairs):
                return _Pairs((n, self._within(v, kind.value)) for n, v in value)
            case ListOf() if isinstance(value, list) and not isinstance(value, _Pairs):
                return [self._within(v, kind.element) for v in value]
        return value

    def _is_empty(self, value: Any) -> bool:
        if isinstance(value, _Pairs):
            return all(self._is_empty(v) for _, v in value)
        return value is None or (self._lists and isinstance(value, list) and all(map(self._is_empty, value)))


def _object(pairs: Sequence[tuple[str, Any]], kinds: Mapping[str, ColumnType]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{_text(v, kinds.get(name))}" for name, v in pairs) + "}"


def _text(value: Any, kind: ColumnType | None) -> str:
    if isinstance(value, _Literal):
        return value
    if isinstance(value, _Pairs):
        if isinstance(kind, MapOf):
            return _entries(value, kind)
        return _object(value, {f.name: f.type for f in kind.fields} if isinstance(kind, Struct) else {})
    if isinstance(value, list):
        if isinstance(kind, MapOf):
            raise ValueError("expected an object for a map, found a list")
        element = kind.element if isinstance(kind, ListOf) else None
        return "[" + ",".join(_text(v, element) for v in value) + "]"
    return json.dumps(value)


def _entries(pairs: _Pairs, kind: MapOf) -> str:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"key {next(n for n in names if names.count(n) > 1)!r} is twice in a map")
    keys = [n if is_literal(n, kind.key) else json.dumps(n) for n in names]
    texts = [_text(v, kind.value) for _, v in pairs]
    return "[" + ",".join(f'{{"key":{k},"value":{t}}}' for k, t in zip(keys, texts, strict=True)) + "]"
