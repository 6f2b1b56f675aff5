"""Calls in an expression that Spark does not survive for some records, or whose result depends on the clock."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

# Spark replaces such texts by the time of the run wherever it casts them.
_CLOCK_TEXTS = re.compile(r"\s*(now|today|tomorrow|yesterday)\b", re.IGNORECASE)
# Functions whose result is as long as one of their arguments says: its place among them, from 0.
_SIZED = {"lpad": 1, "rpad": 1, "array_insert": 1, "format_string": 0, "printf": 0}
_PATTERNS = (
    exp.RegexpLike,
    exp.RegexpReplace,
    exp.RegexpExtract,
    exp.RegexpExtractAll,
    exp.RegexpCount,
    exp.RegexpInstr,
    exp.RegexpSubstr,
    exp.RegexpSplit,
    exp.Split,
)
_NAMES_OF_PATTERNS = (
    "regexp",
    "regexp_like",
    "regexp_substr",
    "regexp_count",
    "regexp_instr",
    "regexp_extract_all",
    "split",
)
# Java matches a repeated group by a call for each repetition.
_REPEATED_GROUP = re.compile(r"(?<!\\)(?:\\\\)*\)[*+{]")


def hazards(node: exp.Expr) -> Iterator[str]:
    """The ends of sentences about *node* alone."""
    if _is_text(node) and _CLOCK_TEXTS.match(node.name):
        yield (
            f"must not have the text {node.name!r}: Spark would replace it by the time of the run if it is cast. Compare with "
            "rlike"
        )
    if (name := _sized_by_record(node)) is not None:
        yield (
            f"function {name} must have a literal as argument {_SIZED[name] + 1}: with one of the record, its result can have "
            "any size"
        )
    if (pattern := _pattern(node)) is not None:
        if not _is_text(pattern):
            yield "must have its patterns as literal texts: with one of the record, Spark may not end"
        elif _REPEATED_GROUP.search(pattern.name):
            yield f"must not repeat a group in a pattern ({pattern.name!r}): for a long text, that ends Spark's server"
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Func):
        yield "must call functions by their names alone, without a dot"


def _is_text(node: exp.Expr) -> bool:
    return isinstance(node, exp.RawString) or (isinstance(node, exp.Literal) and node.is_string)


def _pattern(node: exp.Expr) -> exp.Expr | None:
    found: exp.Expr
    if isinstance(node, _PATTERNS):
        found = node.expression
        return found
    if isinstance(node, exp.Anonymous) and node.name.lower() in _NAMES_OF_PATTERNS and len(node.expressions) > 1:
        found = node.expressions[1]
        return found
    return None


def _sized_by_record(node: exp.Expr) -> str | None:
    """The name of a function whose result can have any size, if *node* calls one."""
    match node:
        case exp.Pad():
            name, size = "lpad" if node.args["is_left"] else "rpad", node.expression
        case exp.ArrayInsert():
            name, size = "array_insert", node.args["position"]
        case exp.Format():
            name, size = "format_string", node.this
        case exp.Anonymous() if (name := node.name.lower()) in _SIZED:
            size = node.expressions[_SIZED[name]] if len(node.expressions) > _SIZED[name] else None
        case _:
            return None
    literal = size.this if isinstance(size, exp.Neg) else size
    return None if literal is None or isinstance(literal, exp.Literal) else name
