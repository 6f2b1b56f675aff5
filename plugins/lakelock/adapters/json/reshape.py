"""Reshape JSON objects in machine code, as `lakelock.records.json.reshape` describes."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from lakelock.adapters.json.respell import Respell
from lakelock.adapters.json.scanner import MOST_LEVELS, places
from lakelock.adapters.llvm.machine_code import compiled
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Indexes
from lakelock.records.json.block_parser import not_json, not_objects
from lakelock.records.json.record_fields import Path, RecordFields
from lakelock.records.json.reshape import Flatten, Reshape
from lakelock.records.json.reshaped import Piece, no_json, no_text
from lakelock.records.json.scanned import TOO_DEEP, Scanned
from lakelock.records.reasons import Reason
from lakelock.records.values import Values

# Of one record.
MOST_BYTES = 64 << 20
# Names get longer, and memory that is not written to costs nothing.
GROWTH, ROOM = 2, 64 << 10
# What the machine code leaves alone.
_OUT = 255
_INVALID, _TOO_DEEP, _NO_TEXT, _NO_JSON, _TOO_LARGE = 1, 2, 4, 5, 6
_ADDRESS, _INTEGER = ctypes.c_void_p, ctypes.c_int64


class _Reshape(ctypes.Structure):
    """`struct reshape` of reshape.c."""

    _fields_ = [
        ("records", _INTEGER),
        ("text", _ADDRESS),
        ("bounds", _ADDRESS),
        ("faults", _ADDRESS),
        ("out", _ADDRESS),
        ("capacity", _INTEGER),
        ("out_bounds", _ADDRESS),
        ("open", _ADDRESS),
        ("names", _ADDRESS),
        ("most_levels", _INTEGER),
        ("starts", _ADDRESS),
        ("ends", _ADDRESS),
        ("slots", _INTEGER),
        ("at_fault", _ADDRESS),
        ("separator", ctypes.c_char_p),
        ("separator_length", _INTEGER),
        ("depth", _INTEGER),
        ("most", _INTEGER),
    ]


@cache
def _functions() -> tuple[Callable[..., None], Callable[..., int], Any]:
    engine = compiled(__package__, "reshape.ll")
    splice = ctypes.CFUNCTYPE(None, _ADDRESS)(engine.get_function_address("splice_texts"))
    flatten = ctypes.CFUNCTYPE(_INTEGER, _ADDRESS, _INTEGER)(engine.get_function_address("flatten_records"))
    return splice, flatten, engine


def reshaper(reshape: Reshape) -> Callable[[Values, Indexes], Iterator[Piece]]:
    """As `lakelock.records.json.reshaped.Reshaper`."""
    rounds = [(_respell(paths) if reshape.ignores_case else None, _Splice(paths)) for paths in reshape.rounds]
    last = None if reshape.names is None else Respell(reshape.names)
    flatten = None if reshape.flatten is None else _Flatten(reshape.flatten)

    def pieces(values: Values, out: Indexes) -> Iterator[Piece]:
        bad: list[BadRecord] = []
        faults = np.zeros(len(values), np.uint8)
        faults[out] = _OUT
        for respell, splice in rounds:
            if respell is not None:
                values, found = respell(values, faults != 0)
                faults[[b.index for b in found]] = _OUT
                bad += found
            values, found = splice(values, faults)
            bad += found
        for piece in [Piece(0, values, bad)] if flatten is None else flatten(values, faults, bad):
            yield piece if last is None else _respelled(piece, last, faults)

    return pieces


def _respell(paths: Sequence[Path]) -> Respell:
    fields = RecordFields()
    for path in paths:
        fields.take_text(path)
    return Respell(fields.nodes())


def _respelled(piece: Piece, respell: Respell, faults: np.ndarray[Any, np.dtype[np.uint8]]) -> Piece:
    """*faults* are by record, and get those found."""
    of_piece = faults[piece.start : piece.start + len(piece.values)]
    values, found = respell(piece.values, of_piece != 0)
    of_piece[[b.index for b in found]] = _OUT
    return Piece(piece.start, values, [*piece.bad, *(replace(b, index=b.index + piece.start) for b in found)])


def reshaped_texts(reshape: Reshape, values: Sequence[bytes]) -> list[bytes]:
    """The values after a reshape; a value that cannot be reshaped stays as it is."""
    found: list[bytes] = []
    block = Values.from_list(values)
    out = np.array([b.index for b in not_objects(block, np.empty(0, np.int64))], np.int64)
    for piece in reshaper(reshape)(block, out):
        found += [value or values[piece.start + i] for i, value in enumerate(piece.values)]
    return found


class _Splice:
    """Puts the JSON of texts at *paths* in their places; none of them lies within another."""

    def __init__(self, paths: Sequence[Path]) -> None:
        fields = RecordFields()
        for path in paths:
            fields.take_text(path)
        self._paths = fields.slots
        self._scan = places(fields.nodes(), len(paths))
        self._open = ctypes.create_string_buffer(MOST_LEVELS)

    def __call__(self, values: Values, faults: np.ndarray[Any, np.dtype[np.uint8]]) -> tuple[Values, list[BadRecord]]:
        """*faults* are by record, and get those found."""
        scanned = self._scan(values)
        bad = [BadRecord(i, "convert", scanned.fault(i, self._paths)) for i in _new(scanned.faults, faults)]
        faults[[b.index for b in bad]] = _OUT
        before = faults.copy()
        count, bounds = len(values), np.ascontiguousarray(values.bounds)
        # A text is never shorter than what it stands for.
        out, out_bounds = np.empty(int(bounds[-1] - bounds[0]), np.uint8), np.zeros(count + 1, np.int64)
        at_fault = np.full(count, -1, np.int64)
        order = _Reshape(
            records=count,
            text=values.buffer.ctypes.data,
            bounds=bounds.ctypes.data,
            faults=faults.ctypes.data,
            out=out.ctypes.data,
            capacity=len(out),
            out_bounds=out_bounds.ctypes.data,
            open=ctypes.addressof(self._open),
            most_levels=MOST_LEVELS,
            starts=scanned.starts.ctypes.data,
            ends=scanned.ends.ctypes.data,
            slots=len(self._paths),
            at_fault=at_fault.ctypes.data,
        )
        _functions()[0](ctypes.addressof(order))
        for i in _new(faults, before):
            bad.append(BadRecord(i, "convert", self._reason(scanned, i, int(at_fault[i]), int(faults[i]))))
            faults[i] = _OUT
        return Values(out, out_bounds, values.absent), bad

    def _reason(self, scanned: Scanned, record: int, slot: int, fault: int) -> Reason:
        start, end = int(scanned.starts[slot, record]), int(scanned.ends[slot, record])
        literal = scanned.values.buffer[start:end].tobytes()
        return (no_text if fault == _NO_TEXT else no_json)(self._paths[slot], literal)


class _Flatten:
    def __init__(self, flatten: Flatten) -> None:
        self._separator = json.dumps(flatten.separator, ensure_ascii=False)[1:-1].encode()
        self._depth = MOST_LEVELS if flatten.depth is None else flatten.depth
        self._open = ctypes.create_string_buffer(MOST_LEVELS)
        self._names = ctypes.create_string_buffer(MOST_LEVELS * 16)

    def __call__(
        self, values: Values, faults: np.ndarray[Any, np.dtype[np.uint8]], bad: Sequence[BadRecord]
    ) -> Iterator[Piece]:
        """Pieces, the first one with the records that are *bad* already, and have a fault."""
        count, bounds = len(values), np.ascontiguousarray(values.bounds)
        start, room = 0, 0
        while start < count:
            capacity = max(GROWTH * int(bounds[-1] - bounds[start]) + ROOM, room)
            out, out_bounds = np.empty(capacity, np.uint8), np.zeros(count + 1, np.int64)
            before = faults.copy()
            order = _Reshape(
                records=count,
                text=values.buffer.ctypes.data,
                bounds=bounds.ctypes.data,
                faults=faults.ctypes.data,
                out=out.ctypes.data,
                capacity=capacity,
                out_bounds=out_bounds.ctypes.data,
                open=ctypes.addressof(self._open),
                names=ctypes.addressof(self._names),
                most_levels=MOST_LEVELS,
                separator=self._separator,
                separator_length=len(self._separator),
                depth=self._depth,
                most=MOST_BYTES,
            )
            end = _functions()[1](ctypes.addressof(order), start)
            if end == start:
                # The first record alone needs more than all of them have as a rule.
                room = MOST_BYTES + ROOM
                continue
            found = [BadRecord(i, "convert", _reason(values[i], int(faults[i]))) for i in _new(faults, before)]
            absent = values.absent[start:end]
            of_piece = [b for b in bad if start <= b.index < end]
            yield Piece(start, Values(out, out_bounds[start : end + 1], absent), [*of_piece, *found])
            start, room = end, 0


def _new(faults: np.ndarray[Any, np.dtype[np.uint8]], before: np.ndarray[Any, np.dtype[np.uint8]]) -> list[int]:
    found: list[int] = np.flatnonzero((faults != 0) & (before == 0)).tolist()
    return found


def _reason(value: bytes | None, fault: int) -> Reason:
    if fault == _TOO_LARGE:
        return Reason(reasons.TOO_LARGE_FLAT, f"the record is larger than {MOST_BYTES >> 20} MiB once it is flattened")
    if fault == _TOO_DEEP:
        return TOO_DEEP
    return not_json(value)
