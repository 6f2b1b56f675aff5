"""Rules of `new_fields`, `new_types` and `drop_fields`."""

from __future__ import annotations

from collections.abc import Iterator

from lakelock.config.broken import Broken, Path
from lakelock.config.model import Pipeline
from lakelock.config.table_sections import Table
from lakelock.records.casts import Reading
from lakelock.records.formats import EVOLVING, FORMATS


def new_fields_rules(pipeline: Pipeline, table: Table, at: Path) -> Iterator[Broken]:
    here = (*at, "new_fields")
    if table.new_fields is not None and table.unknown_fields != "dead_letter":
        yield Broken(here, "give new_fields alone: unknown_fields is its former name", ((*at, "unknown_fields"),))
    of_fields = [c for c in table.columns if c.constant is None]
    taken = {reading.path if (reading := c.reading) else (c.name,): c.name for c in of_fields}
    for path in table.drop_fields or ():
        if path in taken:
            message = f"field {'.'.join(path)!r} fills column {taken[path]!r}"
            yield Broken((*at, "drop_fields"), message, ((*at, "columns", taken[path]),))
    for key in ("new_fields", "new_types"):
        if getattr(table, key) == "evolve" and pipeline.value.format in FORMATS.keys() - EVOLVING:
            message = f"columns evolve with the fields of JSON, and value.format is {pipeline.value.format}"
            yield Broken((*at, key), message, (("value", "format"),))
    rest = table.rest_column
    if rest is None:
        return
    declared = next((c for c in table.columns if c.name == rest), None)
    if rest in pipeline.metadata_columns_by_key.values():
        yield Broken(here, f"column {rest!r} is a metadata column", (("metadata_columns",),))
    elif declared is not None and (declared.required or declared.type not in (None, "string")):
        yield Broken(here, f"column {rest!r} must be an optional string, or left out of columns")
    elif declared is not None and (
        declared.constant is not None or declared.reading not in (None, Reading((rest,), ("json",)))
    ):
        message = f"column {rest!r} takes the fields without a column, so it has no field, cast or constant of its own"
        yield Broken(here, message)
