"""Spark SQL that evaluates a table's expressions over many records, and survives those for which one fails.

Spark ends the whole task if an expression fails for a record. Only functions that Spark builds from its TryEval catch any
error of their argument, and `try_to_binary` is one. So each record is tried first, with the bytes of `try_to_binary`, or
null if anything failed. Only where they are not null are expressions evaluated for their values. `hash` forces them: Spark
does not evaluate `x IS NULL` if it can see that x has no null. Session settings (`SETTINGS`) keep Spark from
evaluating a common part of both outside of the guard.
"""

from __future__ import annotations

from collections.abc import Sequence

from lakelock.records.sql.expressions import WHERE, Expressions, quoted
from lakelock.records.sql.outcomes import CHECKED, FAILED, FAILS, IS_FALSE, LEFT_OUT, OWN, PASSES
from lakelock.records.sql.syntax import columns_used

# Expressions give the same on each server, or fail.
SETTINGS: dict[str, str] = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "true",
    "spark.sql.subexpressionElimination.enabled": "false",
    "spark.sql.legacy.allowHashOnMapType": "true",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.mapKeyDedupPolicy": "EXCEPTION",
    # Plans are read whole.
    "spark.sql.debug.maxToStringFields": "1000000",
    # These are Spark's defaults, which a server may have changed.
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.legacy.consecutiveStringLiterals.enabled": "false",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    "spark.sql.jsonGenerator.ignoreNullFields": "true",
    "spark.sql.function.concatBinaryAsString": "false",
    "spark.sql.function.eltOutputAsString": "false",
    # Else Spark replaces ${...} even within texts, and ${env:...} by the server's environment.
    "spark.sql.variable.substitute": "false",
}
# What the half that reads hands over, in some rows: bytes.
HANDED_OVER = f"{OWN}handed_over"
_IS_THERE, _TAKEN, _PASSED = f"{OWN}is_there", f"{OWN}taken", f"{OWN}passed"
_IS_TAKEN = f"{_TAKEN} > X'00'"


def inputs_of(expressions: Expressions) -> list[str]:
    """Columns that are needed for the expressions, without derived ones; in order of use."""
    used = dict.fromkeys(name for sql in expressions.all.values() for name in columns_used(sql))
    return [name for name in used if name not in expressions.derived]


def projections(
    expressions: Expressions, inputs: Sequence[str], results: Sequence[str], carried: Sequence[str]
) -> list[list[str]]:
    """Lists of SQL to select one after the other; the last one selects *carried* columns and *results*.

    *inputs* and *results* name the columns for `inputs_of` and `result_columns`; `HANDED_OVER` is carried.
    """
    carried = [quoted(name) for name in carried]
    names = [quoted(name) for name in inputs_of(expressions)]
    derived = {quoted(name): sql for name, sql in expressions.derived.items()}
    checks = [check.sql for check in expressions.checks]
    # Always true, which Spark does not know: it evaluates common parts of nullif and others before, but for those in a branch.
    is_there = f"coalesce(octet_length({HANDED_OVER}), 1) > 0 as {_IS_THERE}"
    first = [*(f"{quoted(own)} as {name}" for own, name in zip(inputs, names, strict=True)), is_there]
    if expressions.tell_each:
        letters = f"concat('{CHECKED}', {', '.join(map(_check_letter, checks))})"
        return [[*carried, *first], [*carried, f"case when {_IS_THERE} then {letters} end as {quoted(results[0])}"]]
    before = [*([expressions.where] if expressions.where is not None else []), *derived.values()]
    passes = _tried(f"if({' and '.join(map(_holds, checks)) or 'true'}, '01', '00')")
    outcome = [
        f"when {_TAKEN} is null then concat('{FAILED}', {', '.join(map(_letter, before))})" if before else "",
        f"when not {_IS_TAKEN} then '{LEFT_OUT}'",
        f"when {_PASSED} is null or {_PASSED} = X'00' then concat('{CHECKED}', {', '.join(map(_check_letter, checks))})"
        if checks
        else "",
    ]
    values = [f"case when {_IS_TAKEN} then {_within(sql)} end as {name}" for name, sql in derived.items()]
    steps = [
        first,
        [
            *names,
            f"case when {_IS_THERE} then {_tried(_taken(expressions.where, list(derived.values())))} end as {_TAKEN}",
        ],
        [*names, _TAKEN, *values],
        [*names, _TAKEN, *derived, f"case when {_IS_TAKEN} then {passes} end as {_PASSED}"],
    ]
    last = [f"case {' '.join(outcome)} end as {quoted(results[0])}"]
    last += [f"{name} as {quoted(result)}" for name, result in zip(derived, results[1:], strict=True)]
    return [[*carried, *selected] for selected in (*steps[: 4 if checks else 3], last)]


def plain(expressions: Expressions) -> list[list[str]]:
    """Lists of SQL to select one after the other, from the inputs: only for the types of what the last one selects.

    These are `where`, which stands for true if there is none, the derived columns, and the checks.
    """
    derived = [f"{_within(sql)} as {quoted(name)}" for name, sql in expressions.derived.items()]
    where = f"{_within(expressions.where) if expressions.where is not None else 'true'} as {OWN}{WHERE}"
    names = [quoted(name) for name in inputs_of(expressions)]
    checks = [f"{_within(c.sql)} as {OWN}check_{i}" for i, c in enumerate(expressions.checks)]
    kept = [f"{OWN}{WHERE}", *map(quoted, expressions.derived)]
    return [[*names, where, *derived], [*kept, *checks]]


def _within(sql: str) -> str:
    """A comment in *sql* ends with its line."""
    return f"({sql}\n)"


def _tried(hexadecimal: str) -> str:
    """The bytes of a text, null if it cannot be evaluated."""
    return f"try_to_binary({hexadecimal}, 'hex')"


def _holds(sql: str) -> str:
    return f"coalesce({_within(sql)}, false)"


def _taken(where: str | None, values: Sequence[str]) -> str:
    """A text above 0 that Spark cannot know without evaluating all *values*; "00" if *where* is not true."""
    evaluated = f"if(hash({', '.join(map(_within, values))}) = 0, '01', '02')" if values else "'01'"
    return evaluated if where is None else f"if({_holds(where)}, {evaluated}, '00')"


def _letter(sql: str) -> str:
    return f"if({_tried(_taken(None, [sql]))} is null, '{FAILS}', '{PASSES}')"


def _check_letter(sql: str) -> str:
    """Evaluates *sql* once, which a case with a value would not."""
    passes, is_false = (letter.encode().hex() for letter in (PASSES, IS_FALSE))
    tried = _tried(f"if({_holds(sql)}, '{passes}', '{is_false}')")
    return f"coalesce(cast({tried} as string), '{FAILS}')"
