"""Scan JSON objects in machine code: what `lakelock.records.json.fields` describes, without a Python object for a record."""

from __future__ import annotations

import ctypes
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from lakelock.adapters.llvm.machine_code import compiled
from lakelock.records.json.fields import Node, Places, Scanned, flat
from lakelock.records.values import Values

# A level of nesting takes 56 bytes here; Arrow's parser and Python's end long before.
MOST_LEVELS = 10_000
_NAME_ESCAPED = 4
# Every string of valid JSON in turn, and the colon behind it if it is a name.
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"(\s*:)?')
_ADDRESS, _INTEGER = ctypes.c_void_p, ctypes.c_int64


class _Node(ctypes.Structure):
    """`struct node` of scanner.c."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("length", _INTEGER),
        ("first", _INTEGER),
        ("count", _INTEGER),
        ("slot", _INTEGER),
        ("kind", _INTEGER),
    ]


class _Scan(ctypes.Structure):
    """`struct scan` of scanner.c."""

    _fields_ = [
        ("nodes", _ADDRESS),
        ("levels", _ADDRESS),
        ("most_levels", _INTEGER),
        ("table", _ADDRESS),
        ("mask", _INTEGER),
        ("records", _INTEGER),
        ("text", _ADDRESS),
        ("bounds", _ADDRESS),
        ("without", _ADDRESS),
        ("starts", _ADDRESS),
        ("ends", _ADDRESS),
        ("faults", _ADDRESS),
        ("twice", _ADDRESS),
        ("rest", _ADDRESS),
        ("rest_bounds", _ADDRESS),
        ("takes_escaped_names", _INTEGER),
    ]


@cache
def _functions() -> tuple[Callable[..., None], Callable[..., None], Any]:
    engine = compiled(__package__, "scanner.ll")
    scan = ctypes.CFUNCTYPE(None, _ADDRESS)(engine.get_function_address("scan_records"))
    gather = ctypes.CFUNCTYPE(None, _ADDRESS, _INTEGER, *[_ADDRESS] * 4)(engine.get_function_address("gather_texts"))
    return scan, gather, engine


def scanner(root: Node, slots: int, keeps_rest: bool) -> Callable[[Values], Scanned]:
    """As `lakelock.records.json.fields.Scanner`."""
    return _Scanner(root, slots, keeps_rest).scan


class _Scanner:
    def __init__(self, root: Node, slots: int, keeps_rest: bool) -> None:
        nodes = flat(root)
        # Addresses of names stay valid because these bytes stay.
        self._names = [_as_written(node.name) for node, _ in nodes]
        self._nodes = (_Node * len(nodes))(
            *[
                _Node(name, len(name), first, len(node.children), -1 if node.slot is None else node.slot, node.kind)
                for (node, first), name in zip(nodes, self._names, strict=True)
            ]
        )
        self._table = _table(self._nodes)
        self._levels = ctypes.create_string_buffer(MOST_LEVELS * 56)
        self._slots, self._keeps_rest = slots, keeps_rest

    def scan(self, values: Values) -> Scanned:
        scanned = self._scan(values, takes_escaped_names=False)
        odd = np.flatnonzero(scanned.faults == _NAME_ESCAPED).tolist()
        if not odd:
            return scanned
        texts = list(values)
        for i in odd:
            texts[i] = _STRING.sub(_plain_name, texts[i] or b"")
        return self._scan(Values.from_list(texts), takes_escaped_names=True)

    def _scan(self, values: Values, takes_escaped_names: bool) -> Scanned:
        count = len(values)
        text, bounds = values.buffer, values.bounds
        without = text[bounds[0] : bounds[-1]].copy()
        starts, ends = np.full((self._slots, count), -1, np.int64), np.full((self._slots, count), -1, np.int64)
        faults, twice = np.zeros(count, np.uint8), np.full(count, -1, np.int64)
        rest = np.empty(len(without), np.uint8) if self._keeps_rest else None
        rest_bounds = np.zeros(count + 1, np.int64)
        scan = _Scan(
            ctypes.addressof(self._nodes),
            ctypes.addressof(self._levels),
            MOST_LEVELS,
            self._table.ctypes.data,
            len(self._table) - 1,
            count,
            text.ctypes.data,
            bounds.ctypes.data,
            # The copy begins at the first value, and the scan counts from the buffer's start.
            without.ctypes.data - int(bounds[0]),
            starts.ctypes.data,
            ends.ctypes.data,
            faults.ctypes.data,
            twice.ctypes.data,
            None if rest is None else rest.ctypes.data,
            rest_bounds.ctypes.data,
            int(takes_escaped_names),
        )
        _functions()[0](ctypes.addressof(scan))
        absent = values.absent
        kept = None if rest is None else Values(rest, rest_bounds, rest_bounds[1:] - rest_bounds[:-1] == 1)
        return Scanned(
            values, Values(without, bounds - bounds[0], absent), starts, ends, faults, twice, kept, _gathered
        )


def _gathered(values: Values, starts: Places, ends: Places) -> Values:
    bounds = np.zeros(len(starts) + 1, np.int64)
    absent = starts < 0
    np.cumsum(np.where(absent, 0, ends - starts) + 1, out=bounds[1:])
    out = np.full(int(bounds[-1]), ord("\n"), np.uint8)
    starts, ends = np.ascontiguousarray(starts), np.ascontiguousarray(ends)
    _functions()[1](
        values.buffer.ctypes.data,
        len(starts),
        starts.ctypes.data,
        ends.ctypes.data,
        out.ctypes.data,
        bounds.ctypes.data,
    )
    return Values(out, bounds, absent)


def _as_written(name: str) -> bytes:
    """The name between its quotes, with no other escapes than JSON needs."""
    return json.dumps(name, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass")


def _plain_name(found: re.Match[bytes]) -> bytes:
    if found[1] is None or b"\\" not in found[0]:
        return found[0]
    try:
        return json.dumps(json.loads(found[0][: -len(found[1])].decode()), ensure_ascii=False).encode() + found[1]
    except ValueError:
        # Not UTF-8, or an unpaired surrogate: no column has such a name.
        return found[0]


def _table(nodes: Any) -> Places:
    """Where `child_named` of scanner.c finds a node; half of the places are free."""
    size = 8
    while size < 2 * len(nodes):
        size *= 2
    table: Places = np.full(size, -1, np.int64)
    for parent, node in enumerate(nodes):
        for child in range(node.first, node.first + node.count):
            at = _hash(parent, nodes[child].name) & (size - 1)
            while table[at] >= 0:
                at = (at + 1) & (size - 1)
            table[at] = child
    return table


def _hash(parent: int, name: bytes) -> int:
    found = 2166136261 ^ parent
    for byte in name:
        found = ((found ^ byte) * 16777619) & 0xFFFFFFFF
    return found
