"""Jobs with a shuffle on a real Spark server, whose tables DuckDB reads: each record once, and a file for each table."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from kits.columns import columns
from kits.predicates import predicate
from kits.shuffles import books_of, files_of, letters_of, routed, rows_in, several, values_of
from kits.slices import METADATA_TYPES, target, whole
from kits.topics import produce
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.jobs import SparkWriter
from lakelock.app import servers
from lakelock.errors import Retryable
from lakelock.ingest.jobs import run_jobs
from lakelock.model.batches import NO_TABLE
from lakelock.ports import SentPiece, SliceOutput, Target, WriteOrder
from lakelock.ports.write_jobs import Writer
from lakelock.records.routing.router import RouteRule
from lakelock.records.sql.expressions import Expressions
from lakelock.workers.write import write_slice
from pyspark import cloudpickle
from stack import machine
from stack.kafka import Kafka
from stack.process import wait_until
from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.5, about=("shuffled", "adapters/spark"))

# The workers have lakelock, but not this module: its functions travel whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

HASH = {"write.distribution-mode": "hash"}
TWICE = columns({"id": "long", **METADATA_TYPES, "twice": "long"})


@pytest.fixture(scope="module")
def writer(warm_spark: SparkConnect) -> Iterator[Writer]:
    with open_connect(warm_spark.remote, "shuffles", "live") as session:
        yield servers.WRITER.over(session)


def plain(order: WriteOrder) -> WriteOrder:
    return replace(order, targets=tuple(replace(t, properties={}) for t in order.targets))


def same(found: Sequence[SliceOutput], alone: Sequence[SliceOutput], order: WriteOrder) -> None:
    ranges = [r for of_slice in order.slices for r in of_slice]
    for name in [*(t.table for t in order.targets), NO_TABLE]:
        assert rows_in(found, name, "dead_letters") == rows_in(alone, name, "dead_letters"), name
        assert letters_of(found, name, ranges) == letters_of(alone, name, ranges)
        if name != NO_TABLE:
            assert rows_in(found, name) == rows_in(alone, name)
            assert books_of(found, name, ranges) == books_of(alone, name, ranges)
    assert [o.routed for o in found if o.routed] == [o.routed for o in alone if o.routed]


def tables(folder: Path, topic: str, *, with_sql: bool) -> list[Target]:
    """Some by each mode, and one whose expressions Spark evaluates."""
    found = [replace(t, properties=HASH if n != 4 else {}) for n, t in enumerate(several(folder, [topic]))]
    if with_sql:
        sql = target(folder, "t5", TWICE, [topic], unknown_fields="ignore", properties=HASH)
        found[5] = replace(sql, expressions=Expressions({"twice": "id * 2"}))
    return found


@pytest.mark.parametrize("with_sql", [False, True], ids=["tables", "tables with SQL"])
@pytest.mark.parametrize("with_rules", [False, True], ids=["fields", "predicates"])
def test_two_modes_in_one_job_write_what_slices_alone_write(
    writer: Writer,
    kafka: Kafka,
    new_topic: Callable[..., str],
    producer: Producer,
    folder: Path,
    *,
    with_sql: bool,
    with_rules: bool,
) -> None:
    topic = new_topic(3)
    for partition in range(3):
        produce(producer, topic, values_of(random.Random(partition), 1_000), partition)
    wanted = routed(kafka, folder, whole(kafka, topic), tables(folder, topic, with_sql=with_sql), 4)
    if with_rules:
        assert wanted.router is not None
        rule = RouteRule("tables", ("ns.all",), where=predicate("offset % 7 = 1"))
        wanted = replace(wanted, router=replace(wanted.router, rules=(rule, *wanted.router.rules)))
    assert len(wanted.slices) == 4
    alone = run_jobs(writer, plain(wanted), 4)
    found = run_jobs(writer, wanted, 4)
    same(found, alone, wanted)
    files = {t.table: files_of(found, t.table) for t in wanted.targets}
    by_slice = {"ns.t4": 4, "ns.t5": 4 if with_sql else 1, "ns.t6": 0}
    assert files == {t.table: by_slice.get(t.table, 1) for t in wanted.targets}
    assert {u.table for o in found if o.routed for u in o.routed.unknown} == {"ns.new"}
    if with_sql:
        assert all(r["twice"] == 2 * r["id"] for r in rows_in(found, "ns.t5"))


def failing(order: WriteOrder, task_no: int, pieces: Iterable[SentPiece]) -> SliceOutput:
    """The first try of each task ends behind its last file."""
    from lakelock.workers.shuffled_write import write_sent
    from pyspark import TaskContext

    output = write_sent(order, task_no, pieces)
    context = TaskContext.get()
    assert context is not None
    if context.attemptNumber() == 0:
        if order.kafka.get("client.id") == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        raise ValueError("not yet")
    return output


def losing(order: WriteOrder, task_no: int, pieces: Iterable[SentPiece]) -> SliceOutput:
    """Without the last piece."""
    from lakelock.workers.shuffled_write import write_sent

    return write_sent(order, task_no, [*pieces][:-1])


def writer_with(session: Any, write_sent: Callable[..., SliceOutput]) -> Writer:
    halves = servers._WRITE_HALVES
    assert halves.shuffle is not None
    return SparkWriter(
        session, write_slice, halves=replace(halves, shuffle=replace(halves.shuffle, write_sent=write_sent))
    )


@pytest.fixture(scope="module")
def patient_server(session_folder: Path, java: str) -> Iterator[SparkConnect]:
    """As a cluster, it runs a task again that fails."""
    home = session_folder / "patient-spark"
    server = SparkConnect(home, machine.java_home(java), home / "no-jars", {}, task_tries=3)
    server.start()
    yield server
    server.stop()


@pytest.mark.parametrize("how", ["failed", "killed"])
def test_a_writing_task_that_runs_again_writes_each_record_once(
    patient_server: SparkConnect,
    kafka: Kafka,
    new_topic: Callable[..., str],
    producer: Producer,
    folder: Path,
    how: str,
) -> None:
    topic = new_topic(2)
    for partition in range(2):
        produce(producer, topic, values_of(random.Random(partition), 500), partition)
    wanted = routed(kafka, folder, whole(kafka, topic), tables(folder, topic, with_sql=False), 2)
    wanted = replace(wanted, kafka={**wanted.kafka, "client.id": how})
    with open_connect(patient_server.remote, "shuffles", "live") as session:
        found = run_jobs(writer_with(session, failing), wanted, 2)
        alone = run_jobs(servers.WRITER.over(session), plain(wanted), 2)
    same(found, alone, wanted)
    written = {f.path.removeprefix("file://") for o in found for t in (*o.tables, *o.dead_letters) for f in t.files}
    there = {str(f) for f in folder.rglob(f"{wanted.attempt}/*.parquet")}
    # Those of the first tries are orphans.
    assert written < there
    wait_until(lambda: not [*patient_server.home.rglob("shuffle_*.data")], 30, "pieces on the disk of Spark")


def test_a_writing_task_that_loses_records_fails_the_job(
    writer: Writer,
    warm_spark: SparkConnect,
    kafka: Kafka,
    new_topic: Callable[..., str],
    producer: Producer,
    folder: Path,
) -> None:
    topic = new_topic(1)
    produce(producer, topic, values_of(random.Random(1), 500), 0)
    wanted = routed(kafka, folder, whole(kafka, topic), tables(folder, topic, with_sql=False), 2)
    with (
        open_connect(warm_spark.remote, "shuffles", "live") as session,
        pytest.raises(Retryable, match=r"table ns\.\w+: slice \d sent \d+ records of .*, and 0 arrived"),
    ):
        run_jobs(writer_with(session, losing), wanted, 2)
