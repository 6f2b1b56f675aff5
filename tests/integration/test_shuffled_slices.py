"""Slices send records of some tables to tasks that write them: what comes out is what the slices alone would have written."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from confluent_kafka import Producer
from kits.columns import columns
from kits.shuffles import sent, shuffled_outputs, with_shuffle
from kits.slices import ID, METADATA_TYPES, order, target, whole
from kits.topics import produce
from lakelock.errors import Retryable
from lakelock.ingest.books import combined, dead_letter_books
from lakelock.ingest.slicing import slices
from lakelock.model.batches import NO_TABLE, Books
from lakelock.model.offsets import OffsetRange, without
from lakelock.ports import RecordsInDoubt, SentPiece, SliceOutput, Target, WriteOrder
from lakelock.records.routing.router import Router, RouteRule
from lakelock.workers import held_records, shuffled_records, slice_reading
from lakelock.workers.write import write_slice
from stack.kafka import Kafka

pytestmark = pytest.mark.drawn(0.5, about=("shuffled", "lakelock/workers/"))

BY_TYPE = RouteRule("tables", ("ns.{type}",))
ROUTER = Router(
    (
        RouteRule("filter", when=(("type", ("drop",)),)),
        RouteRule("tables", ("ns.t1", "ns.all"), when=(("type", ("t1",)),)),
        BY_TYPE,
        RouteRule("dead_letter"),
    )
)


def routed(
    kafka: Kafka, folder: Path, ranges: Sequence[OffsetRange], targets: Sequence[Target], parallelism: int
) -> WriteOrder:
    targets = [replace(t, is_routed=True) for t in targets]
    return replace(
        order(kafka, folder, ranges, *targets), slices=slices(ranges, parallelism, min_offsets=1), router=ROUTER
    )


def several(folder: Path, topics: Sequence[str], **more: Any) -> list[Target]:
    names = [*(f"t{n}" for n in range(7)), "all"]
    return [target(folder, name, ID, topics, unknown_fields="ignore", **more) for name in names]


def values_of(source: random.Random, count: int) -> list[bytes | None]:
    bad = [b"no json", None, b"{}", b'{"id":"x","type":"t1"}', b'{"id":"x","type":"t2"}', b"\xff"]
    found: list[bytes | None] = []
    for n in range(count):
        value = {"id": n, "type": source.choice(["t0", "t1", "t2", "t3", "t4", "t5", "drop", "new"])}
        found.append(source.choice(bad) if source.random() < 0.1 else json.dumps(value).encode())
    return found


def rows_in(outputs: Sequence[SliceOutput], table: str, kind: str = "tables") -> list[dict[str, Any]]:
    files = [f for o in outputs for t in getattr(o, kind) if t.table == table for f in t.files]
    found = [row for f in files for row in pq.read_table(f.path.removeprefix("file://")).to_pylist()]
    return sorted(found, key=lambda row: [str(row[key]) for key in sorted(row)])


def files_of(outputs: Sequence[SliceOutput], table: str) -> int:
    return sum(len(t.files) for o in outputs for t in o.tables if t.table == table)


def books_of(outputs: Sequence[SliceOutput], table: str, ranges: Sequence[OffsetRange]) -> tuple[Books, ...]:
    return combined(ranges, (b for o in outputs for t in o.tables if t.table == table for b in t.books))


def letters_of(outputs: Sequence[SliceOutput], table: str, ranges: Sequence[OffsetRange]) -> tuple[Books, ...]:
    reported = (b for o in outputs for t in o.dead_letters if t.table == table for b in t.books)
    return dead_letter_books(ranges, reported)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slice_reading, "BLOCK_MESSAGES", 60)
    monkeypatch.setattr(shuffled_records, "HELD_BYTES", 16_000)
    monkeypatch.setattr(held_records.HeldRecords.__init__, "__defaults__", (8_000,))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", range(4))
def test_a_job_with_a_shuffle_writes_what_one_without_writes(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, seed: int
) -> None:
    source = random.Random(seed)
    topics = [new_topic(2), new_topic(1)]
    for topic in topics:
        for partition in range(2 if topic == topics[0] else 1):
            produce(producer, topic, values_of(source, 700), partition)
    # Two planned ranges of one partition, which slices cut elsewhere.
    ranges = [r for r in whole(kafka, *topics) if r.source != whole(kafka, *topics)[0].source]
    first = whole(kafka, *topics)[0]
    ranges += [replace(first, end=333), replace(first, start=333)]
    tables = several(folder, topics)
    plain = routed(kafka, folder, sorted(ranges), tables, 5)
    alone = [write_slice(plain, n) for n in range(len(plain.slices))]
    names = [t.table for t in tables]
    chosen = names if seed % 2 else source.sample(names, 5)
    sending = with_shuffle(plain, chosen, bucket_bytes=1 << 20 if seed < 2 else 20_000)
    found = shuffled_outputs(sending, seed)
    for name in [*names, NO_TABLE]:
        assert rows_in(found, name, "dead_letters") == rows_in(alone, name, "dead_letters"), name
        assert letters_of(found, name, ranges) == letters_of(alone, name, ranges)
    for name in names:
        assert rows_in(found, name) == rows_in(alone, name)
        assert books_of(found, name, ranges) == books_of(alone, name, ranges)
        if seed < 2 and name in chosen:
            assert files_of(found, name) == (name != "ns.t6") < files_of(alone, name) or name == "ns.t6"
        elif name not in chosen:
            assert files_of(found, name) == files_of(alone, name)
    assert [o.routed for o in found[: len(plain.slices)]] == [o.routed for o in alone]
    assert {u.table for o in found if o.routed for u in o.routed.unknown} == {"ns.new"}


@pytest.mark.usefixtures("small")
def test_slices_that_end_early_have_sent_what_their_books_say(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(2)
    for partition in range(2):
        produce(producer, topic, values_of(random.Random(partition), 2_000), partition)
    wanted = routed(kafka, folder, whole(kafka, topic), several(folder, [topic]), 3)
    wanted = with_shuffle(replace(wanted, slice_bytes=9_000))
    found = shuffled_outputs(wanted)
    unread = [r for o in found for r in o.unread]
    assert unread
    read = without(whole(kafka, topic), unread)
    for name in ("ns.t0", "ns.t6"):
        books = [b for o in found for t in o.tables if t.table == name for b in t.books]
        assert sorted(b.range for b in books) == sorted(r for r in read)
        assert sum(b.written for b in books) == len(rows_in(found, name))
    offsets = {(r["_p"], r["_o"]) for name in ("ns.t0", "ns.t1") for r in rows_in(found, name)}
    assert all(any(r.source.partition == p and r.start <= o < r.end for r in read) for p, o in offsets)


def spoilt(kind: str) -> Callable[[int, list[SentPiece]], Iterator[SentPiece]]:
    def of_task(task: int, pieces: list[SentPiece]) -> Iterator[SentPiece]:
        if task == 0:
            victim = pieces[len(pieces) // 2]
            kept = [p for p in pieces if p is not victim]
            match kind:
                case "lost":
                    pieces = kept
                case "doubled":
                    pieces = [*pieces, victim]
                case "of another slice":
                    pieces = [*kept, replace(victim, slice_no=1 - victim.slice_no)]
        yield from pieces

    return of_task


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", ["lost", "doubled", "of another slice"])
def test_pieces_that_do_not_arrive_once_fail_the_job(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, kind: str
) -> None:
    topic = new_topic(1)
    produce(producer, topic, values_of(random.Random(1), 1_000), 0)
    wanted = with_shuffle(routed(kafka, folder, whole(kafka, topic), several(folder, [topic]), 2))
    assert len(wanted.slices) == 2
    with pytest.raises(Retryable, match=r"table ns\.t\d: slice \d sent \d+ records of topic .* arrived"):
        shuffled_outputs(wanted, spoil=spoilt(kind))
    assert shuffled_outputs(wanted)


@pytest.mark.usefixtures("small")
def test_pieces_of_two_runs_of_a_slice_fail_the_job_if_they_end_elsewhere(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    """Spark runs a slice again if its pieces are lost, and tasks that have ended keep those of the first run."""
    topic = new_topic(1)
    produce(producer, topic, values_of(random.Random(2), 1_000), 0)
    wanted = with_shuffle(routed(kafka, folder, whole(kafka, topic), several(folder, [topic]), 2))
    again, ended = sent(replace(wanted, slice_bytes=6_000), 1)
    print("DBG", ended.unread, ended.fetched_bytes, {k: len(v) for k, v in again.items()})

    def mixed(task: int, pieces: list[SentPiece]) -> Iterator[SentPiece]:
        if task:
            yield from pieces
            return
        yield from (p for p in pieces if p.slice_no != 1)
        yield from again[0]

    with pytest.raises(Retryable, match="slice 1 sent"):
        shuffled_outputs(wanted, spoil=mixed)


def test_a_record_that_no_file_can_hold_is_in_doubt_where_it_is_written(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":%d,"type":"t0","d":"+10000-01-01T00:00:00Z"}' % n for n in range(3)], 0)
    of = columns({"id": "long", "d": "string", **METADATA_TYPES})
    tables = [target(folder, "t0", of, [topic], unknown_fields="ignore")]
    wanted = with_shuffle(routed(kafka, folder, whole(kafka, topic), tables, 1))
    found = shuffled_outputs(replace(wanted, in_doubt=frozenset({"ns.t0"})))
    assert [r["id"] for r in rows_in(found, "ns.t0")] == [0, 1, 2]
    assert issubclass(RecordsInDoubt, Retryable)
