"""A batch that makes many small files of a table is reported, with the choices there are."""

from __future__ import annotations

import pytest
from lakelock.ingest import fan_out
from lakelock.ingest.fan_out import MOST_SMALL, SMALL_BYTES


@pytest.mark.parametrize(
    ("small", "large", "reported"),
    [(MOST_SMALL, 1000, False), (MOST_SMALL + 1, 0, True), (0, 100, False), (0, 0, False)],
)
def test_many_small_files_are_reported_and_large_ones_do_not_count(small: int, large: int, reported: bool) -> None:
    said = fan_out.warning("shop.orders", [SMALL_BYTES - 1] * small + [SMALL_BYTES] * large)
    assert bool(said) == reported
    if reported:
        assert said.startswith(f"shop.orders: one batch makes {small} files smaller than 1MiB")
        assert all(word in said for word in ("schedule.batch_every", "transform", "maintenance.every"))
