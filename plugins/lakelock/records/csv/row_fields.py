"""The fields of delimited text that columns take, by position. Pipeline files are checked by it, so it loads no heavy library."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lakelock.model.column_types import Column, ColumnType, Foreign, ListOf, MapOf, Struct
from lakelock.model.type_notation import type_text
from lakelock.records.casts import Reading
from lakelock.records.csv.options import CsvOptions
from lakelock.records.reasons import Unfit


@dataclass(frozen=True, slots=True)
class CsvFields:
    """*names* of all fields in order, and *positions* of those that columns take, by column; other columns are null."""

    names: tuple[str, ...]
    positions: Mapping[str, int]


def field_name(path: Sequence[str]) -> str:
    """Fields have none within them: a name with dots is that of one field."""
    return ".".join(path)


def column_fault(
    name: str, kind: ColumnType | None, required: bool, reading: Reading | None, options: CsvOptions
) -> str | None:
    """Why delimited text does not fill a column, as the end of a sentence; None if it does, or leaves it null.

    *kind* is None if it is not known.
    """
    if reading is not None and reading.is_json:
        return "format csv has text and no JSON; give the column another type or cast, such as string"
    if reading is not None and reading.whole:
        return None
    field = name if reading is None else field_name(reading.path)
    if not options.columns and field != name:
        return "field needs the names of all fields in value.csv.columns"
    if options.columns and field not in options.columns:
        if reading is not None:
            return f"there is no field {field!r} in value.csv.columns"
        return "it is required, and value.csv.columns has no such field" if required else None
    if isinstance(kind, Struct | ListOf | MapOf | Foreign):
        return f"format csv does not fill a {type_text(kind)}"
    return None


def without_column(taken: Iterable[str], options: CsvOptions, spare: Collection[str] | None) -> list[str]:
    """Names of fields that no column takes and that are not *spare* (None: all are)."""
    known = set(taken)
    return [name for name in options.columns if spare is not None and name not in known and name not in spare]


def fields_of(
    columns: Sequence[Column], readings: Mapping[str, Reading], options: CsvOptions, spare: Collection[str] | None
) -> CsvFields:
    """The fields that *columns* take; metadata columns are not among these.

    Raises Unfit for columns that delimited text does not fill.
    """
    taken: dict[str, str] = {}
    for column in columns:
        reading = readings.get(column.name)
        if why := column_fault(column.name, column.type, column.required, reading, options):
            raise Unfit(f"column {column.name!r}: {why}")
        if reading is None or not reading.whole:
            taken[column.name] = column.name if reading is None else field_name(reading.path)
    if unclaimed := without_column(taken.values(), options, spare):
        raise Unfit(
            f"no column takes field {unclaimed[0]!r} of value.csv.columns; if it is not wanted, add it to drop_fields"
        )
    names = options.columns or tuple(taken.values())
    if not names:
        raise Unfit("format csv needs a column for a field")
    at = {name: position for position, name in enumerate(names)}
    return CsvFields(names, {column: at[field] for column, field in taken.items() if field in at})
