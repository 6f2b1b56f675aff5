"""A slice gives each target the records that are routed to it, and names the tables that it does not have."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka import Producer
from kits.columns import columns
from kits.routed_slices import BY_TYPE, WAYS, balance, by_place, routed, targets_of, writing
from kits.slices import ID, METADATA, METADATA_TYPES, dead_letters, order, rows, target, whole
from kits.topics import produce
from lakelock.model.batches import NO_TABLE
from lakelock.model.offsets import offsets_in, without
from lakelock.ports import SliceOutput, WriteOrder
from lakelock.records.decompression import Compression
from lakelock.records.evolution import Evolving
from lakelock.records.routing.route_one import route
from lakelock.records.routing.router import RouteRule
from lakelock.workers.write import write_slice
from stack.kafka import Kafka

pytestmark = pytest.mark.drawn(0.3, about=("records/routing", "lakelock/workers/", "adapters/kafka"))

KEYED = columns({"id": "long", **METADATA_TYPES, "_k": "string", "_h": "binary", "_tt": "string"})
KEYED_METADATA = {**METADATA, "key": "_k", "header.h": "_h", "timestamp_type": "_tt"}


@pytest.fixture(params=WAYS)
def write(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[WriteOrder], SliceOutput]:
    return writing(request.param, monkeypatch)


def test_targets_have_their_records_and_others_are_reported(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topics = [new_topic(2), new_topic(1)]
    source, sent = random.Random(24), dict[tuple[str, int, int], bytes | None]()
    kinds = ["push", "push", "push", "fork", "Star", "drop", 7, None, {"a": 1}]
    for topic in topics:
        for partition in range(2 if topic == topics[0] else 1):
            values: list[bytes | None] = [
                json.dumps({"id": n, "type": source.choice(kinds), "more": "x" * source.randrange(40)}).encode()
                for n in range(300)
            ]
            for at in source.sample(range(300), 30):
                values[at] = source.choice([b"no json", None, b"{}", b'{"id":"x","type":"push"}', b"\xff", b""])
            produce(producer, topic, values, partition)
            sent |= {(topic, partition, n): value for n, value in enumerate(values)}
    rules = (
        RouteRule("filter", when=(("type", ("drop",)),)),
        RouteRule("tables", ("ns.push", "ns.all"), when=(("type", ("push",)),)),
        BY_TYPE,
    )
    wanted = order(kafka, folder, whole(kafka, *topics), *targets_of(folder, topics, "push", "all", "fork", "none"))
    wanted = routed(wanted, *rules, known={"ns.star": "ns.star"})
    output = write(wanted)
    assert wanted.router is not None
    by_table: dict[str, set[tuple[str, int, int]]] = {}
    for place, value in sent.items():
        one = route(wanted.router, place[0], None, (), value)
        for name in [t.name for t in one.tables] + ["filtered"] * one.filtered + [NO_TABLE] * (one.reason is not None):
            by_table.setdefault(name, set()).add(place)
    assert by_table.keys() == {"ns.push", "ns.all", "ns.fork", "ns.7", "filtered", NO_TABLE}
    for name in ("ns.push", "ns.all", "ns.fork"):
        letters = {(r["topic"], r["partition"], r["offset"]) for r in dead_letters(output, name)}
        assert letters == {p for p in by_table[name] if sent[p] == b'{"id":"x","type":"push"}'}
        offsets = [(r["_p"], r["_o"]) for r in rows(output, name)]
        assert sorted(offsets) == sorted((p, o) for _, p, o in by_table[name] - letters)
        for (topic, partition), (read, written, dead, filtered) in balance(output, name).items():
            here = {p for p in by_table[name] if p[:2] == (topic, partition)}
            assert (read, dead, filtered) == (len(here), len(here & letters), 0)
            assert read == written + dead
    assert set(balance(output, "ns.none").values()) == {(0, 0, 0, 0)}
    assert len(balance(output, "ns.none")) == 3
    without_table = dead_letters(output, NO_TABLE)
    assert {(r["topic"], r["partition"], r["offset"]): r["value"] for r in without_table} == {
        p: sent[p] for p in by_table[NO_TABLE]
    }
    assert {r["stage"] for r in without_table} == {"decode", "route"}
    assert {r["target_table"] for r in without_table} == {NO_TABLE}
    found = output.routed
    assert found is not None
    for (topic, partition), counts in by_place(found.books).items():
        dead, filtered = (len({p for p in by_table[n] if p[:2] == (topic, partition)}) for n in (NO_TABLE, "filtered"))
        assert counts == (300, 300 - dead - filtered, dead, filtered)
    assert all(b.min_timestamp_ms is not None for b in found.books)
    (unknown,) = found.unknown
    assert (unknown.table, unknown.raw_name) == ("ns.7", "ns.7")
    first = [p for p in sorted(by_table["ns.7"]) if p[0] == unknown.topics[0]]
    assert (unknown.topics[0], unknown.partition, unknown.offset) in first
    assert len(unknown.sample) == min(100, len(by_table["ns.7"]))
    assert set(unknown.sample) <= {sent[p] for p in by_table["ns.7"]}
    assert set(unknown.ranges) == set(whole(kafka, *topics))


def test_originals_and_metadata_are_those_of_the_records(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(1)
    for n in range(400):
        good = n % 7
        value = json.dumps({"id": n if good else "x", "type": "ab"[n % 2] if n % 11 else [n]}).encode()
        producer.produce(topic, gzip.compress(value), key=b"k%d" % n, headers=[("h", b"h%d" % n)] if n % 3 else None)
    producer.produce(topic, b"not gzip", key=b"z")
    producer.flush()
    targets = [
        target(folder, name, KEYED, [topic], unknown_fields="ignore", metadata_columns=KEYED_METADATA) for name in "ab"
    ]
    wanted = routed(order(kafka, folder, whole(kafka, topic), *targets), BY_TYPE)
    output = write(replace(wanted, compression=Compression("gzip", 4096), block_bytes=3000))
    seen = set[int]()
    for name in ("ns.a", "ns.b", NO_TABLE):
        for letter in dead_letters(output, name):
            n = letter["offset"]
            seen.add(n)
            if n == 400:
                assert (letter["value"], letter["stage"], name) == (b"not gzip", "decompress", NO_TABLE)
                continue
            assert letter["key"] == b"k%d" % n
            assert json.loads(gzip.decompress(letter["value"]))["id"] == (n if n % 7 else "x")
            assert letter["headers"] == ([{"key": "h", "value": b"h%d" % n}] if n % 3 else None)
    for name in ("ns.a", "ns.b"):
        for row in rows(output, name):
            n = row["_o"]
            assert n not in seen
            seen.add(n)
            assert (row["id"], row["_k"], row["_h"], row["_tt"]) == (
                n, f"k{n}", b"h%d" % n if n % 3 else None, "CreateTime",
            )  # fmt: skip
    assert seen == set(range(401))


def test_what_is_decided_stays_a_dead_letter_alone_and_what_was_lost_may_become_a_row(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":%d,"type":"a"}' % n for n in range(4)] + [b"{}"] * 4, 0)
    wanted = routed(order(kafka, folder, whole(kafka, topic), *targets_of(folder, [topic], "a")), BY_TYPE)
    decided = frozenset({(topic, 0, 1), (topic, 0, 4)})
    lost = frozenset({(topic, 0, 2), (topic, 0, 5)})
    output = write(replace(wanted, decided={NO_TABLE: decided}, lost={NO_TABLE: lost}))
    assert sorted(r["id"] for r in rows(output, "ns.a")) == [0, 2, 3]
    assert sorted(r["offset"] for r in dead_letters(output, NO_TABLE)) == [6, 7]
    assert output.routed is not None
    assert by_place(output.routed.books) == {(topic, 0): (8, 3, 5, 0)}
    (letters,) = output.dead_letters
    assert by_place(letters.books) == {(topic, 0): (2, 2, 0, 0)}


def test_tombstones_that_are_skipped_go_to_no_table(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(1)
    for key in (b"a", b"b", b"a"):
        producer.produce(topic, None, key=key)
    producer.produce(topic, b'{"id":1,"type":"a"}', key=b"b")
    producer.flush()
    rules = (RouteRule("tables", ("ns.a",), when=(("key", ("a",)),)), BY_TYPE)
    wanted = routed(order(kafka, folder, whole(kafka, topic), *targets_of(folder, [topic], "a")), *rules)
    output = write(replace(wanted, skips_tombstones=True))
    assert balance(output, "ns.a") == {(topic, 0): (1, 1, 0, 0)}
    assert output.routed is not None
    assert by_place(output.routed.books) == {(topic, 0): (4, 1, 0, 3)}
    output = write(wanted)
    assert balance(output, "ns.a") == {(topic, 0): (3, 1, 2, 0)}
    (letter,) = dead_letters(output, NO_TABLE)
    assert (letter["stage"], letter["kind"]) == ("decode", "no value")


def test_static_tables_take_whole_topics_beside_routed_ones(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topics = [new_topic(1), new_topic(1)]
    for topic in topics:
        produce(producer, topic, [b'{"id":%d,"type":"%s"}' % (n, b"ab"[n % 2 : n % 2 + 1]) for n in range(120)], 0)
    wanted = order(kafka, folder, whole(kafka, *topics), *targets_of(folder, topics, "a", "b"))
    wanted = routed(wanted, BY_TYPE)
    static = target(folder, "static", ID, topics[:1], unknown_fields="ignore")
    output = write(replace(wanted, targets=(*wanted.targets, static)))
    assert sorted(r["id"] for r in rows(output, "ns.static")) == list(range(120))
    assert balance(output, "ns.a") == {(t, 0): (60, 60, 0, 0) for t in topics}
    assert balance(output, "ns.static") == {(topics[0], 0): (120, 120, 0, 0)}


def test_a_slice_that_ends_early_has_books_of_what_it_read(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topics = [new_topic(3), new_topic(1)]
    for topic in topics:
        for partition in range(3 if topic == topics[0] else 1):
            produce(producer, topic, [b'{"id":%d,"type":"%s"}' % (n, b"abc"[n % 3 : n % 3 + 1]) for n in range(3000)],
                    partition)  # fmt: skip
    left, counts = whole(kafka, *topics), dict.fromkeys("abc", 0)
    while left:
        wanted = routed(order(kafka, folder, left, *targets_of(folder, topics, "a", "b")), BY_TYPE)
        output = write_slice(replace(wanted, slice_bytes=60_000), 0)
        reached = without(left, output.unread)
        assert reached
        assert output.routed is not None
        assert sorted(b.range for b in output.routed.books) == sorted(reached)
        assert sum(b.written for b in output.routed.books) == offsets_in(reached)
        for name in "ab":
            assert [b.range for t in output.tables if t.table == f"ns.{name}" for b in t.books] == [
                b.range for b in output.routed.books
            ]
            counts[name] += len(rows(output, f"ns.{name}"))
        for unknown in output.routed.unknown:
            assert set(unknown.ranges) <= set(reached)
        left = list(output.unread)
    assert counts["a"] == counts["b"] == 4000


def test_news_of_a_routed_table_are_of_its_records(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(2)
    for partition in range(2):
        produce(producer, topic, [b'{"id":1,"type":"a","x":1}', b'{"id":2,"type":"b"}'] * 60, partition)
    of = columns({"id": "long", "type": "string", **METADATA_TYPES})
    targets = [
        target(
            folder,
            name,
            of,
            [topic],
            unknown_fields="evolve",
            evolving=Evolving(of, True, True, unread=frozenset(METADATA.values())),
        )
        for name in "ab"
    ]
    output = write(routed(order(kafka, folder, whole(kafka, topic), *targets), BY_TYPE))
    *of_a, b = output.tables
    news = [a.news for a in of_a if a.news is not None]
    # Each task that wrote some of its records has news.
    assert len(news) == len(of_a) >= 1
    assert {frozenset(one.ranges) for one in news} == {frozenset(whole(kafka, topic))}
    assert min(one.offset for one in news) == 0
    assert (b.news, sum(books.written for books in b.books)) == (None, 120)


def test_a_table_that_cannot_be_written_stops_no_other(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":%d,"type":"%s"}' % (n, b"ab"[n % 2 : n % 2 + 1]) for n in range(200)], 0)
    bad = {"write.parquet.compression-codec": "none of them"}
    targets = [*targets_of(folder, [topic], "a", "c", properties=bad), *targets_of(folder, [topic], "b")]
    output = write(routed(order(kafka, folder, whole(kafka, topic), *targets), BY_TYPE))
    # Without records nothing of a table is tried.
    assert {t.table: t.fault is None for t in output.tables} == {"ns.a": False, "ns.b": True, "ns.c": True}
    assert len(rows(output, "ns.b")) == 100
    assert output.routed is not None
    assert by_place(output.routed.books) == {(topic, 0): (200, 200, 0, 0)}
