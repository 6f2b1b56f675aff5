"""Read the offsets of a batch: once, and once more for tables and columns that only its records ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from lakelock.config import Pipeline
from lakelock.errors import LakelockError
from lakelock.ingest import part_results as parts
from lakelock.ingest.evolve import ColumnChanges, Reread
from lakelock.ingest.jobs import run_jobs
from lakelock.ingest.progress import Progress
from lakelock.ingest.routed_batch import RoutedBatch
from lakelock.ingest.slicing import slices
from lakelock.ingest.tables_to_write import TablesToWrite
from lakelock.model.batches import LIVE, NO_TABLE, Batch, Books
from lakelock.model.offsets import OffsetRange, Source, united, without
from lakelock.ports import Log, SliceOutput, TableOutput, TableState, UnknownTable, WriteOrder, Writer

OrderFor = Callable[[Pipeline, Mapping[str, TableState]], WriteOrder]


@dataclass(slots=True)
class Passes:
    """Passes over one batch, which may end earlier afterwards. *states* are the tables that were written.

    *go_on* is called between two jobs, and raises if another attempt has the batch.
    """

    log: Log
    writer: Writer
    batch: Batch
    parallelism: int
    progress: Progress
    go_on: Callable[[], None]
    states: dict[str, TableState] = field(default_factory=dict)

    def read(
        self,
        order: WriteOrder,
        states: Mapping[str, TableState],
        columns: ColumnChanges,
        routed: RoutedBatch | None,
        prepare: TablesToWrite,
        order_for: OrderFor,
    ) -> Reread:
        """All outputs of the batch, for *states* and for tables that its records are routed to beyond these."""
        self.states = dict(states)
        outputs = self._first(order) if order.slices else [self._nothing(columns.pipeline, states)]
        faults: dict[str, LakelockError] = {}
        if routed is not None and (wanted := routed.wanted(outputs)):
            made, faults = routed.made(wanted, prepare)
            self.states |= made
            columns.pipeline = routed.pipeline
            more = order_for(routed.pipeline, made)
            if routed.collide(wanted):
                # A record of another name is a dead letter, and no row of any other table that its rule names.
                order = replace(_both(order, more), slices=slices(self._ranges, self.parallelism))
                outputs = self._run(order)
                # A table that could not be made may be one for which no record asks, now that it has another name.
                asked = routed.wanted(outputs)
                faults = {name: fault for name, fault in faults.items() if name in asked}
            elif made:
                ranges = ranges_of({name: wanted[name] for name in made})
                outputs += self._again(replace(more, slices=slices(ranges, self.parallelism)))
                outputs.append(_without_records(routed.pipeline, self.batch, more, ranges))
                order = _both(order, more)
        done = columns.reread(order, outputs, self.states, self._again, self.parallelism)
        self.go_on()
        return replace(done, faults={**faults, **done.faults})

    def _first(self, order: WriteOrder) -> list[SliceOutput]:
        ended: dict[Source, int] = {}

        def end_earlier(ends: Mapping[Source, int]) -> bool:
            if self.log.end_earlier(order.batch_id, order.attempt, ends):
                ended.update(ends)
            return bool(ended)

        run = partial(run_jobs, self.writer, order, self.parallelism)
        outputs = run(end_earlier if self.batch.lane == LIVE else None, self.progress, self.go_on)
        self.go_on()
        ranges = (
            replace(p, range=replace(p.range, end=ended.get(p.range.source, p.range.end))) for p in self.batch.ranges
        )
        self.batch = replace(self.batch, ranges=tuple(ranges))
        return outputs

    def _nothing(self, pipeline: Pipeline, states: Mapping[str, TableState]) -> SliceOutput:
        """Of ranges that have no records for any of the tables."""
        books = {n: tuple(Books(r, 0, 0) for r in parts.ranges_of(pipeline, self.batch, n)) for n in states}
        return SliceOutput(0, tuple(TableOutput(name, (), of_table) for name, of_table in books.items()), ())

    def _again(self, order: WriteOrder) -> list[SliceOutput]:
        """Outputs for the targets of *order* alone."""
        if order.router is not None:
            order = replace(order, router=replace(order.router, only=frozenset(t.table for t in order.targets)))
        return rest_of(self._run(order))

    def _run(self, order: WriteOrder) -> list[SliceOutput]:
        outputs = run_jobs(self.writer, order, self.parallelism, progress=self.progress, go_on=self.go_on)
        self.go_on()
        return outputs

    @property
    def _ranges(self) -> list[OffsetRange]:
        return [p.range for p in self.batch.ranges]


def _without_records(pipeline: Pipeline, batch: Batch, order: WriteOrder, read: Sequence[OffsetRange]) -> SliceOutput:
    """What the first pass says of the targets of *order*: they have no records in the ranges that are not *read* again."""
    tables = []
    for target in order.targets:
        others = without(parts.ranges_of(pipeline, batch, target.table), read)
        tables.append(TableOutput(target.table, (), tuple(Books(r, 0, 0) for r in others)))
    return SliceOutput(0, tuple(tables), ())


def _both(order: WriteOrder, more: WriteOrder) -> WriteOrder:
    """*order* with the targets of *more*."""
    return replace(
        order,
        targets=(*order.targets, *more.targets),
        decided={**order.decided, **more.decided},
        lost={**order.lost, **more.lost},
        router=more.router,
    )


def rest_of(outputs: Sequence[SliceOutput]) -> list[SliceOutput]:
    """Outputs of slices that were read again for some tables: what they say of other records was said before."""
    return [
        replace(o, routed=None, dead_letters=tuple(d for d in o.dead_letters if d.table != NO_TABLE)) for o in outputs
    ]


def ranges_of(wanted: Mapping[str, Sequence[UnknownTable]]) -> list[OffsetRange]:
    """The ranges to read again for *wanted* tables."""
    return united(r for every in wanted.values() for one in every for r in one.ranges)
