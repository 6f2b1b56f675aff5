"""A slice gives each target the records that are routed to it, and names the tables that it does not have."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from kits.columns import columns
from kits.shuffles import as_one, shuffled_outputs, with_shuffle
from kits.slices import ID, METADATA, METADATA_TYPES, dead_letters, order, rows, target, whole
from kits.topics import produce
from lakelock.model.batches import NO_TABLE, Books
from lakelock.model.offsets import offsets_in, without
from lakelock.ports import SliceOutput, Target, WriteOrder
from lakelock.records.decompression import Compression
from lakelock.records.evolution import Evolving
from lakelock.records.routing.route_one import route
from lakelock.records.routing.router import Router, RouteRule
from lakelock.workers import held_records, shuffled_records, slice_reading
from lakelock.workers.detached_events import read_detached
from lakelock.workers.write import write_read, write_slice
from stack.kafka import Kafka

pytestmark = pytest.mark.drawn(0.3, about=("records/routing", "lakelock/workers/", "adapters/kafka"))

LETTERS = RouteRule("dead_letter")
BY_TYPE = RouteRule("tables", ("ns.{type}",))
KEYED = columns({"id": "long", **METADATA_TYPES, "_k": "string", "_h": "binary", "_tt": "string"})
KEYED_METADATA = {**METADATA, "key": "_k", "header.h": "_h", "timestamp_type": "_tt"}


def routed(wanted: WriteOrder, *rules: RouteRule, last: RouteRule = LETTERS, **more: Any) -> WriteOrder:
    targets = tuple(replace(t, is_routed=True) for t in wanted.targets)
    return replace(wanted, targets=targets, router=Router((*rules, last), **more))


def targets_of(folder: Path, topics: Sequence[str], *names: str, **more: Any) -> list[Target]:
    return [target(folder, name, ID, topics, unknown_fields="ignore", **more) for name in names]


def balance(output: SliceOutput, table: str) -> dict[tuple[str, int], tuple[int, int, int, int]]:
    (found,) = [t for t in output.tables if t.table == table]
    return by_place(found.books)


def by_place(books: Sequence[Books]) -> dict[tuple[str, int], tuple[int, int, int, int]]:
    assert all(b.balanced for b in books)
    return {(b.range.source.topic, b.range.source.partition): (b.read, b.written, b.dead, b.filtered) for b in books}


@pytest.fixture(params=["at once", "held", "on the disk", "detached", "shuffled"])
def write(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[WriteOrder], SliceOutput]:
    """Writes slice 0: with small blocks that are held for long, for short, on the disk, through another process's half, or by
    other tasks."""
    monkeypatch.setattr(slice_reading, "BLOCK_MESSAGES", 50)
    limit = 64 << 20 if request.param == "held" else 2_000
    monkeypatch.setattr(held_records.HeldRecords.__init__, "__defaults__", (limit,))
    if request.param in ("on the disk", "detached"):
        monkeypatch.setattr(held_records, "DIRECT_SHARE", 0.5 if request.param == "detached" else 100.0)
    if request.param == "detached":
        return lambda order: write_read(order, 0, ((event, {}) for event, _ in read_detached(order, 0)))
    if request.param == "shuffled":
        monkeypatch.setattr(shuffled_records, "HELD_BYTES", 8_000)
        return lambda order: as_one(shuffled_outputs(with_shuffle(order, bucket_bytes=10_000)))
    return lambda order: write_slice(order, 0)


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


def test_names_that_collide_are_dead_letters_and_too_many_tables_are_reported(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":%d,"type":"%s"}' % (n, t) for n, t in enumerate([b"a", b"A", b"b", b"c"])], 0)
    wanted = order(kafka, folder, whole(kafka, topic), *targets_of(folder, [topic], "a"))
    output = write(routed(wanted, BY_TYPE, known={"ns.a": "ns.a"}, taken=frozenset({"ns.b"}), max_tables=1))
    assert [r["id"] for r in rows(output, "ns.a")] == [0]
    assert {r["offset"]: r["kind"] for r in dead_letters(output, NO_TABLE)} == {
        1: "names of tables collide", 2: "name of a table taken",
    }  # fmt: skip
    # While a table is not known yet, each of its raw names is reported.
    found = write(routed(wanted, BY_TYPE, max_tables=5)).routed
    assert found is not None
    assert [(u.table, u.raw_name) for u in found.unknown] == [("ns.b", "ns.b"), ("ns.c", "ns.c")]
    found = write(routed(replace(wanted, targets=()), BY_TYPE, max_tables=2)).routed
    assert found is not None
    assert [u.raw_name for u in found.unknown] == ["ns.a", "ns.A", "ns.b"]


def test_other_tables_are_not_reported_if_only_some_are_written(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":%d,"type":"%s"}' % (n, b"ab"[n % 2 : n % 2 + 1]) for n in range(10)], 0)
    wanted = order(kafka, folder, whole(kafka, topic), *targets_of(folder, [topic], "a"))
    output = write(
        routed(wanted, BY_TYPE, known={"ns.a": "ns.a", "ns.b": "ns.b"}, only=frozenset({"ns.a"}), max_tables=2)
    )
    assert sorted(r["id"] for r in rows(output, "ns.a")) == [0, 2, 4, 6, 8]
    assert output.routed is not None
    assert not output.routed.unknown
    assert by_place(output.routed.books) == {(topic, 0): (10, 10, 0, 0)}


def test_tables_that_are_retired_or_left_out_are_not_reported(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":%d,"type":"%s"}' % (n, b"abc"[n % 3 : n % 3 + 1]) for n in range(9)], 0)
    wanted = order(kafka, folder, whole(kafka, topic), *targets_of(folder, [topic], "a"))
    known = {f"ns.{name}": f"ns.{name}" for name in "abc"}
    retired, left_out = frozenset({"ns.b"}), frozenset({"ns.c"})
    output = write(routed(wanted, BY_TYPE, known=known, retired=retired, left_out=left_out))
    assert sorted(r["id"] for r in rows(output, "ns.a")) == [0, 3, 6]
    assert output.routed is not None
    assert not output.routed.unknown
    assert by_place(output.routed.books) == {(topic, 0): (9, 6, 3, 0)}


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
