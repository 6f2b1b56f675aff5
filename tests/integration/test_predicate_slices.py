"""Slices whose rules have predicates, on a real broker and a real Spark server: as plain code routes each record."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from confluent_kafka import Producer
from kits.columns import columns
from kits.predicates import Sent, letter, predicate, records
from kits.slices import METADATA, METADATA_TYPES, dead_letters, order, rows, target, whole
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.app.servers import WRITER
from lakelock.errors import TopicMissing
from lakelock.model.batches import NO_TABLE
from lakelock.ports import SliceOutput, Target
from lakelock.ports.write_jobs import Writer
from lakelock.records.decompression import Compression
from lakelock.records.routing.route_one import route
from lakelock.records.routing.router import Router, RouteRule
from lakelock.records.sql.expressions import Expressions
from stack.kafka import Kafka
from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.5, about=("records/routing", "lakelock/workers/", "adapters/spark"))

LETTERS = RouteRule("dead_letter")
COLUMNS = columns(
    {"type": "string", **METADATA_TYPES, "_k": "binary", "_h": "binary", "_tt": "string", "twice": "string"}
)
KEYED = {**METADATA, "key": "_k", "header.tenant": "_h", "timestamp_type": "_tt"}
ABOVE, RATIO, LIKE = "get_json_object(value, '$.n') > 100", "10 / (offset % 5) > 4", "key like 'p%'"
TENANT = "exists(headers, h -> h.key = 'tenant' and h.value = X'61')"
RULES = (
    RouteRule("tables", ("ns.a",), topics_regex=".*", when=(("type", ("a",)),), where=predicate(ABOVE)),
    RouteRule("filter", where=predicate(TENANT)),
    RouteRule("tables", ("ns.{type}",), where=predicate(LIKE)),
    RouteRule("tables", ("ns.a", "ns.new"), where=predicate(RATIO)),
)


@pytest.fixture(scope="module")
def writer(warm_spark: SparkConnect) -> Iterator[Writer]:
    with open_connect(warm_spark.remote, "predicates", "live") as session:
        yield WRITER.over(session)


def send(producer: Producer, sent: Sequence[Sent], *, compressed: bool) -> None:
    for s in sent:
        value = gzip.compress(s.value) if compressed and s.value is not None else s.value
        # Kafka would delete records of the past.
        producer.produce(s.topic, value, key=s.key, partition=s.partition, headers=[*(s.headers or ())])
    producer.flush()


def routed_targets(folder: Path, topic: str, expressions: Expressions | None) -> list[Target]:
    more: dict[str, Any] = {"unknown_fields": "ignore", "metadata_columns": KEYED}
    return [
        target(folder, name, COLUMNS, [topic], is_routed=True, expressions=expressions if name == "a" else None, **more)
        for name in "abc"
    ]


@pytest.mark.parametrize("with_table_sql", [False, True], ids=["rules alone", "and tables"])
@pytest.mark.parametrize("is_compressed", [False, True], ids=["plain", "compressed"])
def test_each_record_is_where_plain_code_routes_it(
    writer: Writer,
    kafka: Kafka,
    new_topic: Callable[..., str],
    producer: Producer,
    folder: Path,
    *,
    with_table_sql: bool,
    is_compressed: bool,
) -> None:
    topic = new_topic(1)
    sent = records(1_500, topic, Random(7 + with_table_sql), readable=True)
    send(producer, sent, compressed=is_compressed)
    sql = Expressions({"twice": "concat(type, type)"}, "_p = 0") if with_table_sql else None
    known = {f"ns.{name}": f"ns.{name}" for name in "abc"}
    router = Router((*RULES, LETTERS), known=known)
    static = target(folder, "static", COLUMNS, [topic], unknown_fields="ignore", metadata_columns=KEYED)
    wanted = order(kafka, folder, whole(kafka, topic), static, *routed_targets(folder, topic, sql))
    compression = Compression("gzip", 1 << 20) if is_compressed else None
    wanted = replace(wanted, router=router, compression=compression, block_bytes=30_000)
    (output,) = writer.run(wanted)
    where: dict[str, set[int]] = {}
    for s in sent:
        verdicts = {rule.where: letter(rule.where.sql, s) for rule in RULES if rule.where}
        found = route(router, topic, s.key, s.headers, s.value, verdicts)
        for name in (
            [t.name for t in found.tables] + ["filtered"] * found.filtered + [NO_TABLE] * (found.reason is not None)
        ):
            where.setdefault(name, set()).add(s.offset)
    assert where.keys() == {"ns.a", "ns.b", "ns.c", "ns.new", "filtered", NO_TABLE}
    for name in ("ns.a", "ns.b", "ns.c"):
        letters = {r["offset"] for r in dead_letters(output, name)}
        found_rows = rows(output, name)
        assert {r["_o"] for r in found_rows} | letters == where[name]
        assert len(found_rows) + len(letters) == len(where[name])
        for row in found_rows:
            s = sent[row["_o"]]
            tenant = dict(s.headers or ()).get("tenant")
            kind = json.loads(s.value or b"")["type"]
            assert (row["type"], row["_k"], row["_h"], row["_tt"]) == (kind, s.key, tenant, "CreateTime")
            assert row["twice"] == (kind * 2 if with_table_sql and name == "ns.a" else None)
    assert len(rows(output, "ns.static")) + len(dead_letters(output, "ns.static")) == len(sent)
    letters_of_rules = dead_letters(output, NO_TABLE)
    assert {r["offset"] for r in letters_of_rules} == where[NO_TABLE]
    assert "predicate failed" in {r["kind"] for r in letters_of_rules}
    for r in letters_of_rules:
        s = sent[r["offset"]]
        assert (gzip.decompress(r["value"]) if is_compressed and r["value"] else r["value"]) == s.value
        assert (r["key"], bool(r["headers"])) == (s.key, bool(s.headers))
    assert output.routed is not None
    (books,) = output.routed.books
    assert (books.read, books.dead, books.filtered) == (len(sent), len(where[NO_TABLE]), len(where["filtered"]))
    (unknown,) = output.routed.unknown
    assert (unknown.table, unknown.offset) == ("ns.new", min(where["ns.new"]))
    assert all(b.balanced for t in output.tables for b in t.books)
    assert {"consume", "decompress", "route", "decode", "write"} <= output.seconds.keys()


def test_a_second_pass_gives_one_table_its_records_alone(
    writer: Writer, kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(2)
    for partition in (0, 1):
        for n in range(40):
            producer.produce(topic, b'{"type":"a"}', key=b"p%d" % n, partition=partition)
    producer.flush()
    rules = (
        RouteRule("tables", ("ns.a",), where=predicate("partition = 1 and offset >= 10")),
        RouteRule("tables", ("ns.b",)),
    )
    (a, _, _) = routed_targets(folder, topic, None)
    wanted = order(kafka, folder, whole(kafka, topic), a)
    outputs = writer.run(
        replace(wanted, router=Router(rules, only=frozenset({"ns.a"})), slices=tuple((r,) for r in wanted.slices[0]))
    )
    found = [row for output in outputs for row in rows(output, "ns.a")]
    assert sorted((r["_p"], r["_o"]) for r in found) == [(1, n) for n in range(10, 40)]
    assert all(not o.routed.unknown for o in outputs if o.routed is not None)


def test_an_error_of_the_half_that_reads_is_raised_as_it_is(
    writer: Writer, kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(1)
    producer.produce(topic, b"{}")
    producer.flush()
    for expressions in (None, Expressions(where="_p = 0")):
        wanted = order(kafka, folder, whole(kafka, topic), *routed_targets(folder, topic, expressions))
        ((found,),) = wanted.slices
        gone = replace(found, source=replace(found.source, topic="no-such-topic"))
        wanted = replace(wanted, slices=((gone,),), router=Router((*RULES, LETTERS)))
        with pytest.raises(TopicMissing):
            writer.run(wanted)


def test_tombstones_are_filtered_where_no_predicate_of_their_value_holds(
    writer: Writer, kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(1)
    for key, value in ((b"1", None), (b"2", b'{"type":"a"}'), (b"3", b"x"), (b"4", None)):
        producer.produce(topic, value, key=key)
    producer.flush()
    rules = (RouteRule("tables", ("ns.a",), where=predicate("get_json_object(value, '$.type') = 'a'")), LETTERS)
    wanted = order(kafka, folder, whole(kafka, topic), *routed_targets(folder, topic, None))
    output: SliceOutput
    (output,) = writer.run(replace(wanted, router=Router(rules), skips_tombstones=True))
    assert [r["_k"] for r in rows(output, "ns.a")] == [b"2"]
    assert [(r["key"], r["kind"]) for r in dead_letters(output, NO_TABLE)] == [(b"3", "no rule fits")]
    assert output.routed is not None
    assert output.routed.books[0].filtered == 2
