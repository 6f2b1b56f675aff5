"""How a table's columns may follow its records, by the pipeline file and by what the table was before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from lakelock.config import Pipeline, Table
from lakelock.ingest.effective_settings import EffectiveTable, effective
from lakelock.ingest.present_names import PresentNames, present_names
from lakelock.model.column_changes import ColumnPath
from lakelock.model.column_types import Column, Struct
from lakelock.ports import Tables, TableState
from lakelock.ports.tables import PastColumns
from lakelock.records.evolution import Evolving, ignorable
from lakelock.records.formats import EVOLVING
from lakelock.records.spelling import in_lower_case


@dataclass(frozen=True, slots=True)
class PastFields:
    """Fields of records that the table had columns for, by names that no column has now.

    Those *left_out* were dropped on purpose; a column that was dropped within a list or map is not among them: its field is
    refused. Values under a *renamed* name go to the column that has another name now, unless the file names the column's
    field or says that it has none.
    """

    left_out: tuple[ColumnPath, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


NO_PAST = PastFields()


def settings_now(pipeline: Pipeline, table: Table, state: TableState, tables: Tables) -> PresentNames:
    """The settings of *table* in effect, by the names that the columns of *state* have now."""
    fields = pipeline.value.options.columns if pipeline.value.options else ()
    metadata = pipeline.metadata_columns_by_key.values()
    in_effect = effective(pipeline, table, state)
    return present_names(in_effect, state.columns, tables.past_columns(state), metadata, fields)


def past_fields(pipeline: Pipeline, now: PresentNames, state: TableState, tables: Tables) -> PastFields:
    """Of all columns if new fields get columns; otherwise only renamed ones that the file names.

    What becomes of other fields without a column is what `new_fields` says.
    """
    table, past = now.settings, tables.past_columns(state)
    if pipeline.value.format not in EVOLVING:
        return NO_PAST
    if table.ignores_case:
        past = _other_names(past, table, state.columns)
    left_out = ignorable(state.columns, past.dropped) if table.adds_columns else ()
    readings = {name: reading.path for name, reading in table.readings.items()}
    fields = {name: (name,) for name in (c.name for c in state.columns)} | readings
    metadata = pipeline.metadata_columns_by_key.values()
    without = {*table.unread, table.rest_column, *metadata}
    elsewhere = {path[0] for name, path in readings.items() if path and path != (name,)}
    dropped = (path[0] for path in table.drop_fields or () if len(path) == 1)
    decided = {*metadata, *(c.name for c in table.inputs or ()), *dropped}
    renamed = {
        old: new
        for old, new in sorted(past.of_whole_columns.items())
        if fields[new] == (new,)
        and new not in without
        and old not in decided
        # The file may have named it beside another column that takes the same field.
        and (old in now.of_columns or (table.adds_columns and old not in elsewhere))
    }
    # Of a column that was renamed twice, each name may still be in records.
    return PastFields(tuple(left_out), renamed)


def evolving_now(pipeline: Pipeline, now: PresentNames, state: TableState, tables: Tables) -> Evolving | None:
    """How the columns that an existing table has now may change: none that it had before is added again."""
    table = now.settings
    if not table.evolves:
        return None
    gone, renamed = tables.past_columns(state).paths, past_fields(pipeline, now, state, tables).renamed
    return evolving_of(pipeline, table, state.columns, state.identifier_columns, gone, renamed)


def _other_names(past: PastColumns, table: Table, columns: Sequence[Column]) -> PastColumns:
    """*past* without names that differ in case alone from one of the table or its file, or from each other."""
    inputs = table.expressions.inputs if table.expressions else ()
    named = (*_paths(columns), *(r.path for r in table.readings.values()), *(table.drop_fields or ()), *_paths(inputs))
    known = {_key(path[:n]) for path in named for n in range(1, len(path) + 1)}
    kept = {_key(path): path for path in (*sorted(past.dropped, reverse=True), *sorted(past.renamed, reverse=True))}
    left = {path for key, path in kept.items() if key not in known}
    renamed = {old: new for old, new in past.renamed.items() if old in left}
    return PastColumns(past.dropped & left, renamed, past.several)


def _paths(columns: Sequence[Column], around: ColumnPath = ()) -> Iterator[ColumnPath]:
    for column in columns:
        yield (*around, column.name)
        if isinstance(column.type, Struct):
            yield from _paths(column.type.fields, (*around, column.name))


def _key(path: ColumnPath) -> ColumnPath:
    return tuple(map(in_lower_case, path))


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
        ignores_case=table.ignores_case,
    )
