"""A table with a column for every way to change a column at every depth, the records that ask for it, and what is read then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import count, product
from typing import Any

from pyiceberg.schema import Schema
from pyiceberg.types import (
    DecimalType,
    DoubleType,
    FloatType,
    IcebergType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
)

# Of structs, lists and maps, from the outermost to the innermost.
Nesting = str
FIELD, NEW, KEY = "v", "w", "k"
ABSENT = object()
# A number that the type of old files cannot hold.
BEYOND_DECIMAL = "{} > 200000"


@dataclass(frozen=True)
class Kind:
    """A change of the innermost type. Values are those of rows 1 and 2, and of rows 4 and 5, which ask for the change.

    *wheres* are conditions on the innermost field, in SQL, with the rows that fulfil them.
    """

    name: str
    before: IcebergType
    after: IcebergType
    old: tuple[Any, Any]
    new: tuple[Any, Any]
    wheres: tuple[tuple[str, tuple[int, ...]], ...]
    required: bool = False


KINDS = (
    Kind("int", IntegerType(), LongType(), (-7, 2**31 - 1), (2**40, 2**31),
         (("{} = -7", (1,)), ("{} < 0", (1,)), ("{} >= 2147483647", (2, 4, 5)), ("{} > 2147483647", (4, 5)),
          ("{} IS NULL", (3, 6)))),
    Kind("float", FloatType(), DoubleType(), (0.5, -1.25), (16777217.0, 1e300),
         (("{} = 0.5", (1,)), ("{} < 0", (2,)), ("{} > 16777216", (4, 5)), ("{} > 20000000", (5,)))),
    Kind("decimal", DecimalType(4, 2), DecimalType(8, 2), (Decimal("1.25"), Decimal("-99.99")),
         (Decimal("123456.50"), Decimal("654321.01")),
         (("{} = 1.25", (1,)), ("{} < 0", (2,)), ("{} > 99.99", (4, 5)), (BEYOND_DECIMAL, (5,)))),
    Kind("required", StringType(), StringType(), ("a", "b"), (None, ABSENT),
         (("{} = 'a'", (1,)), ("{} IS NOT NULL", (1, 2)), ("{} IS NULL", (3, 4, 5, 6))), required=True),
)  # fmt: skip


def nestings(depth: int) -> list[Nesting]:
    """All of up to *depth* structs, lists and maps."""
    return ["".join(layers) for n in range(depth + 1) for layers in product("slm", repeat=n)]


@dataclass(frozen=True)
class Changing:
    """One column of the table."""

    kind: Kind
    nesting: Nesting

    @property
    def name(self) -> str:
        return f"{self.kind.name}_{self.nesting}" if self.nesting else self.kind.name

    @property
    def path(self) -> str | None:
        """Of the innermost field, for SQL; None if a list or map is on the way."""
        return ".".join((self.name, *(FIELD for _ in self.nesting))) if set(self.nesting) <= {"s"} else None

    def type(self, ids: count[int], innermost: IcebergType, is_required: bool) -> IcebergType:
        """Of the column, with ids that another one replaces."""
        kind, needed = innermost, is_required
        for layer in reversed(self.nesting):
            if layer == "s":
                kind = StructType(NestedField(next(ids), FIELD, kind, required=needed))
            elif layer == "l":
                kind = ListType(next(ids), kind, element_required=needed)
            else:
                kind = MapType(next(ids), StringType(), next(ids), kind, value_required=needed)
            needed = False
        return kind

    def value(self, innermost: Any) -> Any:
        """In a record; ABSENT if the column itself is."""
        value = innermost
        for layer in reversed(self.nesting):
            if layer == "s":
                value = {} if value is ABSENT else {FIELD: value}
            else:
                value = [_null(value)] if layer == "l" else {KEY: _null(value)}
        return value

    def read(self, innermost: Any) -> Any:
        """What engines read for the record."""
        value = _null(innermost)
        for layer in reversed(self.nesting):
            value = {FIELD: value} if layer == "s" else [value] if layer == "l" else {KEY: value}
        return value


@dataclass(frozen=True)
class Growing:
    """A struct within *nesting* that gets a new field."""

    nesting: Nesting

    @property
    def name(self) -> str:
        return f"new_{self.nesting}s"

    @property
    def path(self) -> str | None:
        return ".".join((self.name, *(FIELD for _ in self.nesting), NEW)) if set(self.nesting) <= {"s"} else None

    def wrapped(self, innermost: Any) -> Any:
        return Changing(KINDS[0], self.nesting).read(innermost)


def _null(value: Any) -> Any:
    return None if value is ABSENT else value


class Changes:
    """Row 3 has nothing but its id, and neither has row 6."""

    def __init__(self, depth: int) -> None:
        self.changing = [Changing(kind, nesting) for kind in KINDS for nesting in nestings(depth)]
        self.growing = [Growing(nesting) for nesting in nestings(depth - 1)]

    def schema(self) -> Schema:
        ids = count(1000)
        fields = [NestedField(next(ids), "id", LongType(), required=True)]
        for one in self.changing:
            # A row without a column has no value to miss in it, but for the columns that are not within another.
            needed = one.kind.required
            kind = one.type(ids, one.kind.before, needed)
            fields.append(NestedField(next(ids), one.name, kind, required=needed and not one.nesting))
        for grown in self.growing:
            inner = StructType(NestedField(next(ids), FIELD, IntegerType(), required=False))
            kind = Changing(KINDS[0], grown.nesting).type(ids, inner, False)
            fields.append(NestedField(next(ids), grown.name, kind, required=False))
        return Schema(*fields)

    def records(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Those that fit the columns as they are, and those that do not."""
        before = [self._record(1, 0), self._record(2, 1), self._empty(3)]
        after = [self._record(4, 0, is_new=True), self._record(5, 1, is_new=True), {"id": 6}]
        return before, after

    def rows(self) -> list[dict[str, Any]]:
        """As engines read them after the change, with the new columns `top` and `rest`."""
        out = [self._row(1, 0), self._row(2, 1), self._row(3, None)]
        return [*out, self._row(4, 0, is_new=True), self._row(5, 1, is_new=True), self._row(6, None)]

    def wheres(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for one in self.changing:
            if one.path is not None:
                for where, expected in one.kind.wheres:
                    # A required column has a value in row 3 too.
                    has_value = one.kind.required and not one.nesting and where.endswith("NULL")
                    found = (
                        {*expected, 3} if has_value and "NOT" in where else {*expected} - {3} if has_value else expected
                    )
                    yield where.format(one.path), tuple(sorted(found))
        for path in ("top", *(g.path for g in self.growing if g.path)):
            yield f"{path} = 9", (4,)
            yield f"{path} IS NULL", (1, 2, 3, 6)

    def _empty(self, number: int) -> dict[str, Any]:
        return {"id": number, **{c.name: "c" for c in self.changing if c.kind.required and not c.nesting}}

    def _record(self, number: int, at: int, *, is_new: bool = False) -> dict[str, Any]:
        out: dict[str, Any] = {"id": number}
        for one in self.changing:
            value = one.value((one.kind.new if is_new else one.kind.old)[at])
            if value is not ABSENT:
                out[one.name] = value
        for grown in self.growing:
            out[grown.name] = grown.wrapped({FIELD: at, **({NEW: 9 + at, "x": {"y": [at]}} if is_new else {})})
        return {**out, **({"top": 9 + at, "rest": [{"z": "z"}]} if is_new else {})}

    def _row(self, number: int, at: int | None, *, is_new: bool = False) -> dict[str, Any]:
        out: dict[str, Any] = {"id": number}
        for one in self.changing:
            missing = "c" if number == 3 and one.kind.required and not one.nesting else None
            out[one.name] = missing if at is None else one.read((one.kind.new if is_new else one.kind.old)[at])
        for grown in self.growing:
            more = {NEW: 9 + (at or 0), "x": {"y": [at]}} if is_new else {NEW: None, "x": None}
            out[grown.name] = None if at is None else grown.wrapped({FIELD: at, **more})
        top = 9 + at if is_new and at is not None else None
        return {**out, "top": top, "rest": [{"z": "z"}] if is_new else None}
