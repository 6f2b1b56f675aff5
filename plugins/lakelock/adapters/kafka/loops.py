"""Machine code for the work on each message."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from lakelock.adapters.llvm.machine_code import compiled

_ADDRESS, _COUNT = ctypes.c_void_p, ctypes.c_size_t


@dataclass(frozen=True, slots=True)
class Loops:
    """Functions of addresses: *messages* is an array of pointers to `rd_kafka_message_t`, of which there are *count*. A place
    is 0 unless it has a message that must be ended, whenever Python code runs and so may be interrupted.

    `receive(messages, most, rd_kafka_consume_batch_queue, queue, timeout_ms)` takes up to *most* new ones; how many, or less
    than 0 for a failure.
    `look(messages, count, rd_kafka_message_timestamp, codes, partitions, offsets, timestamps_ms)` reads columns of int32, int32,
    and twice int64.
    `measure(messages, count, field, sizes)` reads the sizes of payloads or keys, -1 for an absent one; *field* is the offset of
    payload or key in a message.
    `copy(messages, count, field, buffer, bounds)` puts each payload or key between its bounds, with a line break as its last
    byte.
    `type_timestamps(messages, count, rd_kafka_message_timestamp, types)` reads the types of timestamps as int32, 0 for a record
    without a timestamp.
    `count_headers(messages, count, rd_kafka_message_headers, rd_kafka_header_get_all, counts, sizes)` reads the numbers of
    headers, -1 if they cannot be read, and adds the bytes of names and those of values to two sizes.
    `copy_headers(messages, count, rd_kafka_message_headers, rd_kafka_header_get_all, counts, names, name_bounds, values,
    value_bounds, absent)` copies as many headers of each message as counted. Bounds have one more entry than there are headers,
    and begin with 0; absent is of bytes, 1 for a header without a value.
    `release(messages, count, rd_kafka_message_destroy)` ends the messages that there are.
    `note` is the address of an error callback; the client's opaque pointer is the address of `Notes`.
    """

    receive: Callable[[int, int, int, int, int], int]
    look: Callable[[int, int, int, int, int, int, int], None]
    measure: Callable[[int, int, int, int], None]
    copy: Callable[[int, int, int, int, int], None]
    type_timestamps: Callable[[int, int, int, int], None]
    count_headers: Callable[[int, int, int, int, int, int], None]
    copy_headers: Callable[[int, int, int, int, int, int, int, int, int, int], None]
    release: Callable[[int, int, int], None]
    note: int
    _engine: Any


@cache
def loops() -> Loops:
    """Compiled for this machine, once in a process. Raises ConnectionFault without the package llvmlite."""
    engine = compiled(__package__, "loops.ll")

    def function(name: str, result: Any, *more: Any) -> Any:
        return ctypes.CFUNCTYPE(result, _ADDRESS, _COUNT, *more)(engine.get_function_address(name))

    return Loops(
        function("receive", ctypes.c_int64, _ADDRESS, _ADDRESS, ctypes.c_int32),
        function("look", None, *[_ADDRESS] * 5),
        function("measure", None, _COUNT, _ADDRESS),
        function("copy", None, _COUNT, *[_ADDRESS] * 2),
        function("type_timestamps", None, *[_ADDRESS] * 2),
        function("count_headers", None, *[_ADDRESS] * 4),
        function("copy_headers", None, *[_ADDRESS] * 8),
        function("release", None, _ADDRESS),
        engine.get_function_address("note"),
        engine,
    )
