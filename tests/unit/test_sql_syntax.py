"""SQL expressions as they are read without Spark: what is refused and why, the columns that they use, and types."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pyarrow as pa
import pytest
from lakelock.model.column_types import (
    Binary,
    Boolean,
    Column,
    ColumnType,
    Date,
    Decimal,
    Floating,
    Foreign,
    Integer,
    ListOf,
    MapOf,
    Struct,
    Text,
    Time,
    Timestamp,
    Uuid,
)
from lakelock.model.type_notation import parse_type
from lakelock.records.reasons import Unfit
from lakelock.records.sql.expressions import Expressions, RowCheck, quoted
from lakelock.records.sql.fit import Misfit, misfits
from lakelock.records.sql.functions import ALLOWED, WORDS, refusal
from lakelock.records.sql.syntax import columns_used, with_names
from lakelock.records.sql.types import arrow_type, spark_type, takes

USED = {
    "a": ["a"],
    "A + a": ["A", "a"],
    "a.b.c + a.d": ["a"],
    "`odd name`.x + `a``b` + a.`b.c`": ["a", "a`b", "odd name"],
    "`user`.x || `current_date`": ["current_date", "user"],
    "b.user || s.current_date": ["b", "s"],
    "items[0].name": ["items"],
    "transform(xs, x -> x + y)": ["xs", "y"],
    "filter(xs, x -> x.y = z)": ["xs", "z"],
    "aggregate(items, 0L, (sum, item) -> sum + item.price)": ["items"],
    "exists(xs, x -> exists(x.ys, y -> y = a))": ["a", "xs"],
    "cast(a as struct<x: int, y: decimal(5, 2)>).y": ["a"],
    "cast(a as varchar(5)) || try_cast(b as bigint)": ["a", "b"],
    "a::decimal(3, 1)": ["a"],
    "case when a > 0 then b when not (c) then d else e end": ["a", "b", "c", "d", "e"],
    "extract(year from d) + date_part('month', m)": ["d", "m"],
    "timestampadd(DAY, 1, a)": ["a"],
    "a rlike '^[(]x\\\\)*(b|c)?[a-z]*$'": ["a"],
    "to_timestamp(a, 'yyyy') || split(b, '[,;]')[0]": ["a", "b"],
    "a between (b) and (c) or a in (d, 2) or a like (e)": ["a", "b", "c", "d", "e"],
    "a = 'x' -- now()": ["a"],
    "a /* rand() */": ["a"],
    "a <=> 'it is now()'": ["a"],
    "struct(a as x).x": ["a"],
    "date'2020-01-01' + interval 1 day": [],
    "'Nowhere'": [],
    "user_id + rand": ["rand", "user_id"],
    "lpad(a, 5, '0') || rpad(b, 3)": ["a", "b"],
    "array_insert(a, -1, b)": ["a", "b"],
    "printf('%d', a) || format_string('%s', b)": ["a", "b"],
}  # fmt: skip
REFUSED = {
    "": "is no single SQL expression",
    "a; b": "is no single SQL expression",
    "cast(": "is no SQL expression: Expected AS after CAST, at character 5 of line 1",
    "a, b": "is no SQL expression: Invalid expression / Unexpected token, at character 2 of line 1",
    "a +\n* )": "is no SQL expression: ",
    "(" * 400 + "a" + ")" * 400: "is no SQL expression: ",
    "a as b": "is no SQL expression: write it without a name of its own",
    "a b": "is no SQL expression: write it without a name of its own",
    "select 1": "must not query",
    "a + (select max(b) from c)": "must not query",
    "a >>": "is no SQL expression: it is incomplete, at character",
    "x'zz'": "is no SQL expression: it cannot be read",
    "kind = 'order": "is no SQL expression: a text or a quoted name in it does not end",
    "a in (select 1)": "must not query",
    "exists(select 1)": "must not query",
    "with x as (select 1) select 1": "must not query",
    "delete from t": "must not query",
    "row_number() over (order by a)": "must not query",
    "*": "must name its columns, without *",
    "struct(a.*)": "must name its columns, without *",
    ":p": "must not have parameters",
    "a = ?": "must not have parameters",
    "cast('now' as timestamp)": "must not have the text 'now'",
    "timestamp'now'": "must not have the text 'now'",
    "d = \"today\"": "must not have the text 'today'",
    "d = ' TOMORROW UTC'": "must not have the text ' TOMORROW UTC'",
    "d = r'yesterday'": "must not have the text 'yesterday'",
    "now()": "function now is not allowed: its result depends on the time of the run",
    "NOW ( )": "function now is not allowed: its result depends on the time of the run",
    "`now`()": "function now is not allowed: its result depends on the time of the run",
    "system.builtin.now()": "must call functions by their names alone, without a dot",
    "{fn now()}": "function now is not allowed: its result depends on the time of the run",
    "current_date": "function current_date is not allowed: its result depends on the time of the run",
    "d < current_date": "function current_date is not allowed: its result depends on the time of the run",
    "current_timestamp > t": "function current_timestamp is not allowed: its result depends on the time of the run",
    "t > LOCALTIMESTAMP": "function localtimestamp is not allowed: its result depends on the time of the run",
    "a = user": "function user is not allowed: its result depends on the server and its user",
    "uuid()": "function uuid is not allowed: its result is random",
    "transform(xs, x -> rand())": "function rand is not allowed: its result is random",
    "input_file_name()": "function input_file_name is not allowed: its result depends on the server and its user",
    "sum(a)": "function sum is not allowed: it works on several rows, and an expression has one record",
    "explode(a)": "function explode is not allowed: it works on several rows, and an expression has one record",
    "repeat(a, 9)": "function repeat is not allowed: its result can have any size",
    "lpad(a, b, '*')": "function lpad must have a literal as argument 2: with one of the record, its result can have any size",
    "`RPAD`(a, 1 + b)": "function rpad must have a literal as argument 2",
    "array_insert(a, -b, 1)": "function array_insert must have a literal as argument 2",
    "format_number(a, 2)": "function format_number is not allowed: Spark does not format reliably",
    "regexp_replace(a, '(b|c)*d', '')": "must not repeat a group in a pattern ('(b|c)*d'): for a long text, that ends",
    "a rlike '(?:b)+'": "must not repeat a group in a pattern",
    "a rlike b": "must have its patterns as literal texts",
    "split(a, concat(b, c))": "must have its patterns as literal texts",
    "regexp(a, b)": "must have its patterns as literal texts",
    "to_timestamp(a)": "function to_timestamp must have a format",
    "try_to_timestamp((a))": "function try_to_timestamp must have a format",
    "a.upper(b)": "must call functions by their names alone, without a dot",
    "printf(a, b)": "function printf must have a literal as argument 1",
    "format_string(a, b)": "function format_string must have a literal as argument 1",
    "map(a, b)": "function map is not allowed: Spark does not build maps reliably",
    "aes_decrypt(a, 'k')": "function aes_decrypt is not allowed: its key would be in the pipeline file",
    "mine(a)": "function mine is not allowed: it is not among those that expressions may call",
    "db.mine(a)": "must call functions by their names alone, without a dot",
}  # fmt: skip


@pytest.mark.parametrize("sql", USED)
def test_an_expression_uses_these_columns(sql: str) -> None:
    assert sorted(columns_used(sql)) == USED[sql]


@pytest.mark.parametrize("sql", REFUSED, ids=lambda sql: sql[:40])
def test_an_expression_is_refused_for_this_reason(sql: str) -> None:
    with pytest.raises(Unfit) as raised:
        columns_used(sql)
    assert raised.value.reason.message.startswith(REFUSED[sql])
    assert "\x1b" not in raised.value.reason.message


@pytest.mark.parametrize("word", sorted(WORDS))
def test_words_that_need_no_parentheses_are_refused_anywhere(word: str) -> None:
    for sql in (word, f"a = {word}", f"{word.upper()} = a", f"transform(xs, x -> {word})", f"{word}()"):
        with pytest.raises(Unfit, match=f"function {word} is not allowed"):
            columns_used(sql)


def test_no_function_is_both_allowed_and_refused() -> None:
    assert [name for name in ALLOWED if refusal(name) is not None] == []
    assert refusal("UPPER") is None
    assert not ALLOWED & WORDS


COLUMNS = (
    Column("id", Integer(64)),
    Column("name", Text()),
    Column("token", Uuid()),
    Column("day", Date()),
)


def found(expressions: Expressions, columns: Sequence[Column] = COLUMNS, not_read: Sequence[str] = ()) -> list[Misfit]:
    return list(misfits(columns, expressions, not_read))


def test_expressions_that_fit() -> None:
    kind = Column("kind", Text())
    good = Expressions({"day": "to_date(name)"}, "kind = 'x'", (RowCheck("c", "day > date'2020-01-01'"),), (kind,))
    assert found(good) == []


HINT = "use an input of type string with the same field"
MISFITS = {
    "a derived column that the table lacks": (
        Expressions({"more": "1"}),
        Misfit("columns", "more", "the file names it, and the table does not have it"),
    ),
    "a derived column without a type in Spark": (
        Expressions({"token": "name"}),
        Misfit("columns", "token", "no expression gives a value of type uuid"),
    ),
    "an unknown column": (
        Expressions(where="kind = 1"),
        Misfit("where", None, "uses column 'kind', which the table does not have; to use a field without a column, add it "
               "to inputs"),
    ),
    "a name in another case": (
        Expressions(checks=(RowCheck("c", "Name = ''"),)),
        Misfit("checks", "c", "uses column 'Name', but it is written 'name'"),
    ),
    "a column without a type in Spark": (
        Expressions(where="token = ''"),
        Misfit("where", None, f"uses column 'token', but Spark SQL has no type uuid here; {HINT}"),
    ),
    "a derived column in another": (
        Expressions({"day": "to_date(name)", "id": "year(day)"}),
        Misfit("columns", "id", "uses column 'day', which is derived itself: only checks can use derived columns"),
    ),
    "a derived column in itself": (
        Expressions({"id": "id + 1"}),
        Misfit("columns", "id", "uses column 'id', which is derived itself: only checks can use derived columns"),
    ),
    "a derived column in where": (
        Expressions({"day": "to_date(name)"}, "day is null"),
        Misfit("where", None, "uses column 'day', which is derived itself: only checks can use derived columns"),
    ),
    "an input with a column's name": (
        Expressions(where="name = ''", inputs=(Column("name", Text()),)),
        Misfit("inputs", "name", "is the name of a column already, which expressions can use"),
    ),
    "an input without a use": (
        Expressions(where="id = 1", inputs=(Column("kind", Text()),)),
        Misfit("inputs", "kind", "no expression uses it"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MISFITS)
def test_expressions_that_do_not_fit(case: str) -> None:
    expressions, misfit = MISFITS[case]
    assert found(expressions) == [misfit]


def test_all_misfits_are_given() -> None:
    given = Column("at", Time())
    wrong = Expressions({"more": "x", "id": "y"}, "z = at", (RowCheck("c", "more + w"),), (given,))
    assert [(m.key, m.name) for m in found(wrong)] == [
        ("columns", "more"), ("columns", "more"), ("columns", "id"), ("where", None), ("where", None), ("checks", "c"),
        ("inputs", "at"),
    ]  # fmt: skip
    assert found(Expressions({"id": "1"}), not_read=["id"]) == [
        Misfit("columns", "id", "has SQL, so nothing else fills it")
    ]


SCALARS: tuple[ColumnType, ...] = (
    Boolean(), Integer(8), Integer(16), Integer(32), Integer(64), Floating(32), Floating(64), Text(), Binary(), Date(), Time(),
    Uuid(), Binary(4), Timestamp(zoned=True), Timestamp(zoned=False), Foreign("interval"),
    *(Decimal(p, s) for p, s in [(1, 0), (1, 1), (5, 2), (6, 2), (6, 3), (10, 0), (38, 0), (38, 38)]),
)  # fmt: skip


@pytest.mark.parametrize(("column", "result"), list(product(SCALARS, SCALARS)), ids=str)
def test_a_column_takes_a_scalar_of_its_kind_that_is_no_wider(column: ColumnType, result: ColumnType) -> None:
    match column, result:
        case Decimal(), Decimal():
            # Its steps are steps of the column, and its largest value is at most the column's.
            steps = column.scale - result.scale
            assert takes(column, result) is (
                steps >= 0 and (10**result.precision - 1) * 10**steps < 10**column.precision
            )
        case (Integer(), Integer()) | (Floating(), Floating()):
            assert takes(column, result) is (result.bits <= column.bits)  # type: ignore[union-attr]
        case _:
            assert takes(column, result) is (column == result)
    assert takes(column, None)


LONG, INT = Integer(64), Integer(32)
NESTED = [
    (ListOf(LONG), ListOf(INT), True),
    (ListOf(INT), ListOf(LONG), False),
    (ListOf(LONG, True), ListOf(LONG), False),
    (MapOf(Text(), LONG), MapOf(Text(), INT), True),
    (MapOf(Text(), LONG), MapOf(INT, INT), False),
    (MapOf(Text(), LONG, True), MapOf(Text(), LONG), False),
    (Struct((Column("a", LONG),)), Struct((Column("a", INT),)), True),
    (Struct((Column("a", LONG),)), Struct((Column("b", LONG),)), False),
    (Struct((Column("a", LONG),)), Struct((Column("A", LONG),)), False),
    (Struct((Column("a", LONG),)), Struct((Column("a", LONG), Column("b", LONG))), False),
    (Struct((Column("a", LONG), Column("b", LONG))), Struct((Column("a", LONG),)), False),
    (Struct((Column("a", LONG, True),)), Struct((Column("a", LONG),)), False),
    (ListOf(Struct((Column("a", Decimal(5, 2)),))), ListOf(Struct((Column("a", Decimal(5, 3)),))), False),
]


@pytest.mark.parametrize(("column", "result", "fits"), NESTED, ids=str)
def test_a_column_takes_what_fits_at_each_place_within(column: ColumnType, result: ColumnType, fits: bool) -> None:
    assert takes(column, result) is fits
    assert takes(column, None)


KINDS = {
    "boolean": "boolean", "int": "int", "long": "bigint", "float": "float", "double": "double", "string": "string",
    "binary": "binary", "date": "date", "timestamptz": "timestamp", "timestamp": "timestamp_ntz",
    "decimal(10, 2)": "decimal(10,2)", "list<int>": "array<int>", "map<string, list<long>>": "map<string, array<bigint>>",
    "struct<a: int, b: struct<c: date>>": "struct<`a`: int, `b`: struct<`c`: date>>",
}  # fmt: skip


@pytest.mark.parametrize("notation", KINDS)
def test_a_type_in_spark_and_in_arrow_are_one(notation: str) -> None:
    from pyspark.sql.pandas.types import from_arrow_type

    kind = parse_type(notation)
    assert spark_type(kind) == KINDS[notation]
    of_arrow = from_arrow_type(arrow_type(kind), prefer_timestamp_ntz=True).simpleString()
    assert of_arrow == KINDS[notation].replace("`", "").replace(" ", "")


@pytest.mark.parametrize("leaf", ["uuid", "time", "fixed(4)"])
def test_types_that_spark_does_not_have_are_nowhere(leaf: str) -> None:
    for notation in (leaf, f"list<{leaf}>", f"map<{leaf}, int>", f"map<int, {leaf}>", f"struct<a: int, b: {leaf}>"):
        assert spark_type(parse_type(notation)) is None


def test_names_are_quoted() -> None:
    assert quoted("a`b c") == "`a``b c`"
    assert spark_type(Struct((Column("a`b", INT),))) == "struct<`a``b`: int>"
    assert arrow_type(ListOf(INT)) == pa.list_(pa.int32())


@pytest.mark.parametrize("word", sorted(WORDS))
@pytest.mark.parametrize("sql", ["{}", "day < {}", "{} > day", "if({} = day, 1, 2)", "day = {} -- a note"])
def test_words_that_are_functions_without_parentheses_are_refused_anywhere(word: str, sql: str) -> None:
    for written in (word, word.upper()):
        with pytest.raises(Unfit, match=f"function {word} is not allowed"):
            columns_used(sql.format(written))


RENAMED = {
    "(note) -- note\n > 1": "(`remark`) -- note\n > 1",
    "`note`.x = 'é' and ünote = note": "`remark`.x = 'é' and ünote = `remark`",
    "note.a.b.c.d": "`remark`.a.b.c.d",
    "a.note": "a.note",
    "transform(note, x -> x + note)": "transform(`remark`, x -> x + `remark`)",
    "transform(a, note -> note + 1)": "transform(a, note -> note + 1)",
    "named_struct('note', (note), 'b', struct(note as x, note.y))": (
        "named_struct('note', (`remark`), 'b', struct(`remark` as x, `remark`.y))"
    ),
    "struct(upper(note), note + 1)": "struct(upper(`remark`), `remark` + 1)",
    "struct(note)": None,
    "struct(a, (note))": None,
    "to_json(struct(note as note))": None,
    "arrays_zip(note, a)": None,
    "transform(a, remark -> note + remark)": None,
}


@pytest.mark.parametrize("sql", RENAMED)
def test_an_expression_of_a_renamed_column_gives_the_same_or_is_refused(sql: str) -> None:
    if (expected := RENAMED[sql]) is not None:
        assert with_names(sql, {"note": "remark"}) == expected
        return
    with pytest.raises(Unfit):
        with_names(sql, {"note": "remark"})
