"""Pieces of several parts, each of which begins at a multiple of 8 bytes: arrays and record batches in them are not copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

# Of the number of parts, and of the length of each.
_NUMBER_BYTES = 8


def framed(parts: Sequence[Sequence[Any]]) -> list[Any]:
    """A piece of *parts*, as buffers to write one after the other. Each part is made of buffers without space in between."""
    lengths = [sum(memoryview(buffer).nbytes for buffer in part) for part in parts]
    out: list[Any] = [np.array([len(parts), *lengths], np.int64).tobytes()]
    for part, length in zip(parts, lengths, strict=True):
        out += [*part, bytes(_gap(length))]
    return out


def parts_in(piece: memoryview) -> list[memoryview]:
    """Inverse of `framed`: the parts, which are not copied."""
    count = int.from_bytes(piece[:_NUMBER_BYTES], "little")
    at, out = _NUMBER_BYTES * (count + 1), list[memoryview]()
    for length in np.frombuffer(piece[_NUMBER_BYTES:at], np.int64).tolist():
        out.append(piece[at : at + length])
        at += length + _gap(length)
    return out


def _gap(length: int) -> int:
    return -length % _NUMBER_BYTES
