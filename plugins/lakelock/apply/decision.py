"""What a pipeline file asks of an existing table: the changes that it can take, and the reasons why it cannot take others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from lakelock.errors import BadTableDefinition
from lakelock.model.column_changes import (
    ELEMENT,
    VALUE,
    Added,
    ColumnChange,
    ColumnPath,
    Commented,
    MadeOptional,
    Widened,
    changed,
    described,
    widens,
)
from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct
from lakelock.model.partition_expressions import SortKey, Transform, parse_partition, parse_sort
from lakelock.model.type_notation import type_name, type_text

_OWN = "lakelock."
_NAME_MAPPING = "schema.name-mapping.default"
_FORMAT_VERSION = "format-version"


@dataclass(frozen=True, slots=True)
class AskedColumn:
    """A column of the file; None is for everything that the file does not say about it."""

    name: str
    type: ColumnType | None = None
    required: bool | None = None
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """All that a file says about one table; None is for everything that it does not say."""

    columns: tuple[AskedColumn, ...] = ()
    partition_by: tuple[str, ...] | None = None
    sort_by: tuple[str, ...] | None = None
    identifier_columns: tuple[str, ...] | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    location: str | None = None


@dataclass(frozen=True, slots=True)
class Existing:
    """The table as it is. *renamed* are names that its columns had, and those that they have now."""

    columns: tuple[Column, ...]
    partition_by: tuple[str, ...] = ()
    sort_by: tuple[str, ...] = ()
    identifier_columns: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    location: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Steps:
    """What can be applied, in *refused* a sentence for everything that cannot, and in *notes* for what need not be."""

    changes: tuple[ColumnChange, ...] = ()
    partition_by: tuple[str, ...] | None = None
    sort_by: tuple[str, ...] | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        return not (self.changes or self.properties) and self.partition_by is None and self.sort_by is None

    @property
    def lines(self) -> list[str]:
        """The steps alone, for people; equal steps have equal lines."""
        out = [described(c) for c in self.changes]
        if self.partition_by is not None:
            out.append(f"partitioned by {', '.join(self.partition_by)}" if self.partition_by else "not partitioned")
        if self.sort_by is not None:
            out.append(f"sorted by {', '.join(self.sort_by)}" if self.sort_by else "not sorted")
        return [*out, *(f"property {name}: {value}" for name, value in self.properties.items())]


def steps(asked: Asked, existing: Existing, followed: Mapping[ColumnPath, ColumnPath] = MappingProxyType({})) -> Steps:
    """Everything that differs. Nothing is removed from the table, except fields of its partitioning and sort order.

    *followed* has the present paths of columns that the file calls by earlier ones; *asked* has the present ones already.
    """
    found = list(_columns(asked.columns, existing))
    changes = tuple(one for one in found if not isinstance(one, str))
    properties, kept = _properties(asked.properties, existing.properties)
    after = changed(existing.columns, changes)
    refused = [one for one in found if isinstance(one, str)]
    notes = tuple(
        f"{'.'.join(old)}: it is named {'.'.join(now)} in the table, and the file's settings follow it"
        for old, now in followed.items()
    )
    partition_by = sort_by = None
    if asked.partition_by is not None and set(_transforms(asked.partition_by)) != set(
        _transforms(existing.partition_by)
    ):
        partition_by = asked.partition_by
    if asked.sort_by is not None and _keys(asked.sort_by) != _keys(existing.sort_by):
        sort_by = asked.sort_by
    if asked.identifier_columns is not None and set(asked.identifier_columns) != set(existing.identifier_columns):
        refused.append(
            f"identifier columns are {_listed(asked.identifier_columns)} in the file and "
            f"{_listed(existing.identifier_columns)} in the table: deletes of other writers rely on them, so lakelock does "
            "not change them"
        )
    if asked.location is not None and asked.location.rstrip("/") != existing.location.rstrip("/"):
        refused.append(
            f"the location is {asked.location} in the file and {existing.location} in the table: files that are there "
            "cannot move"
        )
    return _without_lost_columns(
        Steps(changes, partition_by, sort_by, properties, (*refused, *kept), notes), {c.name for c in after}
    )


def _without_lost_columns(found: Steps, names: Collection[str]) -> Steps:
    """Refuse a partitioning or sort order by a column that the table does not have and the file does not declare."""
    refused, partition_by, sort_by = list(found.refused), found.partition_by, found.sort_by
    for what, expressions in (("partition_by", partition_by), ("sort_by", sort_by)):
        keys = [parse_sort(e).transform if what == "sort_by" else parse_partition(e) for e in expressions or ()]
        lacking = sorted({k.column for k in keys if k.column not in names and k.column.partition(".")[0] not in names})
        if lacking:
            refused.append(f"{what} names {', '.join(lacking)}, which the table does not have")
            partition_by, sort_by = (None, sort_by) if what == "partition_by" else (partition_by, None)
    return replace(found, partition_by=partition_by, sort_by=sort_by, refused=tuple(refused))


def _columns(asked: Sequence[AskedColumn], existing: Existing) -> Iterator[ColumnChange | str]:
    there = {c.name: c for c in existing.columns}
    lower = {name.lower(): name for name in there}
    for column in asked:
        now = there.get(column.name)
        if now is None and (other := existing.renamed.get(column.name)) is not None:
            yield f"{column.name}: it is named {other} in the table; name it so in the file, or its values would have two columns"
            continue
        if now is None:
            yield from _lacking(column, lower)
            lower.setdefault(column.name.lower(), column.name)
            continue
        path = (column.name,)
        if column.type is not None:
            yield from _types(path, now.type, column.type)
        yield from _required(path, column, now, existing.identifier_columns)
        if column.doc is not None and column.doc != now.doc:
            yield Commented(path, column.doc)


def _lacking(column: AskedColumn, lower: Mapping[str, str]) -> Iterator[ColumnChange | str]:
    if column.type is None:
        yield f"{column.name}: the table does not have it, and the file gives it no type"
    elif (other := lower.get(column.name.lower())) is not None:
        yield f"{column.name}: differs from column {other} in case alone, which engines such as Spark do not distinguish"
    else:
        yield Added((column.name,), column.type, column.doc)
        if column.required:
            yield f"{column.name}: required in the file, but a new column is optional, because rows that are there lack it"


def _required(
    path: ColumnPath, column: AskedColumn, now: Column, identifier_columns: Collection[str]
) -> Iterator[ColumnChange | str]:
    if column.required is None or column.required == now.required:
        return
    if column.required:
        yield f"{column.name}: required in the file and optional in the table, whose rows may have nulls"
    elif column.name in identifier_columns:
        yield f"{column.name}: optional in the file, but it identifies rows, so it stays required"
    else:
        yield MadeOptional(path)


def _types(path: ColumnPath, now: ColumnType, asked: ColumnType) -> Iterator[ColumnChange | str]:
    """Whether elements, values and fields of structs are required is not part of a file's types."""
    match now, asked:
        case Struct(), Struct():
            yield from _fields(path, now, asked)
        case ListOf(), ListOf():
            yield from _types((*path, ELEMENT), now.element, asked.element)
        case MapOf(), MapOf():
            if type_text(now.key) != type_text(asked.key):
                yield _differs((*path, "key"), now.key, asked.key, "keys of a map keep their type")
            yield from _types((*path, VALUE), now.value, asked.value)
        case _ if type_text(now) == type_text(asked):
            return
        case _ if widens(now, asked):
            yield Widened(path, asked)
        case _ if widens(asked, now):
            yield _differs(path, now, asked, "a type cannot become narrower")
        case _:
            yield _differs(path, now, asked, "the table format has no such promotion")


def _fields(path: ColumnPath, now: Struct, asked: Struct) -> Iterator[ColumnChange | str]:
    there = {f.name: f for f in now.fields}
    lower = {name.lower(): name for name in there}
    for one in asked.fields:
        if one.name in there:
            yield from _types((*path, one.name), there[one.name].type, one.type)
            continue
        for found in _lacking(AskedColumn(one.name, one.type), lower):
            yield f"{'.'.join(path)}.{found}" if isinstance(found, str) else Added((*path, one.name), one.type)
        lower.setdefault(one.name.lower(), one.name)


def _differs(path: ColumnPath, now: ColumnType, asked: ColumnType, why: str) -> str:
    names = (type_name(asked), type_name(now)) if type_name(asked) != type_name(now) else ()
    of_file, of_table = names or (type_text(asked), type_text(now))
    return f"{'.'.join(path)}: {of_file} in the file and {of_table} in the table: {why}"


def _properties(asked: Mapping[str, str], now: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Properties to set, and sentences for those that are not the file's to set."""
    out: dict[str, str] = {}
    refused = []
    for name, value in asked.items():
        if name.startswith(_OWN) or name == _NAME_MAPPING:
            refused.append(f"property {name}: lakelock or the table format maintains it")
        elif name == _FORMAT_VERSION:
            if value != "2":
                refused.append(f"property {name}: {value} in the file, but lakelock writes format 2")
        elif now.get(name) != value:
            out[name] = value
    return out, refused


def _transforms(expressions: Sequence[str]) -> list[Transform | str]:
    return [_parsed(e) for e in expressions]


def _parsed(expression: str) -> Transform | str:
    """The table may have a field that no expression names, of a column that is gone."""
    try:
        return parse_partition(expression)
    except BadTableDefinition:
        return expression


def _keys(expressions: Sequence[str]) -> list[SortKey | str]:
    out: list[SortKey | str] = []
    for expression in expressions:
        try:
            out.append(parse_sort(expression))
        except BadTableDefinition:
            out.append(expression)
    return out


def _listed(names: Sequence[str]) -> str:
    return ", ".join(sorted(names)) or "none"
