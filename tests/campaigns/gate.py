"""A gate inside Spark's tasks: one stops there until it is opened, so that a fault meets a job at a known place."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

PATIENCE_S = 60.0


class Gate:
    """Runs slices as Spark's tasks do; each stops *where* ("task before" or "task after" its work) until the gate is open.

    With a stage of SQL, the worker that reads stops before, and the one that writes stops after. With a shuffle, a task that reads
    stops before and after it has sent its records, and one that writes them at a "second task before" or "second task after".

    It travels to the workers by value: they know nothing of this package.
    """

    def __init__(self, folder: str, where: str) -> None:
        self.folder, self.where = folder, where

    def __call__(self, order: Any, slice_no: int) -> Any:
        from lakelock.workers.write import write_slice

        self._at("task before")
        out = write_slice(order, slice_no)
        self._at("task after")
        return out

    def send(self, order: Any, slice_no: int) -> Iterator[Any]:
        from lakelock.workers.shuffled_write import send_slice

        self._at("task before")
        yield from send_slice(order, slice_no)
        self._at("task after")

    def write_sent(self, order: Any, task_no: int, pieces: Any) -> Any:
        from lakelock.workers.shuffled_write import write_sent

        self._at("second task before")
        out = write_sent(order, task_no, pieces)
        self._at("second task after")
        return out

    def read(self, order: Any, slice_no: int) -> Iterator[Any]:
        from lakelock.workers.detached_events import read_detached

        self._at("task before")
        yield from read_detached(order, slice_no)

    def write(self, order: Any, slice_no: int, events: Any) -> Any:
        from lakelock.workers.write import write_read

        out = write_read(order, slice_no, events)
        self._at("task after")
        return out

    def open(self) -> None:
        Path(self.folder, "open").touch()

    def workers(self, timeout_s: float = PATIENCE_S) -> list[int]:
        """The processes of the tasks that stand before it; waits for the first."""
        deadline = time.monotonic() + timeout_s
        while not (found := [int(p.name) for p in Path(self.folder).iterdir() if p.name.isdigit()]):
            if time.monotonic() > deadline:
                raise TimeoutError("no task came to its gate")
            time.sleep(0.01)
        return found

    def _at(self, where: str) -> None:
        if where != self.where:
            return
        Path(self.folder, str(os.getpid())).touch()
        deadline = time.monotonic() + PATIENCE_S
        while not Path(self.folder, "open").exists() and time.monotonic() < deadline:
            time.sleep(0.01)


def gated(writer: Any, gate: Gate) -> Any:
    """The same writer, with the gate in its tasks."""
    from lakelock.adapters.spark.jobs import SparkWriter
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    stages = replace(writer._halves.shuffle, run=gate.send, write_sent=gate.write_sent)
    halves = replace(writer._halves, read=gate.read, write=gate.write, shuffle=stages)
    return SparkWriter(writer._session, gate, halves=halves)
