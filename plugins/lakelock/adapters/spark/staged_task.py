"""Code inside one Spark task around a stage of SQL: a half that reads and one that writes, each in a worker of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Generic

import pyarrow as pa

from lakelock.adapters.spark.hand_over import HandOver, taken
from lakelock.adapters.spark.shuffled_stage import ShuffleStages
from lakelock.adapters.spark.stage_columns import LEAST_ROWS, input_arrays, result_names
from lakelock.adapters.spark.task import Batches, Order, OrderT, OutputT, lighten_worker, result_batches, slice_failed
from lakelock.errors import LakelockError
from lakelock.model.column_types import Column
from lakelock.ports import Target
from lakelock.records.sql.expressions import Evaluable
from lakelock.records.sql.outcomes import result_columns

Rows = Mapping[str, pa.Table]
# By table, with the columns of `result_columns`, one row for each of its rows.
Results = Mapping[str, pa.Table]
Evaluated = tuple[Any, Results]
# What the first half hands to the second, and the rows of tables that have expressions.
Read = Callable[[OrderT, int], Iterator[tuple[Any, Rows]]]
# The same with the results of the expressions, one for each row.
Write = Callable[[OrderT, int, Iterator[Evaluated]], OutputT]


# A half between two stages: it takes what the first one gives, and hands more to the second.
PassOn = Callable[[OrderT, int, Iterator[Evaluated]], Iterator[tuple[Any, Rows]]]


@dataclass(frozen=True, slots=True)
class RuleHalves(Generic[OrderT, OutputT]):
    """How a slice is run whose rules have predicates: *read* comes before their stage of SQL, and *write* after it.

    If tables have expressions too, *pass_on* comes between the two stages, and the `write` of `Halves` after them.
    """

    read: Read[OrderT]
    write: Write[OrderT, OutputT]
    pass_on: PassOn[OrderT]
    predicates: Callable[[OrderT], Evaluable | None]


@dataclass(frozen=True, slots=True)
class Halves(Generic[OrderT, OutputT]):
    """How a slice is run with a stage of SQL between *read* and *write*, which must be importable on the workers.

    *targets* gives the tables of an order; *routing* is for orders that may have rules with predicates, and *shuffle* for those
    that may have a shuffle.
    """

    read: Read[OrderT]
    write: Write[OrderT, OutputT]
    targets: Callable[[OrderT], Sequence[Target]]
    routing: RuleHalves[OrderT, OutputT] | None = None
    shuffle: ShuffleStages[OrderT, OutputT] | None = None


@dataclass(frozen=True, slots=True)
class _HandedOver:
    """*count* rows travel with it, and hold those of each table."""

    slice_no: int
    count: int
    rows: Mapping[str, int]
    event: Any


class ReadTask(Generic[OrderT]):
    """The first half of the slices whose numbers Spark passes to it.

    *inputs* are those of each table with expressions. As in `SliceTask`, the order is part of the pickled state only.
    """

    def __init__(self, order: OrderT, read: Read[OrderT], inputs: Mapping[str, Sequence[Column]]) -> None:
        self._order = order
        self._read: Read[OrderT] = read
        self._inputs = inputs

    def __repr__(self) -> str:
        return "read slices"

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        hand_over = HandOver()
        for batch in batches:
            for slice_no in batch.column(0).to_pylist():
                handed = partial(self._read, self._order, slice_no)
                yield from _handed_over(self._order, slice_no, hand_over, handed, self._inputs)


class PassOnTask(Generic[OrderT]):
    """The half between two stages; *inputs* are those of the second one. It takes the results of *evaluables*."""

    def __init__(
        self,
        order: OrderT,
        pass_on: PassOn[OrderT],
        evaluables: Sequence[Evaluable],
        inputs: Mapping[str, Sequence[Column]],
    ) -> None:
        self._order = order
        self._pass_on: PassOn[OrderT] = pass_on
        self._evaluables = evaluables
        self._inputs = inputs

    def __repr__(self) -> str:
        return "route slices"

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        hand_over = HandOver()
        for slice_no, events in _events_by_slice(batches, self._evaluables):
            handed = partial(self._pass_on, self._order, slice_no, events)
            yield from _handed_over(self._order, slice_no, hand_over, handed, self._inputs)


def _handed_over(
    order: Order,
    slice_no: int,
    hand_over: HandOver,
    handed: Callable[[], Iterator[tuple[Any, Rows]]],
    inputs: Mapping[str, Sequence[Column]],
) -> Iterator[pa.RecordBatch]:
    try:
        for event, rows in handed():
            yield _batch(hand_over, slice_no, event, rows, inputs)
    except LakelockError as error:
        yield _batch(hand_over, slice_no, error, {}, inputs)
    except Exception:
        raise slice_failed(order, slice_no) from None


def _batch(
    hand_over: HandOver, slice_no: int, event: Any, rows: Rows, inputs: Mapping[str, Sequence[Column]]
) -> pa.RecordBatch:
    counts = {name: table.num_rows for name, table in rows.items()}
    count = max([LEAST_ROWS, *counts.values()])
    reference = hand_over.put(_HandedOver(slice_no, count, counts, event))
    arrays = [pa.concat_arrays([pa.array([reference], pa.binary()), pa.nulls(count - 1, pa.binary())])]
    for table, of_table in inputs.items():
        arrays += input_arrays(of_table, rows.get(table), count)
    return pa.RecordBatch.from_arrays(arrays, names=[str(n) for n in range(len(arrays))])


class WriteTask(Generic[OrderT, OutputT]):
    """The last half: its results are those of `SliceTask`. It takes the results of *evaluables*."""

    def __init__(
        self,
        order: OrderT,
        write: Write[OrderT, OutputT],
        evaluables: Sequence[Evaluable],
        batches: Batches = result_batches,
    ) -> None:
        self._order = order
        self._write: Write[OrderT, OutputT] = write
        self._evaluables = evaluables
        self._batches: Batches = batches

    def __repr__(self) -> str:
        return "write slices"

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for slice_no, events in _events_by_slice(batches, self._evaluables):
            yield from self._batches(self._order, slice_no, partial(self._write, self._order, slice_no, events))
        lighten_worker()


def _events_by_slice(
    batches: Iterable[pa.RecordBatch], evaluables: Sequence[Evaluable]
) -> Iterator[tuple[int, Iterator[Evaluated]]]:
    for slice_no, of_slice in groupby(_evaluated(batches, evaluables), lambda found: found[0]):
        yield slice_no, _without_faults((event, results) for _, event, results in of_slice)


def _without_faults(events: Iterator[Evaluated]) -> Iterator[Evaluated]:
    for event, results in events:
        if isinstance(event, LakelockError):
            raise event
        yield event, results


def _evaluated(batches: Iterable[pa.RecordBatch], targets: Sequence[Evaluable]) -> Iterator[tuple[int, Any, Results]]:
    """What was handed over with its slice and results; Spark cuts the rows into batches of its own."""
    handed_over: _HandedOver | None = None
    chunks: list[pa.RecordBatch] = []
    had = 0
    for batch in batches:
        at = 0
        while at < batch.num_rows:
            if handed_over is None:
                handed_over = taken(batch.column(0)[at].as_py())
            chunk = batch.slice(at, handed_over.count - had)
            chunks.append(chunk)
            at, had = at + chunk.num_rows, had + chunk.num_rows
            if had == handed_over.count:
                results = _results(pa.Table.from_batches(chunks), targets, handed_over.rows)
                yield handed_over.slice_no, handed_over.event, results
                handed_over, chunks, had = None, [], 0


def _results(found: pa.Table, targets: Sequence[Evaluable], rows: Mapping[str, int]) -> Results:
    results = {}
    for number, target in enumerate(targets):
        assert target.expressions is not None
        if target.table in rows:
            own = found.select(result_names(targets, number)).rename_columns(result_columns(target.expressions))
            results[target.table] = own.slice(0, rows[target.table]).combine_chunks()
    return results
