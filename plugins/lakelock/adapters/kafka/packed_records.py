"""Records of blocks packed one behind another, sorted by the number of their table, without a Python object each."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.detached import SentRecords
from lakelock.adapters.llvm.machine_code import compiled
from lakelock.records.headers import HEADERS
from lakelock.records.values import Bounds, Bytes, Values

_ADDRESS, _INTEGER = ctypes.c_void_p, ctypes.c_int64
Indexes = npt.NDArray[np.int64]
# What a packed record does not hold. The types of timestamps are null if they are not wanted.
BESIDE = pa.schema([pa.field("headers", HEADERS), pa.field("types", pa.string())])


class _Texts(ctypes.Structure):
    """`struct texts` of packed.c."""

    _fields_ = [("buffer", _ADDRESS), ("bounds", _ADDRESS), ("absent", _ADDRESS)]


class _Columns(ctypes.Structure):
    """`struct columns` of packed.c."""

    _fields_ = [("partitions", _ADDRESS), ("offsets", _ADDRESS), ("timestamps", _ADDRESS), ("texts", _Texts * 3)]


class _Packing(ctypes.Structure):
    """`struct packing` of packed.c."""

    _fields_ = [
        ("pairs", _INTEGER),
        ("records", _ADDRESS),
        ("tables", _ADDRESS),
        ("columns", _Columns),
        ("counts", _ADDRESS),
        ("sizes", _ADDRESS),
        ("next", _ADDRESS),
        ("rows", _ADDRESS),
    ]


class _Unpacking(ctypes.Structure):
    """`struct unpacking` of packed.c."""

    _fields_ = [
        ("runs", _INTEGER),
        ("places", _ADDRESS),
        ("lengths", _ADDRESS),
        ("records", _ADDRESS),
        ("first", _INTEGER),
        ("counts", _ADDRESS),
        ("bytes", _ADDRESS * 3),
        ("has", _INTEGER * 3),
        ("columns", _Columns),
        ("sources", _ADDRESS),
    ]


@cache
def _functions() -> tuple[list[Callable[[int], None]], Any]:
    engine = compiled(__package__, "packed.ll")
    names = ("measure_packed", "pack_records", "measure_unpacked", "unpack_records")
    return [ctypes.CFUNCTYPE(None, _ADDRESS)(engine.get_function_address(name)) for name in names], engine


@dataclass(frozen=True, slots=True)
class PackedRun:
    """*count* packed records one behind another, and what they do not hold; None: no headers, and no types wanted."""

    rows: Bytes
    count: int
    beside: pa.RecordBatch | None


@dataclass(frozen=True, slots=True)
class PackedRecords:
    """Records of one block sorted by table: those of table `n` begin at byte `starts[n]` of *rows*, and are `firsts[n]` and
    the next ones up to `firsts[n + 1]` of all."""

    rows: Bytes
    starts: Bounds
    firsts: Bounds
    beside: pa.RecordBatch | None

    @property
    def size_bytes(self) -> int:
        beside = 0 if self.beside is None else self.beside.nbytes
        return len(self.rows) + self.starts.nbytes + self.firsts.nbytes + beside

    def run(self, first: int, end: int) -> PackedRun:
        """Those of the tables from *first* to *end*."""
        low, high = int(self.firsts[first]), int(self.firsts[end])
        beside = None if self.beside is None else self.beside.slice(low, high - low)
        return PackedRun(self.rows[self.starts[first] : self.starts[end]], high - low, beside)


def packed(block: Block, records: Indexes, tables: Indexes, count: int, room: Callable[[int], Bytes]) -> PackedRecords:
    """*records* of a `kept` block, by index, for *tables*, which are numbers below *count*; copied to *room* for so many bytes.
    Those of a table stay in order."""
    messages = block.messages
    assert isinstance(messages, SentRecords)
    assert not block.first
    records, tables = np.ascontiguousarray(records, np.int64), np.ascontiguousarray(tables, np.int64)
    partitions, offsets, timestamps = map(np.ascontiguousarray, (block.partitions, block.offsets, block.timestamps_ms))
    texts = [_OfTexts(values) for values in (block.values, messages.sent_keys, block.compressed)]
    columns = _Columns(_at(partitions), _at(offsets), _at(timestamps), _each(of.texts for of in texts))
    firsts, starts = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    packing = _Packing(len(records), _at(records), _at(tables), columns, _at(firsts[1:]), _at(starts[1:]))
    measure, pack = _functions()[0][:2]
    measure(ctypes.addressof(packing))
    np.cumsum(firsts, out=firsts)
    np.cumsum(starts, out=starts)
    rows, following = room(int(starts[-1])), starts[:-1].copy()
    packing.next, packing.rows = _at(following), _at(rows)
    pack(ctypes.addressof(packing))
    return PackedRecords(rows, starts, firsts, _beside(messages, records, tables))


def unpacked(topic: str, runs: Sequence[PackedRun], first: int, end: int) -> tuple[Block, Indexes]:
    """A block of all records of *runs*, which are for tables from *first* to *end*, sorted by table, and where each begins.
    Those of a table stay in order."""
    places = np.array([_at(run.rows) for run in runs], np.uint64)
    lengths, of_runs = np.array([len(run.rows) for run in runs], np.int64), np.zeros(len(runs), np.int64)
    starts = np.zeros(end - first + 1, np.int64)
    bytes_by_table = np.zeros((3, end - first + 1), np.int64)
    unpacking = _Unpacking(
        len(runs),
        _at(places),
        _at(lengths),
        _at(of_runs),
        first,
        _at(starts[1:]),
        (_ADDRESS * 3)(*(_at(sizes[1:]) for sizes in bytes_by_table)),
    )
    measure, unpack = _functions()[0][2:]
    measure(ctypes.addressof(unpacking))
    assert of_runs.tolist() == [run.count for run in runs]
    np.cumsum(starts, out=starts)
    np.cumsum(bytes_by_table, axis=1, out=bytes_by_table)
    count = int(starts[-1])
    texts = [
        _Draft(count, int(sizes[-1]) if has else None)
        for sizes, has in zip(bytes_by_table, (True, *unpacking.has[1:]), strict=True)
    ]
    partitions, offsets, timestamps = np.empty(count, np.int32), np.empty(count, np.int64), np.empty(count, np.int64)
    sources = np.empty(count, np.int64) if any(run.beside is not None for run in runs) else None
    following = starts.copy()
    unpacking.counts, unpacking.bytes = _at(following), (_ADDRESS * 3)(*map(_at, bytes_by_table))
    unpacking.columns = _Columns(_at(partitions), _at(offsets), _at(timestamps), _each(of.texts for of in texts))
    unpacking.sources = None if sources is None else _at(sources)
    unpack(ctypes.addressof(unpacking))
    values, keys, compressed = (of.kept_values for of in texts)
    assert values is not None
    headers = types = None
    if sources is not None:
        beside = joined_beside(runs)
        assert beside is not None
        headers, types = beside.take(pa.array(sources)).columns
    sent = SentRecords(keys, values if compressed is None else compressed, headers, types)
    return Block(topic, sent, values, partitions, offsets, timestamps, 0, compressed), starts


def joined_beside(runs: Sequence[PackedRun]) -> pa.RecordBatch | None:
    """Of all of *runs*, one after another."""
    if all(run.beside is None for run in runs):
        return None
    parts = [_nothing_beside(run.count) if run.beside is None else run.beside for run in runs]
    columns = [pa.concat_arrays([part.column(n) for part in parts]) for n in range(len(BESIDE))]
    return pa.RecordBatch.from_arrays(columns, schema=BESIDE)


def _beside(messages: SentRecords, records: Indexes, tables: Indexes) -> pa.RecordBatch | None:
    """Sorted by table."""
    headers, types = messages.sent_headers, messages.sent_types
    if headers is None and types is None:
        return None
    count = len(messages.sent_values)
    columns = [
        pa.nulls(count, HEADERS) if headers is None else headers,
        pa.nulls(count, pa.string()) if types is None else types,
    ]
    at = records[np.argsort(tables, kind="stable")]
    return pa.RecordBatch.from_arrays([column.take(pa.array(at)) for column in columns], schema=BESIDE)


def _nothing_beside(count: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.nulls(count, field.type) for field in BESIDE], schema=BESIDE)


class _OfTexts:
    """Addresses in *values*, which stay valid as long as this is there."""

    def __init__(self, values: Values | None) -> None:
        self.texts = _Texts()
        if values is not None:
            self._held = values.buffer, np.ascontiguousarray(values.bounds), values.absent
            self.texts = _Texts(*(_at(column) for column in self._held))


class _Draft:
    """Memory for *count* texts that take so many bytes with their line breaks; none for None."""

    def __init__(self, count: int, size_bytes: int | None) -> None:
        self.texts = _Texts()
        self._held: tuple[Any, Any, Any] | None = None
        if size_bytes is not None:
            self._held = np.empty(size_bytes, np.uint8), np.zeros(count + 1, np.int64), np.empty(count, np.bool_)
            self.texts = _Texts(*map(_at, self._held))

    @property
    def kept_values(self) -> Values | None:
        return None if self._held is None else Values(*self._held)


def _each(texts: Iterable[_Texts]) -> Any:
    return (_Texts * 3)(*texts)


def _at(column: npt.NDArray[Any]) -> int:
    return int(column.ctypes.data)
