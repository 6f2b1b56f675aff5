"""How the rows of a table are distributed among the tasks that write them: Iceberg's `write.distribution-mode`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

DISTRIBUTION_MODE = "write.distribution-mode"
Distribution = Literal["none", "hash"]


def distribution(properties: Mapping[str, str]) -> Distribution | None:
    """None if the table leaves it to lakelock. By range is as by hash: one task writes a table, and sorts its rows."""
    by_mode: Mapping[str, Distribution] = {"none": "none", "hash": "hash", "range": "hash"}
    return by_mode.get(properties.get(DISTRIBUTION_MODE, "").strip().lower())


def has_no_effect(properties: Mapping[str, str], *, may_be_shuffled: bool) -> bool:
    """Whether the table has a mode that there is not, or that needs a shuffle which it may not have."""
    found = distribution(properties)
    return DISTRIBUTION_MODE in properties and (found is None or (found == "hash" and not may_be_shuffled))
