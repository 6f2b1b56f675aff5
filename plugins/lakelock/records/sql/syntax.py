"""Read Spark SQL expressions without Spark: their faults, and the columns that they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError, TokenError

from lakelock.records.reasons import Unfit
from lakelock.records.sql.functions import WORDS, refusal
from lakelock.records.sql.hazards import hazards

_DIALECT = "spark"
_WORD = re.compile(r"[^\W\d]\w*\Z")
# Words before a parenthesis that call no function: syntax, and types with arguments.
_SYNTAX = re.compile(
    "all|and|any|between|case|cast|char|dec|decimal|distinct|div|else|escape|exists|extract|filter|from|if|ilike|in|is|like|"
    "not|numeric|or|regexp|rlike|some|then|timestampadd|timestampdiff|try_cast|varchar|when"
)
_WITH_FORMAT = ("to_timestamp", "to_timestamp_ltz", "try_to_timestamp")
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
        yield from hazards(node)
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
        if name in _WITH_FORMAT and _arguments(tokens, at + 1) < 2:
            yield f"function {name} must have a format: without one, Spark takes a time alone for one of today"
        if (is_quoted or (_WORD.match(name) and not _SYNTAX.fullmatch(name))) and (why := refusal(name)):
            yield why


def _arguments(tokens: list[sqlglot.Token], at: int) -> int:
    """The number of arguments in the parentheses that open *at* this token."""
    depth, commas = 0, 0
    for token in tokens[at:]:
        if token.token_type in (sqlglot.TokenType.L_PAREN, sqlglot.TokenType.L_BRACKET):
            depth += 1
        elif token.token_type in (sqlglot.TokenType.R_PAREN, sqlglot.TokenType.R_BRACKET):
            depth -= 1
            if not depth:
                break
        elif token.token_type == sqlglot.TokenType.COMMA and depth == 1:
            commas += 1
    return commas + 1


def _is_part(tokens: list[sqlglot.Token], at: int) -> bool:
    """Whether the token names a field of a struct."""
    return at > 0 and tokens[at - 1].token_type == sqlglot.TokenType.DOT


def _plain(fault: Exception) -> str:
    """The parser's first message, without the terminal's colours and names of its classes."""
    errors = getattr(fault, "errors", None)
    if isinstance(fault, TokenError):
        does_not_end = str(fault.__cause__).startswith("Missing")
        return "a text or a quoted name in it does not end" if does_not_end else "it cannot be read"
    if not errors:
        return re.sub(r"\x1b\[\d*m", "", str(fault)).splitlines()[0].strip() or type(fault).__name__
    first = errors[0]
    if first["description"].startswith("Required keyword"):
        return f"it is incomplete, at character {first['col']} of line {first['line']}"
    return f"{first['description'].rstrip('.')}, at character {first['col']} of line {first['line']}"
