"""Classify the sizes of a table's data files: small ones, and their distribution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MIB = 1 << 20
# The default of Spark's rewrite_data_files: files below three quarters of the target size.
SMALL_SHARE = 0.75
# Upper ends of the classes; a last class has no end.
_EDGES_BYTES = (MIB, 8 * MIB, 32 * MIB, 128 * MIB, 384 * MIB)


@dataclass(frozen=True, slots=True)
class Sizes:
    """`spread` counts files below each of `edges_bytes`, and last those above."""

    files: int
    small: int
    size_bytes: int
    small_below_bytes: int
    edges_bytes: tuple[int, ...]
    spread: tuple[int, ...]


def sizes(files: Iterable[int], target_bytes: int) -> Sizes:
    below = round(target_bytes * SMALL_SHARE)
    count = small = total = 0
    spread = [0] * (len(_EDGES_BYTES) + 1)
    for size in files:
        count += 1
        small += size < below
        total += size
        spread[next((i for i, edge in enumerate(_EDGES_BYTES) if size < edge), len(_EDGES_BYTES))] += 1
    return Sizes(count, small, total, below, _EDGES_BYTES, tuple(spread))
