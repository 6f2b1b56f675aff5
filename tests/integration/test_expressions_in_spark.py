"""Expressions over records of all kinds in Spark, without a broker: each is what it would be alone."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from kits.slices import target
from kits.transform_cases import Record
from kits.transforms import pipeline_of, rows_in, written
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.expression_stage import (
    evaluate,
    evaluated,
    input_columns,
    input_names,
    prepare,
    unfit,
)
from lakelock.adapters.spark.stage_columns import input_arrays
from lakelock.errors import State
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.ports import Target
from lakelock.records.sql.expressions import Expressions, RowCheck
from lakelock.records.sql.functions import ALLOWED, refusal
from lakelock.records.sql.guarded import HANDED_OVER
from lakelock.records.sql.outcomes import OUTCOME
from lakelock.records.sql.types import arrow_type
from stack.settings import REPOSITORY
from stack.spark import SparkConnect

PAGE = (REPOSITORY / "docs" / "sql.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def session(warm_spark: SparkConnect) -> Iterator[Any]:
    with open_connect(warm_spark.remote, "expressions", "cases") as session:
        prepare(session)
        yield session


def examples() -> list[Any]:
    lines = PAGE.partition("| the record | the row |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    cells = [line.strip("|").split(" | ") for line in lines]
    return [pytest.param(record.strip(" `"), becomes.strip(), id=record.strip()[:12]) for record, becomes in cells]


def test_the_page_has_examples() -> None:
    assert len(examples()) == 4


@pytest.mark.parametrize(("record", "becomes"), examples())
def test_the_examples_of_the_page_are_right(session: Any, tmp_path: Path, record: str, becomes: str) -> None:
    def results(of: Target, rows: pa.Table) -> pa.Table:
        assert unfit(session, of, State.PART_PLANNED) is None
        return evaluate(session, of, rows)

    block: str = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[0]
    keys = [line.removeprefix("    ") for line in block.partition("- name: shop.orders\n")[2].splitlines()]
    found = written(tmp_path, pipeline_of(tmp_path, keys, "orders"), [Record(record.encode())], None, results)
    rows, dead = rows_in(found.rows.files), rows_in(found.dead_letters.files)
    if becomes == "filtered":
        assert (found.books.filtered, rows, dead) == (1, [], [])
    elif becomes.startswith("a dead letter"):
        assert (dead[0]["kind"], rows) == (becomes.partition("`")[2].strip("`"), [])
    else:
        shown = [{name: str(value) if name == "day" else value for name, value in row.items()} for row in rows]
        assert (shown, dead) == ([json.loads(becomes.strip("`"), parse_float=Decimal)], [])


# Syntax that Spark lists among its functions.
SYNTAX = {"and", "or", "not", "between", "case", "when", "in", "like", "distinct"}


def test_spark_has_the_functions_that_are_allowed_and_others_are_refused_for_a_reason(session: Any) -> None:
    listed = {str(name) for name in session.sql("show system functions").toArrow().column(0).to_pylist()}
    names = {name for name in listed if re.fullmatch(r"[a-z]\w*", name)}
    assert len(names) > 400
    assert sorted(ALLOWED - names - SYNTAX) == []
    assert [name for name in names - ALLOWED if refusal(name) is None] == []


COLUMNS = tuple(
    Column(name, parse_type(kind))
    for name, kind in {
        "id": "long", "i": "int", "t": "string", "d": "double", "f": "float", "b": "binary", "n": "decimal(10, 2)",
        "at": "timestamptz", "day": "date", "flag": "boolean", "xs": "list<long>", "m": "map<string, long>",
        "st": "struct<a: long, t: string>",
    }.items()
)  # fmt: skip
DERIVED = [
    "id + 1", "i * 2000000", "cast(t as bigint)", "try_cast(t as int)", "d / id", "array(1, 2, 3)[i]", "element_at(xs, 1)",
    "upper(t)", "concat_ws('-', t, cast(id as string))", "aggregate(xs, 0L, (a, x) -> a + x)",
    "transform(xs, x -> 100 div x)", "sort_array(array_union(xs, array(id)))", "split(t, ',')",
    "named_struct('a', cast(t as bigint), 't', t)", "to_date(t)", "to_timestamp(t, 'yyyy-MM-dd HH:mm')",
    "cast(n * 1000000 as decimal(12, 2))", "get_json_object(t, '$.a')", "from_json(t, 'a int')",
    "if(id = 3, raise_error(t), 1)", "decode(b, 'utf-8')", "unhex(t)", "m['a']", "transform_values(m, (k, v) -> 10 div v)",
    "map_filter(m, (k, v) -> 10 div v > 1)", "hash(m, xs, st)", "date_format(at, 'yyyy-MM-dd')",
    "datediff(day, date'2000-01-01')", "st.a * 4611686018427387904", "to_json(st)", "parse_url(t, 'HOST')", "url_decode(t)",
    "to_number(t, '999')", "encode(t, 'us-ascii')", "cast(f as int)", "cast(d as decimal(5, 2))", "lpad(t, 9, '*')",
    "regexp_extract(t, '(a+)', 1)", "make_date(i, 2, 29)", "cast(null as string)", "coalesce(cast(t as int), i)",
]  # fmt: skip
OTHERS = [
    Expressions(where="100 / id > 0"),
    Expressions({"x": "cast(t as int)"}, "flag"),
    Expressions({"x": "10 div i"}, checks=(RowCheck("a", "x > 0"), RowCheck("b", "cast(t as int) = x", "filter"))),
    Expressions({"x": "10 div i", "y": "cast(t as date)"}, "d > 0",
                (RowCheck("a", "xs[0] = 1"), RowCheck("b", "length(t) > 1", "stop"))),
    Expressions(checks=(RowCheck("a", "cast(t as boolean)"), RowCheck("b", "isnan(d) or d > 1 / id"))),
]  # fmt: skip


def record(chance: Random) -> dict[str, Any]:
    def one(*values: Any) -> Any:
        return chance.choice([None, *values])

    long = [0, 1, -1, 3, 7, 2**63 - 1, -(2**63)]
    text = ["", "5", "-3", " 7 ", "x", "2024-02-29", "2024-02-30", "2024-01-01 10:00", '{"a": 1}', '{"a": "x"', "0", "ff", "é",
            "a,,b,", "\U0001f600aa", "\x00", "https://é.org/a?b", "%zz", "%C3%A9", "true", "9" * 400, "a" * 5000, "1e400", "\u200b"]  # fmt: skip
    return {
        "id": one(*long),
        "i": one(0, 1, 2, -1, 4, 2000, 2**31 - 1, -(2**31)),
        "t": one(*text),
        "d": one(0.0, -0.0, 1.5, math.nan, math.inf, -math.inf, 1e308, 5e-324),
        "f": one(0.0, math.nan, 1.5, 3e38),
        "b": one(b"", b"abc", b"\xff\xfe", "é".encode(), b"\x00" * 300),
        "n": one(Decimal("0.00"), Decimal("-1.50"), Decimal("99999999.99")),
        "at": one(datetime(1970, 1, 1, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)),
        "day": one(date(2024, 2, 29), date(1, 1, 1), date(9999, 12, 31)),
        "flag": one(True, False),
        "xs": one([], [0], [1, None], [1, 2, 3], [2**63 - 1, 1], [None] * 50),
        "m": one({}, {"a": 1}, {"a": 0, "b": 2}, {"": None}, {"b": 5, "a": 5}),
        "st": one({"a": None, "t": None}, {"a": 1, "t": "é"}, {"a": 2, "t": ""}),
    }


def records(count: int) -> list[dict[str, Any]]:
    """Each third one is the same as that before: an error must not stay with the record that follows."""
    chance = Random(20)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        found += [record(chance)] * chance.choice([1, 1, 2])
    return found[:count]


def given(targets: Sequence[Target], rows: pa.Table) -> pa.Table:
    numbers = pa.array([b"%d" % n for n in range(rows.num_rows)], pa.binary())
    arrays = [array for t in targets for array in input_arrays(input_columns(t), rows, rows.num_rows)]
    names = [name for n in range(len(targets)) for name in input_names(targets, n)]
    return pa.Table.from_arrays([numbers, *arrays], names=[HANDED_OVER, *names])


def by_number(found: pa.Table) -> dict[bytes, str]:
    """Spark has dates that Python does not have."""
    plain = [c.cast(pa.int32()) if pa.types.is_date(c.type) else c for c in found.columns]
    rows = pa.Table.from_arrays(plain, names=found.column_names).to_pylist()
    return {row.pop(HANDED_OVER): repr(row) for row in rows}


@pytest.mark.drawn(0.25, about="records/sql")
@pytest.mark.parametrize("part", range(4))
def test_each_record_has_the_outcome_that_it_has_alone(session: Any, tmp_path: Path, part: int) -> None:
    some = [*(Expressions({"x": sql}) for sql in DERIVED), *OTHERS][part::4]
    targets = [
        target(tmp_path, f"t{n}", COLUMNS, ["t"], expressions=e, metadata_columns={}) for n, e in enumerate(some)
    ]
    wanted = records(300)
    arrays = [pa.array([row[c.name] for row in wanted], arrow_type(c.type)) for c in COLUMNS]
    frame = session.createDataFrame(given(targets, pa.Table.from_arrays(arrays, names=[c.name for c in COLUMNS])))
    together = evaluated(frame.coalesce(1), targets).toArrow()
    numbered = frame.selectExpr("*", f"cast(cast({HANDED_OVER} as string) as int) as number")
    apart = numbered.repartitionById(len(wanted), "number")
    alone = evaluated(apart, targets).toArrow()
    assert by_number(together) == by_number(alone)
    assert together.num_rows == len(wanted)
    # None has the same outcome for all, but for those that cannot fail.
    found = [set(together.column(f"__lakelock_{n}_{OUTCOME}").to_pylist()) for n in range(len(some))]
    assert sum(len(outcomes) > 1 for outcomes in found) >= len(some) // 3
