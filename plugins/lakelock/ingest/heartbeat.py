"""Keep an attempt's heartbeat fresh while its slices run, and notice when a newer attempt takes over."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from lakelock.errors import LakelockError
from lakelock.ingest.progress import Progress
from lakelock.ports import Log

logger = logging.getLogger(__name__)

INTERVAL_S = 5.0
# Heartbeats per line in the log.
BEATS_A_LINE = 2
STALE_AFTER_S = 30.0


@contextmanager
def beating(log: Log, batch_id: str, attempt: str, progress: Progress | None = None) -> Iterator[threading.Event]:
    """Send heartbeats; yields an event that is set once a newer attempt holds the batch.

    Logs the progress every ten seconds.
    """
    done, fenced, progress = threading.Event(), threading.Event(), progress or Progress()

    def beat() -> None:
        for number in itertools.count(1):
            if done.wait(INTERVAL_S):
                return
            try:
                line = progress.line
                if line and number % BEATS_A_LINE == 0:
                    logger.info("batch %s: %s", batch_id, line)
                if not log.heartbeat(batch_id, attempt, line):
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
