"""Types of columns, independent of the table format, the file format and the records' format."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Boolean:
    pass


@dataclass(frozen=True, slots=True)
class Integer:
    """Signed; 32 or 64 bits."""

    bits: int


@dataclass(frozen=True, slots=True)
class Floating:
    """IEEE 754; 32 or 64 bits."""

    bits: int


@dataclass(frozen=True, slots=True)
class Decimal:
    precision: int
    scale: int


@dataclass(frozen=True, slots=True)
class Text:
    pass


@dataclass(frozen=True, slots=True)
class Uuid:
    pass


@dataclass(frozen=True, slots=True)
class Binary:
    """Exactly *length* bytes, or any number of them (None)."""

    length: int | None = None


@dataclass(frozen=True, slots=True)
class Date:
    pass


@dataclass(frozen=True, slots=True)
class Time:
    """Time of day in microseconds."""


@dataclass(frozen=True, slots=True)
class Timestamp:
    """In microseconds: an instant if *zoned*, else a local date and time."""

    zoned: bool


@dataclass(frozen=True, slots=True)
class Foreign:
    """A type of the table that lakelock does not write; *name* is the table format's."""

    name: str


@dataclass(frozen=True, slots=True)
class Struct:
    fields: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    element: ColumnType
    element_required: bool = False


@dataclass(frozen=True, slots=True)
class MapOf:
    """Keys are never null."""

    key: ColumnType
    value: ColumnType
    value_required: bool = False


LeafType = Boolean | Integer | Floating | Decimal | Text | Uuid | Binary | Date | Time | Timestamp | Foreign
ColumnType = LeafType | Struct | ListOf | MapOf


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or a field of a struct."""

    name: str
    type: ColumnType
    required: bool = False
    doc: str | None = None


def leaves(kind: ColumnType) -> int:
    """Number of columns of a data file that a column of this type takes."""
    match kind:
        case Struct(fields):
            return sum(leaves(f.type) for f in fields)
        case ListOf(element):
            return leaves(element)
        case MapOf(key, value):
            return leaves(key) + leaves(value)
    return 1
