"""A table's SQL expressions as a stage of a Spark job, between a half that reads and a half that writes.

All three run in one task without a shuffle: rows keep their order, so results find their rows by number alone. A reference
to what the first half hands to the second travels with the first of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lakelock.adapters.spark.errors import condition_of, translated
from lakelock.adapters.spark.result_types import column_type
from lakelock.adapters.spark.stage_columns import input_arrays, result_names
from lakelock.errors import State, TableUnfit
from lakelock.model.column_types import Boolean, Column, Text
from lakelock.model.type_notation import type_text
from lakelock.model.units import one_line
from lakelock.records.readings import ADVICE
from lakelock.records.routing.predicates import Predicates
from lakelock.records.sql.clock_casts import clock_cast
from lakelock.records.sql.expressions import Evaluable, Expressions, quoted
from lakelock.records.sql.guarded import HANDED_OVER, SETTINGS, inputs_of, plain, projections
from lakelock.records.sql.outcomes import OWN, result_columns
from lakelock.records.sql.types import spark_type, takes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark cuts rows into batches for the second half. This number means no limit in bytes: with one, Spark measures the batch
# again for each row, and takes as long for structs as the batch has rows.
_BATCHES = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
}


def input_names(targets: Sequence[Evaluable], number: int) -> list[str]:
    """Names of the columns with the inputs of a target; a struct of them would cost Spark more for each row."""
    return [f"{OWN}{number}_input_{n}" for n, _ in enumerate(input_columns(targets[number]))]


def input_columns(target: Evaluable) -> list[Column]:
    """The columns that a target's expressions need."""
    assert target.expressions is not None
    known = {c.name: c for c in (*target.columns, *target.expressions.inputs)}
    return [known[name] for name in inputs_of(target.expressions)]


def read_columns(targets: Sequence[Evaluable]) -> str:
    """DDL of what the first half gives: what it hands over, and the inputs of each target."""
    inputs = [
        f"{name} {spark_type(column.type)}"
        for number, target in enumerate(targets)
        for name, column in zip(input_names(targets, number), input_columns(target), strict=True)
    ]
    return ", ".join([f"{HANDED_OVER} binary", *inputs])


def evaluated(frame: DataFrame, targets: Sequence[Evaluable]) -> DataFrame:
    """*frame* has `read_columns`; the result has what is handed over, and the results of each target."""
    for number, target in enumerate(targets):
        assert target.expressions is not None
        later = [name for n in range(number + 1, len(targets)) for name in input_names(targets, n)]
        carried = [HANDED_OVER, *later, *(name for n in range(number) for name in result_names(targets, n))]
        names = result_names(targets, number)
        for selected in projections(target.expressions, input_names(targets, number), names, carried):
            frame = frame.selectExpr(*selected)
    return frame


def prepare(session: SparkSession) -> None:
    with warnings.catch_warnings():
        # Some are deprecated: that is why they must have their default.
        warnings.simplefilter("ignore")
        for key, value in (SETTINGS | _BATCHES).items():
            session.conf.set(key, value)


def unfit(session: SparkSession, target: Evaluable, state: State) -> TableUnfit | None:
    """Why Spark cannot evaluate the target's expressions, or a result does not fit; leaves things in *state*."""
    whys = _whys(session, target)
    if whys and isinstance(target, Predicates):
        each = {name: _whys(session, Predicates({p: name})) for p, name in target.predicates.items()}
        whys = [f"{name}: {of_each[0]}" for name, of_each in each.items() if of_each]
        return TableUnfit(f"{'; '.join(whys)}.", state, "Correct the pipeline file.")
    return TableUnfit(f"table {target.table}: {whys[0]}.", state, ADVICE) if whys else None


def _whys(session: SparkSession, target: Evaluable) -> list[str]:
    expressions = target.expressions
    assert expressions is not None
    nulls = [f"cast(null as {spark_type(c.type)}) as {quoted(c.name)}" for c in input_columns(target)]
    query = f"select {', '.join([*nulls, 'true'])}"
    for selected in plain(expressions):
        query = f"select {', '.join(selected)} from ({query})"
    try:
        prepare(session)
        types = [field.dataType for field in session.sql(query).schema.fields]
        plan = session.sql(f"explain extended {query}").toArrow().column(0)[0].as_py()
        whys = [*_by_the_clock(target, plan), *_misfits(target, expressions, types)]
        if not whys:
            # Spark must know the guarded form too.
            _ = evaluated(session.createDataFrame(_given(target, None, 1)), [target]).schema
    except Exception as error:
        why = _of_the_file(error)
        if why is None:
            raise translated(error) from error
        whys = [f"Spark refuses its SQL: {why}"]
    return whys


def _by_the_clock(target: Evaluable, plan: str) -> Iterator[str]:
    assert target.expressions is not None
    analysed = plan.partition("== Analyzed Logical Plan ==")[2].partition("== Optimized Logical Plan ==")[0]
    texts = {c.name for c in (*target.columns, *target.expressions.inputs) if c.type == Text()}
    if (operand := clock_cast(analysed, texts)) is not None:
        instead = "" if target.expressions.tell_each else "an input of type timestamptz, or "
        yield (
            f"its SQL casts {operand!r} to a date or timestamp, which Spark may take for one of the day of the run; use {instead}"
            "to_timestamp with a format"
        )


def _given(target: Evaluable, rows: pa.Table | None, count: int) -> pa.Table:
    """So many rows with the inputs, and nothing that is handed over; Spark refuses a table without rows."""
    arrays = [pa.nulls(count, pa.binary()), *input_arrays(input_columns(target), rows, count)]
    return pa.Table.from_arrays(arrays, [HANDED_OVER, *input_names([target], 0)])


def evaluate(session: SparkSession, target: Evaluable, rows: pa.Table) -> pa.Table:
    """The results of the target's expressions for *rows*, which have their inputs; without a job for reading."""
    assert target.expressions is not None
    if not rows.num_rows:
        return pa.table({name: pa.nulls(0) for name in result_columns(target.expressions)})
    given = _given(target, rows, rows.num_rows)
    try:
        prepare(session)
        found = evaluated(session.createDataFrame(given), [target]).toArrow()
    except Exception as error:
        raise translated(error) from error
    return found.select(result_names([target], 0)).rename_columns(result_columns(target.expressions))


def _misfits(target: Evaluable, expressions: Expressions, types: Sequence[Any]) -> Iterator[str]:
    where, *others = types
    if column_type(where) not in (Boolean(), None):
        yield f"`where` is {where.simpleString()}, and must be boolean"
    columns = {c.name: c for c in target.columns}
    for name, found in zip(expressions.derived, others, strict=False):
        wanted = columns[name].type
        if not takes(wanted, column_type(found)):
            yield (
                f"column {name!r} is {type_text(wanted)}, but its SQL gives {found.simpleString()}; write cast(… as "
                f"{spark_type(wanted)}), which may round, or change its type"
            )
    for check, found in zip(expressions.checks, others[len(expressions.derived) :], strict=True):
        if column_type(found) not in (Boolean(), None):
            what = "its SQL" if expressions.tell_each else f"check {check.name!r}"
            yield f"{what} is {found.simpleString()}, and must be boolean"


def _of_the_file(error: Exception) -> str | None:
    """The first sentence of an error of analysis; None for any other error."""
    from pyspark.errors import AnalysisException

    if not isinstance(error, AnalysisException):
        return None
    text = str(error).partition("JVM stacktrace")[0].partition("\n== SQL")[0].partition("SQLSTATE")[0]
    return one_line(text).strip(" ;.") or condition_of(error)
