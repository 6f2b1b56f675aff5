"""Which hours are complete in a table: from how far it is in each of its sources, and how late a record may come."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

HOUR = timedelta(hours=1)
# One table's in one run: a consumer gets a run for each, and after a long pause the next runs tell the others.
MAX_HOURS = 24
# What Airflow's own partition mappers read, in UTC.
_KEY = "%Y-%m-%dT%H:%M:%S"


@dataclass(frozen=True, slots=True)
class SourceProgress:
    """How far a table is in one source: `position` is the first offset that it lacks, `lacks_from_ms` the timestamp of the
    first record from there on, None where that is not known. The others are of Kafka, `high_offset` beyond open transactions."""

    position: int
    low_offset: int
    high_offset: int
    lacks_from_ms: int | None = None

    @property
    def has_all(self) -> bool:
        """An open transaction is not the table's yet, and its records are no younger than others."""
        return self.position >= self.high_offset


def valid_through(at: datetime, max_lateness: timedelta, standings: Collection[SourceProgress]) -> datetime | None:
    """Every record that is stamped earlier is in the table; None where that cannot be told.

    *at* is before Kafka was asked: what came since may be missing.
    """
    if not standings:
        return None
    through = at
    for standing in standings:
        if standing.position < standing.low_offset:
            # Dropped before it was read: what comes next in Kafka is not what comes next in the table.
            return None
        if standing.has_all:
            continue
        if standing.lacks_from_ms is None:
            return None
        lacks_from = datetime.fromtimestamp(standing.lacks_from_ms / 1000, UTC)
        if lacks_from > at:
            # A stamp that cannot be true says nothing of the records behind it.
            return None
        through = min(through, lacks_from)
    return through - max_lateness


def complete(through: datetime, told: datetime | None) -> list[datetime]:
    """Starts of the hours that are over by *through* and come after *told*, oldest first.

    Where none was ever told, the newest: nobody can have waited for those before it.
    """
    newest = through.astimezone(UTC).replace(minute=0, second=0, microsecond=0) - HOUR
    if told is None:
        return [newest]
    return [told + n * HOUR for n in range(1, min((newest - told) // HOUR, MAX_HOURS) + 1)]


def may_be_due(at: datetime, max_lateness: timedelta, told: datetime | None) -> bool:
    """Whether a table that has everything would have an hour to tell."""
    return bool(complete(at - max_lateness, told))


def key_of(hour: datetime) -> str:
    return hour.astimezone(UTC).strftime(_KEY)


def hour_of(key: str | None) -> datetime | None:
    """None for what `key_of` does not write."""
    try:
        hour = datetime.strptime(key or "", _KEY).replace(tzinfo=UTC)
    except ValueError:
        return None
    return hour if key == key_of(hour) and hour == hour.replace(minute=0, second=0) else None
