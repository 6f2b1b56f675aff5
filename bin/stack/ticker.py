"""A progress line for long set-up work, before any library can draw one. Standard library only."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator

WIDTH = 24


@contextlib.contextmanager
def shown(what: str, done: Callable[[], int], total: int) -> Iterator[None]:
    """Redraw one line on the terminal's standard error while the block runs; *done* counts up to *total*."""
    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    began = time.monotonic()

    def draw() -> None:
        while not over.wait(0.3):
            count = min(done(), total)
            full = WIDTH * count // total
            bar = "█" * full + "░" * (WIDTH - full)
            print(
                f"\r  {what} {bar} {count}/{total} {time.monotonic() - began:.0f} s ",
                end="",
                file=sys.stderr,
                flush=True,
            )

    thread = threading.Thread(target=draw, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        print("\r\033[K", end="", file=sys.stderr, flush=True)
