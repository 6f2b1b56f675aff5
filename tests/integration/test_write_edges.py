"""Records and tables at the edge of what a slice can take: odd timestamps, large dead letters, a table that fails alone."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from kits.columns import columns
from kits.slices import ID, dead_letters, order, rows, target, whole
from kits.topics import new_producer
from lakelock.adapters.kafka.block import LAST_TIMESTAMP_MS, Block, Original
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.errors import AccessDenied, TableUnfit, Unreachable
from lakelock.model.offsets import OffsetRange, Source
from lakelock.records.headers import headers_array
from lakelock.records.values import Values
from lakelock.workers.sink import Sink
from lakelock.workers.table_blocks import TableBlocks
from lakelock.workers.write import write_slice
from stack.kafka import Kafka

pytestmark = pytest.mark.drawn(0.2, about="adapters/parquet")


class Nowhere:
    bootstrap = "x"


class Kept:
    """Messages of a block, with one header each."""

    def __init__(self, values: Sequence[bytes]) -> None:
        self.values = values

    def original(self, index: int) -> Original:
        return Original(b"k", self.values[index], [("h", b"v")])

    def keys(self, start: int, count: int) -> Values:
        return Values.from_list([b"k"] * count)

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        return pa.repeat("CreateTime", count)

    def headers(self, start: int, count: int) -> pa.Array:
        return headers_array([[("h", b"v")]] * count)

    def keys_and_headers(self, start: int, count: int) -> tuple[Values | None, pa.Array | None]:
        raise NotImplementedError


def block(first_offset: int, values: Sequence[bytes], timestamps: Sequence[int]) -> Block:
    count = len(values)
    return Block(
        "t",
        Kept(values),
        Values.from_list(values),
        np.zeros(count, np.int32),
        np.arange(first_offset, first_offset + count),
        np.array(timestamps, np.int64),
    )


def sink_of(folder: Path, end: int) -> Sink:
    ranges = [OffsetRange(Source("t", "id", 0), 0, end)]
    wanted = order(Nowhere(), folder, ranges, target(folder, "t", ID, ["t"]))  # type: ignore[arg-type]
    sink = Sink(wanted.targets[0], wanted, False, WriterBudget())
    sink.open_books(ranges)
    return sink


def take(sink: Sink, taken: Block) -> None:
    schema = arrow_schema(FileLayout.of(sink.target.layout).schema)
    read = TableBlocks(sink.target, schema, skips_tombstones=False).of(taken.values, taken.metadata, {})
    sink.take(taken, read, None, taken.shares(), {"decode": 0.0, "write": 0.0})


@pytest.mark.parametrize(
    "timestamp",
    [1_700_000_000_000_000, 1_700_000_000_000_000_000, 2**63 - 1, LAST_TIMESTAMP_MS + 1],
    ids=["us", "ns", "largest", "year 10000"],
)
def test_a_timestamp_that_is_not_in_milliseconds_is_none(
    kafka: Kafka, new_topic: Callable[..., str], folder: Path, timestamp: int
) -> None:
    """Kafka before 4.0 takes any CreateTime by default, and topics with message.timestamp.after.max.ms still do."""
    topic = new_topic(1, message_timestamp_after_max_ms=str(2**63 - 1))
    producer = new_producer(kafka.bootstrap)
    for value in (b'{"id":1}', b"no json"):
        producer.produce(topic, value, partition=0, timestamp=timestamp)
    producer.produce(topic, b'{"id":2}', partition=0, timestamp=1_700_000_000_000)
    producer.produce(topic, b'{"id":3}', partition=0, timestamp=LAST_TIMESTAMP_MS)
    producer.flush()
    output = write_slice(order(kafka, folder, whole(kafka, topic), target(folder, "t", ID, [topic])), 0)
    found = {r["id"]: r["_t"] and r["_t"].isoformat() for r in rows(output)}
    assert found == {1: None, 2: "2023-11-14T22:13:20+00:00", 3: "9999-12-31T23:59:59.999000+00:00"}
    assert [(r["offset"], r["timestamp"]) for r in dead_letters(output)] == [(1, None)]
    (books,) = output.tables[0].books
    assert (books.read, books.min_timestamp_ms, books.max_timestamp_ms) == (4, 1_700_000_000_000, LAST_TIMESTAMP_MS)


def test_the_first_millisecond_of_1970_is_a_time_like_any_other(folder: Path) -> None:
    sink = sink_of(folder, 4)
    take(sink, block(0, [b'{"id":1}'] * 2, [0, -1]))
    take(sink, block(2, [b'{"id":1}'] * 2, [7, 5]))
    (books,) = sink.finish()[0].books
    assert (books.min_timestamp_ms, books.max_timestamp_ms) == (0, 7)


def test_dead_letters_in_memory_are_bounded_by_bytes(folder: Path) -> None:
    sink = sink_of(folder, 1600)
    covered = []
    for first in range(0, 1600, 128):
        values = [b"x" * 65536] * min(128, 1600 - first)
        take(sink, block(first, values, [0] * len(values)))
        covered.append(sum(len(x.value or b"") for x in sink._dead_letters._dead_letters))
    assert max(covered) < 8 << 20
    _, dead = sink.finish()
    assert sum(f.rows for f in dead.files) == 1600


def break_path(folder: Path) -> dict[str, Any]:
    (folder / "file").write_text("in the way")
    return {"properties": {"write.data.path": f"file://{folder}/file/t"}}


@pytest.mark.parametrize(
    ("harm", "kind", "said"),
    [
        (break_path, (AccessDenied, Unreachable), "ns.t: the warehouse .* at file://.*/file/t/"),
        ({"properties": {"write.parquet.compression-codec": "lzo"}}, TableUnfit, "compression-codec is 'lzo'"),
        ({"properties": {"write.parquet.page-row-limit": "0"}}, TableUnfit, "page-row-limit is '0'"),
        ({"properties": {"write.metadata.metrics.default": "some"}}, TableUnfit, "Unsupported metrics mode: some"),
        ({"properties": {"write.data.path": "warp://x/y"}}, TableUnfit, "warp"),
    ],
)
def test_a_table_that_cannot_be_written_stops_alone(
    kafka: Kafka, new_topic: Callable[..., str], folder: Path, harm: Any, kind: Any, said: str
) -> None:
    topic = new_topic(2)
    producer = new_producer(kafka.bootstrap)
    for n in range(60_000):
        producer.produce(topic, b"no json" if n % 6_000 == 0 else b'{"id":%d,"s":"%0512d"}' % (n, n), partition=n % 2)
    producer.flush()
    wide = (*ID, *columns({"s": "string"}))
    broken = target(folder, "t", wide, [topic], **(harm(folder) if callable(harm) else harm))
    output = write_slice(order(kafka, folder, whole(kafka, topic), broken, target(folder, "well", wide, [topic])), 0)
    output = pickle.loads(pickle.dumps(output))
    (fault,) = [t.fault for t in output.tables if t.table == "ns.t"]
    assert isinstance(fault, kind)
    with pytest.raises(kind, match=said):
        raise fault
    assert [(t.files, t.books) for t in output.tables if t.table == "ns.t"] == [((), ())]
    assert not dead_letters(output)
    assert sorted(r["id"] for r in rows(output, "ns.well")) == [n for n in range(60_000) if n % 6_000]
    assert len(dead_letters(output, "ns.well")) == 10


def test_nothing_is_read_for_tables_that_all_failed(
    kafka: Kafka, new_topic: Callable[..., str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = new_topic(1)
    producer = new_producer(kafka.bootstrap)
    producer.produce(topic, b'{"id":1}', partition=0)
    producer.flush()
    broken = target(folder, "t", ID, [topic], properties={"write.parquet.compression-codec": "lzo"})
    monkeypatch.setattr("lakelock.workers.slice_parts.RangeReader", None)
    output = write_slice(order(kafka, folder, whole(kafka, topic), broken), 0)
    assert isinstance(output.tables[0].fault, TableUnfit)


def test_a_table_that_failed_in_one_topic_is_not_read_for_in_the_next(
    kafka: Kafka, new_topic: Callable[..., str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics = sorted([new_topic(1), new_topic(1)])
    producer = new_producer(kafka.bootstrap)
    for topic in topics:
        producer.produce(topic, b'{"id":1}', partition=0)
    producer.flush()
    harm = break_path(folder)["properties"] | {"write.parquet.row-group-size-bytes": "1"}
    read: list[str] = []

    class Reader(RangeReader):
        def __init__(self, config: Any, ranges: Sequence[OffsetRange], **more: Any) -> None:
            read.extend(r.source.topic for r in ranges)
            super().__init__(config, ranges, **more)

    monkeypatch.setattr("lakelock.workers.slice_parts.RangeReader", Reader)
    wanted = order(kafka, folder, whole(kafka, *topics), target(folder, "t", ID, topics, properties=harm))
    assert write_slice(wanted, 0).tables[0].fault is not None
    assert read == topics[:1]


def test_dead_letters_that_cannot_be_written_fail_the_slice(
    kafka: Kafka, new_topic: Callable[..., str], folder: Path
) -> None:
    """A table without its dead letters could never be committed, so there is nothing to go on with."""
    topic = new_topic(1)
    producer = new_producer(kafka.bootstrap)
    for value in (b'{"id":1}', b"no json"):
        producer.produce(topic, value, partition=0)
    producer.flush()
    (folder / "dead").write_text("in the way")
    with pytest.raises((AccessDenied, Unreachable), match=r"ns\.dead: the warehouse"):
        write_slice(order(kafka, folder, whole(kafka, topic), target(folder, "t", ID, [topic])), 0)
