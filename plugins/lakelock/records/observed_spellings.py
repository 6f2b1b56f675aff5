"""What records have under fields whose names differ in case alone, as one field each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct
from lakelock.records.observed_fields import ObservedField
from lakelock.records.spelling import ascii_lower


def in_one_spelling(found: ObservedField, columns: Mapping[str, Column | None]) -> ObservedField:
    """*found* with one child for all spellings of a name: by the name in *columns*, else by the most common one.

    Of spellings that are as common as each other, it is the first in the order of code points.
    """
    known = {ascii_lower(name): name for name in columns}
    spellings: dict[str, list[str]] = {}
    for name in found.children:
        spellings.setdefault(ascii_lower(name), []).append(name)
    children: dict[str, ObservedField] = {}
    for key, names in spellings.items():
        name = known.get(key) or min(names, key=lambda n: (-found.children[n].present, n))
        column = columns.get(name)
        children[name] = _within(_sum([found.children[n] for n in names]), None if column is None else column.type)
    element = found.element and _within(found.element, None)
    return replace(found, children=children, element=element)


def _within(found: ObservedField, kind: ColumnType | None) -> ObservedField:
    """*found* of a column of this *kind*."""
    match kind:
        case MapOf():
            # Keys are no names.
            return replace(found, children={key: _within(child, kind.value) for key, child in found.children.items()})
        case ListOf(element) if found.element is not None:
            return replace(in_one_spelling(found, {}), element=_within(found.element, element))
    one = in_one_spelling(found, {f.name: f for f in kind.fields} if isinstance(kind, Struct) else {})
    return replace(one, declared={_spelled(declared, one) for declared in found.declared})


def _sum(found: list[ObservedField]) -> ObservedField:
    if len(found) == 1:
        return found[0]
    every = ObservedField()
    for one in found:
        every.add_all(one)
    return every


def _spelled(kind: ColumnType, found: ObservedField | None) -> ColumnType:
    """The type that a schema gives the field, with the names of *found*."""
    match kind:
        case Struct(fields):
            known = (
                {} if found is None else {ascii_lower(name): (name, child) for name, child in found.children.items()}
            )
            named = [(f, *known.get(ascii_lower(f.name), (f.name, None))) for f in fields]
            return Struct(tuple(replace(f, name=name, type=_spelled(f.type, child)) for f, name, child in named))
        case ListOf(element):
            return replace(kind, element=_spelled(element, found and found.element))
        case MapOf():
            return replace(kind, value=_spelled(kind.value, None))
    return kind
