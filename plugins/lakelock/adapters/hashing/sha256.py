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
# Of a type with offsets of 32 bits.
_MOST_BYTES = 2**31 - 1


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
    """The digest of each text or value of bytes: lower-case hexadecimal text, or bytes, as *values* are. Null stays null.

    Raises ArrowInvalid if a type with offsets of 32 bits cannot hold so many.
    """
    is_large = pa.types.is_large_string(values.type) or pa.types.is_large_binary(values.type)
    is_text = pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
    _, offsets, text = values.buffers()
    count = len(values)
    of_type = np.int64 if is_large else np.int32
    own = np.frombuffer(offsets, of_type)[values.offset : values.offset + count + 1] if count else np.zeros(1, of_type)
    bounds = own.astype(np.int64, copy=False)
    width = 2 * _DIGEST if is_text else _DIGEST
    if not is_large and count * width > _MOST_BYTES:
        raise pa.ArrowInvalid(f"{count} digests are too many for {values.type}")
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
    valid = None
    if values.null_count:
        valid = pa.py_buffer(np.packbits(values.is_valid().to_numpy(zero_copy_only=False), bitorder="little"))
    ends = pa.py_buffer(np.arange(0, width * (count + 1), width, dtype=np.int64).astype(of_type))
    return pa.Array.from_buffers(values.type, count, [valid, ends, pa.py_buffer(found)])


def _padded(key: bytes) -> Bytes:
    """The inner and the outer key of HMAC."""
    block = (hashlib.sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
    whole = np.frombuffer(block, np.uint8)
    return np.concatenate([whole ^ 0x36, whole ^ 0x5C])
