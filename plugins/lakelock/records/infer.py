"""Infer columns from a sample of JSON values: types that fit all of them, and never text for numbers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from lakelock.model.column_types import (
    Boolean,
    Column,
    ColumnType,
    Floating,
    Integer,
    ListOf,
    Struct,
    Text,
    Timestamp,
)

RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,6}0*)?)?([Zz]|[+-]\d\d:?\d\d)")
# Unpaired surrogates, which JSON can express and UTF-8 cannot.
_SURROGATE = re.compile("[\ud800-\udfff]")
# Iceberg's name for the element of a list.
_ELEMENT = "element"
_TAKEN = "left out, as another field has its name in a table, but for case or dots"
LONG = 2**63
EXACT = 2**53
_TYPES: dict[str, ColumnType] = {
    "null": Text(),
    "boolean": Boolean(),
    "integer": Integer(64),
    "number": Floating(64),
}
MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class InferredSchema:
    """Columns in order of first appearance, with notes for the operator."""

    columns: tuple[Column, ...]
    notes: tuple[str, ...]
    records: int
    not_objects: int


@dataclass
class _Seen:
    """Values seen under one field name."""

    kinds: Counter[str] = field(default_factory=Counter)
    children: dict[str, _Seen] = field(default_factory=dict)
    element: _Seen | None = None
    all_rfc3339: bool = True
    big_integers: int = 0

    def add(self, value: Any, depth: int = 0) -> None:
        kind = _kind(value)
        self.kinds[kind] += 1
        if kind == "text":
            self.all_rfc3339 = self.all_rfc3339 and bool(RFC3339.fullmatch(value))
        elif kind == "integer":
            self.big_integers += not -EXACT <= value <= EXACT
        elif kind == "object" and depth < MAX_DEPTH:
            for name, child in value.items():
                self.children.setdefault(name, _Seen()).add(child, depth + 1)
        elif kind == "list" and depth < MAX_DEPTH:
            self.element = self.element or _Seen()
            for child in value:
                self.element.add(child, depth + 1)


def infer_schema(values: Sequence[bytes], reserved: Collection[str] = ()) -> InferredSchema:
    """Infer long, double, boolean, string, timestamptz (only if all values are RFC 3339 with offset), struct and list.

    A column with only nulls is string; with conflicting kinds the commonest wins. Fields that no table can hold are
    omitted: fields without a name, objects without fields, and all but the commonest of several fields whose dotted
    names differ only in case, or not at all, or equal one of *reserved*. Each omission is noted. Records that do not
    fit become dead letters, so a wrong guess loses nothing.
    """
    top, others = _Seen(), 0
    for value in values:
        try:
            record = json.loads(value)
        except (ValueError, RecursionError):
            others += 1
            continue
        if isinstance(record, dict):
            top.add(record)
        else:
            others += 1
    notes: list[str] = []
    if others:
        notes.append(f"{others} records are not JSON objects and would be dead letters")
    columns = _Columns(top, reserved, notes).columns(top, "", "")
    return InferredSchema(columns, tuple(notes), len(values), others)


class _Columns:
    """Choose the names that become columns. *key* is a dotted name as Iceberg and Spark look it up."""

    def __init__(self, top: _Seen, reserved: Collection[str], notes: list[str]) -> None:
        self._notes = notes
        self._reserved = {name.lower() for name in reserved}
        # By dotted name its commonest field, the first one if there are several.
        self._kept: dict[str, tuple[int, _Seen]] = {}
        self._rank(top, "")

    def _rank(self, seen: _Seen, prefix: str) -> None:
        names = [(name, child, child.kinds.total()) for name, child in seen.children.items()]
        if seen.element:
            # Counted as often as its list: even an empty list has it.
            names.append((_ELEMENT, seen.element, seen.kinds.total()))
        for name, child, count in names:
            key = f"{prefix}{name}".lower()
            if key not in self._kept or self._kept[key][0] < count:
                self._kept[key] = (count, child)
            self._rank(child, key + ".")

    def _is_kept(self, key: str, seen: _Seen) -> bool:
        return key not in self._kept or self._kept[key][1] is seen

    def columns(self, seen: _Seen, prefix: str, key: str) -> tuple[Column, ...]:
        out: list[Column] = []
        for name, child in seen.children.items():
            path, joined = prefix + name, f"{key}{name}".lower()
            if not name or _SURROGATE.search(name):
                self._notes.append(f"column {path!r}: left out, as no column can have that name")
            elif not self._is_kept(joined, child):
                self._notes.append(f"column {path!r}: {_TAKEN}")
            elif joined in self._reserved:
                self._notes.append(f"column {path!r}: left out, as a metadata column has its name")
            elif (kind := self._type(child, path, joined)) is not None:
                out.append(Column(name, kind))
        return tuple(out)

    def _type(self, seen: _Seen, path: str, key: str) -> ColumnType | None:
        """None if nothing seen can form a column."""
        kind = _commonest(seen, path, self._notes)
        if kind == "object":
            fields = self.columns(seen, path + ".", key + ".")
            if not fields:
                self._notes.append(
                    f"column {path!r}: objects without fields cannot be a column; its fields are unknown fields"
                )
            return Struct(fields) if fields else None
        if kind == "list":
            within, joined = seen.element or _Seen(), f"{key}.{_ELEMENT}"
            if not self._is_kept(joined, within):
                self._notes.append(f"column {path!r}: {_TAKEN}")
                return None
            element = self._type(within, path + "[]", joined)
            return None if element is None else ListOf(element)
        if kind == "text":
            return Timestamp(zoned=True) if seen.all_rfc3339 else Text()
        return _TYPES[kind]


def _commonest(seen: _Seen, path: str, notes: list[str]) -> str:
    """The commonest kind of the values; numbers that are not all integers are one kind."""
    kinds = Counter({k: n for k, n in seen.kinds.items() if k != "null"})
    if set(kinds) == {"integer", "number"}:
        if seen.big_integers:
            notes.append(f"column {path!r}: double, but {seen.big_integers} integers may not be exact in a double")
        return "number"
    if not kinds:
        notes.append(f"column {path!r}: only nulls seen, taken as string; declare its type if it is another")
        return "null"
    commonest, count = kinds.most_common(1)[0]
    if len(kinds) > 1:
        rest = ", ".join(f"{n} × {k}" for k, n in kinds.items() if k != commonest)
        notes.append(f"column {path!r}: {count} × {commonest} against {rest}, which would be dead letters")
    return commonest


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer" if -LONG <= value < LONG else "number"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "text"
    return "object" if isinstance(value, dict) else "list"
