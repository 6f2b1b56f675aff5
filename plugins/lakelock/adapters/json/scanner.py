"""Scan JSON objects in machine code for the fields of `lakelock.records.json.record_fields`, without a Python object each."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from lakelock.adapters.llvm.machine_code import compiled
from lakelock.records.json.record_fields import Node, flat
from lakelock.records.json.scanned import Places, Scanned
from lakelock.records.values import Bytes, Flags, Values

# A level of nesting takes 64 bytes here.
MOST_LEVELS = 10_000
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
    ]


@cache
def _functions() -> tuple[Callable[..., None], Callable[..., None], Any]:
    engine = compiled(__package__, "scanner.ll")
    scan = ctypes.CFUNCTYPE(None, _ADDRESS)(engine.get_function_address("scan_records"))
    gather = ctypes.CFUNCTYPE(None, _ADDRESS, _INTEGER, *[_ADDRESS] * 4)(engine.get_function_address("gather_texts"))
    return scan, gather, engine


def scanner(root: Node, slots: int, keeps_rest: bool) -> Callable[[Values], Scanned]:
    """As `lakelock.records.json.record_fields.Scanner`."""
    return _Scanner(root, slots, keeps_rest).scan


def places(root: Node, slots: int) -> Callable[[Values], Scanned]:
    """Scans that only find where texts are."""
    return _Scanner(root, slots, False).places


class _Scanner:
    def __init__(self, root: Node, slots: int, keeps_rest: bool) -> None:
        nodes = flat(root)
        # Addresses of names stay valid because these bytes stay.
        self._names = [node.name.encode("utf-8", "surrogatepass") for node, _ in nodes]
        self._nodes = (_Node * len(nodes))(
            *[
                _Node(name, len(name), first, len(node.children), -1 if node.slot is None else node.slot, node.kind)
                for (node, first), name in zip(nodes, self._names, strict=True)
            ]
        )
        self._table = table_of(self._nodes, self._names)
        self._levels = ctypes.create_string_buffer(MOST_LEVELS * 64)
        self._slots, self._keeps_rest = slots, keeps_rest

    def scan(self, values: Values) -> Scanned:
        bounds = values.bounds
        return self._found(values, values.buffer[bounds[0] : bounds[-1]].copy())

    def places(self, values: Values) -> Scanned:
        """As `scan`, but that `without` are the *values* themselves."""
        return self._found(values, None)

    def _found(self, values: Values, without: Bytes | None) -> Scanned:
        count = len(values)
        text, bounds = values.buffer, np.ascontiguousarray(values.bounds)
        starts, ends = np.full((self._slots, count), -1, np.int64), np.full((self._slots, count), -1, np.int64)
        faults, twice = np.zeros(count, np.uint8), np.full(count, -1, np.int64)
        rest = np.empty(int(bounds[-1] - bounds[0]), np.uint8) if self._keeps_rest else None
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
            None if without is None else without.ctypes.data - int(bounds[0]),
            starts.ctypes.data,
            ends.ctypes.data,
            faults.ctypes.data,
            twice.ctypes.data,
            None if rest is None else rest.ctypes.data,
            rest_bounds.ctypes.data,
        )
        _functions()[0](ctypes.addressof(scan))
        kept = None if rest is None else _strings(rest, rest_bounds, rest_bounds[1:] == rest_bounds[:-1])
        left = values if without is None else Values(without, bounds - bounds[0], values.absent)
        return Scanned(values, left, starts, ends, faults, twice, kept, _gathered)


def _gathered(values: Values, starts: Places, ends: Places) -> pa.Array:
    starts, ends = np.ascontiguousarray(starts), np.ascontiguousarray(ends)
    bounds = np.zeros(len(starts) + 1, np.int64)
    # Both are below zero for an absent one.
    np.cumsum(ends - starts, out=bounds[1:])
    out = np.empty(int(bounds[-1]), np.uint8)
    _functions()[1](
        values.buffer.ctypes.data,
        len(starts),
        starts.ctypes.data,
        ends.ctypes.data,
        out.ctypes.data,
        bounds.ctypes.data,
    )
    return _strings(out, bounds, starts < 0)


def _strings(text: Bytes, bounds: Places, absent: Flags) -> pa.Array:
    """Values that are UTF-8, as parts of JSON records are that were found to be."""
    present = pa.py_buffer(np.packbits(~absent, bitorder="little")) if absent.any() else None
    return pa.LargeStringArray.from_buffers(len(absent), pa.py_buffer(bounds), pa.py_buffer(text), present)


def table_of(nodes: Any, names: Sequence[bytes]) -> Places:
    """Where `child_named` of scanner.c finds a node; half of the places are free."""
    size = 8
    while size < 2 * len(nodes):
        size *= 2
    table: Places = np.full(size, -1, np.int64)
    for parent, node in enumerate(nodes):
        for child in range(node.first, node.first + node.count):
            at = _hash(parent, names[child]) & (size - 1)
            while table[at] >= 0:
                at = (at + 1) & (size - 1)
            table[at] = child
    return table


def _hash(parent: int, name: bytes) -> int:
    found = 2166136261 ^ parent
    for byte in name:
        found = ((found ^ byte) * 16777619) & 0xFFFFFFFF
    return found
