"""Settings of a table in effect, where the pipeline file leaves them to the table."""

from __future__ import annotations

from typing import NewType

from lakelock.config import Pipeline, Table
from lakelock.model.ledger import CREATED_BY
from lakelock.ports import TableState
from lakelock.records.formats import EVOLVING

# A table of the file with `new_fields` and `new_types` as they are in effect.
EffectiveTable = NewType("EffectiveTable", Table)


def effective(pipeline: Pipeline, table: Table, state: TableState | None) -> EffectiveTable:
    """*table* with the settings that the file leaves out, as *state* decides on them; None if lakelock is yet to create it.

    Columns of a table that lakelock created follow the records, if they can: other formats than JSON have no new fields.
    """
    is_created = state is None or CREATED_BY in state.properties
    if not is_created or pipeline.value.format not in EVOLVING:
        return EffectiveTable(table)
    settings = {
        "new_fields": table.new_fields or ("evolve" if table.refuses_new_fields else None),
        "new_types": table.new_types or "evolve",
    }
    return EffectiveTable(table.model_copy(update=settings))
