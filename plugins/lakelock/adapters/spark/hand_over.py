"""Hand an object from one Python worker of a Spark task to the next one, without carrying it through Spark.

The first worker writes it to anonymous memory, and Spark carries a reference. The second worker reads the memory through
the first one's file descriptor, and marks it as taken, so that the first one writes the next object there: the kernel takes
longer for new memory than for the copy. Nothing is left behind when a worker is killed: the kernel frees the memory with its
last descriptor. Both workers are children of one daemon, so they share machine, user and process ids.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

# At the beginning of the memory is the number of the object in it; zero once that is taken.
_HEAD_BYTES = 8
_numbers = count(1)


@dataclass(slots=True, eq=False)
class _Memory:
    """*task* is the number of the last task that used it."""

    descriptor: int
    task: int

    @property
    def is_taken(self) -> bool:
        return _number_in(self.descriptor) == 0


# Of this process. A worker may begin its next task while the second half of the last one still takes objects. Should it still
# do so in the task after that, an object is gone, and never another one in its place.
_memories: list[_Memory] = []
_tasks = count(1)


class HandOver:
    """Objects of one task; those of the task before the last one are forgotten if they were never taken."""

    def __init__(self) -> None:
        self._task = next(_tasks)
        kept = [m for m in _memories if m.task == self._task - 1 and not m.is_taken]
        for memory in _memories:
            if memory not in kept:
                os.close(memory.descriptor)
        _memories[:] = kept

    def put(self, handed_over: object) -> bytes:
        """The reference for `taken`."""
        buffers: list[pickle.PickleBuffer] = []
        head = pickle.dumps(handed_over, protocol=5, buffer_callback=buffers.append)
        if not buffers:
            return pickle.dumps((head, None, []))
        views = [buffer.raw() for buffer in buffers]
        needed = _HEAD_BYTES + sum(view.nbytes for view in views)
        descriptor, number = self._free(), next(_numbers)
        if os.fstat(descriptor).st_size > needed:
            os.ftruncate(descriptor, needed)
        at = _HEAD_BYTES
        for view in views:
            at = _write(descriptor, view, at)
        _mark(descriptor, number)
        place = (os.getpid(), descriptor, os.fstat(descriptor).st_ino, number)
        return pickle.dumps((head, place, [view.nbytes for view in views]))

    def _free(self) -> int:
        for memory in _memories:
            if memory.is_taken:
                memory.task = self._task
                return memory.descriptor
        _memories.append(_Memory(os.memfd_create("lakelock-rows"), self._task))
        return _memories[-1].descriptor


def taken(reference: bytes | memoryview) -> Any:
    """The object, once. Raises FileNotFoundError if it is no longer there."""
    head, place, sizes = pickle.loads(reference)
    if place is None:
        return pickle.loads(head)
    with _opened(*place) as descriptor:
        at, buffers = _HEAD_BYTES, []
        for size in sizes:
            buffers.append(_read(descriptor, size, at))
            at += size
        _mark(descriptor, 0)
    return pickle.loads(head, buffers=buffers)


@contextmanager
def _opened(pid: int, descriptor: int, inode: int, number: int) -> Iterator[int]:
    opened = os.open(f"/proc/{pid}/fd/{descriptor}", os.O_RDWR)
    try:
        if os.fstat(opened).st_ino != inode or _number_in(opened) != number:
            raise FileNotFoundError(f"what process {pid} handed over is no longer there")
        yield opened
    finally:
        os.close(opened)


def _mark(descriptor: int, number: int) -> None:
    os.pwrite(descriptor, number.to_bytes(_HEAD_BYTES, "little"), 0)


def _number_in(descriptor: int) -> int:
    return int.from_bytes(os.pread(descriptor, _HEAD_BYTES, 0), "little")


def _write(descriptor: int, view: memoryview, at: int) -> int:
    """Returns the place behind it."""
    written = 0
    while written < view.nbytes:
        written += os.pwrite(descriptor, view[written:], at + written)
    return at + written


def _read(descriptor: int, size: int, at: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    buffer = np.empty(size, np.uint8)
    view, had = buffer.data, 0
    while had < size:
        more = os.preadv(descriptor, [view[had:]], at + had)
        if not more:
            raise EOFError("what was handed over is cut off")
        had += more
    return buffer
