"""A table's columns, layout, what its file says otherwise, sample rows and reading instructions, as JSON.

Imports table readers, like `table_answers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from fastapi import HTTPException
from fastapi.responses import Response

from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.layout_notation import layout_of
from lakelock.adapters.iceberg.sampling import sample
from lakelock.adapters.iceberg.snippets import Snippet
from lakelock.apply.applying import steps_for
from lakelock.config import Pipeline
from lakelock.model.evolutions import ColumnsChanged, last_changes
from lakelock.model.schema_lines import SchemaLine, schema_lines
from lakelock.page.answers import view_of
from lakelock.page.json_values import answer, fields
from lakelock.page.logs import Opened

ROWS_SHOWN = 10
# Nested fields count; a browser displays more of them slowly.
COLUMNS_SHOWN = 5_000


def definition(opened: Opened, name: str, tables: IcebergTables, snippets: Sequence[Snippet]) -> Response:
    """Columns, layout and snippets, from the table itself."""
    view_of(opened, name)
    state = tables.load(name, detached=True)
    found = list(schema_lines(state.columns))
    return answer(
        {
            "at": datetime.now(UTC),
            "table": name,
            "location": state.location,
            "layout": layout_of(state),
            "columns": _with_changes(found[:COLUMNS_SHOWN], tables.columns_changed(state)),
            "column_count": len(found),
            "snippets": snippets,
        }
    )


def steps(opened: Opened, name: str, tables: IcebergTables, pipeline: Pipeline) -> Response:
    """What `apply` would do to a table that the file names or routes records to, by the file of the last batch."""
    view_of(opened, name)
    if not pipeline.has_table(name):
        raise HTTPException(404, f"the file of pipeline {opened.view.pipeline!r} does not name table {name}")
    found = steps_for(pipeline, tables.load(name, detached=True), tables)
    return answer({"at": datetime.now(UTC), "table": name, "lines": found.lines, "nothing": found.nothing})


def _with_changes(lines: Sequence[SchemaLine], history: Sequence[ColumnsChanged]) -> list[dict[str, Any]]:
    """Lines, each with the newest change of it that records asked for and that the table still knows."""
    names = [".".join(line.path) for line in lines]
    last = last_changes(names, history)
    out = []
    for name, line in zip(names, lines, strict=True):
        what, changed = last.get(name, (None, None))
        of_it = None if changed is None else {"what": what, "at_ms": changed.at_ms, "record": changed.record}
        shown = {name: value for name, value in fields(line).items() if name != "path"}
        out.append({**shown, "changed": of_it})
    return out


def rows(opened: Opened, name: str, tables: IcebergTables, with_contents: bool) -> Response:
    """Rows of the newest files; without *with_contents* no file is read."""
    view_of(opened, name)
    about = {"at": datetime.now(UTC), "table": name, "hidden": not with_contents}
    if not with_contents:
        return answer({**about, "columns": [], "rows": [], "fields_left_out": 0, "files": [], "why_few": ""})
    found = sample(tables, tables.load(name, detached=True), opened.view.pipeline, ROWS_SHOWN)
    return answer(
        {
            **about,
            "columns": found.sample.columns,
            "rows": found.sample.rows,
            "fields_left_out": found.sample.fields_left_out,
            "files": found.files,
            "why_few": found.why_few,
        }
    )
