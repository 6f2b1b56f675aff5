"""Spark SQL that evaluates a table's expressions over many records, and survives those for which one fails.

Spark ends the whole task if an expression fails for a record. Only functions that Spark builds from its TryEval catch any
error of their argument, and `try_to_binary` is one. So each record gets an outcome first: the bytes of `try_to_binary`, or
null if anything failed. Only where it is not null are the expressions evaluated for their values. `hash` forces them:
Spark does not evaluate `x IS NULL` if it can see that x has no null. Session settings (`SETTINGS`) keep Spark from
evaluating a common part of both outside of the guard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lakelock.records.sql.expressions import WHERE, Expressions
from lakelock.records.sql.syntax import columns_used
from lakelock.records.sql.types import quoted

# With these, an expression gives the same on each server, or fails.
SETTINGS: Mapping[str, str] = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "true",
    "spark.sql.subexpressionElimination.enabled": "false",
    "spark.sql.legacy.allowHashOnMapType": "true",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.mapKeyDedupPolicy": "EXCEPTION",
}
# Columns of the stage itself, which no table has.
OWN = "__lakelock_"
_OUTCOME, _CHECKED = f"{OWN}outcome", f"{OWN}checked"
_LEFT_OUT = "X'30'"
# Fields of a result: `outcome` is null if an expression failed, else "0" for a record that is left out; `failed` has the
# indexes in `Expressions.all` of those that failed, if any did; `value_0`… are derived columns, `check_0`… checks.
OUTCOME, FAILED = "outcome", "failed"
LEFT_OUT = b"0"


def value_field(index: int) -> str:
    return f"value_{index}"


def check_field(index: int) -> str:
    return f"check_{index}"


def inputs_of(expressions: Expressions) -> list[str]:
    """Columns that are needed for the expressions, without derived ones; in order of use."""
    used = dict.fromkeys(name for sql in expressions.all.values() for name in columns_used(sql))
    return [name for name in used if name not in expressions.derived]


def projections(expressions: Expressions, rows: str, result: str, carried: Sequence[str]) -> list[list[str]]:
    """Lists of SQL to select one after the other; the last one selects *carried* columns and *result*.

    Column *rows* is a struct of the inputs; *result* is one of the fields above.
    """
    carried = [quoted(name) for name in carried]
    names = [quoted(name) for name in inputs_of(expressions)]
    derived = {quoted(name): sql for name, sql in expressions.derived.items()}
    checks = [check.sql for check in expressions.checks]
    where, values = expressions.where, list(derived.values())
    before = [where] if where is not None else []
    taken = _hashed(values)
    outcome = taken if where is None else f"if(coalesce({_within(where)}, false), {taken}, '0')"
    outcome = f"try_to_binary({outcome}, 'utf-8') as {_OUTCOME}"
    is_taken = f"{_OUTCOME} > {_LEFT_OUT}"
    steps = [
        [*carried, *(f"{quoted(rows)}.{name} as {name}" for name in names)],
        [*carried, *names, outcome],
        [
            *carried,
            *names,
            _OUTCOME,
            *(f"case when {is_taken} then {_within(sql)} end as {n}" for n, sql in derived.items()),
        ],
        [*carried, *names, _OUTCOME, *derived, f"case when {is_taken} then {_guarded(checks)} end as {_CHECKED}"],
    ]
    failed_before = _failed([*before, *values], 0)
    failed_after = _failed(checks, len(before) + len(values))
    is_checked = f"{_CHECKED} is not null"
    fields = [
        f"'{OUTCOME}', if({is_taken} and not {is_checked}, null, {_OUTCOME})",
        f"'{FAILED}', case when {_OUTCOME} is null then {failed_before} when {is_taken} and not {is_checked} then "
        f"{failed_after} end",
        *(f"'{value_field(i)}', {name}" for i, name in enumerate(derived)),
        *(f"'{check_field(i)}', case when {is_checked} then {_within(sql)} end" for i, sql in enumerate(checks)),
    ]
    return [*steps, [*carried, f"named_struct({', '.join(fields)}) as {quoted(result)}"]]


def plain(expressions: Expressions) -> list[list[str]]:
    """Lists of SQL to select one after the other, from the inputs: only for the types of what the last one selects.

    These are `where`, which stands for true if there is none, the derived columns, and the checks.
    """
    derived = [f"{_within(sql)} as {quoted(name)}" for name, sql in expressions.derived.items()]
    where = f"{_within(expressions.where) if expressions.where is not None else 'true'} as {OWN}{WHERE}"
    names = [quoted(name) for name in inputs_of(expressions)]
    checks = [f"{_within(c.sql)} as {OWN}{check_field(i)}" for i, c in enumerate(expressions.checks)]
    kept = [f"{OWN}{WHERE}", *map(quoted, expressions.derived)]
    return [[*names, where, *derived], [*kept, *checks]]


def _within(sql: str) -> str:
    """A comment in *sql* ends with its line."""
    return f"({sql}\n)"


def _hashed(expressions: Sequence[str]) -> str:
    """A text that Spark cannot know without evaluating all of them; never "0"."""
    if not expressions:
        return "'1'"
    return f"if(hash({', '.join(map(_within, expressions))}) = 0, '1', '2')"


def _guarded(expressions: Sequence[str]) -> str:
    return f"try_to_binary({_hashed(expressions)}, 'utf-8')"


def _failed(expressions: Sequence[str], first: int) -> str:
    """The indexes of those that fail, from *first* on."""
    tried = [f"if({_guarded([sql])} is null, {first + i}, null)" for i, sql in enumerate(expressions)]
    return f"array_compact(array({', '.join(tried)}))" if tried else "array(0)"
