"""How a table's columns may follow its records, by the pipeline file and by what the table was before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from lakelock.config import Pipeline, Table
from lakelock.ingest.effective_settings import EffectiveTable, effective
from lakelock.ingest.present_names import NO_PAST, PastFields, PresentNames, present_names
from lakelock.model.column_changes import ColumnPath, by_path
from lakelock.model.column_types import Column
from lakelock.ports import Tables, TableState
from lakelock.ports.tables import PastColumns
from lakelock.records.evolution import Evolving, ignorable
from lakelock.records.formats import EVOLVING
from lakelock.records.spelling import ascii_lower_path


def settings_now(pipeline: Pipeline, table: Table, state: TableState, tables: Tables) -> PresentNames:
    """The settings of *table* in effect, by the names that the columns of *state* have now.

    This walks through all schemas of the table, so callers ask once for each load.
    """
    return settings_with(pipeline, table, state, tables.past_columns(state))


def settings_with(pipeline: Pipeline, table: Table, state: TableState, past: PastColumns) -> PresentNames:
    """`settings_now` where the *past* of *state* is known."""
    fields = pipeline.value.options.columns if pipeline.value.options else ()
    metadata = pipeline.metadata_columns_by_key.values()
    in_effect = effective(pipeline, table, state)
    now = replace(present_names(in_effect, state.columns, past, metadata, fields), past=past)
    return replace(now, past_fields=_past_fields(pipeline, now, state.columns))


def _past_fields(pipeline: Pipeline, now: PresentNames, columns: Sequence[Column]) -> PastFields:
    """Of all columns if new fields get columns; otherwise only renamed ones that the file names.

    What becomes of other fields without a column is what `new_fields` says.
    """
    table, past = now.settings, now.past
    if pipeline.value.format not in EVOLVING:
        return NO_PAST
    if table.ignores_case:
        past = _other_names(past, table, columns)
    left_out = ignorable(columns, _unread(past.dropped, table)) if table.adds_columns else ()
    readings = {name: reading.path for name, reading in table.readings.items()}
    fields = {name: (name,) for name in (c.name for c in columns)} | readings
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
    # A struct's dropped fields are in its values by an old name, too.
    of_structs = [(old, *path[1:]) for old, new in renamed.items() for path in left_out if path[0] == new and path[1:]]
    # Of a column that was renamed twice, each name may still be in records.
    return PastFields(tuple(dict.fromkeys((*left_out, *of_structs))), renamed)


def evolving_now(pipeline: Pipeline, now: PresentNames, state: TableState) -> Evolving | None:
    """How the columns that an existing table has now may change: none that it had before is added again."""
    table, renamed = now.settings, now.past_fields.renamed
    if not table.evolves:
        return None
    there = {*dict(by_path(state.columns)), *now.past.renamed.values()}
    gone = [
        path if path[0] not in renamed else (renamed[path[0]], *path[1:]) for path in _unread(now.past.paths, table)
    ]
    # A field of a renamed struct has its values by the struct's old name, too.
    gone = [path for path in gone if path not in there]
    return evolving_of(pipeline, table, state.columns, state.identifier_columns, gone, renamed)


def _unread(paths: Iterable[ColumnPath], table: Table) -> list[ColumnPath]:
    """Those of the *paths* of earlier columns whose fields no column of another name takes now."""
    read = [reading.path for reading in table.readings.values() if reading.path]
    return [p for p in paths if not any(r[: len(p)] == p or p[: len(r)] == r for r in read)]


def _other_names(past: PastColumns, table: Table, columns: Sequence[Column]) -> PastColumns:
    """*past* without names that differ in case alone from one of the table or its file, or from each other."""
    inputs = table.expressions.inputs if table.expressions else ()
    of_table = dict(by_path((*columns, *inputs)))
    named = (*of_table, *(r.path for r in table.readings.values()), *(table.drop_fields or ()))
    known = {ascii_lower_path(path[:n]) for path in named for n in range(1, len(path) + 1)}
    kept = {
        ascii_lower_path(path): path
        for path in (*sorted(past.dropped, reverse=True), *sorted(past.renamed, reverse=True))
    }
    left = {path for key, path in kept.items() if key not in known}
    renamed = {old: new for old, new in past.renamed.items() if old in left}
    return PastColumns(past.dropped & left, renamed, past.several)


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
        dropped=(*(table.drop_fields or ()), *gone),
        renamed=renamed,
        ignores_case=table.ignores_case,
        named=frozenset((*_fields_named(table), *gone, *((old,) for old in renamed))),
    )


def _fields_named(table: Table) -> Iterator[ColumnPath]:
    """Fields of records that the file has a setting for, by the names that they have after the record was reshaped or before."""
    yield from (reading.path for reading in table.readings.values() if reading.path)
    yield from table.drop_fields or ()
    yield from table.parse_json or ()
