"""The writing tasks in this process instead of on Spark: for tests of what comes before and after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lakelock.adapters.parquet.row_copy import copy_files
from lakelock.errors import State, TableUnfit
from lakelock.ports import CopyOrder, CopyOutput, RecordsInDoubt, SliceOutput, WriteOrder
from lakelock.ports.redrive_jobs import RedriveOrder, RedriveOutput
from lakelock.records.sql.expressions import Evaluable
from lakelock.workers.redrive import redrive_dead_letters
from lakelock.workers.write import write_slice

from kits.shuffles import shuffled_outputs


class HereWriter:
    """`lakelock.ports.Writer`: reads Kafka and writes files as a Spark task does, without Spark's two seconds."""

    parallelism = 2

    def interrupt_orphans(self, attempt: str) -> None:
        """Nothing of an attempt outlives its process."""

    def unfit(self, targets: Sequence[Evaluable], state: State) -> dict[str, TableUnfit]:
        raise AssertionError("SQL needs Spark")

    def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
        if order.shuffle is None:
            return [write_slice(order, n) for n in range(len(order.slices))]
        while True:
            try:
                return shuffled_outputs(order)
            except RecordsInDoubt as found:
                order = replace(order, in_doubt=order.in_doubt | {found.table})


class HereCopier:
    """`lakelock.ports.Copier`, in the same way."""

    def run(self, order: CopyOrder, ended: Callable[[int], None] = lambda tasks: None) -> list[CopyOutput]:
        return [copy_files(order, n) for n in range(len(order.slices))]


class HereRedriver:
    """`lakelock.ports.Redriver`, in the same way."""

    parallelism = 2

    def run(self, order: RedriveOrder) -> list[RedriveOutput]:
        return [redrive_dead_letters(order, n) for n in range(len(order.slices))]
