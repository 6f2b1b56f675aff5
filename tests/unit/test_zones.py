"""Local times of zones against Python's zoneinfo, whose rules they are to have at any date."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import numpy as np
import pytest
from campaigns.draw import seed
from hypothesis import given
from hypothesis import strategies as st
from lakelock.records.local_times import Micros, zone

EPOCH = datetime(1970, 1, 1)
ODD = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Africa/Freetown", "Asia/Gaza",
       "America/Boa_Vista", "Asia/Kathmandu", "EST5EDT", "Pacific/Apia", "Europe/Dublin", "UTC"]  # fmt: skip
CHANCE = seed().chance("zones")
DRAWN = [*ODD[:3], *CHANCE.sample(sorted(available_timezones()), 5)]
MOMENTS = st.datetimes(datetime(1850, 1, 1), datetime(9998, 1, 1))


def micros(*times: datetime) -> Micros:
    return np.array([(t - EPOCH) // timedelta(microseconds=1) for t in times], np.int64)


def moment(value: int) -> datetime:
    return EPOCH + timedelta(microseconds=int(value))


def by_zoneinfo(name: str, instant: datetime) -> datetime:
    return instant.replace(tzinfo=UTC).astimezone(ZoneInfo(name)).replace(tzinfo=None)


def instants_by_zoneinfo(name: str, local: datetime) -> set[datetime]:
    """None where the zone skips it, two where it has it twice (PEP 495)."""
    found = {local.replace(tzinfo=ZoneInfo(name), fold=fold).astimezone(UTC) for fold in (0, 1)}
    return {f.replace(tzinfo=None) for f in found if f.astimezone(ZoneInfo(name)).replace(tzinfo=None) == local}


def check_instants(name: str, times: list[datetime]) -> None:
    found, counts = zone(name).instants(micros(*times))
    for time, value, count in zip(times, found.tolist(), counts.tolist(), strict=True):
        wanted = instants_by_zoneinfo(name, time)
        assert count == len(wanted), (name, time)
        assert not count or moment(value) in wanted, (name, time)


@given(st.sampled_from(ODD), st.lists(MOMENTS, min_size=1, max_size=20))
def test_any_moment_is_what_zoneinfo_says(name: str, times: list[datetime]) -> None:
    assert [moment(v) for v in zone(name).local(micros(*times))] == [by_zoneinfo(name, t) for t in times]
    check_instants(name, times)


@pytest.mark.parametrize("name", DRAWN)
def test_around_each_change_of_offset_times_are_what_zoneinfo_says(name: str) -> None:
    """A few minutes and hours on both sides of it: where the local time is skipped, and where it is there twice."""
    known = zone(name)
    sides = [timedelta(minutes=m) for m in (-1500, -121, -61, -60, -31, -30, -1, 0, 1, 29, 30, 59, 60, 61, 121, 1500)]
    changes = known.starts[1:].tolist()
    for start in CHANCE.sample(changes, min(8, len(changes))):
        times = [moment(start) + s for s in sides]
        assert [moment(v) for v in known.local(micros(*times))] == [by_zoneinfo(name, t) for t in times]
        check_instants(name, [by_zoneinfo(name, t) for t in times] + [t + s for t in times[:2] for s in sides])


@pytest.mark.parametrize("name", DRAWN)
def test_no_change_of_offset_is_passed_over(name: str) -> None:
    noons = [datetime(1900, 1, 1, 12) + timedelta(days=d) for d in range(0, 219_146, 4)]
    assert [moment(v) for v in zone(name).local(micros(*noons))] == [by_zoneinfo(name, t) for t in noons]


def test_summers_after_2037_and_hours_that_are_skipped_or_twice_there() -> None:
    summer, skipped, twice = datetime(2040, 7, 1, 12), datetime(2040, 3, 25, 2, 30), datetime(2040, 10, 28, 2, 30)
    found, counts = zone("Europe/Berlin").instants(micros(summer, skipped, twice))
    assert counts.tolist() == [1, 0, 2]
    assert moment(found[0]) == datetime(2040, 7, 1, 10)
