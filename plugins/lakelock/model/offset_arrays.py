"""Offset ranges combined with whole columns of offsets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lakelock.model.offsets import OffsetRange, Source

Numbers = npt.NDArray[Any]


def within(offsets: Numbers, ranges: Sequence[OffsetRange]) -> Numbers:
    """Mask of the *offsets* inside any of *ranges*, which are of one source, disjoint and in order."""
    if not ranges:
        return np.zeros(len(offsets), np.bool_)
    starts = np.array([r.start for r in ranges], np.int64)
    ends = np.array([r.end for r in ranges], np.int64)
    at = np.searchsorted(starts, offsets, side="right") - 1
    found: Numbers = (at >= 0) & (offsets < ends[at])
    return found


def ranges_of(source: Source, offsets: Numbers) -> list[OffsetRange]:
    """*offsets* (unique, in any order) as the fewest ranges."""
    if not len(offsets):
        return []
    inorder = np.sort(offsets)
    breaks = np.flatnonzero(np.diff(inorder) != 1) + 1
    starts = inorder[np.concatenate(([0], breaks))]
    ends = inorder[np.concatenate((breaks - 1, [len(inorder) - 1]))] + 1
    return [OffsetRange(source, a, b) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
