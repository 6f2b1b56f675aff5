"""Readings against the columns that a table has now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lakelock.errors import State, TableUnfit
from lakelock.model.column_types import Column, Text
from lakelock.model.type_notation import type_text
from lakelock.records.casts import Reading, unfit_reading
from lakelock.records.csv.fields import fields_of
from lakelock.records.csv.options import CsvOptions
from lakelock.records.json.shaped import check_together
from lakelock.records.reasons import Unfit

ADVICE = "Fix the table's columns, or the pipeline file: batches keep the settings that they were planned with."


def check_readings(
    table: str,
    columns: Sequence[Column],
    readings: Mapping[str, Reading],
    zones: Mapping[str, str],
    rest: str | None,
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
    by_name = {c.name: c for c in columns}
    for name, reading in readings.items():
        column = by_name.get(name)
        if column is None:
            why = "the file names it, and the table does not have it"
        else:
            why = unfit_reading(column.type, reading, zones.get(name)) or ""
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
    if not readings and rest is None and csv is None:
        return
    try:
        if csv is not None:
            fields_of([c for c in columns if c.name not in metadata], readings, csv, spare)
        else:
            check_together(columns, readings, zones, rest, metadata)
    except Unfit as fault:
        raise TableUnfit(f"table {table}: {fault}.", state, ADVICE) from fault
