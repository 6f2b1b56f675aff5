"""Local times of IANA zones as arrays, by the rules that Python's zoneinfo has.

Arrow 26 leaves out the rule behind the last transition that a zone's file lists (RFC 9636, section 3.3), so that its summers
after 2037 are an hour off.
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
# No zone changed before the first, and none lists a transition behind the second. From there on a rule of months and weekdays
# repeats with the calendar, every 400 years.
_FIRST, _LISTED, _LAST = ((datetime(year, 1, 1, tzinfo=UTC) - _EPOCH).days for year in (1830, 2100, 2500))
# Less than the shortest time that a zone kept an offset: four days, Freetown in 1939; where there are only rules, months.
_LOOKS = (*range(_FIRST, _LISTED, 3), *range(_LISTED, _LAST + 1, 14))
_CYCLE_US = 146_097 * DAY_US
# An offset is less than a day: as many spans on either side may hold a local time.
_NEIGHBOURS = range(-2, 3)


class Zone:
    """Spans of one offset each: `starts` are their first instants, `offsets` what their local time is ahead of UTC."""

    def __init__(self, name: str) -> None:
        zone = ZoneInfo(name)

        def offset(second: int) -> timedelta:
            return cast(timedelta, (_EPOCH + timedelta(seconds=second)).astimezone(zone).utcoffset())

        before = offset(_FIRST * 86_400)
        starts, offsets = [np.iinfo(np.int64).min], [before]
        for day, next_day in pairwise(_LOOKS):
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
        """An instant of each *local* time, and how many it has: none where the zone skips it, two where it has it twice."""
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
    """The same moments of the calendar's cycle before the last year that is listed."""
    beyond = np.maximum(0, (micros - _LAST * DAY_US) // _CYCLE_US + 1)
    return cast(Micros, micros - beyond * _CYCLE_US)
