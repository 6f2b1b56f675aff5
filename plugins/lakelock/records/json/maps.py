"""Rewrite JSON objects for map columns as lists of entries, the only form that the block parser reads.

Everything else stays exactly as written: digits of numbers, duplicate names, nulls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_UNQUOTED_KEYS = re.compile(r"int|long|float|double|boolean|decimal.*")
_LITERAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false")


class _Literal(str):
    """A number exactly as written."""

    __slots__ = ()


class _Pairs(list[tuple[str, Any]]):
    """An object exactly as written, with duplicate names."""


def is_literal(key: str, kind: Any) -> bool:
    """Whether a map's key is read as the number or boolean that it spells."""
    return isinstance(kind, str) and bool(_UNQUOTED_KEYS.fullmatch(kind) and _LITERAL.fullmatch(key))


def has_map(kind: Any) -> bool:
    if isinstance(kind, str):
        return False
    match kind["type"]:
        case "map":
            return True
        case "list":
            return has_map(kind["element"])
        case _:
            return any(has_map(f["type"]) for f in kind["fields"])


def with_entries(value: bytes, fields: Mapping[str, Mapping[str, Any]]) -> bytes:
    """The record with `[{"key": …, "value": …}, …]` for each map; raises ValueError or RecursionError if not JSON.

    Also raises ValueError for a duplicate key in a map, which Iceberg does not allow.
    """
    return _object(_parsed(value), {name: f["type"] for name, f in fields.items()}).encode()


def without_empty(value: bytes, kinds: Mapping[str, Any]) -> bytes:
    """The record without empty fields that are not in *kinds* (types by name). Raises as `with_entries`."""
    struct = {"type": "struct", "fields": [{"name": n, "type": t} for n, t in kinds.items()]}
    return _text(_kept(_parsed(value), struct), None).encode()


def _parsed(value: bytes) -> _Pairs:
    record = json.loads(
        value.decode(), parse_int=_Literal, parse_float=_Literal, parse_constant=_Literal, object_pairs_hook=_Pairs
    )
    if not isinstance(record, _Pairs):
        raise ValueError("not a JSON object")
    return record


def _kept(value: Any, kind: Any) -> Any:
    if isinstance(value, _Pairs) and _is(kind, "struct"):
        types = {f["name"]: f["type"] for f in kind["fields"]}
        return _Pairs((n, _kept(v, types[n]) if n in types else v) for n, v in value if n in types or not _is_empty(v))
    if isinstance(value, _Pairs) and _is(kind, "map"):
        return _Pairs((n, _kept(v, kind["value"])) for n, v in value)
    if isinstance(value, list) and not isinstance(value, _Pairs) and _is(kind, "list"):
        return [_kept(v, kind["element"]) for v in value]
    return value


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, _Pairs) and all(_is_empty(v) for _, v in value))


def _object(pairs: Sequence[tuple[str, Any]], kinds: Mapping[str, Any]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{_text(v, kinds.get(name))}" for name, v in pairs) + "}"


def _text(value: Any, kind: Any) -> str:
    if isinstance(value, _Literal):
        return value
    if isinstance(value, _Pairs):
        if isinstance(kind, Mapping) and kind["type"] == "map":
            return _entries(value, kind)
        inner = {f["name"]: f["type"] for f in kind["fields"]} if _is(kind, "struct") else {}
        return _object(value, inner)
    if isinstance(value, list):
        if _is(kind, "map"):
            raise ValueError("expected an object for a map, found a list")
        element = kind["element"] if _is(kind, "list") else None
        return "[" + ",".join(_text(v, element) for v in value) + "]"
    return json.dumps(value)


def _entries(pairs: _Pairs, kind: Mapping[str, Any]) -> str:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"key {next(n for n in names if names.count(n) > 1)!r} is twice in a map")
    keys = [n if is_literal(n, kind["key"]) else json.dumps(n) for n in names]
    texts = [_text(v, kind["value"]) for _, v in pairs]
    return "[" + ",".join(f'{{"key":{k},"value":{t}}}' for k, t in zip(keys, texts, strict=True)) + "]"


def _is(kind: Any, name: str) -> bool:
    return isinstance(kind, Mapping) and kind["type"] == name
