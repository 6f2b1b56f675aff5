"""Look up one offset: its state in a table's ledger, and its result in the table."""

from __future__ import annotations

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
