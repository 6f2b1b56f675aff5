"""Headers of messages in memory as one column."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.adapters.kafka.librdkafka import Librdkafka
from lakelock.adapters.kafka.loops import Loops
from lakelock.records.headers import HEADERS, UNREADABLE, name_texts


def read_headers(found: Librdkafka, loops: Loops, place: int, count: int) -> pa.Array:
    """Of type HEADERS, copied: the headers of *count* messages, whose addresses are at *place*.

    librdkafka parses the headers of a message when they are first requested, and keeps them until the message ends.
    """
    functions = found.message_headers, found.header_get_all
    counts, sizes = np.zeros(count, np.int64), np.zeros(2, np.int64)
    loops.count_headers(place, count, *functions, _at(counts), _at(sizes))
    if not counts.any():
        return pa.nulls(count, HEADERS)
    counted = np.maximum(counts, 0)
    total = int(counted.sum())
    names, values = (np.empty(int(size), np.uint8) for size in sizes)
    name_bounds, value_bounds = np.zeros(total + 1, np.int64), np.zeros(total + 1, np.int64)
    absent = np.zeros(total, np.bool_)
    places = [_at(column) for column in (counts, names, name_bounds, values, value_bounds, absent)]
    loops.copy_headers(place, count, *functions, *places)
    nulls = pa.py_buffer(np.packbits(~absent, bitorder="little")) if absent.any() else None
    children = [name_texts(_binary(names, name_bounds, None)), _binary(values, value_bounds, nulls)]
    bounds = np.zeros(count + 1, np.int32)
    np.cumsum(counted, out=bounds[1:])
    headers = pa.StructArray.from_arrays(children, fields=list(HEADERS.value_type))
    column = pa.ListArray.from_arrays(pa.array(bounds), headers, HEADERS, mask=pa.array(counts == 0))
    return column if (counts >= 0).all() else pc.if_else(pa.array(counts < 0), UNREADABLE, column)


def _binary(content: npt.NDArray[np.uint8], bounds: npt.NDArray[np.int64], nulls: pa.Buffer | None) -> pa.Array:
    parts = [nulls, pa.py_buffer(bounds), pa.py_buffer(content)]
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(bounds) - 1, parts).cast(pa.binary())


def _at(column: npt.NDArray[Any]) -> int:
    return int(column.ctypes.data)
