"""What the file says of a table, by the names that its columns have now: some may have been renamed in the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lakelock.config import Table
from lakelock.config.column_sections import ColumnSettings
from lakelock.config.table_sections import JsonColumn
from lakelock.ingest.effective_settings import EffectiveTable
from lakelock.model.column_changes import ELEMENT, VALUE, ColumnPath, widens
from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct
from lakelock.model.parquet_options import of_column
from lakelock.model.partition_expressions import parse_partition, parse_sort
from lakelock.model.type_notation import parse_type, type_text
from lakelock.ports.tables import PastColumns
from lakelock.records.reasons import Unfit


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


@dataclass(frozen=True, slots=True)
class PresentNames:
    """*settings* are the file's, but by present names.

    *followed* has the present path of each column that the file calls by an earlier one. *unclear* has the reason for each
    earlier name that is left as it is: the table does not have it, and more than one column could be meant. *past* are the
    table's earlier columns, and *past_fields* the fields of records that they took.
    """

    settings: EffectiveTable
    followed: Mapping[ColumnPath, ColumnPath] = field(default_factory=dict)
    unclear: Mapping[str, str] = field(default_factory=dict)
    past: PastColumns = field(default_factory=PastColumns)
    past_fields: PastFields = NO_PAST

    @property
    def of_columns(self) -> dict[str, str]:
        """Of whole columns, the present name by that in the file."""
        return {old[0]: now[0] for old, now in self.followed.items() if len(old) == 1}

    @property
    def line(self) -> str:
        """For people; empty if the file has no earlier names."""
        return ", ".join(f"{'.'.join(old)} is {'.'.join(now)} now" for old, now in self.followed.items())

    @property
    def sentences(self) -> dict[str, str]:
        """For people: the reason by earlier name."""
        return {
            name: f"Column {name!r} was renamed in the table, but the file's settings do not follow it: {why}."
            for name, why in self.unclear.items()
        }


def present_names(
    table: EffectiveTable,
    columns: Sequence[Column],
    past: PastColumns,
    metadata: Collection[str] = (),
    fields: Sequence[str] = (),
) -> PresentNames:
    """Follow the columns of a table that has these *columns* now.

    *metadata* names columns that no setting of *table* fills. *fields* are the names of all fields that records have, if the
    file names them.
    """
    if not past.renamed:
        return PresentNames(table)
    of_file, inputs = list(dict.fromkeys((*_named(table), *fields))), {c.name for c in table.inputs or ()}
    renamed = {
        name: past.renamed[(name,)][0]
        for name in of_file
        if (name,) in past.renamed and name not in {*inputs, *metadata}
    }
    unclear: dict[str, str] = {}
    for name, now in renamed.items():
        others = [repr(o) for o in of_file if o != name and now in (o, renamed.get(o))]
        if (name,) in past.several:
            unclear[name] = "several columns had this name"
        elif others:
            unclear[name] = f"the file also names {', '.join(others)}"
        elif now in inputs or now in metadata:
            unclear[name] = f"{now!r} is {'an input' if now in inputs else 'a metadata column'} in the file"
        elif why := _other_type(table, columns, name, now):
            unclear[name] = why
    for sql in _sqls(table):
        unclear |= _unfit_sql(sql, {name: now for name, now in renamed.items() if name not in unclear})
    follow = _Follow(columns, past, {name: now for name, now in renamed.items() if name not in unclear}, fields)
    settings = follow.settings(table)
    return PresentNames(EffectiveTable(settings) if follow.followed else table, follow.followed, unclear)


def used_columns(table: Table) -> list[str]:
    """Names of whole columns by which the file lays the table out, or that its SQL uses; first as it has them, if dotted."""
    from lakelock.records.sql.syntax import columns_used

    inputs = {c.name for c in table.inputs or ()}
    laid_out = [
        *(parse_partition(e).column for e in table.partition_by),
        *(parse_sort(e).transform.column for e in table.sort_by),
        *table.id_columns,
    ]
    used = [name for sql in _sqls(table) for name in columns_used(sql) if name not in inputs]
    return list(dict.fromkeys((*(n for c in laid_out for n in (c, c.partition(".")[0])), *used)))


def _named(table: Table) -> list[str]:
    """Names of whole columns that the file has in any setting."""
    declared = [*(c.name for c in table.columns), *([table.rest_column] if table.rest_column else [])]
    return list(dict.fromkeys((*declared, *used_columns(table))))


def _sqls(table: Table) -> list[str]:
    return list(table.expressions.all.values()) if table.expressions else []


def _other_type(table: Table, columns: Sequence[Column], name: str, now: str) -> str | None:
    """Why the file cannot mean the column that is called *now*."""
    asked = next((parse_type(c.type) for c in table.columns if c.name == name and c.type is not None), None)
    kind = next(c.type for c in columns if c.name == now)
    if asked is None or asked == kind or widens(asked, kind) or widens(kind, asked):
        return None
    if any(isinstance(asked, one) and isinstance(kind, one) for one in (Struct, ListOf, MapOf)):
        return None
    return f"the file declares it as {type_text(asked)}, and {now!r} is {type_text(kind)}"


def _unfit_sql(sql: str, names: Mapping[str, str]) -> dict[str, str]:
    from lakelock.records.sql.syntax import columns_used, with_names

    used = {name: now for name, now in names.items() if name in columns_used(sql)}
    try:
        with_names(sql, used)
    except Unfit as fault:
        return dict.fromkeys(used, str(fault))
    return {}


class _Follow:
    """Paths of a table with *columns*: whole columns by *names*, and fields within them by *past*."""

    def __init__(
        self, columns: Sequence[Column], past: PastColumns, names: Mapping[str, str], fields: Sequence[str]
    ) -> None:
        self._columns, self._past, self._names, self._fields = columns, past, names, fields
        self.followed: dict[ColumnPath, ColumnPath] = {(old,): (now,) for old, now in names.items()}

    def settings(self, table: Table) -> Table:
        from lakelock.records.sql.syntax import with_names

        inputs = {c.name for c in table.inputs or ()}
        names = {old: now for old, now in self._names.items() if old not in inputs}
        sql: Callable[[str | None], str | None] = lambda text: None if text is None else with_names(text, names)  # noqa: E731
        named = {c.name for c in table.columns}
        by_field = [ColumnSettings(name=name) for name in self._names if name in self._fields and name not in named]
        changed: dict[str, Any] = {
            "columns": tuple(self._column(c, sql) for c in (*table.columns, *by_field)),
            "partition_by": tuple(self._partition(e) for e in table.partition_by),
            "sort_by": tuple(self._sort(e) for e in table.sort_by),
            "id_columns": tuple(map(self._dotted, table.id_columns)),
            "properties": self._properties(table.properties),
            "where": sql(table.where),
        }
        if table.checks is not None:
            changed["checks"] = tuple(c.model_copy(update={"sql": sql(c.sql)}) for c in table.checks)
        if table.rest_column is not None:
            changed["new_fields"] = JsonColumn(json_column=self._names.get(table.rest_column, table.rest_column))
        return table.model_copy(update=changed)

    def _column(self, column: ColumnSettings, sql: Callable[[str | None], str | None]) -> ColumnSettings:
        name = self._names.get(column.name, column.name)
        kind, now = column.type, next((c.type for c in self._columns if c.name == name), None)
        if kind is not None and now is not None:
            asked = parse_type(kind)
            followed = self._type(asked, now, (column.name,), (name,))
            kind = kind if followed == asked else type_text(followed)
        changed: dict[str, Any] = {"name": name, "type": kind, "sql": sql(column.sql)}
        is_filled = column.field is not None or column.constant is not None or column.sql is not None
        if name != column.name and column.name in self._fields and not is_filled:
            changed["field"] = (column.name,)
        return column.model_copy(update=changed)

    def _type(self, asked: ColumnType, now: ColumnType, old: ColumnPath, path: ColumnPath) -> ColumnType:
        """*asked* by the present names of the fields in *now*; *old* and *path* lead to it in the file and in the table."""
        match asked, now:
            case Struct(fields), Struct(there):
                names = [self._field(f.name, there, old, path) for f in fields]
                # A struct that would have two fields of one name has those that the file says.
                names = [n if names.count(n) == 1 else f.name for n, f in zip(names, fields, strict=True)]
                kinds = {f.name: f.type for f in there}
                out = []
                for field_, name in zip(fields, names, strict=True):
                    within, place = (*old, field_.name), (*path, name)
                    if name != field_.name:
                        self.followed[within] = place
                    kind = self._type(field_.type, kinds[name], within, place) if name in kinds else field_.type
                    out.append(replace(field_, name=name, type=kind))
                return Struct(tuple(out))
            case ListOf(), ListOf():
                return replace(asked, element=self._type(asked.element, now.element, (*old, ELEMENT), (*path, ELEMENT)))
            case MapOf(), MapOf():
                return replace(asked, value=self._type(asked.value, now.value, (*old, VALUE), (*path, VALUE)))
        return asked

    def _field(self, name: str, there: Sequence[Column], old: ColumnPath, path: ColumnPath) -> str:
        """The present name of a field within the struct that has the fields *there*."""
        if any(f.name == name for f in there):
            return name
        found = {
            now[-1]
            for before in ((*old, name), (*path, name))
            if before not in self._past.several
            and (now := self._past.renamed.get(before)) is not None
            and now[:-1] == path
        }
        return found.pop() if len(found) == 1 else name

    def _dotted(self, text: str) -> str:
        """A column as partitioning names it: whole, or with the structs around it."""
        if text in self._names or any(c.name == text for c in self._columns):
            return self._names.get(text, text)
        there, old, path = self._columns, ColumnPath(()), ColumnPath(())
        for name in text.split("."):
            now = self._field(name, there, old, path) if old else self._names.get(name, name)
            old, path = (*old, name), (*path, now)
            kind = next((c.type for c in there if c.name == now), None)
            there = kind.fields if isinstance(kind, Struct) else ()
        if path != old:
            self.followed[old] = path
        return ".".join(path)

    def _partition(self, expression: str) -> str:
        of = parse_partition(expression)
        column = self._dotted(of.column)
        return expression if column == of.column else str(replace(of, column=column))

    def _sort(self, expression: str) -> str:
        key = parse_sort(expression)
        column = self._dotted(key.transform.column)
        if column == key.transform.column:
            return expression
        return str(replace(key, transform=replace(key.transform, column=column)))

    def _properties(self, properties: Mapping[str, str]) -> dict[str, str]:
        """A property about a column, by the column's present name unless the file has one of that name too."""
        out: dict[str, str] = {}
        for key, value in properties.items():
            prefix, column = of_column(key) or (key, "")
            now = f"{prefix}{self._dotted(column)}" if column else key
            out[key if now in properties else now] = value
        return out
