"""What every format of record values has in common: values in, rows of a table and bad records out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.model.column_types import Column
from lakelock.records.casts import Reading
from lakelock.records.csv.options import CsvOptions
from lakelock.records.csv.splitting import Splitter
from lakelock.records.dead_letters import BadRecord
from lakelock.records.evolution import Evolving
from lakelock.records.infer import InferredSchema
from lakelock.records.json.record_fields import Path
from lakelock.records.json.reshape import Reshape
from lakelock.records.json.scanned import Scanner
from lakelock.records.observed_fields import ObservedField
from lakelock.records.reasons import Reason, Unfit
from lakelock.records.values import Values

if TYPE_CHECKING:
    from lakelock.records.json.quick import Reader
    from lakelock.records.json.reshaped import ReshaperOf

Indexes = npt.NDArray[np.int64]
NONE: Indexes = np.empty(0, np.int64)


def no_rows(schema: pa.Schema) -> pa.Table:
    """The empty table of *schema*; Arrow's own `empty_table` fails for nested extension types, such as a list of uuid."""
    return pa.Table.from_arrays([pa.nulls(0, field.type) for field in schema], schema=schema)


@dataclass(frozen=True, slots=True)
class News:
    """The fields *observed* in records for which columns may change; *first* is the index of such a record."""

    observed: ObservedField
    first: int

    def at(self, indexes: Sequence[int] | Indexes) -> News:
        """The same for values that have these *indexes* among others."""
        return replace(self, first=int(indexes[self.first]))

    def and_also(self, other: News) -> News:
        """With those of *other*, whose values come later or are of another place."""
        both = ObservedField()
        both.add_all(self.observed)
        both.add_all(other.observed)
        return replace(self, observed=both)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Rows of the good records in index order, and *bad* in index order. *good* is None if every value has a row.

    With *news*, rows and bad records are of no use: the values must be decoded again for other columns.
    """

    table: pa.Table
    good: Sequence[int] | None
    bad: Sequence[BadRecord]
    news: News | None = None

    def without(self, indexes: frozenset[int]) -> Decoded:
        """The same without the rows and bad records of *indexes*."""
        if not indexes:
            return self
        good = range(self.table.num_rows) if self.good is None else self.good
        kept = [(row, i) for row, i in enumerate(good) if i not in indexes]
        table = self.table.take(pa.array([row for row, _ in kept], pa.int64()))
        bad = [b for b in self.bad if b.index not in indexes]
        return replace(self, table=table, good=[i for _, i in kept], bad=bad)


@dataclass(frozen=True, slots=True)
class RowShape:
    """The rows that a table takes: its *columns*, and *schema* as Arrow's form of all of them.

    Columns in *skip* (metadata columns) are not read from values and are all null. *rest* is the column for what no other
    takes, but for fields at the paths *dropped*. With *reshape*, JSON is reshaped first. *check* raises Unfit for rows that
    the table cannot hold although each column accepts them. With *evolving*, columns may change with the records. If it
    *ignores_case*, fields fill columns whose names differ in case alone.
    """

    columns: Sequence[Column]
    schema: pa.Schema
    scanner: Scanner
    splitter: Splitter
    zones: Mapping[str, str]
    skip: frozenset[str]
    unknown_fields: str
    readings: Mapping[str, Reading]
    rest: str | None
    dropped: Sequence[Path]
    check: Callable[[pa.Table], None]
    reshape: Reshape | None = None
    reshaper: ReshaperOf | None = None
    reader: Reader | None = None
    evolving: Evolving | None = None
    ignores_case: bool = False

    @property
    def filled(self) -> list[Column]:
        """The columns that values fill."""
        return [c for c in self.columns if c.name not in self.skip]


class Decoder(Protocol):
    """Decodes blocks for one table."""

    @property
    def unknown_fields(self) -> set[str]:
        """Names of fields for which a record was refused."""
        ...

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        """Decode *values* except for those *filtered*; each record is either a row of the table or in `bad`."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A format of record values.

    `decoder` raises Unfit for a table that values of this format cannot fill. `infer` takes values without tombstones, and
    the names of metadata columns; so does `infer_any_case`, for which names that differ in case alone are one: None for a format
    without it. `with_options` makes the format of the options that a pipeline file names, if it has any.
    `together` takes the shapes and decoders of several tables of one topic, and makes decoders that share their work.
    """

    decoder: Callable[[RowShape], Decoder]
    infer: Callable[[Sequence[bytes], Collection[str]], InferredSchema]
    with_options: Callable[[CsvOptions], Format] | None = None
    together: Callable[[Sequence[RowShape], Sequence[Decoder]], list[Decoder]] | None = None
    infer_any_case: Callable[[Sequence[bytes], Collection[str]], InferredSchema] | None = None


def refused_rows(check: Callable[[pa.Table], None], rows: pa.Table) -> dict[int, Reason]:
    """By number, the rows for which *check* raises Unfit; found by halving."""
    found: dict[int, Reason] = {}
    todo = [(0, rows.num_rows)]
    while todo:
        start, end = todo.pop()
        try:
            check(rows.slice(start, end - start))
        except Unfit as fault:
            if end - start == 1:
                found[start] = fault.reason
            else:
                middle = (start + end) // 2
                todo += [(middle, end), (start, middle)]
    return found
