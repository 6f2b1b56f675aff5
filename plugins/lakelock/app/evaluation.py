"""Evaluate a table's expressions over some rows, for `check`."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from lakelock.adapters.spark.expression_stage import evaluate, unfit
from lakelock.app.jobs import Job
from lakelock.app.servers import SparkServer
from lakelock.config import Table
from lakelock.errors import State
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type, type_text
from lakelock.records.sql.expressions import Expressions
from lakelock.records.sql.guarded import inputs_of
from lakelock.records.sql.outcomes import result_columns

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lakelock.app.runtime import Runtime

SESSION: SparkServer[SparkSession] = SparkServer("session", lambda session: session)


@dataclass(frozen=True, slots=True)
class _OfTable:
    table: str
    columns: Sequence[Column]
    expressions: Expressions | None


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The results as an Arrow stream in base64; empty without rows."""

    results: str


@dataclass(frozen=True, slots=True)
class Evaluate(Job[Evaluated]):
    """Evaluate the expressions of *table*, whose *columns* have these types.

    *rows* are an Arrow stream in base64, or empty: then Spark only checks the expressions. Raises TableUnfit.
    """

    table: Table
    columns: Mapping[str, str]
    rows: str = ""
    outcome = Evaluated
    server = SESSION

    def run(self, runtime: Runtime, report: Callable[[Evaluated], None]) -> None:
        columns = [Column(name, parse_type(kind)) for name, kind in self.columns.items()]
        target = _OfTable(self.table.name, columns, self.table.expressions)
        session = runtime.on_spark(SESSION)
        if (fault := unfit(session, target, State.NOTHING_CHANGED)) is not None:
            raise fault
        report(Evaluated(_text(evaluate(session, target, _table(self.rows))) if self.rows else ""))


def results(runtime: Runtime, table: Table, columns: Sequence[Column], rows: pa.Table | None = None) -> pa.Table:
    """What the expressions of *table* give for *rows*, if there are any. Raises TableUnfit."""
    expressions = table.expressions
    assert expressions is not None
    types = {c.name: type_text(c.type) for c in columns}
    given = ""
    if rows is not None and rows.num_rows:
        # A table without columns has no rows.
        inputs = inputs_of(expressions)
        given = _text(rows.select(inputs) if inputs else pa.table({"nothing": pa.nulls(rows.num_rows)}))
    (found,) = runtime.run(Evaluate(table, types, given))
    if found.results:
        return _table(found.results)
    return pa.table({name: pa.nulls(0) for name in result_columns(expressions)})


def _text(rows: pa.Table) -> str:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_table(rows)
    return base64.b64encode(sink.getvalue()).decode()


def _table(text: str) -> pa.Table:
    with pa.ipc.open_stream(base64.b64decode(text)) as stream:
        return stream.read_all()
