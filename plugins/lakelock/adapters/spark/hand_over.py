"""Hand an object from one Python worker of a Spark task to the next one, without carrying it through Spark.

The first worker writes it to anonymous memory, and Spark carries a reference. The second worker reads the memory through
the first one's file descriptor, and empties it. Nothing is left behind when a worker is killed: the kernel frees the memory
with its last descriptor. Both workers are children of one daemon, so they share machine, user and process ids.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

# Descriptors of this process, by task in order. A worker may begin its next task while the second half of the last one still
# takes what was handed over, but not the one after.
_of_tasks: list[list[int]] = []


class HandOver:
    """Objects of one task; those of the task before the last one are forgotten if they were never taken."""

    def __init__(self) -> None:
        while len(_of_tasks) > 1:
            for descriptor in _of_tasks.pop(0):
                os.close(descriptor)
        _of_tasks.append([])

    def put(self, handed_over: object) -> bytes:
        """The reference for `taken`."""
        self._close_taken()
        buffers: list[pickle.PickleBuffer] = []
        head = pickle.dumps(handed_over, protocol=5, buffer_callback=buffers.append)
        if not buffers:
            return pickle.dumps((head, None, []))
        descriptor = os.memfd_create("lakelock-rows")
        _of_tasks[-1].append(descriptor)
        views = [buffer.raw() for buffer in buffers]
        for view in views:
            _write(descriptor, view)
        place = (os.getpid(), descriptor, os.fstat(descriptor).st_ino)
        return pickle.dumps((head, place, [view.nbytes for view in views]))

    def _close_taken(self) -> None:
        for descriptors in _of_tasks:
            while descriptors and not os.fstat(descriptors[0]).st_size:
                os.close(descriptors.pop(0))


def taken(reference: bytes | memoryview) -> Any:
    """The object, once."""
    head, place, sizes = pickle.loads(reference)
    if place is None:
        return pickle.loads(head)
    with _opened(*place) as descriptor:
        buffers = [_read(descriptor, size) for size in sizes]
        os.ftruncate(descriptor, 0)
    return pickle.loads(head, buffers=buffers)


@contextmanager
def _opened(pid: int, number: int, inode: int) -> Iterator[int]:
    descriptor = os.open(f"/proc/{pid}/fd/{number}", os.O_RDWR)
    try:
        if os.fstat(descriptor).st_ino != inode:
            raise FileNotFoundError(f"what process {pid} handed over is no longer there")
        yield descriptor
    finally:
        os.close(descriptor)


def _write(descriptor: int, view: memoryview) -> None:
    at = 0
    while at < view.nbytes:
        at += os.write(descriptor, view[at:])


def _read(descriptor: int, size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    buffer = np.empty(size, np.uint8)
    view, at = buffer.data, 0
    while at < size:
        had = os.readv(descriptor, [view[at:]])
        if not had:
            raise EOFError("what was handed over is cut off")
        at += had
    return buffer
