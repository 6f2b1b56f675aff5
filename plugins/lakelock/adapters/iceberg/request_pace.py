"""Space out requests to a catalog."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class RequestPace:
    """At most *per_second* requests a second, by *tasks* processes together; None: no limit. Thread-safe.

    Requests are spaced evenly: none is saved up for later.
    """

    def __init__(
        self,
        per_second: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.tasks = 1
        self._per_second = per_second
        self._monotonic, self._pause = monotonic, pause
        self._lock = threading.Lock()
        self._next_s = 0.0

    def wait(self) -> None:
        """Return when the next request may be sent."""
        if self._per_second is None:
            return
        with self._lock:
            now_s = self._monotonic()
            turn_s = max(now_s, self._next_s)
            self._next_s = turn_s + self.tasks / self._per_second
        if turn_s > now_s:
            self._pause(turn_s - now_s)
