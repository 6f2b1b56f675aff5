"""Steps that meet each other, Kafka, a full disk or an edited file at the worst moment: each record is there once."""

from __future__ import annotations

import json
import os
import random
import subprocess
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions
from kits.harm import change, check, harm, ids, servers
from kits.here_writer import HereWriter
from kits.rollbacks import on_the_way
from kits.topics import admin, new_producer, produce
from kits.world import World, file_of, open_with, with_extra, write_next
from lakelock.app.runtime import Runtime
from lakelock.errors import BatchBusy, CommitConflict, Fenced, LakelockError, PlanConflict
from lakelock.ingest.commit import Committer
from lakelock.ingest.commit_loop import ATTEMPTS
from lakelock.model.commit_view import CommitView
from lakelock.ports import SliceOutput, WriteOrder
from pyiceberg.io.pyarrow import PyArrowFile
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.15)


def group(world: World) -> dict[int, int]:
    """What ordinary lag tools see: the consumer group's offsets, -1001 where there is none."""
    with closing(world.runtime()) as runtime:
        consumer = Consumer({"bootstrap.servers": servers(world), "group.id": str(runtime.pipeline.group)})
    found = consumer.committed([TopicPartition(world.topic, p) for p in (0, 1)], timeout=10)
    consumer.close()
    return {p.partition: p.offset for p in found}


def staged(world: World, runtime: Runtime, count: int = 10) -> None:
    world.produce(count)
    write_next(runtime)


def test_a_table_that_others_keep_moving_gets_everything_in_order_with_a_later_commit(near: World) -> None:
    with closing(near.runtime()) as runtime:
        staged(near, runtime)
        staged(near, runtime)
        commit, tries = runtime.tables.commit, []

        def too_late(*arguments: Any) -> int:
            table = near.catalog.load_table(near.table)
            table.append(table.scan().to_arrow().slice(0, 0))
            tries.append(1)
            return commit(*arguments)

        runtime.tables.commit = too_late  # type: ignore[method-assign, assignment]
        with pytest.raises(CommitConflict, match="staged files are kept"):
            Committer(runtime.context, lambda _: None).commit(near.table, now=True)
        assert len(tries) == ATTEMPTS
        assert len(runtime.log.staged(near.name)) == 2
        runtime.tables.commit = commit  # type: ignore[method-assign]
        staged(near, runtime)
        assert [o.rows for o in runtime.commit([near.table], now=True)] == [30]
    near.audit()


class Remembering(HereWriter):
    """Keeps what it was asked for, as a task does that was frozen before its first file."""

    orders: list[WriteOrder]

    def __init__(self) -> None:
        self.orders = []

    def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
        self.orders.append(order)
        return super().run(order)


def test_an_attempt_that_writes_late_rewrites_no_file_that_was_committed(near: World) -> None:
    near.writer = writer = Remembering()
    near.produce(20)
    near.run()
    committed = {t.file.file_path for t in near.catalog.load_table(near.table).scan().plan_files()}
    before = {p: Path(p.removeprefix("file://")).read_bytes() for p in committed}
    (order,) = writer.orders
    late = {f.path for o in HereWriter().run(order) for t in o.tables for f in t.files}
    assert late
    assert not late & committed
    assert {p: Path(p.removeprefix("file://")).read_bytes() for p in committed} == before
    near.audit()


@pytest.mark.parametrize("landed", [0, 1, 2])
def test_tables_of_one_batch_that_land_one_by_one_hold_each_record_once(near: World, landed: int) -> None:
    """The process dies after so many tables of three; the group stays where the slowest table is."""
    tables = (near.table, f"{near.namespace}.second", f"{near.namespace}.third")
    text = file_of(near, *tables)
    with open_with(near, text) as runtime:
        staged(near, runtime)
        runtime.commit(tables, now=True)
        near.produce(10, bad=[b"{"])
        write_next(runtime)
        runtime.commit(tables[:landed], now=True)
        runtime.publish()
    assert group(near) == {0: 15, 1: 15}
    with open_with(near, text) as runtime:
        runtime.commit(tables, now=True)
        runtime.publish()
        assert not runtime.log.staged(near.name)
        found = runtime.audit()
        assert found.complete, found
    assert [ids(near, t) for t in tables] == [list(range(40)), list(range(20, 40)), list(range(20, 40))]
    dead_letters = near.catalog.load_table(f"{near.table}__dead_letters").scan().to_arrow()
    assert sorted(dead_letters["target_table"].to_pylist()) == sorted(tables)
    assert group(near) == {0: 21, 1: 20}


def test_what_is_late_is_waited_for_and_lands_in_order(near: World) -> None:
    with closing(near.runtime()) as runtime:
        staged(near, runtime)
        staged(near, runtime)
        first = runtime.log.staged(near.name, near.table)[0]
        runtime.log.replan(first, "as if it had never been written")
        (waiting,) = runtime.commit([near.table], now=True)
        assert waiting.version_id is None
        assert "comes first" in waiting.line
        assert len(near.rows()) == 20
        assert runtime.plan().batch_id == first.batch_id
        write_next(runtime)
        assert [o.rows for o in runtime.commit([near.table], now=True)] == [20]
    near.audit()


def test_first_runs_at_once_make_one_table_with_each_record_once(near: World) -> None:
    near.name = "at_once"
    runtimes = [near.runtime() for _ in range(4)]
    start = threading.Barrier(len(runtimes))

    def first_run(runtime: Runtime) -> list[LakelockError]:
        faults: list[LakelockError] = []
        start.wait()
        for _ in range(5):
            try:
                near.cycle(runtime)
            except LakelockError as fault:
                faults.append(fault)
        return faults

    with ThreadPoolExecutor(len(runtimes)) as pool:
        faults = [fault for found in pool.map(first_run, runtimes) for fault in found]
    for runtime in runtimes:
        runtime.close()
    assert all(isinstance(f, (PlanConflict, BatchBusy, Fenced, CommitConflict)) for f in faults), faults
    near.run()
    near.audit()


def test_many_writes_land_in_one_commit_and_are_published_only_then(near: World) -> None:
    before = len(near.catalog.load_table(near.table).snapshots())
    with closing(near.runtime()) as runtime:
        for _ in range(3):
            staged(near, runtime)
            runtime.publish()
        assert group(near) == {0: 10, 1: 10}
        near.commit(runtime)
    assert len(near.catalog.load_table(near.table).snapshots()) == before + 1
    assert group(near) == {0: 25, 1: 25}
    near.audit()


def test_the_consumer_group_is_a_copy_that_decides_nothing(near: World) -> None:
    """Set back by a late publisher, set beyond the end, or gone as after its expiry: the next publish fixes it."""
    with closing(near.runtime()) as runtime:
        sources = runtime.broker.sources([near.topic])
        gone = AdminClient({"bootstrap.servers": servers(near)})
        mirror = str(runtime.pipeline.group)
        for harmed in (
            lambda: runtime.broker.publish(mirror, dict.fromkeys(sources, 3)),
            lambda: runtime.broker.publish(mirror, dict.fromkeys(sources, 9999)),
            lambda: gone.delete_consumer_groups([mirror])[mirror].result(30),
        ):
            before = group(near)
            harmed()
            assert group(near) != before
            near.produce(10)
            near.cycle(runtime)
            assert group(near) == {p: offset + 5 for p, offset in before.items()}
    near.audit()


def test_little_data_is_committed_once_it_is_old_enough(near: World) -> None:
    near.settings = "commit: {max_latency: 1h, min_bytes: 1GiB}\n"
    with closing(near.runtime()) as runtime:
        staged(near, runtime, 1)
        for minutes, lands in ((0, False), (58, False), (3, True)):
            harm(
                near, f"UPDATE lakelock.parts SET staged_at = staged_at - interval '{minutes} m' WHERE state = 'staged'"
            )
            (outcome,) = runtime.commit([near.table])
            assert (outcome.version_id is not None) == lands, outcome.line
    near.audit()


@pytest.mark.parametrize("moment", ["planned", "staged"])
def test_an_edited_file_applies_from_the_next_batch_and_takes_no_range_twice(near: World, moment: str) -> None:
    """Size, parallelism and conversion change; what was planned under the old file is written under it."""
    old = file_of(near, near.table, rest="batch: {max_records: 8, parallelism: 1}\n")
    lenient = f"{{name: {near.table}, new_fields: ignore}}"
    new = file_of(near, lenient, rest="batch: {max_records: 100, parallelism: 4}\n")
    near.produce(6, bad=[b'{"id":-1,"unheard_of":1}'])
    near.produce(20)
    with open_with(near, old) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        if moment == "staged":
            runtime.write("old", "test/old", planned.batch_id)
    with open_with(near, new) as runtime:
        if moment == "planned":
            assert runtime.plan().batch_id == planned.batch_id
        for _ in range(3):
            near.cycle(runtime)
    with open_with(near, new) as runtime:
        produce(new_producer(servers(near)), near.topic, [b'{"id":%d,"unheard_of":1}' % near.next_id], 0)
        near.next_id += 1
        near.cycle(runtime)
    near.audit(dead=1)


def test_another_address_of_the_same_cluster_is_the_same_source(near: World) -> None:
    known = near.connections["kafka_default"]
    near.connections["kafka_default"] = with_extra(
        known, **{"bootstrap.servers": servers(near).replace("127.0.0.1", "localhost"), "client.id": "renamed"}
    )
    near.produce(10)
    near.run()
    near.audit()
    with closing(near.runtime()) as runtime:
        assert len(runtime.log.streams(near.name, "live")) == 2


@pytest.mark.parametrize("stage", ["has claimed", "has finished"])
def test_a_pipeline_that_was_deleted_and_made_again_fences_the_attempt_of_the_old_one(near: World, stage: str) -> None:
    near.produce(10)
    smaller = file_of(near, near.table, rest="batch: {max_records: 4}\n")
    with closing(near.runtime()) as old, open_with(near, smaller) as new:
        planned = old.plan()
        assert planned.batch_id is not None
        staging = old.log.stage

        def meanwhile(*arguments: Any) -> None:
            near.file.unlink()
            harm(near, "UPDATE lakelock.batches SET heartbeat_at = heartbeat_at - interval '1 h'")
            near.produce(3)
            assert new.plan().batch_id == planned.batch_id
            if stage == "has finished":
                near.cycle(new)
            else:
                new.log.claim(arguments[0], "new", "test/new", 30)
            staging(*arguments)

        old.log.stage = meanwhile  # type: ignore[method-assign, assignment]
        with pytest.raises(Fenced):
            old.write("old", "test/old", planned.batch_id)
        if stage == "has claimed":
            assert not new.log.staged(near.name)
            new.log.release(planned.batch_id, "new", "lets the next one in")
        for _ in range(3):
            near.cycle(new)
    near.audit()


@pytest.mark.parametrize("moment", ["swap", "mark"])
@pytest.mark.parametrize("first", [0, 1])
def test_committers_of_different_partitions_keep_each_others_offsets(near: World, moment: str, first: int) -> None:
    with closing(near.runtime()) as one, closing(near.runtime()) as two:
        for partition in (first, 1 - first):
            values = [b'{"id":%d}' % n for n in range(near.next_id, near.next_id + 10)]
            produce(new_producer(servers(near)), near.topic, values, partition)
            near.next_id += 10
            write_next(one)
        sees_only(one, first)
        sees_only(two, 1 - first)

        def meanwhile() -> None:
            assert [o.rows for o in two.commit([near.table], now=True)] == [10]

        if moment == "swap":
            on_the_way(one, one.tables, meanwhile)
        else:
            committed = one.log.committed

            def marked(*arguments: Any) -> None:
                one.log.committed = committed  # type: ignore[method-assign]
                meanwhile()
                committed(*arguments)

            one.log.committed = marked  # type: ignore[method-assign, assignment]
        assert [o.rows for o in one.commit([near.table], now=True)] == [10]
    near.run()
    near.audit()


def sees_only(runtime: Runtime, partition: int) -> None:
    everything = runtime.log.commit_views

    def some(*of: Any) -> dict[str, CommitView]:
        views = everything(*of)
        parts = {
            t: [p for p in v.parts if all(r.source.partition == partition for r in p.ranges)] for t, v in views.items()
        }
        return {table: replace(view, parts=tuple(parts[table])) for table, view in views.items()}

    runtime.log.commit_views = some  # type: ignore[method-assign, assignment]


def test_partitions_added_between_plan_and_write_come_with_the_next_batch(near: World) -> None:
    near.produce(10)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        client = admin(near)
        client.create_partitions([NewPartitions(near.topic, 3)])[near.topic].result(30)
        wait_until(
            lambda: len(client.list_topics(near.topic, timeout=10).topics[near.topic].partitions) == 3, 30, "three"
        )
        produce(new_producer(servers(near)), near.topic, [b'{"id":%d}' % n for n in range(30, 37)], 2)
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
        assert [o.rows for o in near.commit(runtime)] == [10]
    near.run()
    assert len(near.rows()) == 37
    check(near)


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of 64 KiB; needs the right to mount one."""
    small = folder / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(small)], check=False).returncode:
        pytest.skip("this user may not mount a file system")
    yield small
    subprocess.run(["umount", str(small)], check=False)


def test_a_disk_that_is_full_in_the_middle_of_a_file_costs_nothing_but_the_attempt(
    near: World, small_disk: Path
) -> None:
    change(near, near.table, {"write.data.path": f"file://{small_disk}"})
    notes = [{"id": n, "note": os.urandom(1500).hex()} for n in range(near.next_id, near.next_id + 200)]
    near.next_id += 200
    produce(new_producer(servers(near)), near.topic, [json.dumps(n).encode() for n in notes])
    with pytest.raises(LakelockError, match="No space left"):
        near.run()
    with closing(near.runtime()) as runtime:
        assert len(runtime.log.planned(near.name)) == 1
        assert not runtime.log.staged(near.name)
        assert runtime.audit().complete
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    near.run()
    near.audit()


@pytest.fixture
def unreliable(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Storage of which every tenth call fails, before its effect or after it; what failed is noted."""
    chance, noted = random.Random(17), []

    def failing(name: str, real: Any) -> Any:
        def call(self: PyArrowFile, *arguments: Any, **named: Any) -> Any:
            fails = chance.random() < 0.1
            out = real(self, *arguments, **named) if not fails or chance.random() < 0.5 else None
            if fails:
                noted.append(name)
                raise OSError(5, "503 Slow Down", self.location)
            return out

        return call

    for name in ("create", "open", "exists"):
        monkeypatch.setattr(PyArrowFile, name, failing(name, getattr(PyArrowFile, name)))
    return noted


def test_storage_that_fails_now_and_then_costs_attempts_and_no_record(
    near: World, unreliable: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[LakelockError] = []
    for _ in range(25):
        near.produce(4, bad=[b"{"])
        with closing(near.runtime()) as runtime:
            runtime.__dict__["committer"] = Committer(runtime.context, lambda _: None)
            try:
                near.cycle(runtime)
            except LakelockError as fault:
                faults.append(fault)
    assert {"create", "open"} <= set(unreliable)
    assert len(faults) >= 5
    monkeypatch.undo()
    for _ in range(3):
        near.run()
    near.audit(dead=25)
