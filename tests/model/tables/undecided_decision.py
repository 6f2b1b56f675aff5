"""Decide whether a record may still become a row or a dead letter when an attempt reads it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum

from lakelock.model.offsets import OffsetRange, without


class Fate(Enum):
    """What becomes of a record. An attempt stops at one that is ROUTED and fits no table of its own any longer."""

    DEAD_LETTER = "dead letter"
    ROUTED = "routed"
    OPEN = "open"


def fate(
    record: OffsetRange,
    dead_letters: Sequence[OffsetRange],
    complete: Sequence[OffsetRange],
    held: Sequence[OffsetRange],
    closed_dead_letters: Collection[OffsetRange] | None,
) -> Fate:
    """The fate of *record*, which is one offset.

    *dead_letters* are in the dead-letter table or owed by it. *complete* is marked, *held* is in any registered table's own
    coverage. *closed_dead_letters* are of the record's batch, None if that is not closed.
    """
    if not without([record], dead_letters):
        return Fate.DEAD_LETTER
    if closed_dead_letters is not None:
        return Fate.DEAD_LETTER if record in closed_dead_letters else Fate.ROUTED
    decided = not without([record], complete) or not without([record], held)
    return Fate.ROUTED if decided else Fate.OPEN
