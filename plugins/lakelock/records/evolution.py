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
    widens,
)
from lakelock.model.column_types import Column, ColumnType, Decimal, Floating, Integer, ListOf, MapOf, Struct, leaves
from lakelock.records.alike_names import AlikeNames
from lakelock.records.casts import Reading
from lakelock.records.infer import ColumnChoice
from lakelock.records.json.record_fields import Path
from lakelock.records.observed_fields import MOST_DIGITS, ObservedField, by_present_names
from lakelock.records.observed_spellings import in_one_spelling
from lakelock.records.spelling import ascii_lower_path

# Columns of data files. Above it, a table gets no further ones by itself.
MOST_COLUMNS = 10_000


@dataclass(frozen=True, slots=True)
class Evolving:
    """How a table's *columns* may change with its records.

    *new_fields* get columns, of their type in *declared* if it has them; *new_types* widen columns and make required ones
    optional, except for those *kept_required*. *readings* are of columns that take no field of their name alone, *unread* are
    columns that take none. Fields at the paths *dropped* are not new, nor are those *taken* for something else, which also
    keep their types, nor those that *readings* take, nor those by an old name of a *renamed* column. No column gets one of the
    *reserved* names. If it *ignores_case*, names that differ in case alone are one. Else a field gets no column if it differs
    in case alone from one that the file has *named*, or that the table had.
    """

    columns: tuple[Column, ...]
    new_fields: bool
    new_types: bool
    declared: Mapping[str, ColumnType] = field(default_factory=dict)
    kept_required: frozenset[str] = frozenset()
    readings: Mapping[str, Reading] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    taken: frozenset[Path] = frozenset()
    reserved: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[Path, ...] = ()
    ignores_case: bool = False
    named: frozenset[Path] = frozenset()

    def key(self, path: Path) -> Path:
        """Equal for names that are one."""
        return ascii_lower_path(path) if self.ignores_case else path


class Evolution:
    """Changes of a table's columns that records ask for."""

    def __init__(self, evolving: Evolving) -> None:
        self._evolving = evolving
        self._fields = _fields(evolving)
        reserved = (name.lower() for name in (*evolving.reserved, *evolving.unread))
        self._names = frozenset((*_dotted(evolving.columns, ""), *reserved))
        # With a column in another spelling, such a field is that column's.
        self._dropped = frozenset(
            key
            for key in map(evolving.key, evolving.dropped)
            if not evolving.ignores_case or ".".join(key).lower() not in self._names
        )
        read = (reading.path for reading in evolving.readings.values() if len(reading.path) > 1)
        self._fixed = frozenset((*evolving.taken, *read))
        self._alike = AlikeNames(() if evolving.ignores_case else evolving.named)
        self._room = MOST_COLUMNS - sum(leaves(c.type) for c in evolving.columns)

    def changes(self, found: ObservedField) -> list[ColumnChange]:
        """Changes for the records in which *found* was observed, in the order of their fields.

        A field of which only nulls, empty lists and empty objects are known changes nothing.
        """
        if self._evolving.ignores_case:
            declared = {name: Column(name, kind) for name, kind in self._evolving.declared.items()}
            found = in_one_spelling(found, {**declared, **self._fields})
        found = by_present_names(self._alike.without(found), self._evolving.renamed)
        found = _with_values_of_maps(_pruned(found, self._dropped, self._evolving), self._fields)
        search = _Search(self._evolving, self._names, self._dropped, self._fixed, found)
        made = list(search.of_fields(self._fields, found, (), ()))
        is_room = sum(leaves(c.type) for c in made if isinstance(c, Added)) <= self._room
        return made if is_room else [c for c in made if not isinstance(c, Added)]


class _Search:
    def __init__(
        self,
        evolving: Evolving,
        names: frozenset[str],
        dropped: frozenset[Path],
        fixed: frozenset[Path],
        found: ObservedField,
    ) -> None:
        self._evolving, self._dropped, self._fixed = evolving, dropped, fixed
        self._choice = ColumnChoice(found, names, [], guesses=False)

    def of_fields(
        self, columns: Mapping[str, Column | None], found: ObservedField, path: ColumnPath, record: Path
    ) -> Iterator[ColumnChange]:
        """*path* leads to the columns, *record* to the fields."""
        for name, child in found.children.items():
            column, here = columns.get(name), (*record, name)
            if self._evolving.key(here) in self._dropped:
                continue
            if column is not None:
                yield from self._of_type(column.type, child, (*path, column.name), here)
            elif (
                name not in columns and self._evolving.new_fields and not found.is_cut and not self._is_read_apart(here)
            ):
                yield from self._added(found, name, child, (*path, name))
        if not self._evolving.new_types or found.is_cut:
            return
        for name, column in columns.items():
            if column is None or not column.required or self._is_kept_required((*path, column.name)):
                continue
            if not path and column.name in self._evolving.renamed.values():
                # The records may have it by an old name.
                continue
            if found.lacking(found.children.get(name)):
                yield MadeOptional((*path, column.name))

    def _is_read_apart(self, record: Path) -> bool:
        """Whether a column takes the field, or one within it, from an object that has a column."""
        key = self._evolving.key(record)
        return any(self._evolving.key(fixed[: len(record)]) == key for fixed in self._fixed)

    def _is_kept_required(self, path: ColumnPath) -> bool:
        """Also of a struct around a column that is."""
        name = ".".join(path)
        return any(kept == name or kept.startswith(f"{name}.") for kept in self._evolving.kept_required)

    def _added(self, found: ObservedField, name: str, child: ObservedField, path: ColumnPath) -> Iterator[ColumnChange]:
        declared = self._evolving.declared.get(name) if len(path) == 1 else None
        prefix = "".join(f"{part}." for part in path[:-1])
        # Chosen together with its neighbours, of which only one can have a name that differs in case alone.
        one = ObservedField(found.kinds, {name: child})
        chosen = self._choice.columns(one, prefix, prefix)
        if chosen:
            yield Added(path, declared or self._of_schemas(child, path) or chosen[0].type)

    def _of_schemas(self, found: ObservedField, path: ColumnPath) -> ColumnType | None:
        """The type that the records' schemas give a field, if they agree on one that a table can have."""
        widest = [one for one in found.declared if all(o == one or widens(o, one) for o in found.declared)]
        if not widest or any(dropped[: len(path)] == self._evolving.key(path) for dropped in self._dropped):
            return None
        names = list(_dotted_within(widest[0], ""))
        return widest[0] if len(set(names)) == len(names) else None

    def _of_type(
        self, kind: ColumnType, found: ObservedField, path: ColumnPath, record: Path
    ) -> Iterator[ColumnChange]:
        if record in self._fixed:
            return
        match kind:
            case Struct(fields) if found.objects:
                yield from self.of_fields({f.name: f for f in fields}, found, path, record)
            case ListOf() if found.element is not None:
                yield from self._of_element(ELEMENT, kind.element, kind.element_required, found.element, path, record)
            case MapOf() if (values := found.children.get(VALUE)) is not None:
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


def _pruned(found: ObservedField, dropped: Collection[Path], evolving: Evolving) -> ObservedField:
    """*found* without the fields at the paths *dropped*, so that a new object does not get them either."""
    if not dropped:
        return found
    names = {path[:1] for path in dropped if len(path) == 1}
    keys = {name: evolving.key((name,)) for name in found.children}
    within = {name: [path[1:] for path in dropped if len(path) > 1 and path[:1] == key] for name, key in keys.items()}
    children = {n: _pruned(child, within[n], evolving) for n, child in found.children.items() if keys[n] not in names}
    of_elements = [path[1:] for path in dropped if len(path) > 1 and path[0] == ELEMENT]
    element = found.element and _pruned(found.element, of_elements, evolving)
    return replace(found, children=children, element=element)


def _with_values_of_maps(found: ObservedField, columns: Mapping[str, Column | None]) -> ObservedField:
    """*found* with one child for all values of each map that is in *columns*: its keys are no names."""
    children = {
        name: child if (column := columns.get(name)) is None else _with_values_of_map(child, column.type)
        for name, child in found.children.items()
    }
    return replace(found, children=children)


def _with_values_of_map(found: ObservedField, kind: ColumnType) -> ObservedField:
    match kind:
        case Struct(fields):
            return _with_values_of_maps(found, {f.name: f for f in fields})
        case ListOf(element) if found.element is not None:
            return replace(found, element=_with_values_of_map(found.element, element))
        case MapOf():
            values = ObservedField()
            for child in found.children.values():
                values.add_all(child)
            children = {VALUE: _with_values_of_map(values, kind.value)} if found.children else {}
            return replace(found, children=children, is_cut=False)
    return found


def _fields(evolving: Evolving) -> dict[str, Column | None]:
    """By name of a record's field, the column that takes it as it is.

    None for a field that is taken in another way, or by several columns, whose types could only change together.
    """
    fields: dict[str, Column | None] = dict.fromkeys(evolving.renamed)
    for column in evolving.columns:
        reading = evolving.readings.get(column.name, Reading((column.name,)))
        if column.name in evolving.unread or reading.whole:
            continue
        name = reading.path[0]
        if len(reading.path) > 1:
            fields.setdefault(name, None)
        elif reading.casts or name in fields:
            # A deeper reading before leaves the field to the column that takes it.
            is_taken = any(r.path == (name,) for n, r in evolving.readings.items() if n != column.name)
            fields[name] = None if reading.casts or fields[name] is not None or is_taken else column
        else:
            fields[name] = column
    for path in evolving.taken:
        if len(path) == 1:
            fields[path[0]] = None
        else:
            fields.setdefault(path[0], None)
    return fields


def _wider(kind: Integer | Floating | Decimal, found: ObservedField) -> ColumnType | None:
    """The permitted promotion that holds most of the numbers; None if *kind* holds all that any promotion does."""
    match kind:
        case Integer(32) if found.longs:
            return Integer(64)
        case Floating(32) if found.inexact_singles:
            return Floating(64)
        case Decimal(precision, scale):
            fitting = [n + scale for n in found.digits if precision < n + scale <= MOST_DIGITS]
            return Decimal(max(fitting), scale) if fitting else None
    return None


def _dotted(columns: Collection[Column], prefix: str) -> Iterator[str]:
    """Names as Iceberg and Spark look them up, in lower case: Iceberg also without `element` and `value`."""
    for column in columns:
        name = f"{prefix}{column.name}".lower()
        yield name
        yield from _dotted_within(column.type, name)


def _dotted_within(kind: ColumnType, name: str) -> Iterator[str]:
    match kind:
        case Struct(fields):
            yield from _dotted(fields, f"{name}.")
        case ListOf(element):
            yield from (f"{name}.{ELEMENT}", *_dotted_within(element, f"{name}.{ELEMENT}"))
            if isinstance(element, Struct):
                yield from _dotted_within(element, name)
        case MapOf():
            yield from (f"{name}.key", f"{name}.{VALUE}", *_dotted_within(kind.value, f"{name}.{VALUE}"))
            if isinstance(kind.value, Struct):
                yield from _dotted_within(kind.value, name)


def ignorable(columns: Sequence[Column], dropped: Collection[ColumnPath]) -> list[Path]:
    """Those of the paths *dropped* whose fields a decoder can leave out: none within a list or map."""
    return sorted(path for path in dropped if _is_in_structs(columns, path))


def _is_in_structs(columns: Sequence[Column], path: ColumnPath) -> bool:
    if len(path) == 1:
        return True
    kind = next((c.type for c in columns if c.name == path[0]), None)
    return isinstance(kind, Struct) and _is_in_structs(kind.fields, path[1:])
