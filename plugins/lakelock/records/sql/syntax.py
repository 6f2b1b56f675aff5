"""Read Spark SQL expressions without Spark: their faults, and the columns that they use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError, TokenError

from lakelock.records.reasons import Unfit
from lakelock.records.sql.expressions import quoted
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


def with_names(sql: str, names: Mapping[str, str]) -> str:
    """The expression with other *names* for columns that it uses, and the same otherwise.

    Raises Unfit if it would then mean something else.
    """
    used = columns_used(sql)
    if not names.keys() & set(used):
        return sql
    (tree,) = sqlglot.parse(sql, dialect=_DIALECT)
    assert tree is not None
    text = sql
    for column in sorted(tree.find_all(exp.Column), key=lambda c: c.parts[0].meta["start"], reverse=True):
        first = column.parts[0]
        if first.name not in names:
            continue
        if len(column.parts) == 1 and _gives_its_name(sql, column):
            raise Unfit(f"{sql!r} makes a struct with a field that has the name of column {first.name!r}")
        text = text[: first.meta["start"]] + quoted(names[first.name]) + text[first.meta["end"] + 1 :]
    if columns_used(text) != tuple(dict.fromkeys(names.get(name, name) for name in used)):
        raise Unfit(f"{sql!r} gives {', '.join(map(repr, names.values()))} another meaning")
    return text


def _gives_its_name(sql: str, column: exp.Column) -> bool:
    """Whether a struct has a field that is called as the column, because it has no name of its own."""
    around, is_in_parentheses = column.parent, False
    while isinstance(around, exp.Paren):
        around, is_in_parentheses = around.parent, True
    if isinstance(around, exp.PropertyEQ):
        has_own = not is_in_parentheses and around.this.name != column.name
        return not has_own and _call_around(sql, column.parts[0].meta["start"]) == "struct"
    return isinstance(around, exp.Struct | exp.ArraysZip)


def _call_around(sql: str, start: int) -> str:
    """The function that has the text from *start* as an argument; the parser has one form for `struct` and `named_struct`."""
    calls: list[str] = []
    before: sqlglot.Token | None = None
    for token in sqlglot.tokenize(sql, dialect=_DIALECT):
        if token.start >= start:
            break
        if token.token_type == sqlglot.TokenType.L_PAREN:
            calls.append(before.text.lower() if before is not None and _WORD.match(before.text) else "")
        elif token.token_type == sqlglot.TokenType.R_PAREN:
            calls.pop()
        before = token
    return next((name for name in reversed(calls) if name), "")


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
