"""Pipeline files: what the smallest one means, what stays the same for ever, and what a batch can be redone with."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.config import BrokenPipeline, Pipeline, load_folder, load_pipeline
from lakelock.errors import ConfigFaults, WalUnusable
from lakelock.model.column_types import Column, Integer, Text
from lakelock.model.units import format_duration, format_size, parse_duration, parse_size_bytes
from lakelock.records.casts import Reading

Write = Callable[..., Path]  # text, name of the file

SMALLEST = "source: {topics: [flights]}\ntables: [{name: demo.flights}]\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(text: str, name: str = "flights.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return _write


def test_the_smallest_file_is_a_whole_pipeline(write: Write) -> None:
    pipeline = load_pipeline(write(SMALLEST))
    assert pipeline.name == "flights"
    assert pipeline.dead_letter_table == "demo.flights__dead_letters"
    assert pipeline.group == "lakelock.flights"
    assert pipeline.schedule.period == timedelta(minutes=5)
    assert pipeline.source.start == "earliest"
    assert pipeline.metadata_columns_by_key == {
        "partition": "_kafka_partition",
        "offset": "_kafka_offset",
        "timestamp": "_kafka_timestamp",
    }
    assert (pipeline.commit.max_latency_s, pipeline.commit.min_bytes) == (60.0, 64 << 20)
    assert pipeline.takes(pipeline.table("demo.flights"), "flights")
    assert {pipeline.source.conn_id, pipeline.catalog.conn_id, pipeline.spark.conn_id, pipeline.wal.conn_id} == {
        "kafka_default",
        "iceberg_default",
        "spark_default",
        "lakelock_postgres",
    }


def test_defaults_of_the_folder_lie_under_the_file_and_table_defaults_under_each_table(write: Write) -> None:
    write(
        """
        owner: team
        tags: [a, b]
        commit: {max_latency: 30s, min_bytes: 1MiB}
        table_defaults: {properties: {x: '1', y: '1'}, partition_by: [day(ts)], unknown_fields: ignore}
        """,
        "_defaults.yaml",
    )
    pipeline = load_pipeline(
        write(
            """
            tags: [c]
            source: {topics: [a, b]}
            commit: {max_latency: 5s}
            table_defaults: {columns: {ts: timestamptz}}
            tables:
              - {name: n.a, topics: [a], columns: {id: long}, properties: {y: '2'}}
              - {name: n.b, topics: [b], partition_by: []}
            """
        )
    )
    first, second = pipeline.tables
    assert (pipeline.owner, pipeline.tags) == ("team", ("c",))
    assert (pipeline.commit.max_latency_s, pipeline.commit.min_bytes) == (5.0, 1 << 20)
    assert [c.name for c in first.columns] == ["ts", "id"]
    assert (first.properties, first.partition_by, first.unknown_fields) == (
        {"x": "1", "y": "2"},
        ("day(ts)",),
        "ignore",
    )
    assert (second.properties, second.partition_by) == ({"x": "1", "y": "1"}, ())


def test_variables_come_from_the_environment_and_a_doubled_dollar_is_plain(write: Write) -> None:
    text = (
        "source: {topics: ['a$${b}']}\ntables: [{name: '${NS}.t-${SUFFIX}'}]\nbatch: {max_records: '${MAX}'}\n"
        "publish: {group_prefix: x}\nschedule: {every: '${EVERY}'}\n"
    )
    pipeline = load_pipeline(write(text), {"NS": "lake", "SUFFIX": "v1", "MAX": "7", "EVERY": "2m"})
    assert pipeline.source.topics == ("a${b}",)
    assert pipeline.tables[0].name == "lake.t-v1"
    assert (pipeline.batch.max_records, pipeline.schedule.every) == (7, timedelta(minutes=2))


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("earliest", "earliest"),
        ("latest", "latest"),
        ("2026-01-31T00:00:00Z", datetime(2026, 1, 31, tzinfo=UTC)),
        ("2026-01-31T01:00:00+01:00", datetime(2026, 1, 31, tzinfo=UTC)),
        ("{a: {0: 12, 1: 0}}", {"a": {0: 12, 1: 0}}),
    ],
)
def test_a_start_survives_the_way_through_json(write: Write, text: str, start: object) -> None:
    pipeline = load_pipeline(write(f"source: {{topics: [a], start: {text}}}\ntables: [{{name: n.t}}]"))
    assert pipeline.source.start == start
    again = Pipeline.from_resolved(json.loads(json.dumps(pipeline.resolved())))
    assert again.source.start == start
    assert again.digest == pipeline.digest


FULL = """
owner: team-shop
tags: [shop]
schedule: {every: 5m, batch_every: 10s}
source: {conn_id: k, topics: [orders, audit], start: latest}
tables:
  - name: lake.orders
    topics: [orders]
    columns:
      zeta: {type: bigint, required: true, doc: first}
      amount: decimal(10,2)
      at: {type: timestamptz, zone: Europe/Berlin}
      items: "list<struct<sku: string, n: int>>"
      alpha: map<string, double>
    partition_by: ["day(at)", "bucket(16, zeta)"]
    sort_by: [zeta desc nulls last]
    id_columns: [zeta]
    properties: {b: '1', a: '2'}
    location: s3://bucket/orders
  - {name: lake.audit, unknown_fields: ignore, columns: {at: {zone: UTC}}}
metadata_columns: {partition: p, timestamp: false}
catalog: {conn_id: c, branch: ingest}
dead_letters: {table: lake.dead, stop_at: {ratio: 0.05, count: 10}}
commit: {max_latency: 1m30s, min_bytes: 10MB, keep_snapshots: 50}
batch: {max_records: 1_000, parallelism: 4}
spark: {conn_id: s}
wal: {conn_id: w}
publish: {group_prefix: 'x.'}
"""


def test_every_setting_survives_json_with_reordered_keys(write: Write) -> None:
    pipeline = load_pipeline(write(FULL))
    # What Postgres' jsonb does to keys must not reorder columns.
    stored = json.loads(json.dumps(pipeline.resolved(), sort_keys=True))
    again = Pipeline.from_resolved(stored)
    assert again.digest == pipeline.digest
    assert again.resolved() == pipeline.resolved()
    assert [c.name for c in again.tables[0].columns] == ["zeta", "amount", "at", "items", "alpha"]
    assert again.tables[0].zones == {"at": "Europe/Berlin"}
    assert again.tables[0].declared[0] == Column("zeta", Integer(64), required=True, doc="first")
    assert again.tables[1].declared == ()
    assert again.tables[1].zones == {"at": "UTC"}
    assert again.metadata_columns_by_key == {"partition": "p", "offset": "_kafka_offset"}
    assert again.commit.max_latency_s == 90.0
    assert again.dead_letter_table == "lake.dead"


READINGS = """
source: {topics: [orders]}
tables:
  - name: lake.orders
    columns:
      id: {type: long, field: order.id}
      dotted: {type: int, field: [a.b, c], cast: text}
      only: {type: int, field: [plain]}
      at: {type: timestamptz, cast: [rfc3339, epoch_ms, "pattern:dd.MM.yyyy 'at' HH", null], zone: UTC}
      p: json
      q: {type: json, field: $}
      whole: {type: string, field: $}
      $: {type: long, cast: text}
      price: {type: long, field: [$]}
      rest: json
    new_fields: {json_column: rest}
  - {name: lake.audit, new_fields: ignore, columns: {at: {field: when}}}
  - {name: lake.all, new_fields: {json_column: more}, columns: {id: long}}
  - {name: lake.strict, new_fields: dead_letter}
"""


def test_readings_survive_json(write: Write) -> None:
    pipeline = load_pipeline(write(READINGS))
    again = Pipeline.from_resolved(json.loads(json.dumps(pipeline.resolved(), sort_keys=True)))
    assert again.digest == pipeline.digest
    assert again.resolved() == pipeline.resolved()
    orders, audit, every, strict = again.tables
    assert orders.readings == {
        "id": Reading(("order", "id")),
        "dotted": Reading(("a.b", "c"), ("text",)),
        "only": Reading(("plain",)),
        "at": Reading(("at",), ("rfc3339", "epoch_ms", "pattern:dd.MM.yyyy 'at' HH", "null")),
        "p": Reading(("p",), ("json",)),
        "q": Reading((), ("json",), whole=True),
        "whole": Reading((), whole=True),
        "$": Reading(("$",), ("text",)),
        "price": Reading(("$",)),
        "rest": Reading(("rest",), ("json",)),
    }
    assert [c.type for c in orders.declared if c.name in ("p", "q", "whole", "rest")] == [Text()] * 4
    assert orders.reading_settings == {
        "zones": {"at": "UTC"},
        "readings": orders.readings,
        "rest_column": "rest",
        "dropped": (),
        "reshape": None,
        "ignores_case": False,
        "constants": {},
        "masks": {},
        "expressions": None,
        "unknown_fields": "ignore",
    }
    assert (audit.readings, audit.refuses_new_fields, audit.rest_column) == ({"at": Reading(("when",))}, False, None)
    assert every.with_rest_column(every.declared) == (*every.declared, Column("more", Text()))
    assert orders.with_rest_column(orders.declared) == orders.declared
    assert (strict.refuses_new_fields, strict.rest_column) == (True, None)


def test_each_part_of_a_reading_changes_the_digest(write: Write) -> None:
    digests = {
        load_pipeline(write(READINGS.replace(old, new))).digest
        for old, new in (
            ("", ""),
            ("order.id", "order.no"),
            ("epoch_ms", "epoch_us"),
            ("[rfc3339, epoch_ms,", "[epoch_ms, rfc3339,"),
            ("new_fields: ignore", "new_fields: dead_letter"),
            ("json_column: more", "json_column: others"),
        )
    }
    assert len(digests) == 6


def test_the_names_of_0_2_0_say_the_same(write: Write) -> None:
    for new, old in (("new_fields: ignore", "unknown_fields: ignore"), ("new_fields: dead_letter", "tags: []")):
        one = load_pipeline(write(f"source: {{topics: [a]}}\ntables: [{{name: n.t, {new}}}]\n")).tables[0]
        other = f"source: {{topics: [a]}}\ntables: [{{name: n.t{', ' + old if 'tags' not in old else ''}}}]\n"
        assert one.reading_settings == load_pipeline(write(other)).tables[0].reading_settings


def test_the_digest_distinguishes_configurations(write: Write) -> None:
    first = load_pipeline(write(SMALLEST))
    assert load_pipeline(write("# a comment\n" + SMALLEST)).digest == first.digest
    assert load_pipeline(write(SMALLEST + "batch: {max_records: 5}\n")).digest != first.digest


def test_alerts_are_of_the_file_alone(write: Write) -> None:
    """A notifier's arguments may hold a secret, and what is resolved lies in the log and beside the table."""
    first = load_pipeline(write(SMALLEST))
    text = "alerts: {lag: 5m, notify: [{notifier: a.B, arguments: {token: hunter2}}]}\n"
    reported = load_pipeline(write(SMALLEST + text))
    assert reported.alerts.notify[0].arguments == {"token": "hunter2"}
    assert "hunter2" not in str(reported.resolved())
    assert reported.digest == first.digest


def test_the_length_of_a_backfills_runs_is_of_the_file_alone(write: Write) -> None:
    first = load_pipeline(write(SMALLEST))
    days = load_pipeline(write(SMALLEST + "backfill: {interval: 1d}\n"))
    assert (first.backfill.interval, days.backfill.interval) == (timedelta(hours=1), timedelta(days=1))
    assert days.digest == first.digest


def test_metadata_columns_can_be_left_out_altogether(write: Write) -> None:
    assert load_pipeline(write(SMALLEST + "metadata_columns: false\n")).metadata_columns_by_key == {}


def test_a_configuration_of_a_later_release_is_reported_and_not_guessed(write: Write) -> None:
    stored = load_pipeline(write(SMALLEST)).resolved() | {"later": 1}
    with pytest.raises(WalUnusable, match=r"cannot be read by this release \(later: .*Run the release that"):
        Pipeline.from_resolved(stored)


def test_a_folder_gives_every_pipeline_and_a_bad_file_hides_none(write: Write, tmp_path: Path) -> None:
    write(SMALLEST, "b_good.yaml")
    write(SMALLEST, "d_good.yml")
    write("source: {topics: [", "a_bad.yaml")
    write(SMALLEST, "c.yaml")
    write(SMALLEST, "c.yml")
    write(SMALLEST, "_skipped.yaml")
    write(SMALLEST, ".hidden.yaml")
    write("not a pipeline", "notes.txt")
    found = load_folder(tmp_path)
    assert [(p.name, isinstance(p, BrokenPipeline)) for p in found] == [
        ("a_bad", True),
        ("b_good", False),
        ("c", True),
        ("d_good", False),
    ]
    assert isinstance(found[2], BrokenPipeline)
    assert "c.yaml and c.yml are the same pipeline" in found[2].message
    assert [p.name for p in load_folder(tmp_path, only="b_good")] == ["b_good"]


def test_a_missing_folder_is_reported() -> None:
    with pytest.raises(ConfigFaults, match="no folder of pipeline files at /nowhere"):
        load_folder(Path("/nowhere"))


@given(st.timedeltas(min_value=timedelta(milliseconds=1), max_value=timedelta(days=400)))
def test_a_duration_is_the_same_after_writing_and_reading(duration: timedelta) -> None:
    whole = timedelta(milliseconds=duration // timedelta(milliseconds=1))
    assert parse_duration(format_duration(whole)) == whole


@given(st.integers(min_value=0, max_value=1 << 50))
def test_a_size_is_the_same_after_writing_and_reading(size_bytes: int) -> None:
    assert parse_size_bytes(format_size(size_bytes)) == size_bytes


def test_topic_and_key_become_columns_only_if_they_are_named(write: Write) -> None:
    pipeline = load_pipeline(write(SMALLEST + "metadata_columns: {topic: t, key: k, offset: false}\n"))
    assert pipeline.metadata_columns_by_key == {"partition": "_kafka_partition", "timestamp": "_kafka_timestamp"} | {
        "topic": "t", "key": "k",
    }  # fmt: skip
    assert Pipeline.from_resolved(pipeline.resolved()).digest == pipeline.digest
    without = load_pipeline(write(SMALLEST + "metadata_columns: {topic: false}\n"))
    assert without.digest == load_pipeline(write(SMALLEST)).digest


def test_headers_and_the_type_of_a_timestamp_become_columns_only_if_they_are_named(write: Write) -> None:
    named = "{timestamp_type: tt, headers: h, header: {trace-id: trace, partition: p, gone: false}, timestamp: false}"
    pipeline = load_pipeline(write(SMALLEST + f"metadata_columns: {named}\n"))
    assert pipeline.metadata_columns_by_key == {
        "partition": "_kafka_partition", "offset": "_kafka_offset", "timestamp_type": "tt", "headers": "h",
        "header.trace-id": "trace", "header.partition": "p",
    }  # fmt: skip
    assert Pipeline.from_resolved(pipeline.resolved()).digest == pipeline.digest
    digest = load_pipeline(write(SMALLEST)).digest
    for none in ("{timestamp_type: false, headers: false, header: false}", "{header: {}}", "{header: {a: false}}"):
        assert load_pipeline(write(SMALLEST + f"metadata_columns: {none}\n")).digest == digest


@pytest.mark.parametrize(
    "kind", ["list<struct<key: string, value: binary>>", "map<string,binary>", "map<string, text>"]
)
def test_a_column_of_headers_may_be_declared_as_each_type_that_takes_them(write: Write, kind: str) -> None:
    columns = f"tables: [{{name: n.t, columns: {{id: long, h: '{kind}', x: binary}}}}]\n"
    source = "source: {topics: [a]}\n"
    pipeline = load_pipeline(write(source + columns + "metadata_columns: {headers: h, header: {a: x}}\n"))
    assert pipeline.metadata_columns_by_key["header.a"] == "x"
