"""Decide which hours are complete in a table, from its position in each source and the allowed lateness."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

HOUR = timedelta(hours=1)
# Per table and run, because each hour starts a run of a consumer. After a long pause the next runs report the rest.
MAX_HOURS = 24
# The format that Airflow's partition mappers read, in UTC.
_KEY = "%Y-%m-%dT%H:%M:%S"


@dataclass(frozen=True, slots=True)
class SourceProgress:
    """How far a table is in one source; `low_offset` and `high_offset` are Kafka's.

    `position` is the first offset that the table lacks, `lacks_from_ms` the timestamp of the first record from there
    on, None if unknown. `high_offset` counts open transactions.
    """

    position: int
    low_offset: int
    high_offset: int
    lacks_from_ms: int | None = None

    @property
    def has_all(self) -> bool:
        """Whether no record is missing. Open transactions count as missing: their records may be as old as others."""
        return self.position >= self.high_offset


def valid_through(at: datetime, max_lateness: timedelta, standings: Collection[SourceProgress]) -> datetime | None:
    """The time before which every record is in the table; None if unknown.

    *at* must be a time before the requests to Kafka, because later records may be missing.
    """
    if not standings:
        return None
    through = at
    for standing in standings:
        if standing.position < standing.low_offset:
            # Kafka dropped offsets that were not read: its next record is not the one that the table needs next.
            return None
        if standing.has_all:
            continue
        if standing.lacks_from_ms is None:
            return None
        lacks_from = datetime.fromtimestamp(standing.lacks_from_ms / 1000, UTC)
        if lacks_from > at:
            # A timestamp in the future says nothing about the records behind it.
            return None
        through = min(through, lacks_from)
    return through - max_lateness


def complete(through: datetime, reported: datetime | None) -> list[datetime]:
    """Starts of the hours that are over by *through* and come after *reported*, oldest first, at most MAX_HOURS.

    If no hour was reported before, only the newest one: no consumer can have waited for earlier ones.
    """
    newest = through.astimezone(UTC).replace(minute=0, second=0, microsecond=0) - HOUR
    if reported is None:
        return [newest]
    return [reported + n * HOUR for n in range(1, min((newest - reported) // HOUR, MAX_HOURS) + 1)]


def may_be_due(at: datetime, max_lateness: timedelta, reported: datetime | None) -> bool:
    """Whether a table that has every record would have an hour to report."""
    return bool(complete(at - max_lateness, reported))


def key_of(hour: datetime) -> str:
    return hour.astimezone(UTC).strftime(_KEY)


def hour_of(key: str | None) -> datetime | None:
    """The hour of a key; None for text that `key_of` does not write."""
    try:
        hour = datetime.strptime(key or "", _KEY).replace(tzinfo=UTC)
    except ValueError:
        return None
    return hour if key == key_of(hour) and hour == hour.replace(minute=0, second=0) else None
