"""Whether a table's columns can take what a pipeline file makes of records."""

from __future__ import annotations

from collections.abc import Sequence

from lakelock.config import Pipeline, Table
from lakelock.config.csv_rules import spare_fields
from lakelock.errors import BadTableDefinition, State, TableUnfit
from lakelock.ingest.evolving import settings_now
from lakelock.ingest.present_names import PresentNames
from lakelock.model.column_types import Column
from lakelock.ports import Tables, TableState
from lakelock.records.metadata import check_metadata
from lakelock.records.readings import check_readings


def fitting(
    pipeline: Pipeline, table: Table, state: TableState, tables: Tables, left: State = State.NOTHING_CHANGED
) -> PresentNames:
    """`settings_now` of an existing table. Raises TableUnfit, which leaves things in state *left*, if they do not fit it."""
    now = settings_now(pipeline, table, state, tables)
    check_fit(pipeline, now, state, left)
    return now


def check_fit(pipeline: Pipeline, now: PresentNames, state: TableState, left: State = State.NOTHING_CHANGED) -> None:
    """`fitting` of settings that are known."""
    try:
        check_columns(pipeline, now.settings, state.columns, left)
    except TableUnfit as fault:
        why = [said for name, said in now.sentences.items() if repr(name) in fault.what]
        raise TableUnfit(" ".join((fault.what, *why)), fault.state, fault.do) from fault


def check_columns(
    pipeline: Pipeline, table: Table, columns: Sequence[Column], state: State = State.NOTHING_CHANGED
) -> None:
    """Raise TableUnfit, which leaves things in *state*, if *columns* and the settings of *table* do not go together."""
    metadata = pipeline.metadata_columns_by_key
    check_metadata(table.name, columns, metadata, state)
    check_readings(
        table.name,
        columns,
        table,
        frozenset(metadata.values()),
        state,
        csv=pipeline.value.options,
        spare=spare_fields(table),
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
