"""Rules for the SQL expressions of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lakelock.config.broken import Broken, Path
from lakelock.config.described_tables import described_tables
from lakelock.config.model import Pipeline
from lakelock.config.table_sections import Table
from lakelock.model.column_types import Column
from lakelock.records.metadata import with_metadata_columns


def sql_rules(pipeline: Pipeline) -> Iterator[Broken]:
    for at, table in described_tables(pipeline):
        if table.expressions is not None:
            yield from _table(pipeline, table, at)


def _table(pipeline: Pipeline, table: Table, at: Path) -> Iterator[Broken]:
    metadata = pipeline.metadata_columns_by_key
    for column in table.columns:
        if column.sql is None:
            continue
        if column.name in metadata.values():
            yield Broken(
                (*at, "columns", column.name), "is a metadata column, which no SQL fills", (("metadata_columns",),)
            )
        if column.reading or column.constant is not None or column.mask or column.zone:
            message = "has SQL, so it has no zone, field, cast, constant or mask, nor type json"
            yield Broken((*at, "columns", column.name), message)
    names = [*(c.name for c in table.columns), *metadata.values(), *(c.name for c in table.inputs or ())]
    for name in (c.name for c in table.inputs or ()):
        if names.count(name) > 1:
            yield Broken((*at, "inputs", name), "is the name of a column already, which expressions can use")
    for name, count in Counter(c.name for c in table.checks or ()).items():
        if count > 1:
            yield Broken((*at, "checks"), f"check {name!r} is listed {count} times")
    if table.declared and table.expressions is not None:
        from lakelock.records.sql.fit import misfits

        columns: tuple[Column, ...] = with_metadata_columns(
            table.name, table.with_rest_column(table.declared), metadata
        )
        decided_on = tuple((*at, key) for key in ("columns", "inputs", "where", "checks", "new_fields"))
        for misfit in misfits(columns, table.expressions):
            place = (*at, misfit.key) if misfit.name is None else (*at, misfit.key, misfit.name)
            yield Broken(place, misfit.message, (*decided_on, ("metadata_columns",)))
