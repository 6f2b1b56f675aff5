"""Casts in Spark's plan of expressions whose result depends on the time of the run.

Spark reads a text such as `12:30` as a timestamp of today, and replaces `now`, `today` and others in texts that it knows
while it plans. Casts that Spark adds, as in comparisons, are in the plan as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_CAST = re.compile(r" as (timestamp|timestamp_ntz|date)\)")
_FULL_DATE = re.compile(r"\d{4}-\d\d-\d\d(\D.*)?")
_COLUMN = re.compile(r"([^()]+)#\d+L?")
_NO_TEXT = re.compile(
    r"(?:try_)?cast\(.* as (?:date|timestamp|timestamp_ntz|int|bigint|float|double|decimal\(\d+,\d+\))\)"
)


def clock_cast(plan: str, texts: Collection[str]) -> str | None:
    """The operand of the first such cast in an analysed *plan*; columns *texts* are of type string.

    A cast to timestamp whose operand may be a text counts as one.
    """
    for found in _CAST.finditer(plan):
        operand = _operand(plan, found.start())
        if operand is None or operand == "null" or _FULL_DATE.fullmatch(operand):
            continue
        if found[1] != "timestamp":
            # Only texts that Spark knows while it plans.
            if "#" not in operand:
                return operand
            continue
        column = _COLUMN.fullmatch(operand)
        if column is not None and column[1].strip("`") not in texts:
            continue
        if column is None and _NO_TEXT.fullmatch(operand):
            continue
        return operand
    return None


def _operand(plan: str, end: int) -> str | None:
    """The operand of the cast whose type begins at *end*; None for what is no cast, such as a type within a text."""
    depth = 0
    for at in range(end - 1, -1, -1):
        if plan[at] == ")":
            depth += 1
        elif plan[at] == "(":
            if not depth:
                return plan[at + 1 : end] if plan[:at].endswith("cast") else None
            depth -= 1
    return None
