"""When a slice stops to read."""

from __future__ import annotations

import math
import time

from lakelock.ports import WriteOrder


class SliceBudget:
    """Time and bytes left for a slice, from its construction on."""

    def __init__(self, order: WriteOrder) -> None:
        self._until = math.inf if order.slice_s is None else time.monotonic() + order.slice_s
        self._most_bytes = math.inf if order.slice_bytes is None else order.slice_bytes
        self.taken_bytes = 0

    def add(self, taken_bytes: int) -> None:
        self.taken_bytes += taken_bytes

    def is_used_up(self, taken_bytes: int = 0) -> bool:
        """*taken_bytes* are added to those counted so far."""
        return time.monotonic() >= self._until or self.taken_bytes + taken_bytes >= self._most_bytes
