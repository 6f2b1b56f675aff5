"""Which changes of a table's columns would let it take records that it cannot take now."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lakelock.model.column_changes import (
    ELEMENT,
    VALUE,
    Added,
    ColumnChange,
    ColumnPath,
    MadeOptional,
    Widened,
)
from lakelock.model.column_types import Column, ColumnType, Decimal, Floating, Integer, ListOf, MapOf, Struct
from lakelock.records.casts import Reading
from lakelock.records.infer import ColumnChoice
from lakelock.records.json.record_fields import Path
from lakelock.records.observed_fields import ObservedField

_MOST_DIGITS = 38


@dataclass(frozen=True, slots=True)
class Evolving:
    """How a table's *columns* may change with its records.

    *new_fields* get columns, of their type in *declared* if it has them; *new_types* widen columns and make required ones
    optional, except for those *kept_required*. *readings* are of columns that take no field of their name alone, *unread* are
    columns that take none. Fields at the paths *dropped*, or *taken* (by name) for something else, are not new, nor are those
    by an old name of a *renamed* column.
    """

    columns: tuple[Column, ...]
    new_fields: bool
    new_types: bool
    declared: Mapping[str, ColumnType] = field(default_factory=dict)
    kept_required: frozenset[str] = frozenset()
    readings: Mapping[str, Reading] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[Path, ...] = ()


class Evolution:
    """Changes of a table's columns that records ask for."""

    def __init__(self, evolving: Evolving) -> None:
        self._evolving = evolving
        self._fields = _fields(evolving)
        self._names = frozenset(_dotted(evolving.columns, ""))
        self._dropped = frozenset(evolving.dropped)

    def changes(self, found: ObservedField) -> list[ColumnChange]:
        """Changes for the records in which *found* was observed, in the order of their fields.

        A field of which only nulls, empty lists and empty objects are known changes nothing.
        """
        found = _pruned(found, self._dropped)
        return list(_Search(self._evolving, self._names, self._dropped, found).of_fields(self._fields, found, (), ()))


class _Search:
    def __init__(
        self, evolving: Evolving, names: frozenset[str], dropped: frozenset[Path], found: ObservedField
    ) -> None:
        self._evolving, self._dropped = evolving, dropped
        self._choice = ColumnChoice(found, names, [], guesses=False)

    def of_fields(
        self, columns: Mapping[str, Column | None], found: ObservedField, path: ColumnPath, record: Path
    ) -> Iterator[ColumnChange]:
        """*path* leads to the columns, *record* to the fields."""
        for name, child in found.children.items():
            column, here = columns.get(name), (*record, name)
            if here in self._dropped:
                continue
            if column is not None:
                yield from self._of_type(column.type, child, (*path, column.name), here)
            elif name not in columns and self._evolving.new_fields:
                yield from self._added(found, name, child, (*path, name))
        if not self._evolving.new_types:
            return
        for name, column in columns.items():
            is_fixed = (
                column is None or not column.required or (not path and column.name in self._evolving.kept_required)
            )
            if column is not None and not is_fixed and found.lacking(found.children.get(name)):
                yield MadeOptional((*path, column.name))

    def _added(self, found: ObservedField, name: str, child: ObservedField, path: ColumnPath) -> Iterator[ColumnChange]:
        declared = (self._evolving.declared.get(name) if len(path) == 1 else None) or child.declared
        prefix = "".join(f"{part}." for part in path[:-1])
        # Chosen together with its neighbours, of which only one can have a name that differs in case alone.
        one = ObservedField(found.kinds, {name: child})
        chosen = self._choice.columns(one, prefix, prefix)
        if chosen:
            yield Added(path, chosen[0].type if declared is None else declared)

    def _of_type(
        self, kind: ColumnType, found: ObservedField, path: ColumnPath, record: Path
    ) -> Iterator[ColumnChange]:
        match kind:
            case Struct(fields) if found.kinds["object"]:
                yield from self.of_fields({f.name: f for f in fields}, found, path, record)
            case ListOf() if found.element is not None:
                yield from self._of_element(ELEMENT, kind.element, kind.element_required, found.element, path, record)
            case MapOf() if found.children:
                values = ObservedField()
                for child in found.children.values():
                    values.add_all(child)
                yield from self._of_element(VALUE, kind.value, kind.value_required, values, path, record)
            case Integer() | Floating() | Decimal() if self._evolving.new_types:
                if (wider := _wider(kind, found)) is not None:
                    yield Widened(path, wider)

    def _of_element(
        self, name: str, kind: ColumnType, is_required: bool, found: ObservedField, path: ColumnPath, record: Path
    ) -> Iterator[ColumnChange]:
        if is_required and self._evolving.new_types and found.kinds["null"]:
            yield MadeOptional((*path, name))
        yield from self._of_type(kind, found, (*path, name), (*record, name))


def _pruned(found: ObservedField, dropped: Collection[Path]) -> ObservedField:
    """*found* without the fields at the paths *dropped*, so that a new object does not get them either."""
    if not dropped:
        return found
    names = {path[0] for path in dropped if len(path) == 1}
    within = {name: [path[1:] for path in dropped if len(path) > 1 and path[0] == name] for name in found.children}
    children = {n: _pruned(child, within[n]) for n, child in found.children.items() if n not in names}
    of_elements = [path[1:] for path in dropped if len(path) > 1 and path[0] == ELEMENT]
    element = found.element and _pruned(found.element, of_elements)
    return replace(found, children=children, element=element)


def _fields(evolving: Evolving) -> dict[str, Column | None]:
    """By name of a record's field, the column that takes it as it is; None for a field that is taken in another way."""
    fields: dict[str, Column | None] = dict.fromkeys((*evolving.taken, *evolving.renamed))
    for column in evolving.columns:
        reading = evolving.readings.get(column.name, Reading((column.name,)))
        if column.name in evolving.unread or reading.whole:
            continue
        is_plain = len(reading.path) == 1 and not reading.casts
        fields[reading.path[0]] = column if is_plain else None
    return fields


def _wider(kind: Integer | Floating | Decimal, found: ObservedField) -> ColumnType | None:
    """The narrowest permitted promotion that holds the numbers, as far as there is one; None if *kind* holds them."""
    match kind:
        case Integer(32) if found.kinds["integer"] and found.bits > 32:
            return Integer(64)
        case Floating(32) if found.inexact_singles:
            return Floating(64)
        case Decimal(precision, scale) if precision < found.digits + scale <= _MOST_DIGITS:
            return Decimal(found.digits + scale, scale)
    return None


def _dotted(columns: Collection[Column], prefix: str) -> Iterator[str]:
    """Names as Iceberg and Spark look them up, in lower case."""
    for column in columns:
        name = f"{prefix}{column.name}".lower()
        yield name
        yield from _dotted_within(column.type, name)


def _dotted_within(kind: ColumnType, name: str) -> Iterator[str]:
    match kind:
        case Struct(fields):
            yield from _dotted(fields, f"{name}.")
        case ListOf(element):
            yield f"{name}.{ELEMENT}"
            yield from _dotted_within(element, f"{name}.{ELEMENT}")
        case MapOf():
            yield from (f"{name}.key", f"{name}.{VALUE}")
            yield from _dotted_within(kind.value, f"{name}.{VALUE}")


def ignorable(columns: Sequence[Column], dropped: Collection[ColumnPath]) -> list[Path]:
    """Those of the paths *dropped* whose fields a decoder can leave out: none within a list or map."""
    return sorted(path for path in dropped if _is_in_structs(columns, path))


def _is_in_structs(columns: Sequence[Column], path: ColumnPath) -> bool:
    if len(path) == 1:
        return True
    kind = next((c.type for c in columns if c.name == path[0]), None)
    return isinstance(kind, Struct) and _is_in_structs(kind.fields, path[1:])
