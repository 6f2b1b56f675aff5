"""What Kafka has of a record as columns of the table, in rows that were written and in rows that were redriven."""

from __future__ import annotations

from contextlib import closing

import duckdb
import pytest
from kits.redrives import fit, redrive
from kits.topics import new_producer
from kits.world import World

pytestmark = pytest.mark.drawn(0.3, about=("workers/table_rows", "records/metadata"))


def test_topic_and_key_are_columns_of_a_new_table_and_redriven_rows_have_theirs(fresh: World) -> None:
    fresh.settings += "metadata_columns: {topic: from_topic, key: sent_as}\n"
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    for n in range(6):
        later = b', "unheard_of": 7' if n == 5 else b""
        producer.produce(fresh.topic, b'{"id": %d%s}' % (n, later), key=None if n == 1 else b"k\xff%d" % n, partition=0)
        if n == 4:
            producer.flush()
            fresh.run()
    producer.flush()
    fresh.run()
    fit(fresh)
    with closing(fresh.runtime()) as runtime:
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (1, 1)
    found = fresh.catalog.load_table(fresh.table).scan().to_arrow().sort_by("id")
    assert found["from_topic"].to_pylist() == [fresh.topic] * 6
    assert found["sent_as"].to_pylist() == [None if n == 1 else b"k\xff%d" % n for n in range(6)]
    assert found["_kafka_offset"].to_pylist() == list(range(6))
    fresh.next_id = 6
    with closing(fresh.runtime()) as runtime:
        assert runtime.audit().complete


def test_headers_are_columns_of_a_new_table_and_redriven_rows_have_theirs(fresh: World) -> None:
    """But not the type of their timestamp, which the dead-letter table does not have."""
    fresh.settings += "metadata_columns: {timestamp_type: tt, headers: sent_with, header: {trace-id: trace}}\n"
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    headers: list[list[tuple[str, bytes | None]]] = [
        [("trace-id", b"t0"), ("n", None)], [], [("n", b"\xff"), ("n", b"2")], [("trace-id", b"t3")],
    ]  # fmt: skip
    for n, sent in enumerate(headers):
        later = b', "unheard_of": 7' if n >= 2 else b""
        producer.produce(fresh.topic, b'{"id": %d%s}' % (n, later), headers=sent, partition=0)
        if n == 1:
            producer.flush()
            fresh.run()
    producer.produce(fresh.topic, b'{"id": 9}', headers=[("trace-id", b"x"), ("trace-id", b"x")], partition=0)
    producer.flush()
    fresh.run()
    fit(fresh)
    with closing(fresh.runtime()) as runtime:
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (3, 2)
    # PyIceberg reads a list of structs that is null as an empty list.
    files = [
        task.file.file_path.removeprefix("file://")
        for task in fresh.catalog.load_table(fresh.table).scan().plan_files()
    ]
    found = duckdb.sql(f"FROM read_parquet({files!r}, union_by_name = true) ORDER BY id").to_arrow_table()
    assert found["sent_with"].to_pylist() == [[{"key": k, "value": v} for k, v in h] or None for h in headers]
    assert found["trace"].to_pylist() == ["t0", None, None, "t3"]
    assert found["tt"].to_pylist() == ["CreateTime", "CreateTime", None, None]
    fresh.next_id = 4
    with closing(fresh.runtime()) as runtime:
        assert runtime.audit().complete
