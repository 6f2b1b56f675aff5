"""How a table's columns may follow its records, by the pipeline file and by what the table was before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NewType

from lakelock.config import Pipeline, Table
from lakelock.model.column_changes import ColumnPath
from lakelock.model.column_types import Column
from lakelock.model.ledger import CREATED_BY
from lakelock.ports import Tables, TableState
from lakelock.records.evolution import Evolving, ignorable
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


@dataclass(frozen=True, slots=True)
class PastFields:
    """Fields of records that the table had columns for, by names that no column has now.

    Those *left_out* were dropped on purpose; a column that was dropped within a list or map is not among them: its field is
    refused. Values under a *renamed* name go to the column that has another name now, if the column is optional and the
    file does not say how to fill it.
    """

    left_out: tuple[ColumnPath, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


NO_PAST = PastFields()


def past_fields(table: EffectiveTable, state: TableState, tables: Tables) -> PastFields:
    """Empty unless new fields get columns: otherwise `new_fields` says what becomes of all of them."""
    if not table.adds_columns:
        return NO_PAST
    past = tables.past_columns(state)
    decided = {*table.readings, *table.unread, *table.masks, *(r.path[0] for r in table.readings.values() if r.path)}
    free = {c.name for c in state.columns if not c.required} - decided
    renamed = {
        old[0]: new[0]
        for old, new in sorted(past.renamed.items())
        if len(old) == len(new) == 1 and new[0] in free and old[0] not in decided
    }
    # Of a column that was renamed twice, each name may still be in records.
    return PastFields(tuple(ignorable(state.columns, past.dropped)), renamed)


def evolving_of(
    pipeline: Pipeline,
    table: EffectiveTable,
    columns: Sequence[Column],
    identifier_columns: Sequence[str] = (),
    gone: Collection[ColumnPath] = (),
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Evolving | None:
    """How *columns* of *table* may change; None if they may not. Those *gone* are not added again."""
    if not table.evolves:
        return None
    inputs = table.expressions.inputs if table.expressions else ()
    taken = (table.readings[c.name].path if c.name in table.readings else (c.name,) for c in inputs)
    return Evolving(
        columns=tuple(columns),
        new_fields=table.adds_columns,
        new_types=table.new_types == "evolve",
        declared={c.name: c.type for c in table.declared},
        kept_required=frozenset((*identifier_columns, *(c.name for c in table.columns if c.required))),
        readings=table.readings,
        unread=frozenset((*pipeline.metadata_columns_by_key.values(), *table.unread)),
        taken=frozenset(filter(None, taken)),
        reserved=frozenset(c.name for c in inputs),
        dropped=(*(table.drop_fields or ()), *(path for path in gone if path[0] not in renamed)),
        renamed=renamed,
    )
