"""A gate inside Spark's tasks: a slice stops there until it is opened, so that a fault meets a job at a known place."""

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
    """Writes a slice as Spark's tasks do; each stops *when* (before or after it is written) until the gate is open.

    With a stage of SQL, the worker that reads stops before, and the one that writes stops after.

    It travels to the workers by value: they know nothing of this package.
    """

    def __init__(self, folder: str, when: str) -> None:
        self.folder, self.when = folder, when

    def __call__(self, order: Any, slice_no: int) -> Any:
        from lakelock.workers.write import write_slice

        if self.when == "before":
            self._stand()
        out = write_slice(order, slice_no)
        if self.when == "after":
            self._stand()
        return out

    def read(self, order: Any, slice_no: int) -> Iterator[Any]:
        from lakelock.workers.detached_events import read_detached

        if self.when == "before":
            self._stand()
        yield from read_detached(order, slice_no)

    def write(self, order: Any, slice_no: int, events: Any) -> Any:
        from lakelock.workers.write import write_read

        out = write_read(order, slice_no, events)
        if self.when == "after":
            self._stand()
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

    def _stand(self) -> None:
        Path(self.folder, str(os.getpid())).touch()
        deadline = time.monotonic() + PATIENCE_S
        while not Path(self.folder, "open").exists() and time.monotonic() < deadline:
            time.sleep(0.01)


def gated(writer: Any, gate: Gate) -> Any:
    """The same writer, with the gate in its tasks."""
    from lakelock.adapters.spark.jobs import SparkWriter
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    return SparkWriter(writer._session, gate, halves=replace(writer._halves, read=gate.read, write=gate.write))
