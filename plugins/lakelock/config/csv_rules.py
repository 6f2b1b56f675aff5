"""Rules for pipelines of delimited text: each table must be filled by the fields of a row."""

from __future__ import annotations

from collections.abc import Iterator

from lakelock.config.broken import Broken, Path
from lakelock.config.column_sections import FieldSettings
from lakelock.config.described_tables import described_tables
from lakelock.config.model import Pipeline
from lakelock.config.table_sections import Table
from lakelock.model.type_notation import parse_type
from lakelock.records.csv.options import CsvOptions
from lakelock.records.csv.row_fields import column_fault, field_name, without_column

_HERE: Path = ("value", "csv")
_NAMES: Path = (*_HERE, "columns")


def csv_rules(pipeline: Pipeline) -> Iterator[Broken]:
    """Rules of `value.csv`, and of each table that its fields fill."""
    options = pipeline.value.options
    if options is None:
        if pipeline.value.csv is not None:
            message = f"is for format csv, and value.format is {pipeline.value.format}"
            yield Broken(_HERE, message, (("value", "format"),))
        return
    for key, message in options.faults():
        yield Broken((*_HERE, key), message, tuple((*_HERE, other) for other in ("delimiter", "quote", "escape")))
    for at, table in described_tables(pipeline):
        yield from _table(pipeline, options, table, at)


def spare_fields(table: Table) -> frozenset[str] | None:
    """Fields that need no column, by name; None if none needs one."""
    return frozenset(map(field_name, table.drop_fields or ())) if table.refuses_new_fields else None


def _table(pipeline: Pipeline, options: CsvOptions, table: Table, at: Path) -> Iterator[Broken]:
    without_field = {*pipeline.metadata_columns_by_key.values(), *table.unread}
    decided_on = (_NAMES, ("value", "format"), ("metadata_columns",))
    taken: list[str] = []
    filled: list[tuple[str, FieldSettings, bool]] = [
        *(("columns", c, c.required) for c in table.columns if c.name not in without_field),
        *(("inputs", c, False) for c in table.inputs or ()),
    ]
    for key, column, required in filled:
        reading = column.reading
        if reading is None or not reading.whole:
            taken.append(column.name if reading is None else field_name(reading.path))
        kind = None if column.type is None else parse_type(column.type)
        if why := column_fault(column.name, kind, required, reading, options):
            yield Broken((*at, key, column.name), why, decided_on)
    if table.declared:
        for name in without_column(taken, options, spare_fields(table)):
            message = (
                f"no column of table {table.name} takes field {name!r}; if it is not wanted, add it to drop_fields"
            )
            yield Broken(_NAMES, message, tuple((*at, key) for key in ("columns", "drop_fields", "new_fields")))
    if table.rest_column is not None:
        message = "format csv has no new fields to keep as JSON: value.csv.columns names them all"
        yield Broken((*at, "new_fields"), message, decided_on)
    for path in table.drop_fields or ():
        if field_name(path) not in options.columns:
            message = f"there is no field {field_name(path)!r} in value.csv.columns"
            yield Broken((*at, "drop_fields"), message, decided_on)
