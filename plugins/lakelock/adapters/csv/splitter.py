"""Split delimited text in machine code, without a Python object for a record or a field."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.adapters.llvm.machine_code import compiled
from lakelock.records.csv.options import CsvOptions
from lakelock.records.csv.splitting import Split
from lakelock.records.values import Flags, Values

_ADDRESS, _INTEGER = ctypes.c_void_p, ctypes.c_int64
Places = npt.NDArray[np.int64]


class _Split(ctypes.Structure):
    """`struct split` of splitter.c."""

    _fields_ = [
        ("records", _INTEGER),
        ("text", _ADDRESS),
        ("bounds", _ADDRESS),
        ("fields", _INTEGER),
        ("delimiter", _INTEGER),
        ("quote", _INTEGER),
        ("escape", _INTEGER),
        ("null_text", ctypes.c_char_p),
        ("null_length", _INTEGER),
        ("special", _ADDRESS),
        ("faults", _ADDRESS),
        ("places", _ADDRESS),
    ]


@cache
def _functions() -> tuple[Callable[..., None], Callable[..., None], Any]:
    engine = compiled(__package__, "splitter.ll")
    split = ctypes.CFUNCTYPE(None, _ADDRESS)(engine.get_function_address("split_records"))
    gather = ctypes.CFUNCTYPE(None, _ADDRESS, _INTEGER, *[_ADDRESS] * 4)(engine.get_function_address("gather_field"))
    return split, gather, engine


def splitter(options: CsvOptions, fields: int) -> Callable[[Values, Flags], Split]:
    """As `lakelock.records.csv.splitting.Splitter`."""
    return _Splitter(options, fields).split


class _Splitter:
    def __init__(self, options: CsvOptions, fields: int) -> None:
        self._options, self._fields = options, fields
        self._null = options.null_text.encode()
        self._special = np.zeros(256, np.uint8)
        for sign in (options.delimiter, options.quote, options.escape, "\r", "\n"):
            if sign is not None:
                self._special[ord(sign)] = 1

    def split(self, values: Values, passed: Flags) -> Split:
        count, fields = len(values), self._fields
        text, bounds = values.buffer, np.ascontiguousarray(values.bounds)
        # With what ends it, each field of a row takes a byte; the split writes one row more, which may be none.
        rows = min(count, int(bounds[-1] - bounds[0]) // fields + 1)
        places = np.empty(rows * (fields + 1), np.int64)
        faults = np.array(passed, np.uint8)
        options = self._options
        split = _Split(
            count,
            text.ctypes.data,
            bounds.ctypes.data,
            fields,
            *(-1 if sign is None else ord(sign) for sign in (options.delimiter, options.quote, options.escape)),
            self._null,
            len(self._null),
            self._special.ctypes.data,
            faults.ctypes.data,
            places.ctypes.data,
        )
        _functions()[0](ctypes.addressof(split))
        good = count - int(np.count_nonzero(faults))
        found = places[: good * (fields + 1)].reshape(good, fields + 1)

        return Split(faults.astype(np.bool_), lambda field: _gathered(split, values, found, field))


def _gathered(split: _Split, values: Values, places: Places, field: int) -> pa.Array:
    """*split* points at the buffer of *values*."""
    assert split.text == values.buffer.ctypes.data
    rows = len(places)
    # As written; without quotes and escapes it is shorter.
    size = int((places[:, field + 1] - places[:, field]).sum())
    to, bounds, absent = np.empty(size, np.uint8), np.empty(rows + 1, np.int64), np.zeros(rows, np.uint8)
    _functions()[1](
        ctypes.addressof(split),
        rows,
        places.ctypes.data + field * places.itemsize,
        to.ctypes.data,
        bounds.ctypes.data,
        absent.ctypes.data,
    )
    present = pa.py_buffer(np.packbits(absent == 0, bitorder="little")) if absent.any() else None
    return pa.LargeStringArray.from_buffers(rows, pa.py_buffer(bounds), pa.py_buffer(to[: bounds[-1]]), present)
