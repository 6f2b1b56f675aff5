"""Read JSON objects into columns in machine code, as `lakelock.records.json.quick` describes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from lakelock.adapters.json.scanner import table_of
from lakelock.adapters.llvm.machine_code import compiled
from lakelock.records.json.field_tree import Field, FieldTree, flat
from lakelock.records.json.quick import Read
from lakelock.records.values import Flags, Values

# The largest power of ten that a number is shifted by.
LARGEST = 60
# Room for texts, as a share of the bytes that those of the last block took, and in bytes.
ROOM, LEAST_ROOM = 1.25, 4096
_MOST_TEXT = (1 << 31) - 1
_ADDRESS, _INTEGER = ctypes.c_void_p, ctypes.c_int64


class _Node(ctypes.Structure):
    """`struct node` of reader.c."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("length", _INTEGER),
        ("first", _INTEGER),
        ("count", _INTEGER),
        ("column", _INTEGER),
        ("object", _INTEGER),
        ("is_parsed", _INTEGER),
        ("leader", _INTEGER),
        ("follower", _INTEGER),
    ]


class _Column(ctypes.Structure):
    """`struct column` of reader.c."""

    _fields_ = [
        ("kind", _INTEGER),
        ("values", _ADDRESS),
        ("bounds", _ADDRESS),
        ("present", _ADDRESS),
        ("room", _INTEGER),
        ("used", _INTEGER),
        ("least", _INTEGER),
        ("most", _INTEGER),
        ("limit", ctypes.c_double),
        ("is_required", _INTEGER),
        ("seen", _INTEGER),
    ]


class _Reading(ctypes.Structure):
    """`struct reading` of reader.c."""

    _fields_ = [
        ("nodes", _ADDRESS),
        ("columns", _ADDRESS),
        ("count", _INTEGER),
        ("table", _ADDRESS),
        ("mask", _INTEGER),
        ("powers", _ADDRESS),
        ("scratch", _ADDRESS),
        ("ignores", _INTEGER),
        ("most_bytes", _INTEGER),
        ("records", _INTEGER),
        ("text", _ADDRESS),
        ("bounds", _ADDRESS),
        ("out", _ADDRESS),
        ("taken", _ADDRESS),
        ("rows", _INTEGER),
        ("tries", _INTEGER),
        ("filled", _INTEGER),
    ]


@cache
def _function() -> tuple[Callable[..., int], Any]:
    engine = compiled(__package__, "reader.ll")
    return ctypes.CFUNCTYPE(_INTEGER, _ADDRESS, _INTEGER)(engine.get_function_address("read_records")), engine


@cache
def _powers() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """128 bits of each power of five, the upper half first: of those below 1 rounded up, of others down."""
    found = []
    for q in range(-LARGEST, LARGEST + 1):
        power = 5 ** abs(q)
        if q < 0:
            bits = power.bit_length()
            power = (1 << (bits + 127 if q >= -27 else 2 * bits + 128)) // power + 1
        more = 128 - power.bit_length()
        power = power << more if more > 0 else power >> -more
        found += [power >> 64, power & ((1 << 64) - 1)]
    return np.array(found, np.uint64)


def reader(tree: FieldTree) -> Callable[[Values, Flags], Read]:
    """As `lakelock.records.json.quick.Reader`."""
    return _Reader(tree).read


class _Reader:
    def __init__(self, tree: FieldTree) -> None:
        self._tree = tree
        nodes = flat(tree.root)
        # Addresses of names stay valid because these bytes stay.
        self._names = [field.name.encode() for field, _ in nodes]
        self._nodes = (_Node * len(nodes))()
        # Behind the columns of values, one for each object says whether it is there.
        self._objects = 0
        for at, (field, first) in enumerate(nodes):
            self._nodes[at] = self._node(field, self._names[at], first)
        self._levels = 1 + sum(field.is_parsed for field, _ in nodes)
        self._table = table_of(self._nodes, self._names)
        self._bytes_a_row = [0.0] * len(tree.columns)

    def _node(self, field: Field, name: bytes, first: int) -> _Node:
        holds = -1
        if field.children or field.column is None:
            holds = len(self._tree.columns) + self._objects
            self._objects += 1
        column = -1 if field.column is None else field.column
        count = len(field.children)
        return _Node(name, len(name), first, count, column, holds, field.is_parsed, first if count else -1, -1)

    def read(self, values: Values, out: Flags) -> Read:
        count, text_bytes = len(values), values.size_bytes + len(values)
        taken = np.zeros(count, np.bool_)
        if text_bytes > _MOST_TEXT - 16:
            return Read(taken, [])
        bounds, out = np.ascontiguousarray(values.bounds), np.ascontiguousarray(out)
        present = np.empty((len(self._tree.columns), count), np.uint8)
        columns = (_Column * (len(self._tree.columns) + self._objects))()
        buffers: list[list[pa.Buffer]] = []
        for at, here in enumerate(present):
            columns[at].present = here.ctypes.data
            buffers.append(self._prepared(columns[at], at, count, text_bytes))
        longest = int(np.diff(bounds).max(initial=0))
        scratch = np.empty((longest + 16) * self._levels, np.uint8)
        reading = _Reading(
            ctypes.addressof(self._nodes),
            ctypes.addressof(columns),
            len(self._tree.columns),
            self._table.ctypes.data,
            len(self._table) - 1,
            _powers().ctypes.data,
            scratch.ctypes.data,
            self._tree.ignores,
            self._tree.most_bytes,
            count,
            values.buffer.ctypes.data,
            bounds.ctypes.data,
            out.ctypes.data,
            taken.ctypes.data,
        )
        run, start = _function()[0], 0
        while (start := run(ctypes.addressof(reading), start)) < count:
            for column, held in zip(columns, buffers, strict=False):
                if column.bounds and column.room - column.used < longest + 16:
                    self._grow(column, held, text_bytes + 16)
        found = [self._array(at, columns[at], buffers[at], here, reading.rows) for at, here in enumerate(present)]
        return Read(taken, found)

    def _prepared(self, column: _Column, at: int, rows: int, text_bytes: int) -> list[pa.Buffer]:
        """The memory of a column."""
        of = self._tree.columns[at]
        column.kind, column.is_required = of.kind, of.is_required
        column.least, column.most, column.limit = of.least, of.most, of.limit
        if not of.is_text:
            values = pa.allocate_buffer(of.width * rows)
            column.values = values.address
            return [values]
        column.room = min(int(self._bytes_a_row[at] * rows * ROOM) + LEAST_ROOM, text_bytes + 16)
        values, bounds = pa.allocate_buffer(column.room), pa.allocate_buffer(4 * (rows + 1))
        ctypes.memset(bounds.address, 0, 4)
        column.values, column.bounds = values.address, bounds.address
        return [values, bounds]

    @staticmethod
    def _grow(column: _Column, held: list[pa.Buffer], most: int) -> None:
        column.room = min(2 * column.room, most)
        larger = pa.allocate_buffer(column.room)
        ctypes.memmove(larger.address, held[0].address, column.used)
        held[0], column.values = larger, larger.address

    def _array(self, at: int, column: _Column, held: Sequence[pa.Buffer], present: Any, rows: int) -> pa.Array:
        of, here = self._tree.columns[at], present[:rows]
        valid = None if here.all() else pa.py_buffer(np.packbits(here, bitorder="little"))
        if of.is_text:
            self._bytes_a_row[at] = column.used / max(rows, 1)
            return pa.StringArray.from_buffers(rows, held[1], held[0], valid)
        if of.arrow == pa.bool_():
            bits = pa.py_buffer(np.packbits(np.frombuffer(held[0], np.uint8, rows), bitorder="little"))
            return pa.Array.from_buffers(of.arrow, rows, [valid, bits])
        return pa.Array.from_buffers(of.arrow, rows, [valid, held[0]])
