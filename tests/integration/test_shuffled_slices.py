"""Slices send records of some tables to tasks that write them: what comes out is what the slices alone would have written."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka import Producer
from kits.shuffles import (
    books_of,
    files_of,
    letters_of,
    routed,
    rows_in,
    sent,
    several,
    shuffled_outputs,
    values_of,
    with_shuffle,
)
from kits.slices import whole
from kits.topics import produce
from lakelock.errors import Retryable
from lakelock.model.batches import NO_TABLE
from lakelock.model.offsets import without
from lakelock.ports import SentPiece
from lakelock.workers import held_records, shuffled_records, slice_reading
from lakelock.workers.write import write_slice
from stack.kafka import Kafka

pytestmark = pytest.mark.drawn(0.5, about=("shuffled", "lakelock/workers/"))


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
    with pytest.raises(Retryable, match=r"table ns\.\w+: slice \d sent \d+ records of topic .* arrived"):
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
    first, (second,) = wanted.slices
    again, _ = sent(replace(wanted, slices=(first, (replace(second, end=second.end - 200),))), 1)

    def mixed(task: int, pieces: list[SentPiece]) -> Iterator[SentPiece]:
        if task:
            yield from pieces
            return
        yield from (p for p in pieces if p.slice_no != 1)
        yield from again[0]

    with pytest.raises(Retryable, match="slice 1 sent"):
        shuffled_outputs(wanted, spoil=mixed)
