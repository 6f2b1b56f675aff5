"""Says when files of folders come, change or go."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

LOOK_EVERY_S = 0.5
# After so long without a further difference it is said once more: who was told may have been reading the files just then.
SETTLED_S = 5.0
STOP_S = 6.0
Seen = dict[Path, tuple[int, int]]


class FolderWatch:
    """A thread that looks at the files right in *folders*, and calls *changed* after each difference and once more."""

    def __init__(self, folders: Sequence[Path], changed: Callable[[], None], *, settled_s: float = SETTLED_S) -> None:
        self._folders = folders
        self._changed = changed
        self._settled_s = settled_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="folder-watch", daemon=True)

    def start(self) -> None:
        """What changes from now on counts."""
        self._seen = self.look()
        self._thread.start()

    def stop(self) -> None:
        """Does not wait for long: *changed* may ask a server that hangs."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(STOP_S)

    def _watch(self) -> None:
        again_at: float | None = None
        while not self._over.wait(LOOK_EVERY_S):
            now = self.look()
            if now != self._seen:
                self._seen, again_at = now, time.monotonic() + self._settled_s
                self._changed()
            elif again_at is not None and time.monotonic() >= again_at:
                again_at = None
                self._changed()

    def look(self) -> Seen:
        """Times and sizes of the files; of no folder in a folder."""
        return {file: known for folder in self._folders for file in _files(folder) if (known := _known(file))}


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except OSError:
        return


def _known(file: Path) -> tuple[int, int] | None:
    """None for what is no file, went meanwhile, or is a link to nothing."""
    try:
        status = file.stat()
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None
