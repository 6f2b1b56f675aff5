"""Keeps an attempt's heartbeat fresh while its slices run, and notices when a newer attempt took over."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from lakelock.errors import LakelockError
from lakelock.ports import Log

logger = logging.getLogger(__name__)

INTERVAL_S = 5.0
STALE_AFTER_S = 30.0


@contextmanager
def beating(log: Log, batch_id: str, attempt: str) -> Iterator[threading.Event]:
    """Yields an event that is set once a newer attempt holds the batch."""
    done, fenced = threading.Event(), threading.Event()

    def beat() -> None:
        while not done.wait(INTERVAL_S):
            try:
                if not log.heartbeat(batch_id, attempt):
                    fenced.set()
                    return
            except LakelockError as fault:
                # A missed beat only lets another run take over earlier; staging is guarded by the attempt itself.
                logger.warning("heartbeat of batch %s missed: %s", batch_id, fault)

    thread = threading.Thread(target=beat, name=f"heartbeat-{batch_id[:8]}", daemon=True)
    thread.start()
    try:
        yield fenced
    finally:
        done.set()
        thread.join()
