"""Read Spark SQL expressions without Spark: their faults, and the columns that they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from lakelock.records.reasons import Unfit
from lakelock.records.sql.functions import WORDS, refusal

_DIALECT = "spark"
_WORD = re.compile(r"[^\W\d]\w*\Z")
# Words before a parenthesis that call no function: syntax, and types with arguments.
_SYNTAX = re.compile(
    "all|and|any|between|case|cast|char|dec|decimal|distinct|div|else|escape|exists|extract|filter|from|if|ilike|in|is|like|"
    "not|numeric|or|regexp|rlike|some|then|timestampadd|timestampdiff|try_cast|varchar|when"
)
# Spark replaces such texts by the time of the run wherever it casts them.
_CLOCK_TEXTS = re.compile(r"\s*(now|today|tomorrow|yesterday)\b", re.IGNORECASE)
# Functions whose result is as long as one of their arguments says: its place among them, from 0.
_SIZED = {"lpad": 1, "rpad": 1, "array_insert": 1, "format_number": 1, "format_string": 0, "printf": 0}
_QUERIES = (exp.Query, exp.Window, exp.DML, exp.DDL)


@lru_cache(maxsize=1024)
def columns_used(sql: str) -> tuple[str, ...]:
    """Names of the columns that the expression uses, in order; of a nested field, the column's.

    Raises Unfit for text that is no expression of one record, or whose result does not depend on the record alone.
    """
    try:
        trees = sqlglot.parse(sql, dialect=_DIALECT)
    except (SqlglotError, RecursionError) as fault:
        raise Unfit(f"is no SQL expression: {_plain(fault)}") from fault
    if len(trees) != 1 or trees[0] is None:
        raise Unfit("is no single SQL expression")
    tree = trees[0]
    for why in _faults(sql, tree):
        raise Unfit(why)
    return tuple(dict.fromkeys(column.parts[0].name for column in tree.find_all(exp.Column)))


def _faults(sql: str, tree: exp.Expr) -> Iterator[str]:
    if isinstance(tree, exp.Alias | exp.Command):
        yield "is no SQL expression: write it without a name of its own"
    for node in tree.walk():
        if isinstance(node, _QUERIES):
            yield "must not query: it has the columns of one record"
        if isinstance(node, exp.Star):
            yield "must name its columns, without *"
        if isinstance(node, exp.Placeholder | exp.Parameter):
            yield "must not have parameters"
        is_text = isinstance(node, exp.RawString) or (isinstance(node, exp.Literal) and node.is_string)
        if is_text and _CLOCK_TEXTS.match(node.name):
            yield (
                f"must not have the text {node.name!r}: Spark would replace it by the time of the run if it is cast. "
                "Compare with rlike"
            )
        if (name := _sized_by_record(node)) is not None:
            yield (
                f"function {name} must have a literal as argument {_SIZED[name] + 1}: with one of the record, its result can "
                "have any size"
            )
        if isinstance(node, exp.Column) and (first := node.parts[0]).name.lower() in WORDS and not first.args["quoted"]:
            yield refusal(first.name) or ""
    tokens = sqlglot.tokenize(sql, dialect=_DIALECT)
    for at, token in enumerate(tokens):
        name = token.text.lower()
        is_quoted = token.token_type == sqlglot.TokenType.IDENTIFIER
        if (
            token.token_type != sqlglot.TokenType.STRING
            and name in WORDS
            and not is_quoted
            and not _is_part(tokens, at)
        ):
            yield refusal(name) or ""
        is_call = at + 1 < len(tokens) and tokens[at + 1].token_type == sqlglot.TokenType.L_PAREN
        if not is_call or token.token_type == sqlglot.TokenType.STRING:
            continue
        if (is_quoted or (_WORD.match(name) and not _SYNTAX.fullmatch(name))) and (why := refusal(name)):
            yield why


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


def _is_part(tokens: list[sqlglot.Token], at: int) -> bool:
    """Whether the token names a field of a struct."""
    return at > 0 and tokens[at - 1].token_type == sqlglot.TokenType.DOT


def _plain(fault: Exception) -> str:
    """The parser's first message without the terminal's colours."""
    errors = getattr(fault, "errors", None)
    if not errors:
        return re.sub(r"\x1b\[\d*m", "", str(fault)).splitlines()[0].strip() or type(fault).__name__
    first = errors[0]
    return f"{first['description'].rstrip('.')}, at character {first['col']} of line {first['line']}"
