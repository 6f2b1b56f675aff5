"""Whether a table's columns can take what a pipeline file makes of records."""

from __future__ import annotations

from collections.abc import Sequence

from lakelock.config import Pipeline
from lakelock.config.csv_rules import spare_fields
from lakelock.errors import BadTableDefinition, State
from lakelock.model.column_types import Column
from lakelock.records.metadata import check_metadata
from lakelock.records.readings import check_readings


def check_columns(
    pipeline: Pipeline, table: str, columns: Sequence[Column], state: State = State.NOTHING_CHANGED
) -> None:
    """Raise TableUnfit, which leaves things in *state*, if the table's *columns* and the file's settings do not go together."""
    metadata = pipeline.metadata_columns_by_key
    check_metadata(table, columns, metadata, state)
    of_file = pipeline.table(table)
    check_readings(
        table,
        columns,
        of_file,
        frozenset(metadata.values()),
        state,
        csv=pipeline.value.options,
        spare=spare_fields(of_file),
    )


def check_inferable(pipeline: Pipeline, table: str) -> None:
    """Raise BadTableDefinition if columns of a new table must be inferred although the file says how to fill some."""
    of_file = pipeline.table(table)
    inputs = {c.name for c in of_file.inputs or ()}
    filled = [n for n in (*of_file.readings, *of_file.constants, *of_file.derived) if n not in inputs]
    if of_file.declared or not filled:
        return
    names = ", ".join(map(repr, filled))
    raise BadTableDefinition(
        f"table {table} does not exist, and its columns with a field, a cast, a constant or SQL have no type: {names}.",
        State.NOTHING_CREATED,
        "Give all columns a type in the pipeline file.",
    )
