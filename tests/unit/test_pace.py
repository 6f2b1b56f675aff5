"""How much fits into the time and the size of a batch."""

from __future__ import annotations

from lakelock.ingest.pace import offsets_in_size, offsets_in_time
from lakelock.model.log_state import Pace


def test_a_batch_is_smaller_by_what_the_last_ones_took_too_long() -> None:
    assert offsets_in_time([Pace(60_000, 120.0)], 20.0) == 10_000
    assert offsets_in_time([Pace(60_000, 120.0), Pace(90_000, 60.0)], 20.0) == 30_000


def test_a_batch_that_did_not_take_long_lets_the_next_one_be_four_times_as_large() -> None:
    """However long its job took to start: what is measured is the whole attempt."""
    assert offsets_in_time([Pace(10_000, 22.0), Pace(60_000, 120.0)], 20.0) == 40_000
    assert offsets_in_time([Pace(10, 3.0), Pace(60_000, 120.0)], 1.0) == 500


def test_where_none_took_long_nothing_is_bounded() -> None:
    assert offsets_in_time([], 30.0) is None
    assert offsets_in_time([Pace(10, 65.0), Pace(1_000_000, 1.0)], 30.0) is None


def test_a_batch_gets_on_however_slow_or_large_its_records_are() -> None:
    assert offsets_in_time([Pace(1, 600.0)], 30.0) == 1
    assert offsets_in_size(2 << 30, 1 << 30) == 1
    assert offsets_in_size(1024.0, 1 << 20) == 1024
    assert offsets_in_size(0.0, 1 << 20) is None
