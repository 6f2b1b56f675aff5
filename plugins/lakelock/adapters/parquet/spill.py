"""Set rows of many partitions aside on the local disk, so that each partition gets few, well-filled files."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import pyarrow as pa

from lakelock.errors import State, Unreachable


class Spill:
    """Pieces by key, in one unnamed temporary file that vanishes with the process."""

    def __init__(self, kept: State = State.PART_PLANNED) -> None:
        """*kept* is the state for its errors."""
        self._kept = kept
        self._pieces: dict[Hashable, list[tuple[int, int]]] = {}
        self._end_offset = 0
        with self._disk_faults():
            self._file = tempfile.TemporaryFile(prefix="lakelock-spill-", buffering=0)  # noqa: SIM115

    def add(self, key: Hashable, rows: pa.Table) -> None:
        (batch,) = rows.combine_chunks().to_batches()
        self.put(key, [batch.serialize()])

    def put(self, key: Hashable, parts: Sequence[bytes | memoryview | pa.Buffer]) -> None:
        """Add one piece."""
        size = sum(memoryview(part).nbytes for part in parts)
        with self._disk_faults():
            if os.writev(self._file.fileno(), parts) < size:
                # A full disk says so only with the next byte.
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._pieces.setdefault(key, []).append((self._end_offset, size))
        self._end_offset += size

    def drop(self, key: Hashable) -> None:
        """Forget the rows of *key*. Their space on the disk is free once the file is closed."""
        self._pieces.pop(key, None)

    def take(self, key: Hashable, schema: pa.Schema, limit_bytes: int) -> Iterator[pa.Table]:
        """Remove and return the rows of *key* in insertion order, in tables of about *limit_bytes*."""
        batches: list[pa.RecordBatch] = []
        size = 0
        for piece in self.pieces(key):
            batches.append(pa.ipc.read_record_batch(pa.py_buffer(piece), schema))
            size += len(piece)
            if size >= limit_bytes:
                yield pa.Table.from_batches(batches)
                batches, size = [], 0
        if batches:
            yield pa.Table.from_batches(batches)

    def pieces(self, key: Hashable, place: Callable[[int], Any] = bytearray) -> Iterator[memoryview]:
        """Remove and return the pieces of *key* in insertion order, each in memory that *place* gives for its size."""
        with self._disk_faults():
            for offset, length in self._pieces.pop(key, ()):
                piece = memoryview(place(length))
                if os.preadv(self._file.fileno(), [piece], offset) < length:
                    raise OSError(errno.EIO, "a piece is read in part")
                yield piece

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()

    @contextmanager
    def _disk_faults(self) -> Iterator[None]:
        try:
            yield
        except OSError as fault:
            raise Unreachable(
                f"the local disk of a writing task cannot take more than {self._end_offset} bytes in {tempfile.gettempdir()}: "
                f"{fault.strerror}.",
                self._kept,
                "Free space there, set TMPDIR, or lower batch.max_records.",
            ) from fault
