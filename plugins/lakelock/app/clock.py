"""The clock of the machine."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """The machine's clock; decisions about attempts use Postgres' instead."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()
