"""Give fields the spelling of their columns, in machine code: names that differ in the case of ASCII letters alone."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from lakelock.adapters.json.scanner import MOST_LEVELS, table_of
from lakelock.adapters.llvm.machine_code import compiled
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.json.record_fields import FieldKind, Node, flat
from lakelock.records.json.scanned import TOO_DEEP, Fault
from lakelock.records.reasons import Reason
from lakelock.records.spelling import ascii_lower
from lakelock.records.values import Flags, Values

_LEVEL_BYTES = 32
_ADDRESS, _INTEGER = ctypes.c_void_p, ctypes.c_int64
_OF_LEVELS = {FieldKind.LIST: "element", FieldKind.MAP: "value"}


class _Node(ctypes.Structure):
    """`struct node` of respell.c."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("length", _INTEGER),
        ("first", _INTEGER),
        ("count", _INTEGER),
        ("kind", _INTEGER),
        ("seen", _INTEGER),
        ("start", _INTEGER),
        ("end", _INTEGER),
        ("is_same", _INTEGER),
    ]


class _Respell(ctypes.Structure):
    """`struct respell` of respell.c."""

    _fields_ = [
        ("nodes", _ADDRESS),
        ("levels", _ADDRESS),
        ("most_levels", _INTEGER),
        ("table", _ADDRESS),
        ("mask", _INTEGER),
        ("records", _INTEGER),
        ("text", _ADDRESS),
        ("bounds", _ADDRESS),
        ("faults", _ADDRESS),
        ("twice", _ADDRESS),
        ("places", _ADDRESS),
        ("changed", _INTEGER),
        ("objects", _INTEGER),
    ]


@cache
def _function() -> tuple[Callable[..., None], Any]:
    engine = compiled(__package__, "respell.ll")
    return ctypes.CFUNCTYPE(None, _ADDRESS)(engine.get_function_address("respell_names")), engine


class Respell:
    """Spells names of fields as those of *root*; of the children of a node, no two may differ in case alone."""

    def __init__(self, root: Node) -> None:
        nodes = flat(root)
        # Addresses of names stay valid because these bytes stay.
        self._names = [node.name.encode("utf-8", "surrogatepass") for node, _ in nodes]
        self._nodes = (_Node * len(nodes))(
            *[
                _Node(name, len(name), first, len(node.children), node.kind)
                for (node, first), name in zip(nodes, self._names, strict=True)
            ]
        )
        in_table = [ascii_lower(node.name).encode("utf-8", "surrogatepass") for node, _ in nodes]
        self._table = table_of(self._nodes, in_table)
        self._levels = ctypes.create_string_buffer(MOST_LEVELS * _LEVEL_BYTES)
        self._paths = _paths(nodes)
        self._objects = 0

    def __call__(self, values: Values, out: Flags) -> tuple[Values, list[BadRecord]]:
        """*values* with names respelled, except for those *out*; bad has a field in two spellings, or is nested too deep."""
        count, bounds = len(values), values.bounds
        start = int(bounds[0])
        text, within = values.buffer[start : bounds[-1]].copy(), np.ascontiguousarray(bounds - start)
        twice, places = np.full(count, -1, np.int64), np.empty((count, 4), np.int64)
        faults = out.astype(np.uint8)
        order = _Respell(
            nodes=ctypes.addressof(self._nodes),
            levels=ctypes.addressof(self._levels),
            most_levels=MOST_LEVELS,
            table=self._table.ctypes.data,
            mask=len(self._table) - 1,
            records=count,
            text=text.ctypes.data,
            bounds=within.ctypes.data,
            faults=faults.ctypes.data,
            twice=twice.ctypes.data,
            places=places.ctypes.data,
            # A node remembers the object that it was in last.
            objects=self._objects,
        )
        _function()[0](ctypes.addressof(order))
        self._objects = order.objects
        bad = [
            BadRecord(i, "convert", self._reason(int(twice[i]), values, (places[i] + start).tolist()))
            for i in np.flatnonzero(twice >= 0).tolist()
        ]
        # Such a record has names that were not looked at, and the decoder may take it: its values would be lost.
        bad += [BadRecord(i, "convert", TOO_DEEP) for i in np.flatnonzero(faults == Fault.TOO_DEEP).tolist()]
        return Values(text, within, values.absent) if order.changed else values, bad

    def _reason(self, node: int, values: Values, places: Sequence[int]) -> Reason:
        """*places* are those of two names, as they were written."""
        path = self._paths[node]
        names = [
            json.loads(b'"%s"' % values.buffer[a:b].tobytes()) for a, b in zip(places[::2], places[1::2], strict=True)
        ]
        first, second = (".".join((*path[:-1], name)) for name in names)
        field = ".".join(path)
        if first == second:
            return Reason(reasons.FIELD_TWICE, f"field {first!r} is there twice", field)
        message = (
            f"fields {first!r} and {second!r}: with case_sensitive: false they are one field, and the record has both"
        )
        return Reason(reasons.FIELD_TWICE, message, field)


def _paths(nodes: Sequence[tuple[Node, int]]) -> list[tuple[str, ...]]:
    """In the names of columns."""
    paths: list[tuple[str, ...]] = [()] * len(nodes)
    for at, (node, first) in enumerate(nodes):
        for number, child in enumerate(node.children, first):
            paths[number] = (*paths[at], _OF_LEVELS.get(node.kind, child.name))
    return paths
