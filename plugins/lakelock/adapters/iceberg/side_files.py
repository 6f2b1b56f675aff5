"""Immutable files beside the table's metadata, named by digest: configurations, and values too large for a summary."""

from __future__ import annotations

import hashlib
import threading

from cachetools import LRUCache
from pyiceberg.io import FileIO

from lakelock.errors import LedgerUnreadable, State

_DIGEST = "sha256"


def digest_of(text: str) -> str:
    return hashlib.new(_DIGEST, text.encode()).hexdigest()


class SideFiles:
    """Reads and writes side files; caches the texts that this process read or wrote."""

    def __init__(self, entries: int = 16) -> None:
        self._texts: LRUCache[str, str] = LRUCache(entries)
        self._lock = threading.Lock()

    def write(self, io: FileIO, path: str, text: str) -> None:
        """Write the file unless it already has this content.

        A file that a killed process left truncated is overwritten: its name determines its content.
        """
        if self._known(path) == text:
            return
        content = text.encode()
        if _content_if_readable(io, path) != content:
            with io.new_output(path).create(overwrite=True) as stream:
                stream.write(content)
        self._keep(path, text)

    def read(self, io: FileIO, path: str, table: str) -> str:
        """Text of a file whose name ends in `-<digest>.json`; raises LedgerUnreadable if it is gone or differs."""
        known = self._known(path)
        if known is not None:
            return known
        content = _content(io, path)
        if content is None:
            raise LedgerUnreadable(
                f"{table}: {path}, which records the offsets that the table has, is gone.",
                State.NOTHING_CHANGED,
                "Restore that file from the storage's history, or roll the table back to a snapshot whose file is "
                "there.",
            )
        text = content.decode(errors="replace")
        if not path.endswith(f"-{digest_of(text)}.json"):
            raise LedgerUnreadable(
                f"{table}: {path}, which records the offsets that the table has, was changed after it was written (its "
                "digest differs).",
                State.NOTHING_CHANGED,
                "Restore that file, or roll the table back to a snapshot whose file is intact.",
            )
        self._keep(path, text)
        return text

    def _known(self, path: str) -> str | None:
        with self._lock:
            return self._texts.get(path)

    def _keep(self, path: str, text: str) -> None:
        with self._lock:
            self._texts[path] = text


def _content_if_readable(io: FileIO, path: str) -> bytes | None:
    """None also if storage does not reveal that a file is absent: S3 answers 403 without permission to list."""
    try:
        return _content(io, path)
    except OSError:
        return None


def _content(io: FileIO, path: str) -> bytes | None:
    try:
        with io.new_input(path).open() as stream:
            return bytes(stream.read())
    except FileNotFoundError:
        return None
