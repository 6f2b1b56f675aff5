"""Local times of IANA zones for whole arrays, according to Python's zoneinfo.

Arrow 26 ignores the rule that follows the last transition listed in a zone's file (RFC 9636, section 3.3), so its
summer times after 2037 are an hour off.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import cast
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

Micros = npt.NDArray[np.int64]

SECOND_US = 1_000_000
DAY_US = 86_400 * SECOND_US
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# No zone has transitions before the first, and none lists any after the second. From there on, a rule of months and
# weekdays repeats with the calendar, every 400 years.
_FIRST, _LISTED, _LAST = ((datetime(year, 1, 1, tzinfo=UTC) - _EPOCH).days for year in (1830, 2100, 2500))
# Shorter than the shortest time a zone kept an offset: four days (Freetown, 1939); months where only rules apply.
_SAMPLED_DAYS = (*range(_FIRST, _LISTED, 3), *range(_LISTED, _LAST + 1, 14))
_CYCLE_US = 146_097 * DAY_US
# An offset is less than a day: a local time may fall in up to this many spans on either side.
_NEIGHBOURS = range(-2, 3)


class Zone:
    """Spans of constant offset: `starts` are their first instants, `offsets` their distance ahead of UTC."""

    def __init__(self, name: str) -> None:
        zone = ZoneInfo(name)

        def offset(second: int) -> timedelta:
            return cast(timedelta, (_EPOCH + timedelta(seconds=second)).astimezone(zone).utcoffset())

        before = offset(_FIRST * 86_400)
        starts, offsets = [np.iinfo(np.int64).min], [before]
        for day, next_day in pairwise(_SAMPLED_DAYS):
            second, end = day * 86_400, next_day * 86_400
            while offset(end) != before:
                low, high = second, end
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (middle, high) if offset(middle) == before else (low, middle)
                second, before = high, offset(high)
                starts.append(high * SECOND_US)
                offsets.append(before)
        self.starts: Micros = np.array(starts, np.int64)
        self._ends: Micros = np.append(self.starts[1:], np.iinfo(np.int64).max)
        self.offsets: Micros = np.array([o // timedelta(microseconds=1) for o in offsets], np.int64)

    def local(self, instants: Micros) -> Micros:
        """Local times of *instants*, both in microseconds since 1970."""
        within = _within(instants)
        return cast(Micros, instants + self.offsets[np.searchsorted(self.starts, within, "right") - 1])

    def instants(self, local: Micros) -> tuple[Micros, Micros]:
        """One instant per *local* time, and how many it has: 0 if the zone skips the time, 2 if it occurs twice."""
        within = _within(local)
        near = np.searchsorted(self.starts, within, "right") - 1
        out, found = local.copy(), np.zeros(len(local), np.int64)
        for step in _NEIGHBOURS:
            span = near + step
            there = (span >= 0) & (span < len(self.starts))
            span = np.where(there, span, 0)
            instant = within - self.offsets[span]
            there &= (self.starts[span] <= instant) & (instant < self._ends[span])
            out = np.where(there, local - self.offsets[span], out)
            found += there
        return out, found


@cache
def zone(name: str) -> Zone:
    return Zone(name)


def _within(micros: Micros) -> Micros:
    """The same moments in the last calendar cycle that the listed spans cover."""
    beyond = np.maximum(0, (micros - _LAST * DAY_US) // _CYCLE_US + 1)
    return cast(Micros, micros - beyond * _CYCLE_US)
