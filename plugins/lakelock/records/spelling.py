"""Names of fields that differ in case alone. Pipeline files are checked by it, so it loads no heavy library.

Case is that of ASCII letters, as in `A` and `a`: a name then has the same length in each spelling.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct
from lakelock.records.casts import Reading
from lakelock.records.json.record_fields import FieldKind, Node, Path, RecordFields
from lakelock.records.reasons import Unfit

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def ascii_lower(name: str) -> str:
    """*name* with ASCII letters in lower case; other letters stay."""
    return name.translate(_LOWER)


def ascii_lower_path(path: Path) -> Path:
    return tuple(map(ascii_lower, path))


def spellings(columns: Iterable[Column], readings: Mapping[str, Reading], dropped: Iterable[Path] = ()) -> Node:
    """The fields that *columns* take, and those *dropped*, as the table and its pipeline file spell them.

    Raises Unfit if two of them differ in case alone.
    """
    fields = RecordFields()
    for column in columns:
        reading = readings.get(column.name, Reading((column.name,)))
        if reading.whole:
            continue
        if isinstance(column.type, Struct | ListOf | MapOf) and not reading.casts:
            fields.take(reading.path, column, None)
        else:
            fields.take_text(reading.path)
    for path in dropped:
        fields.take_text(path)
    root = fields.nodes()
    for first, second in _alike(root, ()):
        raise Unfit(
            f"with case_sensitive: false, {'.'.join(first)!r} and {'.'.join(second)!r} are one field; give it one spelling, "
            "or set case_sensitive to true"
        )
    return root


def _alike(node: Node, path: Path) -> Iterator[tuple[Path, Path]]:
    known: dict[str, Path] = {}
    for child in node.children:
        here = (*path, child.name) if node.kind is FieldKind.OBJECT else path
        if node.kind is FieldKind.OBJECT:
            first = known.setdefault(ascii_lower(child.name), here)
            if first != here:
                yield first, here
        yield from _alike(child, here)


def spelled(columns: Iterable[Column], node: Node | None) -> tuple[Column, ...]:
    """*columns*, and the fields within them, by the names that *node* has for them."""
    known = _children(node)
    found = [(column, known.get(ascii_lower(column.name))) for column in columns]
    return tuple(
        replace(column, name=column.name if child is None else child.name, type=_spelled(column.type, child))
        for column, child in found
    )


def _spelled(kind: ColumnType, node: Node | None) -> ColumnType:
    within = node.children[0] if node is not None and node.kind in (FieldKind.LIST, FieldKind.MAP) else None
    match kind:
        case Struct(fields):
            return Struct(spelled(fields, node))
        case ListOf(element):
            return replace(kind, element=_spelled(element, within))
        case MapOf():
            return replace(kind, value=_spelled(kind.value, within))
    return kind


def _children(node: Node | None) -> dict[str, Node]:
    if node is None or node.kind is not FieldKind.OBJECT:
        return {}
    return {ascii_lower(child.name): child for child in node.children}


def child_of(node: Node | None, name: str) -> Node | None:
    """The child that a field of this *name* is, in any case."""
    return _children(node).get(ascii_lower(name))


def first_spellings(columns: Sequence[Column]) -> tuple[Column, ...]:
    """*columns* without those, at any depth, whose name differs from that of an earlier one in case alone."""
    first: dict[str, Column] = {}
    for column in columns:
        first.setdefault(ascii_lower(column.name), replace(column, type=_first(column.type)))
    return tuple(first.values())


def _first(kind: ColumnType) -> ColumnType:
    match kind:
        case Struct(fields):
            return Struct(first_spellings(fields))
        case ListOf(element):
            return replace(kind, element=_first(element))
        case MapOf():
            return replace(kind, value=_first(kind.value))
    return kind
