"""What expressions give for a record, as a Spark task reads it: nothing here reads SQL."""

from __future__ import annotations

from lakelock.records.sql.expressions import Expressions

# Columns of the stage itself, which no table has.
OWN = "__lakelock_"
# The first column of a table's results. Null: a row. Else the record is left out; or expressions before the checks failed,
# or checks did, with a letter for each of them in the order of `Expressions.all`. Of rules, it always has these letters.
OUTCOME = "outcome"
LEFT_OUT, FAILED, CHECKED = "-", "x", "c"
PASSES, IS_FALSE, FAILS = "p", "f", "e"


def result_columns(expressions: Expressions) -> list[str]:
    """Names of the results: the outcome, and a value for each derived column."""
    return [OUTCOME, *(f"value_{number}" for number, _ in enumerate(expressions.derived))]
