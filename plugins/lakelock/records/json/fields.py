"""The fields of a record that columns take, as one tree, and what a scan of records by that tree finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.model.column_types import Column, ColumnType, Integer, ListOf, MapOf, Struct
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

Path = tuple[str, ...]
Places = npt.NDArray[np.int64]
# Stands in for a field that is taken as text, once the text is taken.
TAKEN = Integer(32)


class Kind(IntEnum):
    """What a scan knows of a field's value: nothing, its fields, elements or entries; or that any value is taken as text."""

    LEAF = 0
    OBJECT = 1
    LIST = 2
    MAP = 3
    TEXT = 4


class Fault(IntEnum):
    """Why a scan refuses a record."""

    NONE = 0
    INVALID = 1
    TOO_DEEP = 2
    TWICE = 3


@dataclass(frozen=True, slots=True)
class Node:
    """A field; the only child of a list or map is its element or value. *slot* numbers the texts that a scan takes."""

    name: str
    kind: Kind
    slot: int | None
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan found in *values*. In `without`, fields taken as text or kept in the rest are the number 0.

    `starts` and `ends` are places in `values`' buffer, by slot and record; below zero for a record without the field.
    `faults` is by record, with `twice` as the slot of a field that is there twice. `rest` has what no node takes of each
    record, as the text of an object; null for nothing.
    """

    values: Values
    without: Values
    starts: Places
    ends: Places
    faults: npt.NDArray[np.uint8]
    twice: Places
    rest: pa.Array | None
    gather: Callable[[Values, Places, Places], pa.Array]

    def texts(self, slot: int, records: Places) -> pa.Array:
        """The text of a field in *records*, as written; null for those without it."""
        return self.gather(self.values, self.starts[slot][records], self.ends[slot][records])


class Scanner(Protocol):
    """Makes scans; *keeps_rest* if a scan is to gather what no node takes."""

    def __call__(self, root: Node, slots: int, keeps_rest: bool) -> Callable[[Values], Scanned]: ...


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
        found = [(name, *_read(at, (name,)), at.required) for name, at in self._root.children.items()]
        columns = [Column(name, kind, required) for name, kind, _, required in found]
        return columns, pa.schema([pa.field(name, arrow) for name, _, arrow, _ in found])

    def nodes(self) -> Node:
        return _node("", self._root)


def _read(at: _Field, path: Path) -> tuple[ColumnType, pa.DataType]:
    if at.kind is None and not at.children:
        return TAKEN, pa.int32()
    if not at.children:
        assert at.kind is not None
        return at.kind, at.arrow
    fields: list[Column] = []
    arrows: list[pa.Field] = []
    if at.kind is not None:
        if not isinstance(at.kind, Struct):
            raise Unfit(f"a column reads field {'.'.join(path)!r} whole, and another column one of its fields")
        fields, arrows = list(at.kind.fields), list(at.arrow or ())
    own = {f.name: f.type for f in fields}
    for name, child in at.children.items():
        kind, arrow = _read(child, (*path, name))
        if name not in own:
            fields.append(Column(name, kind))
            arrows.append(pa.field(name, arrow))
        elif child.kind is not None or child.children:
            raise Unfit(f"two columns read field {'.'.join((*path, name))!r}; give one of them a cast")
    return Struct(tuple(fields)), pa.struct(arrows)


def _node(name: str, at: _Field) -> Node:
    if at.kind is None and not at.children and at.slot is not None:
        return Node(name, Kind.TEXT, at.slot, ())
    known = _of_type(name, at.kind) if at.kind is not None else Node(name, Kind.OBJECT, None, ())
    own = {child.name: child for child in known.children}
    more = [_node(inner, child) for inner, child in at.children.items() if inner not in own]
    mine = (
        [_with_slot(own[inner], at.children.get(inner)) for inner in own]
        if known.kind is Kind.OBJECT
        else known.children
    )
    return Node(name, known.kind, at.slot, (*mine, *more))


def _with_slot(node: Node, at: _Field | None) -> Node:
    return node if at is None or at.slot is None else Node(node.name, node.kind, at.slot, node.children)


def _of_type(name: str, kind: ColumnType) -> Node:
    match kind:
        case Struct(fields):
            return Node(name, Kind.OBJECT, None, tuple(_of_type(f.name, f.type) for f in fields))
        case ListOf(element):
            return Node(name, Kind.LIST, None, (_of_type("", element),))
        case MapOf():
            return Node(name, Kind.MAP, None, (_of_type("", kind.value),))
    return Node(name, Kind.LEAF, None, ())


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
