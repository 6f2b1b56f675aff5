"""What records have under each of their fields: kinds of values, and how far numbers reach. Two observations can be added."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct

RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,6}0*)?)?([Zz]|[+-]\d\d:?\d\d)")
LONG = 2**63
# Integers within this are exact in a double; within the second, in a float.
EXACT, EXACT_SINGLE = 2**53, 2**24
LARGEST_SINGLE = float(np.finfo(np.float32).max)
MAX_DEPTH = 32
# Names under which new values are observed, in one record's tree. Objects with ids as names would have no end of them.
MOST_FIELDS = 10_000


@dataclass(slots=True)
class ObservedField:
    """Values of one field, counted by kind: null, boolean, integer, number, text, object or list.

    Integers beyond 64 bits are numbers. *bits* and *digits* are those of the longest integer, and of the longest part before
    a decimal point. *inexact_singles* counts numbers as in `is_beyond_single`. *declared* is the type that the records' own
    schema gives the field, if they have one.
    """

    kinds: Counter[str] = field(default_factory=Counter)
    children: dict[str, ObservedField] = field(default_factory=dict)
    element: ObservedField | None = None
    all_rfc3339: bool = True
    big_integers: int = 0
    inexact_singles: int = 0
    bits: int = 0
    digits: int = 0
    declared: ColumnType | None = None

    @property
    def count(self) -> int:
        return self.kinds.total()

    @property
    def present(self) -> int:
        """Number of values that are not null."""
        return self.count - self.kinds["null"]

    @property
    def has_values(self) -> bool:
        """Whether there is any value from which a type follows: not only nulls, and lists and objects without such a value."""
        if set(self.kinds) - {"null", "object", "list"}:
            return True
        within = [*self.children.values(), *([self.element] if self.element else [])]
        return any(one.has_values for one in within)

    def lacking(self, child: ObservedField | None) -> int:
        """Number of objects in which the field *child* is missing or null."""
        return self.kinds["object"] if child is None else self.kinds["object"] - child.present

    def add(self, value: Any, depth: int = 0) -> None:
        kind = kind_of(value)
        self.kinds[kind] += 1
        if kind == "text":
            self.all_rfc3339 = self.all_rfc3339 and bool(RFC3339.fullmatch(value))
        elif kind in ("integer", "number"):
            self._add_number(value)
        elif kind == "object" and depth < MAX_DEPTH:
            for name, child in value.items():
                self.child(name).add(child, depth + 1)
        elif kind == "list" and depth < MAX_DEPTH:
            self.element = self.element or ObservedField()
            for child in value:
                self.element.add(child, depth + 1)

    def child(self, name: str) -> ObservedField:
        if name not in self.children and len(self.children) >= MOST_FIELDS:
            return ObservedField()
        return self.children.setdefault(name, ObservedField())

    def add_all(self, other: ObservedField) -> None:
        """Add what *other* observed."""
        self.kinds.update(other.kinds)
        self.declared = self.declared or other.declared
        self.all_rfc3339 = self.all_rfc3339 and other.all_rfc3339
        self.big_integers += other.big_integers
        self.inexact_singles += other.inexact_singles
        self.bits, self.digits = max(self.bits, other.bits), max(self.digits, other.digits)
        for name, child in other.children.items():
            self.child(name).add_all(child)
        if other.element is not None:
            self.element = self.element or ObservedField()
            self.element.add_all(other.element)

    def declare(self, columns: Iterable[Column]) -> None:
        """Note the types that a schema gives these fields."""
        for column in columns:
            if (child := self.children.get(column.name)) is not None:
                child.declared = column.type
                child._declare_within(column.type)

    def _declare_within(self, kind: ColumnType) -> None:
        match kind:
            case Struct(fields):
                self.declare(fields)
            case ListOf(element) if self.element is not None:
                self.element._declare_within(element)
            case MapOf():
                for child in self.children.values():
                    child._declare_within(kind.value)

    def _add_number(self, value: int | float | Decimal) -> None:
        if isinstance(value, int):
            self.bits = max(self.bits, bits_of(value))
            self.big_integers += abs(value) > EXACT and -LONG <= value < LONG
        # Arrow reads numbers as doubles, which have no more digits than this.
        number = _as_double(value)
        self.inexact_singles += is_beyond_single(number)
        if math.isfinite(number):
            self.digits = max(self.digits, len(str(abs(value))) if isinstance(value, int) else digits_of(number))


def _as_double(value: int | float | Decimal) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def is_beyond_single(number: float) -> bool:
    """Whether a float of 32 bits cannot hold it, or might not if it is an integer."""
    size = abs(number)
    if not size <= LARGEST_SINGLE:
        return True
    return size > EXACT_SINGLE and size == math.floor(size) and (size > EXACT or float(np.float32(size)) != size)


def bits_of(integer: int) -> int:
    """Of the shortest signed integer that holds it."""
    return (integer if integer >= 0 else ~integer).bit_length() + 1


def digits_of(number: float) -> int:
    """Before the decimal point."""
    return len(str(int(abs(number)))) if abs(number) >= 1 else 0


def kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer" if -LONG <= value < LONG else "number"
    if isinstance(value, float | Decimal):
        return "number"
    if isinstance(value, str):
        return "text"
    return "object" if isinstance(value, dict) else "list"


def objects_in(values: Iterable[bytes | None]) -> Iterator[dict[str, Any]]:
    """The values that are JSON objects, read."""
    for value in values:
        try:
            record = json.loads(value or b"", parse_float=Decimal)
        except (ValueError, ArithmeticError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def observed(values: Iterable[bytes | None]) -> ObservedField:
    """The fields of the values that are JSON objects."""
    top = ObservedField()
    for record in objects_in(values):
        top.add(record)
    return top
