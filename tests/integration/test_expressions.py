"""SQL expressions of a table on a real Spark Connect server, from a real broker to files."""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
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
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.expression_stage import evaluate, unfit
from lakelock.adapters.spark.jobs import SparkWriter
from lakelock.adapters.spark.staged_task import Halves
from lakelock.app.redrive import REDRIVER
from lakelock.app.servers import WRITER
from lakelock.config import Table
from lakelock.errors import CheckFailed, Retryable, State, TopicMissing
from lakelock.model.column_types import Column
from lakelock.model.table_files import FileView
from lakelock.model.type_notation import parse_type
from lakelock.ports import SliceOutput, Target, WriteOrder
from lakelock.ports.redrive_jobs import DeadLetterFiles, RedriveOrder
from lakelock.ports.write_jobs import Writer
from lakelock.records import dead_letters as letters
from lakelock.records.sql import syntax
from lakelock.workers.detached_events import read_detached
from lakelock.workers.write import write_read, write_slice
from pyspark import cloudpickle
from stack.kafka import Kafka
from stack.spark import SparkConnect

# Spark's workers do not have the tests.
cloudpickle.register_pickle_by_value(sys.modules[__name__])
SECRET = "planted-secret-value"
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
      s: {type: string, sql: "if(nullif(element_at(split(p, ','), 2), 'z') is null, p, 'b')"}
    inputs: {t: string, p: string}
    where: cast(t as int) between 1 and 9
    """
    values = [
        {"id": 1, "t": "1", "p": "a,b"},
        {"id": 2, "t": "x", "p": "a,b"},
        {"id": 3, "t": "2", "p": "a"},
        {"id": 4, "t": "2", "p": "a"},
        {"id": 5, "t": "2", "p": "a,z"},
        {"id": 6, "t": "10", "p": "a,c"},
    ]
    output = written(values, table)
    assert [(r["id"], r["n"], r["s"]) for r in rows(output)] == [(1, 1, "b"), (5, None, "a,z")]
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


CHECKED = """
    columns: {id: long, half: {type: double, sql: "id / 2"}}
    checks:
      small: {sql: "half < 5", on_fail: filter}
      not_three: {sql: "id <> 3"}
      finite: {sql: "coalesce(100 / (id - 4), 1) > -1000", on_fail: stop}
"""


def test_rows_that_fail_checks_are_filtered_or_dead_letters(written: Callable[..., SliceOutput]) -> None:
    output = written([{"id": 1}, {"id": 3}, {"id": 20}, {"id": None}, {"id": 9}], CHECKED)
    assert [(r["id"], r["half"]) for r in rows(output)] == [(1, 0.5), (9, 4.5)]
    assert [(d["offset"], d["kind"], d["field"], d["stage"]) for d in dead_letters(output)] == [
        (1, "check failed", "not_three", "check"),
        (3, "check failed", "not_three", "check"),
    ]
    assert books(output) == (5, 2, 2, 1)


def test_a_check_that_stops_names_the_record_and_nothing_is_staged(
    written: Callable[..., SliceOutput], tmp_path: Path
) -> None:
    with pytest.raises(CheckFailed) as raised:
        written([{"id": 1}, {"id": 3}, {"id": 4}, {"id": 4}], CHECKED, "columns: {id: long}")
    assert ", partition 0, offset 2 fails a check that stops the batch: check 'finite': its SQL fails" in str(
        raised.value
    )
    assert "table ns.t: the record of topic " in str(raised.value)
    assert raised.value.state is State.BATCH_PLANNED
    assert list(tmp_path.rglob("dead/**/*.parquet")) == []


def test_dates_that_python_does_not_have_are_rows_or_dead_letters(written: Callable[..., SliceOutput]) -> None:
    table = """
    columns: {id: long, day: {type: date, sql: "to_date(t)"}, at: {type: timestamptz, sql: "to_timestamp(t, 'yyyy-MM-dd')"}}
    inputs: {t: string}
    """
    values = [
        {"id": n, "t": t}
        for n, t in enumerate(["2024-02-29", "+99999-01-01", "-0001-01-01", "9999-12-31", "0001-01-01"])
    ]
    output = written(values, table)
    read, good, dead, _ = books(output)
    assert (read, good + dead) == (5, 5)
    assert sum(f.rows for t in output.tables for f in t.files) == good


MANY = 45_000


@pytest.mark.drawn(0.5, about="records/sql")
def test_tables_take_other_rows_of_large_blocks(written: Callable[..., SliceOutput]) -> None:
    values = [
        {
            "id": n,
            "t": "x" if n % 1000 == 7 else str(n * 2),
            "kind": "ab"[n % 3 == 0],
            "n": "no" if n % 1000 == 500 else n,
        }
        for n in range(MANY)
    ]
    shared = "new_fields: ignore\n    "
    output = written(
        values,
        shared
        + """columns: {id: long, twice: {type: long, sql: "cast(t as bigint)"}}
    inputs: {t: string, kind: string}
    where: kind = 'b'""",
        shared + "columns: {id: long, n: long}",
        shared
        + """columns: {id: long, n: long, q: {type: long, sql: "1000 div (id % 1000 - 501)"}}
    checks: {even: {sql: "id % 2 = 1", on_fail: filter}}""",
    )
    ids = range(MANY)
    dead = {
        "ns.t": [n for n in ids if n % 3 == 0 and n % 1000 == 7],
        "ns.t1": [n for n in ids if n % 1000 == 500],
        "ns.t2": [n for n in ids if n % 1000 in (500, 501)],
    }
    good = {
        "ns.t": [(n, n * 2) for n in ids if n % 3 == 0 and n % 1000 != 7],
        "ns.t1": [(n, n) for n in ids if n % 1000 != 500],
        "ns.t2": [(n, n, int(1000 / (n % 1000 - 501))) for n in ids if n % 2 == 1 and n % 1000 != 501],
    }
    for table, wanted in good.items():
        found = [tuple(v for k, v in r.items() if not k.startswith("_")) for r in rows(output, table)]
        assert found == wanted
        assert [d["offset"] for d in dead_letters(output, table)] == dead[table]
        assert [r["_o"] for r in rows(output, table)] == [row[0] for row in wanted]
        read, count, dead_letter_count, filtered = books(output, table)
        assert (read, count, dead_letter_count) == (MANY, len(wanted), len(dead[table]))
        assert filtered == MANY - count - dead_letter_count
    assert all(json.loads(d["value"]) == values[d["offset"]] for t in good for d in dead_letters(output, t))


BEFORE = """
    columns: {id: long, n: {type: long, sql: "cast(t as bigint)"}}
    inputs: {t: string}
"""
NOW = """
    columns: {id: long, n: {type: long, sql: "coalesce(try_cast(t as bigint), 1 div id)"}}
    inputs: {t: string}
    where: id < 5
    checks: {odd: "n <> 1"}
"""


def test_dead_letters_become_rows_by_the_expressions_of_now(
    written: Callable[..., SliceOutput], session: Any, tmp_path: Path
) -> None:
    values = [{"id": n, "t": "x"} for n in (0, 1, 2, -1, 7, 3)] + [{"id": 1, "t": "5"}, {"id": "y", "t": "5"}]
    output = written(values, BEFORE)
    assert [d["offset"] for d in dead_letters(output)] == [0, 1, 2, 3, 4, 5, 7]
    (ranges,) = {tuple(b.range for b in t.books) for t in output.tables}
    open_ones = tuple(replace(ranges[0], start=start, end=end) for start, end in [(0, 6), (7, 8)])
    files = tuple(
        FileView(f.path, f.size_bytes, f.rows, None, 0, 0, 0, 7) for t in output.dead_letters for f in t.files
    )
    ids = {f.name: f.field_id for f in schema_from(letters.COLUMNS).fields}
    wanted = target_of(tmp_path, pipeline(tmp_path, NOW, "").tables[0], ranges[0].source.topic)
    asked = RedriveOrder(str(uuid.uuid4()), wanted, (open_ones,), (DeadLetterFiles("ns.dead", files, ids, {}),))
    redriver = REDRIVER.over(session)
    unfit_for = {
        "`n`: expression failed": 1,
        "`odd`: check failed": 1,
        "`id`: text for a long": 1,
        "filtered": 1,
    }
    for is_trial in (True, False):
        (done,) = redriver.run(replace(asked, is_trial=is_trial))
        assert [(r.start, r.end) for r in done.rows] == [(2, 4), (5, 6)]
        assert sum(done.unfit.values()) == 4
        assert done.unfit["filtered"] == 1
        assert sum(f.rows for f in done.files) == (0 if is_trial else 3)
    assert dict(done.unfit) == unfit_for


WRONG = {
    'columns: {id: long, x: {type: int, sql: "id + 1"}}': "column 'x' is int, but its SQL gives bigint; write cast(",
    'columns: {id: long, x: {type: "decimal(5, 2)", sql: "1.125"}}': "column 'x' is decimal(5, 2), but its SQL gives",
    "columns: {id: long}\n    where: id": "`where` is bigint, and must be boolean",
    "columns: {id: long}\n    checks: {c: \"'true'\"}": "check 'c' is string, and must be boolean",
    'columns: {id: long, x: {type: long, sql: "id.a"}}': "Spark refuses its SQL: ",
    "columns: {id: long}\n    where: array_max(id) = 1": "Spark refuses its SQL: ",
    'columns: {t: string, x: {type: timestamptz, sql: "cast(t as timestamp)"}}': "its SQL casts 't#",
    "columns: {t: string, at: timestamptz}\n    where: at > t": "its SQL casts 't#",
    "columns: {x: {type: date, sql: \"cast(concat('to', 'day') as date)\"}}": "its SQL casts 'concat(to, day)'",
}


def test_a_table_whose_expressions_do_not_fit_stops_alone(
    writer: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if it was known to another version of Spark.
    monkeypatch.setattr(syntax, "refusal", lambda name: None)
    tables = [*WRONG, "columns: {id: long}", "columns: {id: long}\n    where: id > 0"]
    tables += [
        "columns: {at: timestamptz, d: date, t: string}\n    where: at > d and at > '2020-01-01' and d = cast(t as date)"
    ]
    targets = [target_of(tmp_path, pipeline(tmp_path, t, "").tables[0], "t", f"t{n}") for n, t in enumerate(tables)]
    found = writer.unfit(targets, State.PART_PLANNED)
    assert list(found) == [f"ns.t{n}" for n in range(len(WRONG))]
    for fault, message in zip(found.values(), WRONG.values(), strict=True):
        assert message in str(fault)
        assert fault.state is State.PART_PLANNED
        assert "JVM" not in str(fault)


def read_that_fails(order: WriteOrder, slice_no: int) -> Iterator[Any]:
    for number, found in enumerate(read_detached(order, slice_no)):
        if number == 1:
            secret = order.targets[0].mask_keys["key"]
            if order.pipeline == "lakelocks":
                raise TopicMissing("the topic is gone", State.BATCH_PLANNED)
            raise KeyError(f"a bug in reading that shows {secret}")
        yield found


def write_that_fails(order: WriteOrder, slice_no: int, events: Iterator[Any]) -> SliceOutput:
    next(events)
    secret = order.targets[0].mask_keys["key"]
    if order.pipeline == "lakelocks":
        raise TopicMissing("the topic is gone", State.BATCH_PLANNED)
    raise KeyError(f"a bug in writing that shows {secret}")


@pytest.mark.parametrize("half", ["reading", "writing"])
def test_an_error_in_a_half_arrives(
    session: Any, kafka: Kafka, new_topic: Callable[..., str], producer: Producer, tmp_path: Path, half: str
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id": 1}'], 0)
    read = read_that_fails if half == "reading" else read_detached
    write = write_read if half == "reading" else write_that_fails
    failing = SparkWriter(session, write_slice, halves=Halves(read, write, lambda order: order.targets))
    of = replace(target_of(tmp_path, pipeline(tmp_path, NOW, "").tables[0], topic), mask_keys={"key": SECRET})
    asked = order(kafka, tmp_path, whole(kafka, topic), of)
    with pytest.raises(TopicMissing, match="the topic is gone") as known:
        failing.run(replace(asked, pipeline="lakelocks"))
    assert known.value.state is State.BATCH_PLANNED
    with pytest.raises(Retryable, match=f"a bug in {half} that shows") as unknown:
        failing.run(asked)
    assert SECRET not in str(unknown.value)
