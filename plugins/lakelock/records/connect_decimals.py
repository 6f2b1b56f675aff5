"""Kafka Connect's decimals that no cast reads: the base64 text of their bytes may spell another number, such as "1234".

Casts are for columns. In a decimal within a struct, list or map, and in a column with casts of its own, such text would be
read as the number that it spells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow.compute as pc

from lakelock.model.column_types import Column, ColumnType, Decimal, ListOf, MapOf, Struct
from lakelock.model.type_notation import type_text
from lakelock.records import reasons
from lakelock.records.casts import UNSCALED, Reading
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Decoder, Indexes
from lakelock.records.json.record_fields import FieldKind, Node
from lakelock.records.reasons import Reason, wrong_type
from lakelock.records.spelling import child_of
from lakelock.records.values import Values

DECIMAL = "org.apache.kafka.connect.data.Decimal"
Described = Mapping[str, Any]
# Text within quotes that a decimal takes without a cast, in any spelling.
_NUMBER = r'"([-+.0-9eE]|\\u00[0-9a-fA-F]{2})+"'


def described_at(path: Sequence[str], schema: Described) -> Described:
    """The schema of the field at *path*; empty if there is none."""
    for name in path:
        fields = schema.get("fields")
        known = fields if isinstance(fields, list) else ()
        schema = next((f for f in known if isinstance(f, dict) and f.get("field") == name), {})
    return schema


def schema_of(schema: Described, key: str) -> Described:
    """The schema of elements or values; empty if there is none."""
    found = schema.get(key)
    return found if isinstance(found, dict) else {}


def respelled(schema: Described, node: Node) -> Described:
    """*schema* with the names that *node* has for its fields, in any case."""
    out = dict(schema)
    if isinstance(fields := schema.get("fields"), list):
        out["fields"] = [_field(f, child_of(node, str(f.get("field")))) if isinstance(f, dict) else f for f in fields]
    for kind, key in ((FieldKind.LIST, "items"), (FieldKind.MAP, "values")):
        if node.kind is kind and isinstance(schema.get(key), dict):
            out[key] = respelled(schema[key], node.children[0])
    return out


def _field(described: Described, node: Node | None) -> Described:
    return described if node is None else {**respelled(described, node), "field": node.name}


def guarded(decoder: Decoder, columns: Sequence[Column], readings: Mapping[str, Reading], schema: Described) -> Decoder:
    """*decoder*, but without rows whose decimals would be read as the number that their bytes spell."""
    watched = []
    for column in columns:
        reading = readings.get(column.name, Reading((column.name,)))
        read_as_bytes = reading.whole or any(c.startswith(UNSCALED) for c in reading.casts)
        described = described_at(reading.path, schema)
        if not read_as_bytes and _has_decimal(column.type, described):
            watched.append((reading.path, column.type, described))
    return _Guarded(decoder, watched) if watched else decoder


class _Guarded:
    def __init__(self, decoder: Decoder, watched: Sequence[tuple[Sequence[str], ColumnType, Described]]) -> None:
        self._decoder, self._watched = decoder, watched

    @property
    def unknown_fields(self) -> set[str]:
        return self._decoder.unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        decoded = self._decoder.decode(values, filtered)
        good = np.arange(len(values)) if decoded.good is None else np.array(decoded.good, np.int64)
        texts = values.strings()
        suspects = pc.fill_null(pc.match_substring_regex(texts, _NUMBER), False).to_numpy(zero_copy_only=False)
        found = {i: why for i in good[suspects[good]].tolist() if (why := self._refused(texts[i].as_py()))}
        if not found:
            return decoded
        bad = [*decoded.bad, *(BadRecord(i, "convert", why) for i, why in found.items())]
        return replace(decoded.without(frozenset(found)), bad=sorted(bad, key=lambda b: b.index))

    def _refused(self, text: str) -> Reason | None:
        try:
            # Python reads integers of some thousand digits only as floating-point numbers.
            record = json.loads(text, parse_int=float)
        except RecursionError:
            return Reason(reasons.UNREADABLE, "the record is nested too deeply to look for its decimals")
        for path, kind, schema in self._watched:
            value = record
            for name in path:
                value = value.get(name) if isinstance(value, dict) else None
            if why := _text_in(value, kind, schema, ".".join(path)):
                return why
        return None


def _has_decimal(kind: ColumnType, schema: Described) -> bool:
    match kind:
        case Decimal():
            return schema.get("name") == DECIMAL
        case Struct(fields):
            return any(_has_decimal(f.type, described_at((f.name,), schema)) for f in fields)
        case ListOf(element):
            return _has_decimal(element, schema_of(schema, "items"))
        case MapOf():
            return _has_decimal(kind.value, schema_of(schema, "values"))
    return False


def _text_in(value: object, kind: ColumnType, schema: Described, path: str) -> Reason | None:
    """Why *value* is refused: it is or holds the text of a decimal's bytes."""
    parts: list[Reason | None] = []
    match kind:
        case Decimal() if isinstance(value, str) and schema.get("name") == DECIMAL:
            message = (
                f"field {path!r}: the schema says that this text is the bytes of a decimal, "
                "which only a column of its own without other casts can read"
            )
            return Reason(wrong_type("text", type_text(kind)), message, path, value[: reasons.FOUND_CHARACTERS])
        case Struct(fields) if isinstance(value, dict):
            parts = [
                _text_in(value.get(f.name), f.type, described_at((f.name,), schema), f"{path}.{f.name}") for f in fields
            ]
        case ListOf(element) if isinstance(value, list):
            parts = [_text_in(v, element, schema_of(schema, "items"), f"{path}.element") for v in value]
        case MapOf() if isinstance(value, dict):
            parts = [_text_in(v, kind.value, schema_of(schema, "values"), f"{path}.value") for v in value.values()]
    return next((why for why in parts if why), None)
