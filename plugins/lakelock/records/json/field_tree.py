"""The fields that fill columns, as a tree of names, for tables whose columns take one value from one place each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import pyarrow as pa

from lakelock.model.column_types import (
    Binary,
    Boolean,
    ColumnType,
    Date,
    Decimal,
    Floating,
    Integer,
    Text,
    Time,
    Timestamp,
    Uuid,
)
from lakelock.records.casts import Reading
from lakelock.records.decoding import RowShape
from lakelock.records.json.record_fields import Path

# A name with many separators has twice as many paths with each.
MOST_FIELDS = 5_000
# Flattened, a record gets larger: with short separators by less than its square, which has to stay below the limit.
MOST_BYTES_FLAT, MOST_SEPARATOR = 8_000, 5
_ANY_BYTES = 1 << 62


class ValueKind(IntEnum):
    """What a value has to be."""

    INTEGER = 1
    NUMBER = 2
    FLAG = 3
    TEXT = 4
    DECIMAL = 5


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How values of a column are read, as *arrow*: integers from *least* to *most*, doubles between -*limit* and *limit*.

    Decimals have up to *most* as their digits, of which *least* are behind the point.
    """

    kind: ValueKind
    arrow: pa.DataType
    is_required: bool
    least: int = 0
    most: int = 0
    limit: float = 0.0

    @property
    def is_text(self) -> bool:
        return self.kind is ValueKind.TEXT

    @property
    def width(self) -> int:
        """In bytes, of what is not text."""
        return {ValueKind.FLAG: 1, ValueKind.DECIMAL: 16}.get(self.kind, 8)


@dataclass(slots=True)
class Field:
    """*column* is the number of the column that the value goes to; *is_parsed*: the value is JSON in a text."""

    name: str
    children: dict[str, Field] = field(default_factory=dict)
    column: int | None = None
    is_parsed: bool = False

    def at(self, path: Iterable[str]) -> Field:
        found = self
        for name in path:
            found = found.children.setdefault(name, Field(name))
        return found


@dataclass(frozen=True, slots=True)
class FieldTree:
    """Fields that no column takes are ignored or not; larger records than *most_bytes* are not read."""

    root: Field
    columns: Sequence[ReadAs]
    ignores: bool
    most_bytes: int


def field_tree(shape: RowShape) -> FieldTree | None:
    """None if a column needs a list, a map, a cast, or anything else that is not one value in one place."""
    reshape, root, columns = shape.reshape, Field(""), []
    flatten = None if reshape is None else reshape.flatten
    if shape.rest is not None or shape.dropped:
        return None
    # Below the last level that is flattened, texts that are JSON are within a field.
    if flatten and (
        len(flatten.separator) > MOST_SEPARATOR or (flatten.depth is not None and reshape and reshape.parse)
    ):
        return None
    fields = 1
    for number, column in enumerate(shape.filled):
        reading = shape.readings.get(column.name, Reading((column.name,)))
        read = _read_as(column.type, column.required)
        if read is None or reading.casts or reading.whole or (flatten and len(reading.path) > 1):
            return None
        # A time in an object is read by a cast, which has rules of its own.
        if isinstance(column.type, Timestamp) and len(reading.path) > 1:
            return None
        for path in [reading.path] if flatten is None else _paths(reading.path[0], flatten.separator, flatten.depth):
            at = root.at(path)
            fields += len(path)
            if at.column is not None or fields > MOST_FIELDS:
                return None
            at.column = number
        columns.append(read)
    for path in () if reshape is None else reshape.parse:
        root.at(path).is_parsed = True
    if not all(_is_certain(at, flatten is not None) for at, _ in flat(root)):
        return None
    ignores = shape.unknown_fields == "ignore"
    return FieldTree(root, columns, ignores, _ANY_BYTES if flatten is None else MOST_BYTES_FLAT)


def tree_of_texts(paths: Sequence[Path]) -> FieldTree | None:
    """Of the fields at *paths*, as texts; all others are ignored. None if it cannot be certain of one."""
    root = Field("")
    for number, path in enumerate(paths):
        root.at(path).column = number
    if len(paths) > MOST_FIELDS or not all(_is_certain(at, False) for at, _ in flat(root)):
        return None
    return FieldTree(root, [ReadAs(ValueKind.TEXT, pa.string(), False)] * len(paths), True, _ANY_BYTES)


def flat(root: Field) -> list[tuple[Field, int]]:
    """Fields with the number of their first child; children of a field follow one another, the root is the first."""
    order: list[tuple[Field, int]] = []
    todo, end = [root], 1
    for at in todo:
        order.append((at, end))
        todo += at.children.values()
        end += len(at.children)
    return order


def _is_certain(at: Field, is_flat: bool) -> bool:
    """Whether its name is in records as it is here, and its value either has fields or goes to a column."""
    is_plain = at.name.isprintable() and not set(at.name) & {'"', "\\"}
    return is_plain and (is_flat or at.column is None or not at.children)


def _paths(name: str, separator: str, depth: int | None) -> list[Path]:
    """All paths that flattening joins to *name*."""
    found: list[Path] = [(name,)]
    at = name.find(separator)
    while at >= 0 and depth != 0 and len(found) < MOST_FIELDS:
        rest = name[at + len(separator) :]
        found += [(name[:at], *path) for path in _paths(rest, separator, None if depth is None else depth - 1)]
        at = name.find(separator, at + 1)
    return found


def _read_as(kind: ColumnType, is_required: bool) -> ReadAs | None:
    match kind:
        case Integer(bits):
            return ReadAs(ValueKind.INTEGER, pa.int64(), is_required, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        case Floating(bits):
            # Beyond it, an integer may have been rounded.
            return ReadAs(ValueKind.NUMBER, pa.float64(), is_required, limit=float(1 << (53 if bits == 64 else 24)))
        # Their digits fit 64 bits.
        case Decimal(precision, scale) if precision <= 18:
            return ReadAs(ValueKind.DECIMAL, pa.decimal128(precision, scale), is_required, scale, 10**precision - 1)
        case Boolean():
            return ReadAs(ValueKind.FLAG, pa.bool_(), is_required)
        case Text() | Uuid() | Binary() | Date() | Time() | Timestamp():
            return ReadAs(ValueKind.TEXT, pa.string(), is_required)
    return None
