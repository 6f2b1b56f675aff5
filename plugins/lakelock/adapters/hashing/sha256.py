"""SHA-256 and HMAC-SHA-256 of a column in machine code, without a Python object for a value."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from lakelock.adapters.llvm.machine_code import compiled, has_instructions
from lakelock.records.values import Bytes

_BLOCK, _DIGEST = 64, 32


class _Job(ctypes.Structure):
    """`struct job` of sha256.h."""

    _fields_ = [
        ("text", ctypes.c_void_p),
        ("bounds", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("key", ctypes.c_void_p),
        ("digests", ctypes.c_void_p),
        ("is_hex", ctypes.c_int64),
    ]


@cache
def hash_texts(source: str) -> tuple[Callable[..., None], Any]:
    """The function of this file, and the engine that holds it."""
    engine = compiled(__package__, source, for_host=True)
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.get_function_address("hash_texts")), engine


def digests(values: pa.Array, key: bytes | None) -> pa.Array:
    """The digest of each text or value of bytes: lower-case hexadecimal text, or bytes, as *values* are. Null stays null."""
    is_text = pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
    large = values.cast(pa.large_string() if is_text else pa.large_binary())
    _, offsets, text = large.buffers()
    count = len(large)
    bounds = (
        np.frombuffer(offsets, np.int64)[large.offset : large.offset + count + 1] if count else np.zeros(1, np.int64)
    )
    width = 2 * _DIGEST if is_text else _DIGEST
    found = np.empty((count, width), np.uint8)
    padded = None if key is None else _padded(key)
    job = _Job(
        text.address if text is not None else None,
        bounds.ctypes.data,
        count,
        None if padded is None else padded.ctypes.data,
        found.ctypes.data,
        is_text,
    )
    hash_texts("sha256_x86.ll" if has_instructions("sha") else "sha256.ll")[0](ctypes.addressof(job))
    present = large.is_valid().to_numpy(zero_copy_only=False)
    valid = pa.py_buffer(np.packbits(present, bitorder="little")) if large.null_count else None
    ends = pa.py_buffer(width * np.arange(count + 1, dtype=np.int64))
    return pa.Array.from_buffers(large.type, count, [valid, ends, pa.py_buffer(found)]).cast(values.type)


def _padded(key: bytes) -> Bytes:
    """The inner and the outer key of HMAC."""
    block = (hashlib.sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
    whole = np.frombuffer(block, np.uint8)
    return np.concatenate([whole ^ 0x36, whole ^ 0x5C])
