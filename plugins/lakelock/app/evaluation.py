"""Evaluate the expressions of a table, or the predicates of rules, over some rows: for `check` and for definitions of tables."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from lakelock.adapters.spark.expression_stage import evaluate, unfit
from lakelock.app.jobs import Job
from lakelock.app.servers import Servers, SparkServer
from lakelock.config import Table
from lakelock.errors import ConfigFaults, State, TableUnfit
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type, type_text
from lakelock.records.routing.predicates import Predicates
from lakelock.records.routing.router import Predicate, Router
from lakelock.records.routing.seen_columns import seen
from lakelock.records.sql.expressions import Evaluable, Expressions
from lakelock.records.sql.guarded import inputs_of
from lakelock.records.sql.outcomes import OUTCOME, result_columns
from lakelock.records.values import Values

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
        report(_evaluated(runtime, target, self.rows))


@dataclass(frozen=True, slots=True)
class Judge(Job[Evaluated]):
    """Evaluate the predicates of rules, by the name of a rule, over *rows* as of `Evaluate`. Raises ConfigFaults."""

    predicates: Mapping[str, Predicate]
    rows: str = ""
    outcome = Evaluated
    server = SESSION

    def run(self, runtime: Runtime, report: Callable[[Evaluated], None]) -> None:
        try:
            report(_evaluated(runtime, Predicates({p: name for name, p in self.predicates.items()}), self.rows))
        except TableUnfit as fault:
            raise ConfigFaults(fault.what, fault.state, fault.do) from fault


Judging = Callable[[Judge], list[Evaluated]]


def check_predicates(run: Judging, predicates: Predicates) -> None:
    """Have Spark check them. Raises ConfigFaults."""
    run(Judge({name: p for p, name in predicates.predicates.items()}))


def verdicts(
    run: Judging, router: Router, values: Values, metadata: Callable[[str], pa.Array]
) -> list[dict[Predicate, str]]:
    """The letters of the router's predicates for each record, as `route_one.route` needs them. Raises ConfigFaults."""
    predicates = Predicates.of(router)
    if predicates is None or not len(values):
        return [{}] * len(values)
    named = {name: p for p, name in predicates.predicates.items()}
    (found,) = run(Judge(named, _text(seen(predicates.columns_seen, values, metadata))))
    return [predicates.verdicts(outcome) for outcome in _table(found.results).column(OUTCOME).to_pylist()]


def outcomes_of(servers: Servers, predicates: Predicates) -> Callable[[pa.Table], pa.Array]:
    """Outcomes of *predicates* for rows of the columns that they see, by this process' Spark. Raises ConfigFaults."""
    session = servers.on_spark(SESSION)
    if (fault := unfit(session, predicates, State.NOTHING_CHANGED)) is not None:
        raise ConfigFaults(fault.what, fault.state, fault.do)
    return lambda rows: evaluate(session, predicates, rows).column(OUTCOME).combine_chunks()


def _evaluated(runtime: Runtime, target: Evaluable, rows: str) -> Evaluated:
    session = runtime.on_spark(SESSION)
    if (fault := unfit(session, target, State.NOTHING_CHANGED)) is not None:
        raise fault
    return Evaluated(_text(evaluate(session, target, _table(rows))) if rows else "")


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
