"""Decide from the table's own rows whether offsets that Kafka dropped prevent a replace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from lakelock.model.offsets import OffsetRange, Source, overlap
from lakelock.model.table_files import OfTime
from lakelock.model.units import counted

_LATER = (
    "set a start later than the first record that Kafka holds of these partitions; if Kafka holds none, no start helps"
)


def dropped(ranges: Iterable[OffsetRange], lows: Mapping[Source, int]) -> list[OffsetRange]:
    """The pieces of *ranges* that Kafka no longer holds."""
    return overlap(ranges, [OffsetRange(s, 0, low) for s, low in lows.items() if low > 0])


def why_dropped(gone: Sequence[OffsetRange], there: Mapping[int, OfTime], end_ms: int, moment: str | None) -> list[str]:
    """Why rows in the time span cannot be read again, at most one reason; *there* are the table's rows of *gone*.

    Empty if the table has no rows of that time in *gone*: nothing there has to be replaced. *moment* is the table's
    column for Kafka's timestamp.
    """
    sources = sorted({r.source for r in gone if r.source.partition in there})
    if not sources:
        return []
    found = [(s, there[s.partition]) for s in sources]
    rows = ", ".join(
        f"{OffsetRange(s, f.first_offset, f.last_offset + 1)} with {counted(f.rows, 'row')}" for s, f in found
    )
    newest = max((f.newest_ms for _, f in found if f.newest_ms is not None), default=None)
    if moment is None:
        advice = f"the table has no column for Kafka's timestamp, so their time is unknown: {_LATER}"
    elif timeless := sum(f.timeless for _, f in found):
        advice = (
            f"{timeless} of them have no value in column {moment!r}, so their time is unknown: fill the column, or "
            f"{_LATER}"
        )
    elif newest is not None and newest + 1 < end_ms:
        advice = f"set the start to {_moment(newest + 1)} or later: these rows then stay unchanged"
    else:
        advice = "exclude this time: the rows reach to its end"
    return [f"Kafka no longer holds the records of rows of this time: {rows}; {advice}"]


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
