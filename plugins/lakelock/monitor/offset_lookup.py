"""Look up one offset: its state in a table's ledger, and its result in the table."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

from lakelock.model.coverage import Coverage, Kind
from lakelock.model.offsets import Source


class OffsetStanding(Enum):
    """The state of an offset in a ledger; the value is the text for people."""

    COVERED = "the table has processed it"
    SKIPPED = "left out by a rollback"
    ACCEPTED_LOSS = "declared lost"
    RETIRED = "declared as not to be read"
    REQUESTED = "a backfill will read it"
    BEFORE_START = "before the first offset of the table"
    NOT_YET = "not in the table yet"


class OffsetFate(Enum):
    """The result of an offset that was taken in; the value is the text for people."""

    ROW = "it is a row of the table"
    REDRIVEN = "it is a row of the table, and was a dead letter before: it was redriven"
    DEAD_LETTER = "it is a dead letter"
    NO_RECORD = "it is neither a row nor a dead letter now: Kafka has no record there, or the record was filtered"
    UNKNOWN = "the table's files do not show whether it is a row"

    @property
    def is_row(self) -> bool:
        return self in {OffsetFate.ROW, OffsetFate.REDRIVEN}

    @property
    def at_first(self) -> str:
        """The subject of a sentence about the batch that read the record."""
        return "Its dead letter" if self is OffsetFate.REDRIVEN else "It"


_OF_KIND = {
    Kind.DATA: OffsetStanding.COVERED,
    Kind.SKIPPED: OffsetStanding.SKIPPED,
    Kind.ACCEPTED_LOSS: OffsetStanding.ACCEPTED_LOSS,
    Kind.RETIRED: OffsetStanding.RETIRED,
}


def incarnations(coverage: Coverage, topic: str, partition: int) -> list[Source]:
    """Sources with this name: two if the topic was deleted and created again."""
    return [s for s in coverage if (s.topic, s.partition) == (topic, partition)]


def standing(coverage: Coverage, source: Source, offset: int) -> OffsetStanding:
    covered = coverage[source]
    for interval in covered.intervals:
        if interval.start <= offset < interval.end:
            return _OF_KIND[interval.kind]
    if any(start <= offset < end for start, end in covered.requested):
        return OffsetStanding.REQUESTED
    return OffsetStanding.BEFORE_START if offset < covered.start_offset else OffsetStanding.NOT_YET


def covered(rows: int | None, dead_letters: int | None, *, redriven: bool = False) -> OffsetFate:
    """The result for an offset, from the numbers of its rows and dead letters in the newest snapshots (None: unknown).

    *redriven* is as the ledger says.
    """
    if redriven:
        return OffsetFate.REDRIVEN
    if rows:
        return OffsetFate.ROW
    if dead_letters:
        return OffsetFate.DEAD_LETTER
    return OffsetFate.UNKNOWN if rows is None or dead_letters is None else OffsetFate.NO_RECORD


def about_batches(fates: Collection[OffsetFate | None], *, changed: bool) -> str | None:
    """A sentence before the batches with an offset if these did not write its row; *changed* if a replace did."""
    if OffsetFate.REDRIVEN in fates:
        return "The batch that read it as a dead letter. Its row did not come from a batch:"
    return "The batch that first read it. Its current row comes from a replace:" if changed else None
