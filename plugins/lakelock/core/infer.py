"""Columns inferred from a sample of JSON values: what fits all of them, never text made of numbers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,6}0*)?)?([Zz]|[+-]\d\d:?\d\d)")
LONG = 2**63
EXACT = 2**53
MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class InferredSchema:
    """Iceberg fields without ids, in order of first appearance, and what a person should know of them."""

    fields: tuple[dict[str, object], ...]
    notes: tuple[str, ...]
    records: int
    not_objects: int


@dataclass
class _Seen:
    """What was found under one name."""

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


def infer_schema(values: Sequence[bytes]) -> InferredSchema:
    """long, double, boolean, string, timestamptz (only RFC 3339 with an offset in every value), struct and list.

    A column of nulls alone is string; conflicting kinds give the commonest one. Both are noted: records that do not
    fit become dead letters, so no guess loses anything.
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
        notes.append(f"{others} records are no JSON objects and would be dead letters")
    return InferredSchema(tuple(_fields(top, "", notes)), tuple(notes), len(values), others)


def _fields(seen: _Seen, prefix: str, notes: list[str]) -> Iterable[dict[str, object]]:
    for name, child in seen.children.items():
        yield {"name": name, "type": _type(child, prefix + name, notes), "required": False}


def _type(seen: _Seen, path: str, notes: list[str]) -> object:
    kinds = Counter({k: n for k, n in seen.kinds.items() if k != "null"})
    if set(kinds) == {"integer", "number"}:
        if seen.big_integers:
            notes.append(f"column {path!r}: double, but {seen.big_integers} integers may not be exact in a double")
        return "double"
    if not kinds:
        notes.append(f"column {path!r}: only nulls seen, taken as string; declare its type if it is another")
        return "string"
    commonest, count = kinds.most_common(1)[0]
    if len(kinds) > 1:
        rest = ", ".join(f"{n} × {k}" for k, n in kinds.items() if k != commonest)
        notes.append(f"column {path!r}: {count} × {commonest} against {rest}, which would be dead letters")
    match commonest:
        case "boolean":
            return "boolean"
        case "integer":
            return "long"
        case "number":
            return "double"
        case "text":
            return "timestamptz" if seen.all_rfc3339 else "string"
        case "object":
            fields = list(_fields(seen, path + ".", notes))
            if not fields:
                notes.append(
                    f"column {path!r}: objects without fields cannot be a column; its fields are unknown fields"
                )
            return {"type": "struct", "fields": fields}
        case _:
            element = _type(seen.element or _Seen(), path + "[]", notes)
            return {"type": "list", "element": element, "element-required": False}


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
