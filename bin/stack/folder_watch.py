"""Says when files of folders come, change or go."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

LOOK_EVERY_S = 0.5
Seen = dict[Path, tuple[int, int]]


class FolderWatch:
    """A thread that looks at the files right in *folders*, and calls *changed* after each difference."""

    def __init__(self, folders: Sequence[Path], changed: Callable[[], None]) -> None:
        self._folders = folders
        self._changed = changed
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="folder-watch", daemon=True)

    def start(self) -> None:
        """What changes from now on counts."""
        self._seen = self.look()
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(LOOK_EVERY_S):
            now = self.look()
            # A file that is written right now is looked at once more.
            if now != self._seen:
                self._seen = now
                self._changed()

    def look(self) -> Seen:
        """Times and sizes of the files; of no folder in a folder."""
        found: Seen = {}
        for folder in self._folders:
            try:
                for file in folder.iterdir():
                    status = file.stat()
                    if stat.S_ISREG(status.st_mode):
                        found[file] = (status.st_mtime_ns, status.st_size)
            except OSError:
                # A file that went while it was looked at, or the folder: the next look says so.
                continue
        return found
