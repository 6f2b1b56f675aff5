"""Memory of Spark's Python workers while a job runs: each page once, and what one worker hands over to the next."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

INTERVAL_S = 0.05
_DAEMON = re.compile(r"pyspark[./]daemon|lakelock_daemon")


@dataclass
class Peak:
    """The highest sum over all *workers* of one moment. *moments* counts those that had a worker."""

    bytes: int = 0
    workers: int = 0
    moments: int = 0


@contextmanager
def watched() -> Iterator[Peak]:
    """Shared pages count in proportion (PSS), so the sum has each once. It is a lower bound between two moments."""
    peak, ended = Peak(), threading.Event()

    def watch() -> None:
        while not ended.wait(INTERVAL_S):
            found = [n for p in _workers() if (n := _bytes(p))]
            peak.moments += bool(found)
            if sum(found) > peak.bytes:
                peak.bytes, peak.workers = sum(found), len(found)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        ended.set()
        thread.join()


def _workers() -> list[psutil.Process]:
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if process.name() != "java" and any(_DAEMON.search(part) for part in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


def _bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss) + _handed_over_bytes(process.pid)
    except (psutil.Error, OSError):
        return 0


def _handed_over_bytes(pid: int) -> int:
    """Anonymous files of `adapters/spark/hand_over.py`, which no process maps."""
    total = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            if "memfd:lakelock-rows" in os.readlink(descriptor):
                total += os.stat(descriptor).st_blocks * 512
        except OSError:
            continue
    return total
