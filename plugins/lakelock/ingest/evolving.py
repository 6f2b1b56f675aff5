"""How a table's columns may follow its records, by the pipeline file and by what the table was before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from lakelock.config import Pipeline, Table
from lakelock.model.column_changes import ColumnPath
from lakelock.model.column_types import Column, Struct
from lakelock.ports import Tables, TableState
from lakelock.ports.tables import PastColumns
from lakelock.records.evolution import Evolving, ignorable
from lakelock.records.spelling import in_lower_case


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


def past_fields(table: Table, state: TableState, tables: Tables) -> PastFields:
    """Empty unless new fields get columns: otherwise `new_fields` says what becomes of all of them."""
    if not table.adds_columns:
        return NO_PAST
    past = tables.past_columns(state)
    if table.ignores_case:
        past = _other_names(past, table, state.columns)
    decided = {*table.readings, *table.unread, *table.masks, *(r.path[0] for r in table.readings.values() if r.path)}
    free = {c.name for c in state.columns if not c.required} - decided
    renamed = {
        old[0]: new[0]
        for old, new in sorted(past.renamed.items())
        if len(old) == len(new) == 1 and new[0] in free and old[0] not in decided
    }
    # Of a column that was renamed twice, each name may still be in records.
    return PastFields(tuple(ignorable(state.columns, past.dropped)), renamed)


def _other_names(past: PastColumns, table: Table, columns: Sequence[Column]) -> PastColumns:
    """*past* without names that differ in case alone from one of the table or its file, or from each other."""
    inputs = table.expressions.inputs if table.expressions else ()
    named = (*_paths(columns), *(r.path for r in table.readings.values()), *(table.drop_fields or ()), *_paths(inputs))
    known = {_key(path[:n]) for path in named for n in range(1, len(path) + 1)}
    kept = {_key(path): path for path in (*sorted(past.dropped, reverse=True), *sorted(past.renamed, reverse=True))}
    left = {path for key, path in kept.items() if key not in known}
    return PastColumns(past.dropped & left, {old: new for old, new in past.renamed.items() if old in left})


def _paths(columns: Sequence[Column], around: ColumnPath = ()) -> Iterator[ColumnPath]:
    for column in columns:
        yield (*around, column.name)
        if isinstance(column.type, Struct):
            yield from _paths(column.type.fields, (*around, column.name))


def _key(path: ColumnPath) -> ColumnPath:
    return tuple(map(in_lower_case, path))


def evolving_of(
    pipeline: Pipeline,
    table: Table,
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
