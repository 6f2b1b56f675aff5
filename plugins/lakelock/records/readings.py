"""Readings against the columns that a table has now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from lakelock.errors import State, TableUnfit
from lakelock.model.column_types import Column, Text
from lakelock.model.type_notation import type_text
from lakelock.records.casts import Reading, unfit_reading
from lakelock.records.constants import unfit_constant
from lakelock.records.csv.options import CsvOptions
from lakelock.records.csv.row_fields import fields_of
from lakelock.records.json.record_fields import Path
from lakelock.records.json.shaped import check_together
from lakelock.records.masks import Mask, unfit_mask
from lakelock.records.reasons import Unfit
from lakelock.records.spelling import spellings
from lakelock.records.sql.expressions import Expressions

ADVICE = "Fix the table's columns, or the pipeline file: the next run then plans these records again with it."


class Filling(Protocol):
    """How the columns of a table are filled, as its pipeline file says."""

    @property
    def readings(self) -> Mapping[str, Reading]: ...
    @property
    def zones(self) -> Mapping[str, str]: ...
    @property
    def rest_column(self) -> str | None: ...
    @property
    def constants(self) -> Mapping[str, str]: ...
    @property
    def masks(self) -> Mapping[str, Mask]: ...
    @property
    def expressions(self) -> Expressions | None: ...
    @property
    def dropped(self) -> Sequence[Path]: ...
    @property
    def ignores_case(self) -> bool: ...


def check_readings(
    table: str,
    columns: Sequence[Column],
    filling: Filling,
    metadata: frozenset[str],
    state: State,
    *,
    csv: CsvOptions | None = None,
    spare: Collection[str] | None = (),
) -> None:
    """Raise TableUnfit if a column that the file names is missing, or cannot take its values, alone or beside others.

    *metadata* names columns that no field fills. For delimited text, *csv* has its options, and *spare* the fields that need no
    column (None: no field needs one).
    """
    expressions = filling.expressions
    if expressions is not None:
        _check_expressions(table, columns, expressions, metadata, state)
        columns = (*columns, *expressions.inputs)
    by_name = {c.name: c for c in columns}
    readings, zones, rest = filling.readings, filling.zones, filling.rest_column
    for name in dict.fromkeys((*readings, *filling.constants, *filling.masks)):
        column = by_name.get(name)
        why = "the file names it, and the table does not have it" if column is None else _unfit(column, filling)
        if why:
            raise TableUnfit(f"table {table}: column {name!r}: {why}.", state, ADVICE)
    column = by_name.get(rest or "")
    if rest is not None and (column is None or column.type != Text() or column.required):
        found = "no such column" if column is None else f"it is {'required ' * column.required}{type_text(column.type)}"
        raise TableUnfit(
            f"table {table}: column {rest!r} takes fields without a column, so it must be an optional string: {found}.",
            state,
            ADVICE,
        )
    if not readings and rest is None and csv is None and not filling.ignores_case:
        return
    try:
        not_read = metadata | filling.constants.keys() | (expressions.derived.keys() if expressions else set())
        if filling.ignores_case:
            spellings((c for c in columns if c.name not in {*not_read, rest}), readings, filling.dropped)
        if csv is not None:
            fields_of([c for c in columns if c.name not in not_read], readings, csv, spare)
        else:
            check_together(columns, readings, zones, rest, not_read)
    except Unfit as fault:
        raise TableUnfit(f"table {table}: {fault}.", state, ADVICE) from fault


def _check_expressions(
    table: str, columns: Sequence[Column], expressions: Expressions, metadata: frozenset[str], state: State
) -> None:
    # Loads a parser of SQL.
    from lakelock.records.sql.fit import misfits

    for misfit in misfits(columns, expressions, metadata):
        entry = misfit.key if misfit.name is None else f"{misfit.key}: {misfit.name!r}"
        raise TableUnfit(f"table {table}: {entry}: {misfit.message}.", state, ADVICE)


def _unfit(column: Column, filling: Filling) -> str | None:
    """Why the column cannot have what the file says of it, as the end of a sentence."""
    name, zone = column.name, filling.zones.get(column.name)
    if name in filling.constants:
        return unfit_constant(column, filling.constants[name], zone)
    unfit = unfit_reading(column.type, filling.readings[name], zone) if name in filling.readings else None
    return unfit or (unfit_mask(column.type, filling.masks[name]) if name in filling.masks else None)
