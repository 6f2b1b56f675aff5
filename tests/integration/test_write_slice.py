from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from kits.columns import columns
from kits.slices import ID, METADATA, METADATA_TYPES, dead_letters, order, rows, target, whole
from kits.topics import new_producer, produce
from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.errors import HistoryMissing, TopicMissing, TopicRecreated, Unreachable
from lakelock.model.offsets import OffsetRange, Source, offsets_in, united, without
from lakelock.records.decompression import Compression
from lakelock.workers.write import write_slice
from stack.kafka import Kafka

pytestmark = pytest.mark.drawn(0.2, about=("adapters/kafka", "records/values", "lakelock/workers/"))


def test_every_record_of_the_ranges_is_a_row_once_also_where_a_partition_ends_in_the_middle_of_a_call(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(8)
    for partition in range(8):
        produce(producer, topic, [b'{"id":%d}' % n for n in range(partition * 700)], partition)
    ranges = whole(kafka, topic)
    # A consumer meets the ends of partitions at other places each time.
    for _ in range(10):
        output = write_slice(order(kafka, folder, ranges, target(folder, "t", ID, [topic])), 0)
        found = sorted((r["_p"], r["_o"], r["id"]) for r in rows(output))
        assert found == [(p, n, n) for p in range(8) for n in range(p * 700)]
        (table,) = output.tables
        assert [(b.range, b.read, b.written) for b in table.books] == [(r, r.end, r.end) for r in ranges]
        assert sum(f.rows for f in table.files) == sum(r.end for r in ranges)


@pytest.mark.parametrize(("budget", "records"), [({"slice_bytes": 40_000}, 3_000), ({"slice_s": 0.0}, 3_000)])
def test_a_slice_whose_budget_is_used_up_ends_at_clean_offsets_and_the_next_reads_the_rest(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, budget: dict[str, Any], records: int
) -> None:
    topics = [new_topic(3), new_topic(1)]
    for topic in topics:
        for partition in range(3 if topic == topics[0] else 1):
            produce(producer, topic, [b'{"id":%d}' % n for n in range(records)] + [b"{broken"], partition)
    left, read, slices = whole(kafka, *topics), list[OffsetRange](), 0
    while left:
        wanted = order(kafka, folder, left, target(folder, "t", ID, topics))
        output = write_slice(replace(wanted, **budget), 0)
        slices += 1
        reached = without(left, output.unread)
        assert reached, "each slice gets on"
        assert sorted(b.range for t in output.tables for b in t.books) == sorted(reached)
        for books in (b for t in output.tables for b in t.books):
            # An offset for each record, the last of which is broken.
            assert books.read == books.range.offsets
            assert books.dead == (books.range.end == records + 1)
        found = [(r["_p"], r["_o"]) for r in rows(output)]
        assert len(found) == sum(b.written for t in output.tables for b in t.books)
        read += reached
        left = list(output.unread)
    assert slices > 1
    assert sorted(united(read)) == whole(kafka, *topics)
    assert offsets_in(read) == 4 * (records + 1)


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_values_that_producers_compressed_are_rows_and_dead_letters_keep_them_as_they_were_sent(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, codec: str
) -> None:
    pack = gzip.compress if codec == "gzip" else zstandard.ZstdCompressor().compress
    topic = new_topic(1)
    # Larger than they are compressed, so that a block of them has several parts.
    good = [pack(b'{"id":%d}' % n + b" " * 400) for n in range(500)]
    bad = [b'{"id":1}', pack(b"no json"), good[0][:-3], pack(b" " * 5000), None, b""]
    produce(producer, topic, [v for n in range(0, 500, 100) for v in (*good[n : n + 100], *bad)], 0)
    wanted = order(kafka, folder, whole(kafka, topic), target(folder, "t", ID, [topic]))
    # Parts of a block are as small as a record, so each has its own place in the block.
    for block_bytes in (8 << 20, 300, 1):
        output = write_slice(replace(wanted, compression=Compression(codec, 4096), block_bytes=block_bytes), 0)
        found = rows(output)
        assert [(r["_o"], r["id"]) for r in found] == [(n + n // 100 * len(bad), n) for n in range(500)]
        refused = dead_letters(output)
        assert [r["value"] for r in refused] == bad * 5
        assert [r["offset"] for r in refused] == [
            100 * n + len(bad) * (n - 1) + k for n in range(1, 6) for k in range(len(bad))
        ]
        assert [(r["stage"], r["kind"]) for r in refused[: len(bad)]] == [
            ("decompress", "not compressed as declared"),
            ("decode", "not a JSON object"),
            ("decompress", "not compressed as declared"),
            ("decompress", "too large once decompressed"),
            ("decode", "no value"),
            ("decompress", "empty value"),
        ]


def test_skipped_tombstones_are_filtered_and_what_cannot_be_decompressed_is_none(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(2)
    produce(producer, topic, [gzip.compress(b'{"id":1}'), b"not gzip", None, None, None], 0)
    produce(producer, topic, [None, gzip.compress(b"no json")], 1)
    wanted = order(kafka, folder, whole(kafka, topic), target(folder, "t", ID, [topic]))
    wanted = replace(wanted, compression=Compression("gzip", 4096), skips_tombstones=True)
    for block_bytes in (8 << 20, 1):
        output = write_slice(replace(wanted, block_bytes=block_bytes), 0)
        assert [(r["_p"], r["_o"], r["id"]) for r in rows(output)] == [(0, 0, 1)]
        assert sorted((r["partition"], r["offset"], r["kind"]) for r in dead_letters(output)) == [
            (0, 1, "not compressed as declared"),
            (1, 1, "not a JSON object"),
        ]
        books = {b.range.source.partition: (b.read, b.written, b.dead, b.filtered) for b in output.tables[0].books}
        assert books == {0: (5, 1, 1, 3), 1: (2, 0, 1, 1)}


@pytest.mark.parametrize("kind", ["binary", "string"])
def test_topic_and_key_are_columns_and_a_key_that_is_no_text_fits_binary_alone(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, kind: str
) -> None:
    topic = new_topic(1)
    keys = [b"a", None, "ü".encode(), b"", b"\xff"]
    for n, k in enumerate(keys):
        producer.produce(topic, b'{"id":%d}' % n, key=k)
    producer.produce(topic, b"no json", key=b"\xfe")
    producer.flush()
    of = columns({"id": "long", "k": kind, "t": "string", **METADATA_TYPES})
    named = {**METADATA, "key": "k", "topic": "t"}
    wanted = order(kafka, folder, whole(kafka, topic), target(folder, "t", of, [topic], metadata_columns=named))
    for block_bytes in (8 << 20, 1):
        output = write_slice(replace(wanted, block_bytes=block_bytes), 0)
        fits = [k.decode() if k is not None else None for k in keys[:4]] if kind == "string" else keys
        assert [(r["id"], r["k"], r["t"], r["_o"]) for r in rows(output)] == [
            (n, key, topic, n) for n, key in enumerate(fits)
        ]
        refused = [(r["offset"], r["key"], r["field"], r["kind"], r["stage"]) for r in dead_letters(output)]
        no_text = [(4, b"\xff", "k", "not UTF-8", "convert")] if kind == "string" else []
        assert refused == [*no_text, (5, b"\xfe", None, "not a JSON object", "decode")]


@pytest.mark.parametrize("kind", ["list<struct<key: string, value: binary>>", "map<string, string>"])
def test_headers_are_columns_and_a_record_whose_headers_do_not_fit_is_a_dead_letter_with_all_of_them(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, kind: str
) -> None:
    topic = new_topic(1)
    sent: list[list[tuple[str, bytes | None]]] = [
        [("a", b"1"), ("ü", None)],
        [],
        [("b", b""), ("b", b"2")],
        [("a", b"\xff")],
        [("a", b"3"), ("a", b"3")],
        [("c", b"\xff")],
    ]
    for n, headers in enumerate(sent):
        producer.produce(topic, b'{"id":%d}' % n, headers=headers, partition=0)
    producer.produce(topic, b"no json", headers=[("z", b"26"), ("z", None)], partition=0)
    producer.flush()
    of = columns({"id": "long", "h": kind, "a": "string", "tt": "string", **METADATA_TYPES})
    named = {**METADATA, "headers": "h", "header.a": "a", "timestamp_type": "tt"}
    wanted = order(kafka, folder, whole(kafka, topic), target(folder, "t", of, [topic], metadata_columns=named))
    is_map = kind.startswith("map")
    refused = {3: ("h" if is_map else "a", "not UTF-8"), 4: ("h" if is_map else "a", "header twice")}
    if is_map:
        refused |= {2: ("h", "header twice"), 5: ("h", "not UTF-8")}
    for block_bytes in (8 << 20, 1):
        output = write_slice(replace(wanted, block_bytes=block_bytes), 0)
        found = {r["id"]: (r["h"], r["a"], r["tt"], r["_o"]) for r in rows(output)}
        assert found == {
            n: (
                ([(k, v and v.decode()) for k, v in of_one] if is_map else [{"key": k, "value": v} for k, v in of_one])
                or None,
                "1" if n == 0 else None,
                "CreateTime",
                n,
            )
            for n, of_one in enumerate(sent)
            if n not in refused
        }
        bad = dead_letters(output)
        assert {r["offset"]: (r["field"], r["kind"]) for r in bad[:-1]} == refused
        assert [r["offset"] for r in bad] == [*sorted(refused), 6]
        kept = {n: [{"key": k, "value": v} for k, v in sent[n]] for n in refused}
        assert {r["offset"]: r["headers"] for r in bad[:-1]} == kept
        assert bad[-1]["headers"] == [{"key": "z", "value": b"26"}, {"key": "z", "value": None}]


def test_slices_and_the_middle_of_ranges_are_exact_and_books_have_the_timestamps(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(2)
    for n in range(1000):
        producer.produce(topic, b'{"id":%d}' % n, partition=n % 2, timestamp=1_700_000_000_000 + n)
    producer.flush()
    ranges = [OffsetRange(r.source, 100, 333) for r in whole(kafka, topic)]
    wanted = order(kafka, folder, ranges, target(folder, "t", ID, [topic]), slices=2)
    outputs = [write_slice(wanted, n) for n in range(2)]
    for partition, output in enumerate(outputs):
        found = rows(output)
        assert [(r["_p"], r["_o"]) for r in found] == [(partition, o) for o in range(100, 333)]
        assert [r["_t"].timestamp() * 1000 for r in found] == [1_700_000_000_000 + r["id"] for r in found]
        ((books,),) = [t.books for t in output.tables]
        low, high = 1_700_000_000_200 + partition, 1_700_000_000_664 + partition
        assert (books.min_timestamp_ms, books.max_timestamp_ms) == (low, high)


def test_aborted_records_are_not_read_and_a_range_without_visible_records_has_books_of_zeros(
    kafka: Kafka, new_topic: Callable[..., str], folder: Path
) -> None:
    topic = new_topic(2)
    transactional = new_producer(kafka.bootstrap, **{"transactional.id": topic})
    transactional.init_transactions()
    for n, commit in enumerate([True, False, True, False]):
        transactional.begin_transaction()
        for k in range(50):
            transactional.produce(topic, b'{"id":%d}' % (n * 50 + k), partition=0)
            if not commit:
                transactional.produce(topic, b'{"id":-1}', partition=1)
        transactional.flush()
        transactional.commit_transaction() if commit else transactional.abort_transaction()
    # The broker writes the markers, which take an offset each, after it has answered.
    deadline = time.monotonic() + 30
    ends: list[int] = []
    while ends != [204, 102]:
        assert time.monotonic() < deadline, ends
        ranges = whole(kafka, topic)
        ends = [r.end for r in ranges]
    output = write_slice(order(kafka, folder, ranges, target(folder, "t", ID, [topic])), 0)
    assert sorted(r["id"] for r in rows(output)) == [*range(50), *range(100, 150)]
    assert [(b.range.source.partition, b.read, b.written) for b in output.tables[0].books] == [(0, 100, 100), (1, 0, 0)]


def test_a_range_ends_although_compaction_took_its_last_records(
    new_kafka: Callable[..., Kafka], new_topic: Callable[..., str], folder: Path
) -> None:
    kafka = new_kafka(**{"log.cleaner.backoff.ms": "100"})
    topic = new_topic(
        1,
        bootstrap_servers=kafka.bootstrap,
        cleanup_policy="compact",
        segment_ms="100",
        min_cleanable_dirty_ratio="0.01",
        max_compaction_lag_ms="100",
    )
    sender = new_producer(kafka.bootstrap)
    planned = 200
    deadline = time.monotonic() + 60
    for n in range(planned):
        sender.produce(topic, b'{"id":%d}' % n, key=b"k", partition=0)
    sender.flush()
    (first,) = whole(kafka, topic)
    assert first.end == planned
    read = planned
    while read == planned and time.monotonic() < deadline:
        # Only closed segments are compacted, and a new record closes one.
        sender.produce(topic, b'{"id":-1}', key=b"k", partition=0)
        sender.flush()
        output = write_slice(order(kafka, folder, [first], target(folder, "t", ID, [topic])), 0)
        read = output.tables[0].books[0].read
    assert read < planned
    assert len(rows(output)) == read


def test_records_that_retention_took_are_missed_not_skipped(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":1}'] * 100, 0)
    (planned,) = whole(kafka, topic)
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    for done in admin.delete_records([TopicPartition(topic, 0, 50)]).values():
        done.result(30)
    with pytest.raises(HistoryMissing, match=r"\[0, 50\)"):
        write_slice(order(kafka, folder, [planned], target(folder, "t", ID, [topic])), 0)
    rest = OffsetRange(planned.source, 50, 100)
    assert len(rows(write_slice(order(kafka, folder, [rest], target(folder, "t", ID, [topic])), 0))) == 50


def test_a_topic_that_was_deleted_or_created_again_is_refused(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":1}'] * 10, 0)
    (planned,) = whole(kafka, topic)
    another = OffsetRange(Source(topic, "AAAAAAAAAAAAAAAAAAAAAA", 0), 0, 10)
    with pytest.raises(TopicRecreated):
        write_slice(order(kafka, folder, [another], target(folder, "t", ID, [topic])), 0)
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    admin.delete_topics([topic])[topic].result(30)
    with pytest.raises(TopicMissing):
        write_slice(order(kafka, folder, [planned], target(folder, "t", ID, [topic])), 0)


def test_a_broker_that_is_gone_is_named_in_bounded_time(
    new_kafka: Callable[..., Kafka], new_topic: Callable[..., str]
) -> None:
    kafka = new_kafka()
    topic = new_topic(1, bootstrap_servers=kafka.bootstrap)
    produce(new_producer(kafka.bootstrap), topic, [b"{}"] * 10, 0)
    (planned,) = whole(kafka, topic)
    beyond = OffsetRange(planned.source, 0, 1_000)
    with RangeReader({"bootstrap.servers": kafka.bootstrap}, [beyond], silence_s=3) as reader:
        kafka.kill()
        began = time.monotonic()
        with pytest.raises(Unreachable, match=kafka.bootstrap):
            list(reader.blocks(1000, 1 << 20))
        assert time.monotonic() - began < 90


def test_a_record_that_does_not_fit_becomes_one_dead_letter_for_each_table_that_takes_its_topic(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic, other = new_topic(1), new_topic(1)
    good = {"id": 1, "name": "a"}
    for value, key, headers in [
        (json.dumps(good).encode(), b"k0", None),
        (b"\xff\xfe no text", b"k1", [("trace", b"\x00\x01"), ("none", None)]),
        (None, b"k2", None),
        (b'{"id":"7","name":"b"}', b"k3", None),
    ]:
        producer.produce(topic, value, key=key, headers=headers, partition=0, timestamp=1_700_000_000_000)
    producer.produce(other, b'{"id":9}', partition=0)
    producer.flush()
    both = target(folder, "t", columns({"id": "long", "name": "string", **METADATA_TYPES}), [topic, other])
    names = target(folder, "names", columns({"name": "string"}), [topic], unknown_fields="ignore")
    output = write_slice(order(kafka, folder, whole(kafka, topic, other), both, names), 0)

    assert sorted(r["id"] for r in rows(output)) == [1, 9]
    assert [r["name"] for r in rows(output, "ns.names")] == ["a", "b"]
    found = dead_letters(output)
    assert [(r["offset"], r["key"], r["value"], r["stage"]) for r in found] == [
        (1, b"k1", b"\xff\xfe no text", "decode"),
        (2, b"k2", None, "decode"),
        (3, b"k3", b'{"id":"7","name":"b"}', "convert"),
    ]
    assert found[0]["headers"] == [{"key": "trace", "value": b"\x00\x01"}, {"key": "none", "value": None}]
    assert {(r["target_table"], r["topic"], r["partition"]) for r in found} == {("ns.t", topic, 0)}
    assert found[0]["timestamp"].timestamp() == 1_700_000_000
    assert "found text" in found[2]["reason"]
    assert [r["offset"] for r in dead_letters(output, "ns.names")] == [1, 2]
    books = {(t.table, b.range.source.topic): (b.read, b.written, b.dead) for t in output.tables for b in t.books}
    assert books == {("ns.t", topic): (4, 1, 3), ("ns.t", other): (1, 1, 0), ("ns.names", topic): (4, 2, 2)}
    dead = {t.table: [(b.range.source.topic, b.read, b.written) for b in t.books] for t in output.dead_letters}
    assert dead == {"ns.t": [(topic, 3, 3)], "ns.names": [(topic, 2, 2)]}


def test_fields_that_no_column_takes_are_named(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":1}', b'{"id":2,"colour":"red"}', b'{"id":3,"size":1,"_o":5}'], 0)
    output = write_slice(order(kafka, folder, whole(kafka, topic), target(folder, "t", ID, [topic])), 0)
    assert output.tables[0].unknown_fields == ("_o", "colour", "size")
    assert len(dead_letters(output)) == 2


def test_many_bad_records_cost_no_good_one_and_keep_their_bytes(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(2)
    faults = [b"", b"{", b'{"id":1}{"id":2}', b'{"id":1.5}', b'{"id":"1"}', b'{"id":1,"id":2}', b"\xff", b"[]", None]
    values = [faults[n // 7 % 9] if n % 7 == 0 else b'{"id":%d}' % n for n in range(60_000)]
    produce(producer, topic, values)
    output = write_slice(order(kafka, folder, whole(kafka, topic), target(folder, "t", ID, [topic])), 0)
    assert sorted(r["id"] for r in rows(output)) == [n for n in range(60_000) if n % 7]
    found = {r["partition"] + 2 * r["offset"]: r["value"] for r in dead_letters(output)}
    assert found == {n: values[n] for n in range(0, 60_000, 7)}


def test_large_records_come_in_small_blocks(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(2)
    small, large = [b"{}"] * 6_000, [b'{"s":"' + b"x" * 900_000 + b'"}'] * 60
    produce(producer, topic, [*small, *large])

    def blocks() -> Iterator[Block]:
        with RangeReader({"bootstrap.servers": kafka.bootstrap}, whole(kafka, topic)) as reader:
            yield from reader.blocks(20_000, 4 << 20)

    sizes = [b.size_bytes for b in blocks()]
    assert sum(sizes) == sum(map(len, [*small, *large]))
    assert max(sizes) < 40 << 20


def test_an_executor_needs_neither_airflow_nor_postgres_nor_spark() -> None:
    code = (
        "import sys, lakelock.workers.write, lakelock.workers.redrive, lakelock.adapters.spark.staged_task; "
        "unwanted = ('airflow', 'psycopg', 'pyspark', 'sqlalchemy', 'sqlglot', 'pydantic_settings'); "
        "print([m for m in unwanted if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_all_types_are_stored_as_iceberg_has_them(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    kinds: list[tuple[str, str, object]] = [
        ("b", "boolean", True),
        ("i", "int", -5),
        ("f", "float", 0.5),
        ("d", "double", 1e300),
        ("dec", "decimal(20, 3)", 12345678901234567.125),
        ("day", "date", "2026-02-28"),
        ("t", "time", "23:59:59.000001"),
        ("ts", "timestamp", "2026-11-21T04:00:00"),
        ("tz", "timestamptz", "2026-11-21T04:00:00+02:00"),
        ("s", "string", "ü"),
        ("u", "uuid", "12345678-1234-5678-1234-567812345678"),
        ("raw", "binary", "AAH/"),
        ("fx", "fixed(2)", "AAE="),
        ("st", "struct<x: double>", {"x": 1.5}),
        ("l", "list<struct<x: double>>", [{"x": 2}, None]),
        ("m", "map<string, long>", {"a": 1, "b": None}),
    ]
    topic = new_topic(1)
    value = json.dumps({name: given for name, _, given in kinds}).replace(
        "1.2345678901234568e+16", "12345678901234567.125"
    )
    produce(producer, topic, [value.encode(), b"{}"], 0)
    all_types = columns({name: kind for name, kind, _ in kinds})
    output = write_slice(order(kafka, folder, whole(kafka, topic), target(folder, "t", all_types, [topic])), 0)
    assert not dead_letters(output), dead_letters(output)
    (file,) = output.tables[0].files
    stored = pq.read_table(file.path.removeprefix("file://"))
    row, empty = stored.to_pylist()
    assert set(empty.values()) == {None}
    assert str(row["dec"]) == "12345678901234567.125"
    assert str(row["tz"]) == "2026-11-21 02:00:00+00:00"
    assert (row["raw"], row["fx"], str(row["u"])) == (b"\0\1\xff", b"\0\1", "12345678-1234-5678-1234-567812345678")
    assert (row["st"], row["l"], dict(row["m"])) == ({"x": 1.5}, [{"x": 2.0}, None], {"a": 1, "b": None})
    assert (row["day"].isoformat(), row["t"].isoformat()) == ("2026-02-28", "23:59:59.000001")
    assert stored.schema.field("tz").type == pa.timestamp("us", "UTC")
    assert [int(stored.schema.field(n).metadata[b"PARQUET:field_id"]) for n, *_ in kinds] == list(range(1, 17))
