"""SQL expressions of a table on a real Spark Connect server, from a real broker to files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from confluent_kafka import Producer
from kits.shaping import pipeline
from kits.slices import METADATA_TYPES, dead_letters, order, rows, target, whole
from kits.topics import produce
from kits.transform_cases import WITH_SQL, Transform
from kits.transforms import outcome
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.expression_stage import evaluate, unfit
from lakelock.app.servers import WRITER
from lakelock.config import Table
from lakelock.errors import State
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.ports import SliceOutput, Target
from lakelock.ports.write_jobs import Writer
from stack.kafka import Kafka
from stack.spark import SparkConnect

METADATA = tuple(Column(name, parse_type(kind)) for name, kind in METADATA_TYPES.items())


@pytest.fixture(scope="module")
def writer(warm_spark: SparkConnect) -> Iterator[Writer]:
    with open_connect(warm_spark.remote, "expressions", "live") as session:
        yield WRITER.over(session)


def target_of(folder: Path, table: Table, topic: str, name: str = "t") -> Target:
    return target(folder, name, (*table.declared, *METADATA), [topic], **table.reading_settings)


@pytest.fixture
def written(
    writer: Writer, kafka: Kafka, new_topic: Callable[..., str], producer: Producer, tmp_path: Path
) -> Callable[..., SliceOutput]:
    """Write *values* to tables with these settings, in one slice."""

    def write(values: list[Any], *tables: str) -> SliceOutput:
        topic = new_topic(1)
        produce(
            producer, topic, [v if v is None or isinstance(v, bytes) else json.dumps(v).encode() for v in values], 0
        )
        targets = [
            target_of(tmp_path, pipeline(tmp_path, table, "").tables[0], topic, f"t{n}" if n else "t")
            for n, table in enumerate(tables)
        ]
        assert writer.unfit(targets, State.PART_PLANNED) == {}
        (output,) = writer.run(order(kafka, tmp_path, whole(kafka, topic), *targets))
        for of_table in output.tables:
            assert of_table.fault is None
            assert all(b.balanced for b in of_table.books)
            assert sum(b.written for b in of_table.books) == sum(f.rows for f in of_table.files)
        return output

    return write


def books(output: SliceOutput, table: str = "ns.t") -> tuple[int, int, int, int]:
    """Read, written, dead letters, filtered."""
    found = [b for t in output.tables if t.table == table for b in t.books]
    return tuple(sum(getattr(b, name) for b in found) for name in ("read", "written", "dead", "filtered"))


def test_columns_are_derived_and_records_filtered(written: Callable[..., SliceOutput]) -> None:
    table = """
    columns:
      id: long
      total: {type: "decimal(10, 2)"}
      day: {type: date, sql: "to_date(created)"}
      gross: {type: "decimal(12, 2)", sql: "cast(total * 1.1 as decimal(12, 2))"}
    inputs:
      created: {type: timestamptz, cast: epoch_s}
      kind: string
    where: kind = 'order'
    """
    values = [
        {"id": 1, "total": 10.5, "created": 0, "kind": "order"},
        {"id": 2, "total": 10.5, "created": 0, "kind": "visit"},
        {"id": 3, "total": 10.5, "created": 0},
        {"id": 4, "total": 20, "created": 86400, "kind": "order"},
        {"id": "x", "kind": "order"},
        None,
    ]
    output = written(values, table)
    found = [(r["id"], str(r["day"]), str(r["gross"])) for r in rows(output)]
    assert found == [(1, "1970-01-01", "11.55"), (4, "1970-01-02", "22.00")]
    assert books(output) == (6, 2, 2, 2)
    assert [d["offset"] for d in dead_letters(output)] == [4, 5]


def test_a_record_for_which_an_expression_fails_is_a_dead_letter(written: Callable[..., SliceOutput]) -> None:
    table = """
    columns:
      id: long
      n: {type: long, sql: "cast(t as bigint)"}
      q: {type: double, sql: "100 / id"}
      a: {type: int, sql: "array(1, 2)[id]"}
    inputs: {t: string}
    """
    values = [
        {"id": 1, "t": "5"},
        {"id": 0, "t": "5"},
        {"id": 1, "t": "x"},
        {"id": 2, "t": "1"},
        {"id": 1},
        {"id": 1, "t": "7"},
    ]
    output = written(values, table)
    assert [(r["n"], r["q"], r["a"]) for r in rows(output)] == [(5, 100.0, 2), (None, 100.0, 2), (7, 100.0, 2)]
    assert [(d["offset"], d["kind"], d["field"], d["stage"]) for d in dead_letters(output)] == [
        (1, "expression failed", "q", "convert"),
        (2, "expression failed", "n", "convert"),
        (3, "expression failed", "a", "convert"),
    ]
    assert json.loads(dead_letters(output)[0]["value"]) == values[1]
    assert books(output) == (6, 3, 3, 0)


def test_spark_evaluates_no_part_of_an_expression_before_it_is_guarded(written: Callable[..., SliceOutput]) -> None:
    table = """
    columns:
      id: long
      n: {type: int, sql: "nullif(cast(t as int), 2)"}
      s: {type: string, sql: "regexp_substr('abc', p)"}
    inputs: {t: string, p: string}
    where: cast(t as int) between 1 and 9
    """
    values = [
        {"id": 1, "t": "1", "p": "b"},
        {"id": 2, "t": "x", "p": "b"},
        {"id": 3, "t": "2", "p": "("},
        {"id": 4, "t": "2", "p": "("},
        {"id": 5, "t": "2", "p": "c"},
        {"id": 6, "t": "10", "p": "c"},
    ]
    output = written(values, table)
    assert [(r["id"], r["n"], r["s"]) for r in rows(output)] == [(1, 1, "b"), (5, None, "c")]
    assert [(d["offset"], d["kind"]) for d in dead_letters(output)] == [(n, "expression failed") for n in (1, 2, 3)]
    assert books(output) == (6, 2, 3, 1)


def test_dollars_in_texts_are_no_variables(written: Callable[..., SliceOutput]) -> None:
    output = written([{"id": 1}], """columns: {id: long, s: {type: string, sql: "'$${env:HOME} $${x}'"}}""")
    assert [r["s"] for r in rows(output)] == ["${env:HOME} ${x}"]


@pytest.fixture(scope="module")
def session(warm_spark: SparkConnect) -> Iterator[Any]:
    with open_connect(warm_spark.remote, "expressions", "cases") as session:
        yield session


@pytest.mark.parametrize("case", WITH_SQL, ids=lambda case: case.theirs)
def test_a_record_becomes_what_the_page_of_transforms_says(session: Any, tmp_path: Path, case: Transform) -> None:
    def evaluated(target: Target, rows: pa.Table) -> pa.Table:
        assert unfit(session, target, State.PART_PLANNED) is None
        return evaluate(session, target, rows)

    row, other = outcome(tmp_path, case.settings, case.record, evaluated)
    assert other == case.other
    assert (row is None) == (case.row is None)
    assert (row or {}) | dict(case.row or {}) == (row or {})
