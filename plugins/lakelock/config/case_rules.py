"""Rules of `case_sensitive`."""

from __future__ import annotations

from collections.abc import Iterator

from lakelock.config.broken import Broken, Path
from lakelock.config.model import Pipeline
from lakelock.config.table_sections import Table
from lakelock.model.column_types import Column, Text
from lakelock.model.type_notation import parse_type
from lakelock.records.formats import EVOLVING
from lakelock.records.reasons import Unfit
from lakelock.records.spelling import spellings


def case_rules(pipeline: Pipeline, table: Table, at: Path) -> Iterator[Broken]:
    """Where case does not matter, the file has one spelling of each field."""
    if not table.ignores_case:
        return
    here = (*at, "case_sensitive")
    if pipeline.value.format not in EVOLVING:
        message = (
            f"is for records that name their fields (json, connect_json), and value.format is {pipeline.value.format}"
        )
        yield Broken(here, message, (("value", "format"),))
        return
    others = {*pipeline.metadata_columns_by_key.values(), *table.unread, table.rest_column}
    columns = [
        Column(c.name, parse_type(c.type) if c.type else Text())
        for c in (*table.columns, *(table.inputs or ()))
        if c.name not in others
    ]
    try:
        spellings(columns, table.readings, table.dropped)
        spellings((), {}, table.parse_json or ())
    except Unfit as fault:
        yield Broken(here, str(fault))
