"""A job in two stages: tasks that run slices and send pieces of records by Spark's shuffle, and tasks that write these.

The results of the slices go through the shuffle as well, as rows beside the pieces: Spark keeps or loses both together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

import pyarrow as pa

from lakelock.adapters.spark.task import OrderT, OutputT, lighten_worker, packed, result_batches, slice_failed
from lakelock.adapters.spark.thrift import Thrifty
from lakelock.errors import LakelockError
from lakelock.ports import Pieces, SentPiece

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SENT_COLUMNS = "bucket long, slice_no long, chunk_no int, body binary"
# Of a piece, which is no chunk of a result.
_PIECE = -1
_SETTINGS = {
    # Of a batch of rows for the second stage. Stages of SQL in the same session have no such limit: a job that sets it at the
    # same moment costs only memory.
    "spark.sql.execution.arrow.maxBytesPerBatch": str(32 << 20),
    # Otherwise a server that lasts keeps the pieces until its JVM collects garbage.
    "spark.sql.connect.shuffleDependency.fileCleanup.enabled": "true",
}


@dataclass(frozen=True, slots=True)
class ShuffleStages(Generic[OrderT, OutputT]):
    """How a job with a shuffle is run; all functions must be importable on the workers.

    *tasks* is the number of those that write, 0 for an order without a shuffle. *run*, *write* and *write_judged* take the place
    of those that return a slice's output: they give its pieces, and the output in the end. *write_sent* writes pieces. *joined*
    makes the outputs of the slices, followed by those of the tasks that wrote, to those of a job without a shuffle.
    """

    tasks: Callable[[OrderT], int]
    run: Callable[[OrderT, int], Iterator[Pieces | OutputT]]
    write: Callable[..., Iterator[Pieces | OutputT]]
    write_judged: Callable[..., Iterator[Pieces | OutputT]]
    write_sent: Callable[[OrderT, int, Iterable[SentPiece]], OutputT]
    joined: Callable[[OrderT, Sequence[OutputT]], list[OutputT]]


def sent_batches(order: Any, slice_no: int, run: Callable[[], object]) -> Iterator[pa.RecordBatch]:
    """What *run* gives, which are pieces and in the end a result, or its lakelock error, as `SENT_COLUMNS`."""
    result: object = None
    try:
        found: Any = run()
        for one in found:
            if isinstance(one, Pieces):
                yield _rows(slice_no, [(bucket, _PIECE, body) for bucket, body in one.numbered])
            else:
                result = one
    except LakelockError as error:
        result = error
    except Exception:
        raise slice_failed(order, slice_no) from None
    # No bucket has a number below zero, and results go to any task.
    yield _rows(slice_no, [(-1 - slice_no, chunk_no, body) for chunk_no, body in enumerate(packed(result))])


def _rows(slice_no: int, rows: Sequence[tuple[int, int, bytes]]) -> pa.RecordBatch:
    buckets, chunks, bodies = zip(*rows, strict=True)
    return pa.RecordBatch.from_pydict(
        {
            "bucket": pa.array(buckets, pa.int64()),
            "slice_no": pa.array([slice_no] * len(rows), pa.int64()),
            "chunk_no": pa.array(chunks, pa.int32()),
            "body": pa.array(bodies, pa.binary()),
        }
    )


def shuffled(
    session: SparkSession, frame: DataFrame, order: OrderT, stages: ShuffleStages[OrderT, OutputT], columns: str
) -> DataFrame:
    """*frame* has `SENT_COLUMNS`; the result has *columns*, which are `RESULT_COLUMNS`."""
    for key, value in _SETTINGS.items():
        session.conf.set(key, value)
    sent = frame.repartition(stages.tasks(order), "bucket")
    return sent.mapInArrow(Thrifty(WriteSentTask(order, stages.write_sent)), columns)


class WriteSentTask(Generic[OrderT, OutputT]):
    """Writes the pieces that Spark passes to it; its result has a number behind those of all slices."""

    def __init__(self, order: OrderT, write_sent: Callable[[OrderT, int, Iterable[SentPiece]], OutputT]) -> None:
        self._order = order
        self._write_sent: Callable[[OrderT, int, Iterable[SentPiece]], OutputT] = write_sent

    def __repr__(self) -> str:
        return "write what slices sent"

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        results: list[pa.RecordBatch] = []
        pieces = _pieces(batches, results)
        if (first := next(pieces, None)) is not None:
            number = len(self._order.slices) + first.bucket
            run = partial(self._write_sent, self._order, number, _with_first(first, pieces))
            yield from result_batches(self._order, number, run)
        # After an error of the task, results of slices are still among the rest.
        for _ in pieces:
            pass
        yield from results
        lighten_worker()


def _with_first(first: SentPiece, rest: Iterator[SentPiece]) -> Iterator[SentPiece]:
    yield first
    yield from rest


def _pieces(batches: Iterable[pa.RecordBatch], results: list[pa.RecordBatch]) -> Iterator[SentPiece]:
    """The pieces of *batches*; rows of results of slices join *results*."""
    for batch in batches:
        buckets, slices, chunks = (batch.column(n).to_pylist() for n in range(3))
        bodies = batch.column(3)
        for i, (bucket, slice_no, chunk_no) in enumerate(zip(buckets, slices, chunks, strict=True)):
            if chunk_no == _PIECE:
                yield SentPiece(bucket, slice_no, memoryview(bodies[i].as_buffer()))
            else:
                row = batch.select([1, 2, 3]).take(pa.array([i]))
                results.append(row)
