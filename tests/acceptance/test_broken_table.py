"""A fault of one table's files keeps no other table of the batch waiting; fixed, the table has every record once."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import pytest
from confluent_kafka.admin import AdminClient
from kits.harm import change
from kits.topics import create_topic, new_producer, produce
from kits.world import World
from lakelock.adapters.spark.task import packed, unpacked
from lakelock.app.runtime import Runtime
from lakelock.config import load_pipeline
from lakelock.errors import LakelockError, State, TableUnfit, Unreachable
from lakelock.ports import SliceOutput, WriteOrder
from lakelock.records.sql.expressions import Evaluable
from lakelock.workers.write import write_slice

pytestmark = pytest.mark.drawn(0.15)

NOWHERE = "file:///proc/nowhere"


class InProcess:
    """The writer without Spark: a slice for each range, whose results travel as from Spark to the driver."""

    parallelism = 2
    requests: ClassVar[list[set[str]]] = []

    def unfit(self, targets: Sequence[Evaluable], state: State) -> dict[str, TableUnfit]:
        return {}

    def interrupt_orphans(self, attempt: str) -> None: ...

    def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
        self.requests.append({t.table for t in order.targets})
        order = replace(order, slices=tuple((r,) for ranges in order.slices for r in ranges))
        results = [unpacked(packed(write_slice(order, n))) for n in range(len(order.slices))]
        return [r for r in results if isinstance(r, SliceOutput)]


def runtime(world: World, *tables: str) -> Runtime:
    listed = "".join(f"  - {{name: {t}, columns: {{id: long, note: string}}}}\n" for t in tables)
    file = world.folder / f"{world.name}.yaml"
    file.write_text(f"source: {{topics: [{world.topic}]}}\ntables:\n{listed}")
    return Runtime(load_pipeline(file), world.connections.__getitem__, {"writer": InProcess()})


def run(runtime: Runtime, *commit: str) -> LakelockError | None:
    """A run's plan and write with a commit of *commit*; the error that its write task would end with."""
    said: LakelockError | None = None
    planned = runtime.plan()
    if planned.batch_id:
        try:
            runtime.write_run(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)
        except LakelockError as fault:
            said = fault
    runtime.commit([runtime.pipeline.dead_letter_table, *commit], now=True)
    return said


def ids(world: World, table: str) -> list[int]:
    found = world.catalog.load_table(table).scan(selected_fields=("id",)).to_arrow()
    return sorted(found.column("id").to_pylist())


def dead_letters(world: World) -> list[tuple[Any, ...]]:
    table = world.catalog.load_table(f"{world.table}__dead_letters").scan().to_arrow()
    return sorted(zip(*(table.column(n).to_pylist() for n in ("target_table", "partition", "offset")), strict=True))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ({"write.parquet.compression-codec": "lzo"}, "compression-codec is 'lzo'"),
        ({"write.parquet.page-row-limit": "0"}, "page-row-limit is '0'"),
        ({"write.data.path": NOWHERE}, f"the warehouse cannot be written at {NOWHERE}"),
    ],
    ids=["codec", "page-rows", "path"],
)
def test_a_table_that_cannot_be_written_holds_up_no_other_and_catches_up(
    fresh: World, harm: dict[str, str], said: str
) -> None:
    other = f"{fresh.namespace}.other"
    fresh.produce(6)
    with closing(runtime(fresh, fresh.table, other)) as first:
        assert run(first, fresh.table, other) is None
        change(fresh, other, harm)
        InProcess.requests.clear()
        for n in range(3):
            fresh.produce(2, bad=[b"no json"])
            with pytest.raises(TableUnfit, match=said):
                raise run(first, fresh.table) or AssertionError("nothing was said")
            # Within the run that the records came in.
            assert ids(fresh, fresh.table) == list(range(8 + 2 * n))
        assert ids(fresh, other) == list(range(6))
        assert {target for target, *_ in dead_letters(fresh)} == {fresh.table}
        # What the properties say is found before Kafka is read for the table.
        assert any(other in requested for requested in InProcess.requests) == ("write.data.path" in harm)
        change(fresh, other, {}, *harm)
        for _ in range(3):
            assert run(first, fresh.table, other) is None
        assert ids(fresh, fresh.table) == ids(fresh, other) == list(range(12))
        found = dead_letters(fresh)
        assert len(found) == len(set(found)) == 6
        assert [x[1:] for x in found if x[0] == other] == [x[1:] for x in found if x[0] == fresh.table]
        assert not first.log.planned(fresh.name)
        assert not first.log.staged(fresh.name)


def test_no_more_is_planned_for_a_table_that_cannot_be_written_and_has_its_topic_to_itself(fresh: World) -> None:
    other, topic = f"{fresh.namespace}.other", f"{fresh.topic}-other"
    servers = fresh.connections["kafka_default"].extra["bootstrap.servers"]
    create_topic(AdminClient({"bootstrap.servers": servers}), topic, partitions=1)
    file = fresh.folder / f"{fresh.name}.yaml"
    file.write_text(
        f"source: {{topics: [{fresh.topic}, {topic}]}}\ntables:\n"
        f"  - {{name: {fresh.table}, topics: [{fresh.topic}], columns: {{id: long, note: string}}}}\n"
        f"  - {{name: {other}, topics: [{topic}], columns: {{id: long, note: string}}}}\n"
    )
    with closing(Runtime(load_pipeline(file), fresh.connections.__getitem__, {"writer": InProcess()})) as first:
        producer = new_producer(servers)

        def bring() -> None:
            fresh.produce(2)
            produce(producer, topic, [json.dumps({"id": 1, "note": "x"}).encode()], partition=0)

        bring()
        assert run(first, fresh.table, other) is None
        change(fresh, other, {"write.data.path": NOWHERE})
        for n in range(1, 4):
            bring()
            with pytest.raises(TableUnfit, match="cannot be written"):
                raise run(first, fresh.table) or AssertionError("nothing was said")
            assert ids(fresh, fresh.table) == list(range(2 + 2 * n))
            assert [b.planned_tables for b in first.log.planned(fresh.name)] == [(other,)]
        change(fresh, other, {}, "write.data.path")
        for _ in range(2):
            assert run(first, fresh.table, other) is None
        assert ids(fresh, other) == [1] * 4


def test_a_fault_in_one_slice_leaves_nothing_of_the_table_in_the_batch(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = f"{fresh.namespace}.other"
    fresh.produce(6, bad=[b"no json", b"no json"])
    inner = InProcess.run

    def second_slice_fails(self: InProcess, order: WriteOrder, ended: object) -> list[SliceOutput]:
        good, bad = inner(self, order)
        fault = Unreachable("the warehouse cannot be written: no space left.")
        tables = tuple(replace(t, files=(), books=(), fault=fault) if t.table == other else t for t in bad.tables)
        left = tuple(t for t in bad.dead_letters if t.table != other)
        assert any(t.table == other for t in good.dead_letters)
        return [good, replace(bad, tables=tables, dead_letters=left)]

    monkeypatch.setattr(InProcess, "run", second_slice_fails)
    with closing(runtime(fresh, fresh.table, other)) as first:
        with pytest.raises(TableUnfit, match="no space left"):
            raise run(first, fresh.table) or AssertionError("nothing was said")
        assert ids(fresh, fresh.table) == list(range(6))
        assert [b.planned_tables for b in first.log.planned(fresh.name)] == [(other,)]
        assert {target for target, *_ in dead_letters(fresh)} == {fresh.table}
        monkeypatch.undo()
        assert run(first, fresh.table, other) is None
    assert ids(fresh, other) == list(range(6))
    assert len(dead_letters(fresh)) == 4


def test_a_window_goes_on_for_the_tables_that_can_be_written(fresh: World) -> None:
    other = f"{fresh.namespace}.other"
    fresh.produce(6)
    with closing(runtime(fresh, fresh.table, other)) as first:
        assert run(first, fresh.table, other) is None
        change(fresh, other, {"write.data.path": NOWHERE})
        plan = first.plan

        def produce_and_plan(*arguments: Any, **named: Any) -> Any:
            fresh.produce(2)
            return plan(*arguments, **named)

        first.plan = produce_and_plan  # type: ignore[method-assign]
        with pytest.raises(TableUnfit, match=NOWHERE):
            window(first, 5)
        assert fresh.next_id >= 12
        first.commit([fresh.table], now=True)
        assert ids(fresh, fresh.table) == list(range(fresh.next_id))


def test_a_warehouse_that_is_away_for_all_tables_is_tried_again_within_the_window(fresh: World) -> None:
    other = f"{fresh.namespace}.other"
    tables = (fresh.table, other)
    fresh.produce(6)
    with closing(runtime(fresh, *tables)) as first:
        assert run(first, *tables) is None
        fresh.produce(4)
        for table in tables:
            change(fresh, table, {"write.data.path": NOWHERE})
        assert isinstance(run(first), Unreachable)

        write, failed = first.write, []

        def fixed_once_it_failed(*arguments: Any) -> Any:
            try:
                return write(*arguments)
            except Unreachable as fault:
                failed.append(fault)
                for table in tables:
                    change(fresh, table, {}, "write.data.path")
                raise

        first.write = fixed_once_it_failed  # type: ignore[method-assign, assignment]
        assert window(first, 12)
        assert len(failed) == 1
        first.commit(tables, now=True)
    assert ids(fresh, fresh.table) == ids(fresh, other) == list(range(10))


def window(runtime: Runtime, seconds: float) -> Any:
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    return runtime.write_window(str(uuid.uuid4()), f"test/{uuid.uuid4()}", until, 1.0)
