"""Watch folders for files that are created, changed or deleted."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

POLL_EVERY_S = 0.5
# Called once more this long after the last difference: the listener may have been reading the files at that moment.
SETTLED_S = 5.0
STOP_S = 6.0
Seen = dict[Path, tuple[int, int]]


class FolderWatch:
    """A thread that watches the files directly in *folders*; calls *changed* after each difference and once more."""

    def __init__(self, folders: Sequence[Path], changed: Callable[[], None], *, settled_s: float = SETTLED_S) -> None:
        self._folders = folders
        self._changed = changed
        self._settled_s = settled_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="folder-watch", daemon=True)

    def start(self) -> None:
        """Changes from now on count."""
        self._seen = self.scan()
        self._thread.start()

    def stop(self) -> None:
        """Stop without waiting long, because *changed* may be calling a server that hangs."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(STOP_S)

    def _watch(self) -> None:
        again_at: float | None = None
        while not self._over.wait(POLL_EVERY_S):
            now = self.scan()
            if now != self._seen:
                self._seen, again_at = now, time.monotonic() + self._settled_s
                self._changed()
            elif again_at is not None and time.monotonic() >= again_at:
                again_at = None
                self._changed()

    def scan(self) -> Seen:
        """Times and sizes of the files; subfolders are left out."""
        return {file: known for folder in self._folders for file in _files(folder) if (known := _known(file))}


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except OSError:
        return


def _known(file: Path) -> tuple[int, int] | None:
    """None for a path that is no regular file, has gone, or is a dangling link."""
    try:
        status = file.stat()
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None
