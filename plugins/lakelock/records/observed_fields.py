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

from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct, Timestamp
from lakelock.records.json.conversion_by_type import no_text_of

RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,6}0*)?)?([Zz]|[+-]\d\d:?\d\d)")
LONG = 2**63
INT = 2**31
# Integers within this are exact in a double; within the second, in a float.
EXACT, EXACT_SINGLE = 2**53, 2**24
LARGEST_SINGLE = float(np.finfo(np.float32).max)
MAX_DEPTH = 32
MOST_DIGITS = 38
# Objects with ids as names would have no end of them: so many are observed of one field, over all records.
MOST_FIELDS = 5_000
# Kinds of values from which no type follows. Objects and lists of such values are empty, too.
EMPTY_OBJECT, EMPTY_LIST = "empty object", "empty list"
_VALUELESS = {"null", EMPTY_OBJECT, EMPTY_LIST}


@dataclass(slots=True)
class ObservedField:
    """Values of one field, counted by kind: null, boolean, integer, number, text, object, list, or an empty one of both.

    Integers beyond 64 bits are numbers. *big_integers*, *longs* and *inexact_singles* count whole numbers that a double, an
    int and a float do not hold, as `number_facts` says; *fractions* are numbers that are not whole. *digits* has the numbers of
    digits before a decimal point. *declared* are the types that the records' own schemas give the field, if they have one.
    More names than MOST_FIELDS were left out if it *is_cut*.
    """

    kinds: Counter[str] = field(default_factory=Counter)
    children: dict[str, ObservedField] = field(default_factory=dict)
    element: ObservedField | None = None
    all_rfc3339: bool = True
    big_integers: int = 0
    inexact_singles: int = 0
    longs: int = 0
    fractions: int = 0
    digits: set[int] = field(default_factory=set)
    declared: set[ColumnType] = field(default_factory=set)
    is_cut: bool = False

    @property
    def count(self) -> int:
        return self.kinds.total()

    @property
    def present(self) -> int:
        """Number of values that are not null."""
        return self.count - self.kinds["null"]

    @property
    def objects(self) -> int:
        return self.kinds["object"] + self.kinds[EMPTY_OBJECT]

    @property
    def has_values(self) -> bool:
        """Whether there is any value from which a type follows."""
        return not self.kinds.keys() <= _VALUELESS

    def lacking(self, child: ObservedField | None) -> int:
        """Number of objects in which the field *child* is missing or null."""
        return self.objects if child is None else self.objects - child.present

    def add(self, value: Any, depth: int = 0) -> None:
        kind = kind_of(value)
        self.kinds[kind] += 1
        if kind == "text":
            self.all_rfc3339 = self.all_rfc3339 and is_time(value)
        elif kind in ("integer", "number"):
            self._add_number(value)
        elif isinstance(value, dict) and depth < MAX_DEPTH:
            for name, child in value.items():
                self.child(name).add(child, depth + 1)
        elif isinstance(value, list) and depth < MAX_DEPTH:
            self.element = self.element or ObservedField()
            for child in value:
                self.element.add(child, depth + 1)

    def child(self, name: str) -> ObservedField:
        if name not in self.children and len(self.children) >= MOST_FIELDS:
            self.is_cut = True
            return ObservedField()
        return self.children.setdefault(name, ObservedField())

    def add_all(self, other: ObservedField) -> None:
        """Add what *other* observed."""
        self.kinds.update(other.kinds)
        self.declared |= other.declared
        self.all_rfc3339 = self.all_rfc3339 and other.all_rfc3339
        self.big_integers += other.big_integers
        self.inexact_singles += other.inexact_singles
        self.longs += other.longs
        self.fractions += other.fractions
        self.digits |= other.digits
        self.is_cut = self.is_cut or other.is_cut
        for name, child in other.children.items():
            self.child(name).add_all(child)
        if other.element is not None:
            self.element = self.element or ObservedField()
            self.element.add_all(other.element)

    def declare(self, columns: Iterable[Column]) -> None:
        """Note the types that a schema gives these fields."""
        for column in columns:
            if (child := self.children.get(column.name)) is not None:
                child.declared.add(column.type)
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
        # Arrow reads numbers as doubles: further digits are not there.
        number = _as_double(value)
        self.big_integers += isinstance(value, int) and abs(value) > EXACT and -LONG <= value < LONG
        self.fractions += not is_whole(number)
        self.longs += is_whole(number) and not -INT <= number < INT and -LONG <= number < LONG
        self.inexact_singles += is_beyond_single(number)
        if math.isfinite(number) and (digits := digits_of(number)) <= MOST_DIGITS:
            self.digits.add(digits)


def _as_double(value: int | float | Decimal) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def is_whole(number: float) -> bool:
    """However it is written: as an integer or not."""
    return math.isfinite(number) and number == math.floor(number)


def is_beyond_single(number: float) -> bool:
    """Whether a float of 32 bits cannot hold it, or might not if it is an integer."""
    size = abs(number)
    if not size <= LARGEST_SINGLE:
        return True
    return size > EXACT_SINGLE and size == math.floor(size) and (size > EXACT or float(np.float32(size)) != size)


def digits_of(number: float) -> int:
    """Before the decimal point."""
    return len(str(int(abs(number)))) if abs(number) >= 1 else 0


def is_time(text: str) -> bool:
    """Whether it is RFC 3339 with an offset, and a column of zoned timestamps takes it."""
    return bool(RFC3339.fullmatch(text)) and not no_text_of(text, Timestamp(zoned=True), None)


def kind_of(value: object, depth: int = 0) -> str:
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
    within = value.values() if isinstance(value, dict) else value
    assert isinstance(within, Iterable)
    is_empty = depth < MAX_DEPTH and all(kind_of(v, depth + 1) in _VALUELESS for v in within)
    if isinstance(value, dict):
        return EMPTY_OBJECT if is_empty else "object"
    return EMPTY_LIST if is_empty else "list"


def objects_in(values: Iterable[bytes | None]) -> Iterator[dict[str, Any]]:
    """The values that are JSON objects, read."""
    for value in values:
        try:
            record = json.loads(value or b"", parse_float=Decimal, parse_constant=_refused)
        except (ValueError, ArithmeticError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _refused(name: str) -> float:
    raise ValueError(name)


def observed(values: Iterable[bytes | None]) -> ObservedField:
    """The fields of the values that are JSON objects."""
    top = ObservedField()
    for record in objects_in(values):
        top.add(record)
    return top
