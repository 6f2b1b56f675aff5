"""The writing tasks in this process instead of on Spark: for tests of what comes before and after them."""

from __future__ import annotations

from lakelock.executor import write_slice
from lakelock.ports import SliceOutput, WriteOrder


class HereWriter:
    """`lakelock.ports.Writer`: reads Kafka and writes files as a Spark task does, without Spark's two seconds."""

    parallelism = 2

    def interrupt_orphans(self) -> None:
        """Nothing of an attempt outlives its process."""

    def run(self, order: WriteOrder) -> list[SliceOutput]:
        return [write_slice(order, n) for n in range(len(order.slices))]
