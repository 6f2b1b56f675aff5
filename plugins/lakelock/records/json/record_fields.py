"""The fields of a record that columns take, as one tree. Pipeline files are checked by it, so it loads no heavy library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from lakelock.model.column_types import Column, ColumnType, Integer, ListOf, MapOf, Struct
from lakelock.records.casts import Reading
from lakelock.records.reasons import Unfit

if TYPE_CHECKING:
    import pyarrow as pa

Path = tuple[str, ...]
# Stands in for a field that is taken as text, once the text is taken.
TAKEN = Integer(32)


class FieldKind(IntEnum):
    """What a scan knows of a field's value: nothing, its fields, elements or entries; or that any value is taken as text."""

    LEAF = 0
    OBJECT = 1
    LIST = 2
    MAP = 3
    TEXT = 4


@dataclass(frozen=True, slots=True)
class Node:
    """A field; the only child of a list or map is its element or value. *slot* numbers the texts that a scan takes."""

    name: str
    kind: FieldKind
    slot: int | None
    children: tuple[Node, ...]


@dataclass(slots=True)
class _Field:
    """*kind* and *arrow* are those of the column that takes all of it, None if none does."""

    children: dict[str, _Field] = field(default_factory=dict)
    kind: ColumnType | None = None
    arrow: pa.DataType | None = None
    required: bool = False
    slot: int | None = None


class RecordFields:
    """Fields that columns take: add them by path, then read how a decoder has to read the record."""

    def __init__(self) -> None:
        self._root = _Field()
        self.slots: list[Path] = []

    def read(self, column: Column, reading: Reading, zone: str | None, arrow: pa.DataType = None) -> int | None:
        """Take the field that *column* reads: the slot of its text if the column needs that, else None. Raises as `take`."""
        if reading.casts or (zone is not None and len(reading.path) > 1):
            return self.take_text(reading.path)
        self.take(reading.path, column, arrow)
        return None

    def take(self, path: Path, column: Column, arrow: pa.DataType) -> None:
        """*path* is read as the column's type. Raises Unfit if another column reads it as something else."""
        at = self._at(path)
        if at.kind is not None and at.kind != column.type:
            raise Unfit(f"columns read field {'.'.join(path)!r} as different types; give all but one of them a cast")
        at.kind, at.arrow = column.type, arrow
        if len(path) == 1:
            at.required = at.required or column.required

    def take_text(self, path: Path) -> int:
        """*path* is taken as text, whatever it is; the number of its slot."""
        at = self._at(path)
        if at.slot is None:
            at.slot = len(self.slots)
            self.slots.append(path)
        return at.slot

    def _at(self, path: Path) -> _Field:
        at = self._root
        for name in path:
            at = at.children.setdefault(name, _Field())
        return at

    def columns(self) -> tuple[list[Column], pa.Schema]:
        """The record's fields as columns, for the decoder."""
        import pyarrow as pa

        found = self._root.children.items()
        columns = [Column(name, _kind(at, (name,)), at.required) for name, at in found]
        return columns, pa.schema([pa.field(name, _arrow(at)) for name, at in found])

    def check(self) -> None:
        """Raise Unfit if columns read a field in different ways."""
        for name, at in self._root.children.items():
            _kind(at, (name,))

    def nodes(self) -> Node:
        return _node("", self._root)


def _kind(at: _Field, path: Path) -> ColumnType:
    """Raises Unfit if columns read the field, or one within it, in different ways."""
    if not at.children:
        return TAKEN if at.kind is None else at.kind
    if at.kind is not None and not isinstance(at.kind, Struct):
        raise Unfit(f"a column reads field {'.'.join(path)!r} whole, and another column one of its fields")
    fields = list(at.kind.fields) if at.kind is not None else []
    own = {f.name for f in fields}
    for name, child in at.children.items():
        kind = _kind(child, (*path, name))
        if name not in own:
            fields.append(Column(name, kind))
        elif child.kind is not None or child.children:
            raise Unfit(f"two columns read field {'.'.join((*path, name))!r}; give one of them a cast")
    return Struct(tuple(fields))


def _arrow(at: _Field) -> pa.DataType:
    """Arrow's form of `_kind`."""
    import pyarrow as pa

    if not at.children:
        return pa.int32() if at.kind is None else at.arrow
    fields = list(at.arrow or ())
    own = {f.name for f in fields}
    return pa.struct([*fields, *(pa.field(n, _arrow(child)) for n, child in at.children.items() if n not in own)])


def _node(name: str, at: _Field) -> Node:
    if at.kind is None and not at.children and at.slot is not None:
        return Node(name, FieldKind.TEXT, at.slot, ())
    known = _of_type(name, at.kind) if at.kind is not None else Node(name, FieldKind.OBJECT, None, ())
    own = {child.name: child for child in known.children}
    more = [_node(inner, child) for inner, child in at.children.items() if inner not in own]
    mine = (
        [_with_slot(own[inner], at.children.get(inner)) for inner in own]
        if known.kind is FieldKind.OBJECT
        else known.children
    )
    return Node(name, known.kind, at.slot, (*mine, *more))


def _with_slot(node: Node, at: _Field | None) -> Node:
    return node if at is None or at.slot is None else Node(node.name, node.kind, at.slot, node.children)


def _of_type(name: str, kind: ColumnType) -> Node:
    match kind:
        case Struct(fields):
            return Node(name, FieldKind.OBJECT, None, tuple(_of_type(f.name, f.type) for f in fields))
        case ListOf(element):
            return Node(name, FieldKind.LIST, None, (_of_type("", element),))
        case MapOf():
            return Node(name, FieldKind.MAP, None, (_of_type("", kind.value),))
    return Node(name, FieldKind.LEAF, None, ())


def flat(root: Node) -> Sequence[tuple[Node, int]]:
    """Nodes with the number of their first child; children of a node follow one another, the root is the first."""
    order: list[tuple[Node, int]] = [(root, 1)]
    at, end = 0, 1
    while at < len(order):
        node, _ = order[at]
        order[at] = (node, end)
        order += [(child, 0) for child in node.children]
        end += len(node.children)
        at += 1
    return order
