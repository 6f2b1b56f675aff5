"""Jobs over a Spark session, either of Spark Connect or of a driver."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic

from lakelock.adapters.spark.connect_session import attempt_tag, tags_of
from lakelock.adapters.spark.errors import translated
from lakelock.adapters.spark.expression_stage import evaluated, input_columns, prepare, read_columns, unfit
from lakelock.adapters.spark.shuffled_stage import SENT_COLUMNS, ShuffleStages, sent_batches, shuffled
from lakelock.adapters.spark.stage_columns import with_expressions
from lakelock.adapters.spark.staged_task import Halves, PassOnTask, ReadTask, WriteTask
from lakelock.adapters.spark.task import (
    RESULT_COLUMNS,
    Batches,
    OrderT,
    OutputT,
    RunSlice,
    SliceTask,
    result_batches,
    unpacked,
)
from lakelock.adapters.spark.thrift import Thrifty
from lakelock.errors import LakelockError, Retryable, State, TableUnfit, Terminal
from lakelock.ports import CopyOrder, CopyOutput, RecordsInDoubt, SliceOutput, WriteOrder
from lakelock.records.sql.expressions import Evaluable

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

logger = logging.getLogger(__name__)


class SparkJobs(Generic[OrderT, OutputT]):
    """One Spark task a slice, all slices in one job. Only an order may have a shuffle whose *halves* have stages for it.

    *run_slice* must be importable on the workers. *parallelism* is the number of slices that run at once; by default,
    the number of cores that Spark plans for.
    """

    def __init__(
        self,
        session: SparkSession,
        run_slice: RunSlice[OrderT, OutputT],
        parallelism: int | None = None,
        halves: Halves[OrderT, OutputT] | None = None,
    ) -> None:
        self._session = session
        self._run_slice: RunSlice[OrderT, OutputT] = run_slice
        self._halves = halves
        self._parallelism = parallelism

    @property
    def parallelism(self) -> int:
        if self._parallelism is None:
            self._parallelism = _default_parallelism(self._session)
        return self._parallelism

    def outputs(
        self, order: OrderT, kind: type[OutputT], attempt: str | None = None, tasks: int | None = None
    ) -> list[OutputT]:
        """Run the job; outputs in slice order, then those of tasks that write what slices sent.

        If several slices fail, a terminal error takes precedence.
        """
        if not order.slices:
            return []
        try:
            with _tagged(self._session, attempt):
                table = self.frame(order, tasks).toArrow()
        except Exception as error:
            raise translated(error) from error
        return _of_slices(table, len(order.slices), kind)

    def frame(self, order: OrderT, tasks: int | None = None) -> DataFrame:
        """The job's DataFrame."""
        stages = self._stages(order)
        if stages is None:
            halves = self._halves
            write = None if halves is None else halves.write
            write_judged = None if halves is None or halves.routing is None else halves.routing.write
            return self._frame(
                order, tasks, _Last(self._run_slice, write, write_judged, result_batches, RESULT_COLUMNS)
            )
        last = _Last(stages.run, stages.write, stages.write_judged, sent_batches, SENT_COLUMNS)
        return shuffled(self._session, self._frame(order, tasks, last), order, stages, RESULT_COLUMNS)

    def _stages(self, order: OrderT) -> ShuffleStages[OrderT, OutputT] | None:
        """None for a job without a shuffle."""
        stages = None if self._halves is None else self._halves.shuffle
        return stages if stages is not None and stages.tasks(order) else None

    def _frame(self, order: OrderT, tasks: int | None, last: _Last) -> DataFrame:
        slices = len(order.slices)
        numbers = self._session.range(0, slices, 1, tasks or slices)
        halves = self._halves
        targets = [] if halves is None else with_expressions(halves.targets(order))
        routing = None if halves is None else halves.routing
        predicates = None if routing is None else routing.predicates(order)
        if halves is None or not (targets or predicates):
            return numbers.mapInArrow(Thrifty(SliceTask(order, last.run, last.batches)), last.columns)
        prepare(self._session)
        inputs = {t.table: input_columns(t) for t in targets}

        def written(frame: DataFrame, write: Any, evaluables: Sequence[Evaluable]) -> DataFrame:
            task = WriteTask[Any, Any](order, write, evaluables, last.batches)
            return evaluated(frame, evaluables).mapInArrow(Thrifty(task), last.columns)

        if routing is None or predicates is None:
            read = numbers.mapInArrow(Thrifty(ReadTask(order, halves.read, inputs)), read_columns(targets))
            return written(read, last.write, targets)
        seen = {predicates.table: input_columns(predicates)}
        read = numbers.mapInArrow(Thrifty(ReadTask(order, routing.read, seen)), read_columns([predicates]))
        if not targets:
            return written(read, last.write_judged, [predicates])
        routed = evaluated(read, [predicates]).mapInArrow(
            Thrifty(PassOnTask(order, routing.pass_on, [predicates], inputs)), read_columns(targets)
        )
        return written(routed, last.write, targets)


@dataclass(frozen=True, slots=True)
class _Last:
    """The functions of the last Python stage over slices: without SQL, behind that of tables, and behind that of rules. *batches*
    turns what they return into rows with *columns*."""

    run: Any
    write: Any
    write_judged: Any
    batches: Batches
    columns: str


class SparkWriter(SparkJobs[WriteOrder, SliceOutput]):
    """`ports.Writer`."""

    def interrupt_orphans(self, attempt: str) -> None:
        if (tag := attempt_tag(self._session, attempt)) is None:
            return
        started = time.monotonic()
        if stopped := interrupt(self._session, tag):
            logger.warning("stopped %d Spark operations of attempt %s in %.2f s", stopped, attempt,
                           time.monotonic() - started)  # fmt: skip

    def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
        attempt = attempt_tag(self._session, order.attempt)
        with _reporting(self._session, ended):
            while True:
                try:
                    outputs = self.outputs(order, SliceOutput, attempt)
                    stages = self._stages(order)
                    return outputs if stages is None else stages.joined(order, outputs)
                except RecordsInDoubt as found:
                    logger.warning("%s Trying each record of the batch.", found.what)
                    order = replace(order, in_doubt=order.in_doubt | {found.table})

    def unfit(self, targets: Sequence[Evaluable], state: State) -> dict[str, TableUnfit]:
        found = {t.table: unfit(self._session, t, state) for t in with_expressions(targets)}
        return {table: fault for table, fault in found.items() if fault is not None}


class SparkCopier(SparkJobs[CopyOrder, CopyOutput]):
    """`ports.Copier`."""

    def run(self, order: CopyOrder, ended: Callable[[int], None] = lambda tasks: None) -> list[CopyOutput]:
        with _reporting(self._session, ended):
            return self.outputs(order, CopyOutput, tasks=order.tasks)


def interrupt(session: SparkSession, tag: str) -> int:
    """Stop all operations of the session that carry *tag*, from any client; returns how many."""
    try:
        return len(session.interruptTag(tag))
    except Exception as error:
        raise translated(error) from error


@contextmanager
def _tagged(session: SparkSession, attempt: str | None) -> Iterator[None]:
    """Tag this thread's jobs with the client's tags and that of *attempt*."""
    tags = [*(tags_of(session) or ()), *([attempt] if attempt else [])]
    for tag in tags:
        session.addTag(tag)
    try:
        yield
    finally:
        for tag in tags:
            session.removeTag(tag)


@contextmanager
def _reporting(session: SparkSession, ended: Callable[[int], None]) -> Iterator[None]:
    """Report progress: a Connect server sends the number of finished tasks every two seconds."""
    if not _is_connect(session):
        yield
        return

    def hear(stages: Iterable[Any] | None, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        ended(sum(stage.num_completed_tasks for stage in stages or ()))

    session.registerProgressHandler(hear)
    try:
        yield
    finally:
        session.removeProgressHandler(hear)


def _of_slices(table: pa.Table, slices: int, kind: type[OutputT]) -> list[OutputT]:
    chunks: dict[int, dict[int, bytes]] = {}
    for slice_no, chunk_no, body in zip(*(table.column(n).to_pylist() for n in range(3)), strict=True):
        chunks.setdefault(slice_no, {})[chunk_no] = body
    if sorted(n for n in chunks if n < slices) != list(range(slices)):
        raise Retryable(
            f"Spark returned results of slices {sorted(chunks)}, and {slices} were requested.",
            State.JOB_REPEATED,
        )
    results = [unpacked(body for _, body in sorted(of_slice.items())) for _, of_slice in sorted(chunks.items())]
    faults = [r for r in results if isinstance(r, LakelockError)]
    if faults:
        raise next((f for f in faults if isinstance(f, Terminal)), faults[0])
    found = [r for r in results if isinstance(r, kind)]
    if len(found) != len(results):
        raise TypeError(f"{len(results) - len(found)} of {len(results)} slices returned no {kind.__name__}")
    return found


def _is_connect(session: SparkSession) -> bool:
    return any(c.__module__.startswith("pyspark.sql.connect") for c in type(session).__mro__)


def _default_parallelism(session: SparkSession) -> int:
    if not _is_connect(session):
        return int(session.sparkContext.defaultParallelism)
    # Connect has no SparkContext; a range's plan shows into how many parts Spark would split it.
    try:
        plan: str = session.range(0, 1)._explain_string()
    except Exception as error:
        raise translated(error) from error
    found = re.search(r"splits=(\d+)", plan)
    return int(found[1]) if found else 2
