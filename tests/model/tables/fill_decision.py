"""Decide which offsets a table's next part adds to its coverage although no batch has rows of them for the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lakelock.model.batches import Books
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, overlap, without


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about offsets of one table.

    * *implied*: the pipeline's mark says that the table is complete there.
    * *closed*: in batches whose tables are known.
    * *open*: in parts of the table that are not committed, in any lane.
    * *owed*: a rollback removed them from the table, and they are not back.
    * *unlanded*: in batches whose dead letters are not all in the dead-letter table.
    """

    implied: tuple[OffsetRange, ...] = ()
    closed: tuple[OffsetRange, ...] = ()
    open: tuple[OffsetRange, ...] = ()
    owed: tuple[OffsetRange, ...] = ()
    unlanded: tuple[OffsetRange, ...] = ()


def filled(own: Coverage, within: Iterable[OffsetRange], evidence: Evidence) -> list[OffsetRange]:
    """Ranges of *within* that the table lacks and that have no more records for it."""
    known = overlap(within, [*evidence.implied, *evidence.closed])
    return without(known, [*own.ranges, *evidence.open, *evidence.owed, *evidence.unlanded])


def adding(coverage: Coverage, ranges: Iterable[OffsetRange], generation: int) -> Coverage:
    """*coverage* with *ranges*, which have no records for the table."""
    return coverage.adding([Books(r, 0, 0) for r in ranges], {}, generation)
