"""Whether a table's columns and its expressions go together, as far as that is known without Spark."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from lakelock.model.column_types import Column
from lakelock.model.type_notation import type_text
from lakelock.records.sql.expressions import Expressions
from lakelock.records.sql.outcomes import OWN
from lakelock.records.sql.syntax import columns_used
from lakelock.records.sql.types import spark_type


@dataclass(frozen=True, slots=True)
class Misfit:
    """*key* is that of the table in the pipeline file, *name* the entry's within it; *message* is the end of a sentence."""

    key: str
    name: str | None
    message: str


def misfits(columns: Sequence[Column], expressions: Expressions, not_read: Collection[str] = ()) -> Iterator[Misfit]:
    """Why expressions cannot have the table's *columns*; *not_read* are those that no field fills."""
    by_name = {c.name: c for c in columns}
    for derived in expressions.derived:
        if (why := _underivable(derived, by_name.get(derived), not_read)) is not None:
            yield Misfit("columns", derived, why)
    used: set[str] = set()
    for key, name, sql in _each(expressions):
        used.update(columns_used(sql))
        for column in columns_used(sql):
            if (why := _unusable(column, by_name, expressions, key)) is not None:
                # The name that was meant, so that its input is not reported as unused.
                used.update(_alike(column, by_name, expressions))
                yield Misfit(key, name, why)
    for given in expressions.inputs:
        if given.name in by_name:
            yield Misfit("inputs", given.name, "is the name of a column already, which expressions can use")
        elif spark_type(given.type) is None:
            yield Misfit("inputs", given.name, _no_type(given))
        if given.name not in used:
            yield Misfit("inputs", given.name, "no expression uses it")


def _underivable(name: str, column: Column | None, not_read: Collection[str]) -> str | None:
    if column is None:
        return "the file names it, and the table does not have it"
    if name.startswith(OWN):
        return f"names that begin with {OWN} are lakelock's own"
    if name in not_read:
        return "has SQL, so nothing else fills it"
    return f"no expression gives a value of type {type_text(column.type)}" if spark_type(column.type) is None else None


def _unusable(name: str, columns: Mapping[str, Column], expressions: Expressions, key: str) -> str | None:
    """Why an expression under *key* cannot use the column *name*."""
    if name.startswith(OWN):
        return f"uses column {name!r}, but names that begin with {OWN} are lakelock's own"
    if name in expressions.derived:
        is_check = key == "checks"
        return (
            None if is_check else f"uses column {name!r}, which is derived itself: only checks can use derived columns"
        )
    known = {c.name: c for c in expressions.inputs} | dict(columns)
    if name not in known:
        if same := next((k for k in known if k.lower() == name.lower()), None):
            return f"uses column {name!r}, but it is written {same!r}"
        meant = "".join(f" (did you mean {other!r}?)" for other in _alike(name, columns, expressions))
        return f"uses column {name!r}, which the table does not have{meant}; to use a field without a column, add it to inputs"
    return f"uses column {name!r}, but {_no_type(known[name])}" if spark_type(known[name].type) is None else None


def _alike(name: str, columns: Mapping[str, Column], expressions: Expressions) -> list[str]:
    """The name most like it, if any is."""
    known = {other.lower(): other for other in (*columns, *(c.name for c in expressions.inputs))}
    return [known[found] for found in get_close_matches(name.lower(), known, 1, 0.75)]


def _no_type(column: Column) -> str:
    return f"Spark SQL has no type {type_text(column.type)} here; use an input of type string with the same field"


def _each(expressions: Expressions) -> Iterator[tuple[str, str | None, str]]:
    for name, sql in expressions.derived.items():
        yield "columns", name, sql
    if expressions.where is not None:
        yield "where", None, expressions.where
    for check in expressions.checks:
        yield "checks", check.name, check.sql
