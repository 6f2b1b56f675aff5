"""Memory, open files, storage and local disk that the writers of one task share, however many tables it writes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from typing import Protocol

from pyiceberg.io import FileIO, load_file_io

from lakelock.adapters.parquet.dictionaries import SharedChoices
from lakelock.adapters.parquet.spill import Spill
from lakelock.errors import State

# Of all writers together. One table alone writes row groups of a third of it.
BUFFERED_BYTES = 96 << 20
OPEN_FILES = 64


class Sharer(Protocol):
    """A writer. Its errors wait for its own next call: the caller at work here writes another table."""

    def make_room(self) -> None:
        """Empty the buffer."""
        ...

    def close_file(self, key: Hashable) -> None: ...


class WriterBudget:
    """Empties the fullest buffers and closes the files that were not used longest, before the writers' sum is above it."""

    def __init__(
        self,
        buffered_bytes: int = BUFFERED_BYTES,
        open_files: int = OPEN_FILES,
        kept: State = State.PART_PLANNED,
    ) -> None:
        """*kept* is the state for errors of the local disk."""
        self._kept = kept
        self._limit_bytes, self._most_open = buffered_bytes, open_files
        self._buffered: dict[Sharer, int] = {}
        self._buffered_bytes = 0
        self._open: OrderedDict[tuple[Sharer, Hashable], None] = OrderedDict()
        self._spill: Spill | None = None
        self._ios: dict[Hashable, FileIO] = {}
        self.dictionaries = SharedChoices()

    @property
    def disk(self) -> Spill:
        """One file for all tables: a process may open few."""
        if self._spill is None:
            self._spill = Spill(self._kept)
        return self._spill

    def io(self, storage: Mapping[str, str], path: str) -> FileIO:
        """One for all tables in the same storage: it has connections of its own. Raises what PyIceberg does."""
        scheme, colon, _ = path.partition(":")
        key = (tuple(sorted(storage.items())), scheme if colon else "")
        if key not in self._ios:
            self._ios[key] = load_file_io(dict(storage), path)
        return self._ios[key]

    def holds(self, writer: Sharer, buffered_bytes: int) -> None:
        """The size of the writer's buffer now."""
        self._buffered_bytes += buffered_bytes - self._buffered.get(writer, 0)
        self._buffered[writer] = buffered_bytes
        if self._buffered_bytes <= self._limit_bytes:
            return
        # The fullest first, so that few and large pieces are written; half of all, so that it happens rarely.
        for fullest in sorted(self._buffered, key=lambda w: self._buffered[w], reverse=True):
            fullest.make_room()
            self._buffered_bytes -= self._buffered.pop(fullest, 0)
            if self._buffered_bytes <= self._limit_bytes // 2:
                return

    def uses(self, writer: Sharer, key: Hashable) -> None:
        """The writer's file *key* is open, and used now."""
        self._open.pop((writer, key), None)
        self._open[writer, key] = None
        while len(self._open) > self._most_open:
            owner, oldest = next(iter(self._open))
            owner.close_file(oldest)

    def closed(self, writer: Sharer, key: Hashable) -> None:
        self._open.pop((writer, key), None)

    def forget(self, writer: Sharer) -> None:
        """The writer has ended."""
        self._buffered_bytes -= self._buffered.pop(writer, 0)
        for owner, key in list(self._open):
            if owner is writer:
                del self._open[owner, key]

    def close(self) -> None:
        if self._spill is not None:
            self._spill.close()
            self._spill = None
