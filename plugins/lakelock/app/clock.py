"""The machine's clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """The machine's clock. Decisions about attempts use Postgres' clock instead."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()
