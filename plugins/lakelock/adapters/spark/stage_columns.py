"""Columns of a stage of SQL, as the halves around it have them: nothing here reads SQL, so a worker needs no parser of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pyarrow as pa

from lakelock.model.column_types import Column
from lakelock.records.sql.expressions import Evaluable
from lakelock.records.sql.outcomes import OWN, result_columns
from lakelock.records.sql.types import arrow_type

# So few references get into one batch of those that Spark cuts for the second half.
LEAST_ROWS = 2_500
EvaluableT = TypeVar("EvaluableT", bound=Evaluable)


def with_expressions(targets: Sequence[EvaluableT]) -> list[EvaluableT]:
    return [t for t in targets if t.expressions is not None]


def result_names(targets: Sequence[Evaluable], number: int) -> list[str]:
    """Names of the columns with the results of a target."""
    expressions = targets[number].expressions
    assert expressions is not None
    return [f"{OWN}{number}_{name}" for name in result_columns(expressions)]


def input_arrays(inputs: Sequence[Column], rows: pa.Table | None, count: int) -> list[pa.Array]:
    """The *inputs* of a target in *rows*, of this *count* with nulls behind the last row."""
    if rows is None:
        return [pa.nulls(count, arrow_type(c.type)) for c in inputs]
    return [_padded(rows.column(c.name), count) for c in inputs]


def _padded(column: pa.ChunkedArray, count: int) -> pa.Array:
    more = count - len(column)
    chunks = [*column.chunks, pa.nulls(more, column.type)] if more else column.chunks
    return pa.chunked_array(chunks, column.type).combine_chunks()
