"""Columns that follow the records on a REST catalog: other writers change the table meanwhile, and answers are lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from kits.evolution import BOTH, types
from kits.faulty_catalog import Body, Fault, FaultyCatalog, Landing
from kits.here_writer import HereWriter
from kits.topics import new_producer, produce
from kits.world import CATALOG, World, file_of, new_world, open_with
from lakelock.adapters.iceberg.columns import columns_of
from lakelock.model.evolutions import EVOLUTION
from pyiceberg.catalog import load_catalog
from pyiceberg.table import Table
from pyiceberg.table.update.schema import UpdateSchema
from pyiceberg.types import DoubleType, IntegerType, LongType, StringType

pytestmark = pytest.mark.drawn(
    0.4,
    about=("ingest/evolve", "ingest/commit_loop", "iceberg/schema_changes", "records/evolution", "kits/faulty_catalog"),
)
COLUMNS = "{id: long, n: int, note: string}"


@dataclass
class Beside:
    """*world* goes through *proxy*; `meanwhile` runs once, just before a commit of its columns arrives at the catalog."""

    world: World
    proxy: FaultyCatalog
    properties: dict[str, str]
    meanwhile: Callable[[Table], None] | None = None

    def rewrite(self, _: FaultyCatalog, path: str, body: Body) -> Body:
        if any(u["action"] == "add-schema" for u in body["updates"]) and (do := self.meanwhile) is not None:
            self.meanwhile = None
            do(self.table)
        return body

    @property
    def table(self) -> Table:
        """By the catalog itself."""
        return load_catalog(CATALOG, **self.properties).load_table(self.world.table)

    @property
    def columns(self) -> dict[str, str]:
        return types(columns_of(self.table.schema()))

    @property
    def rows(self) -> dict[int, dict[str, Any]]:
        rows = self.table.scan().to_arrow().to_pylist()
        return {r["id"]: {k: v for k, v in r.items() if k != "id" and not k.startswith("_kafka")} for r in rows}

    @property
    def said(self) -> list[list[str]]:
        """Changes by snapshot."""
        summaries = [s.summary.additional_properties for s in self.table.metadata.snapshots if s.summary]
        return [json.loads(found[EVOLUTION])["changes"] for found in summaries if EVOLUTION in found]


@pytest.fixture
def beside(
    folder: Path,
    namespace: str,
    log_dsn: str,
    kafka: Any,
    rest_properties: dict[str, str],
    new_topic: Callable[..., str],
) -> Iterator[Beside]:
    proxy = FaultyCatalog(rest_properties["uri"])
    world = new_world(
        folder, namespace, log_dsn, kafka.bootstrap, 1, {**rest_properties, "uri": proxy.uri}, new_topic(2)
    )
    world.writer = HereWriter()
    found = Beside(world, proxy, rest_properties)
    proxy.rewrite = found.rewrite
    with closing(proxy):
        yield found


def send(world: World, *records: dict[str, Any]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(record).encode() for record in records])


def cycles(beside: Beside, *batches: list[dict[str, Any]], before_last: Callable[[], None] = lambda: None) -> None:
    """Each batch becomes rows, with nothing left over."""
    world = beside.world
    with open_with(world, file_of(world, f"{{name: {world.table}, columns: {COLUMNS}, {BOTH}}}")) as runtime:
        for number, records in enumerate(batches, 1):
            if number == len(batches):
                before_last()
            send(world, *records)
            world.cycle(runtime)
        assert runtime.audit().complete


FIRST = {"id": 1, "n": 1, "note": "a"}
SECOND = {"id": 2, "n": 2**40, "note": "b", "x": 7, "o": {"a": [1]}}


def test_columns_follow_the_records(beside: Beside) -> None:
    cycles(beside, [FIRST], [SECOND])
    assert beside.columns == {"id": "long", "n": "long", "note": "string", "x": "long", "o": "struct<`a`: list<long>>"}
    assert beside.rows == {
        1: {"n": 1, "note": "a", "x": None, "o": None},
        2: {"n": 2**40, "note": "b", "x": 7, "o": {"a": [1]}},
    }
    assert beside.said == [["n: long now", "x: new, long", "o: new, struct<`a`: list<long>>"]]


def by(*steps: Callable[[UpdateSchema], object]) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        with table.update_schema(allow_incompatible_changes=True) as update:
            for step in steps:
                step(update)

    return change


@pytest.mark.parametrize(
    ("meanwhile", "said", "row"),
    [
        (by(lambda u: u.add_column("more", StringType())), ["n: long now", "x: new, long"], {"x": 7, "more": None}),
        (by(lambda u: u.add_column("x", LongType())), ["n: long now"], {"x": 7}),
        (by(lambda u: u.add_column("x", DoubleType())), ["n: long now"], {"x": 7.0}),
        (by(lambda u: u.add_column("x", IntegerType())), ["n: long now"], {"x": 7}),
        (by(lambda u: u.update_column("n", LongType())), ["x: new, long"], {"x": 7}),
        (by(lambda u: u.update_column("n", LongType()), lambda u: u.add_column("x", LongType())), None, {"x": 7}),
        (by(lambda u: u.delete_column("note")), ["n: long now", "x: new, long"], {"x": 7, "note": ...}),
        (
            by(lambda u: u.rename_column("note", "remark")),
            ["n: long now", "x: new, long"],
            {"x": 7, "remark": "b", "note": ...},
        ),
    ],
    ids=["another column", "the same column", "a wider one", "a narrower one", "the same type", "all of it", "less", "a name"],
)  # fmt: skip
def test_a_change_by_another_writer_meanwhile_stays_and_is_not_made_twice(
    beside: Beside, meanwhile: Callable[[Table], None], said: list[str] | None, row: dict[str, Any]
) -> None:
    def change() -> None:
        beside.meanwhile = meanwhile

    cycles(beside, [FIRST], [{"id": 2, "n": 2**40, "note": "b", "x": 7}], before_last=change)
    assert beside.meanwhile is None
    assert 409 in beside.proxy.statuses
    expected = {k: v for k, v in {"n": 2**40, "note": "b", **row}.items() if v is not ...}
    assert beside.rows[2] == expected
    assert beside.said == ([] if said is None else [said])
    names = [f.name for f in beside.table.schema().fields]
    assert len(names) == len(set(names))


def test_two_pipelines_change_one_table_at_once(beside: Beside, new_topic: Callable[..., str]) -> None:
    """The second one's change comes between the first one's look at the table and its commit."""
    world = beside.world
    other = replace(world, name="refunds", topic=new_topic(2))
    text = file_of(other, f"{{name: {world.table}, columns: {COLUMNS}, {BOTH}}}")
    send(other, FIRST)

    def theirs(_: Table) -> None:
        send(other, {"id": 3, "n": 3, "note": "c", "x": 2.5, "y": {"a": 1}})
        with open_with(other, text) as runtime:
            planned = runtime.plan()
            assert planned.batch_id is not None
            runtime.write("6b7a2d0e-5c38-4b37-b6a6-3f1df0d3a001", "test/theirs", planned.batch_id)
            runtime.commit([world.table], now=True)

    def change() -> None:
        with open_with(other, text) as runtime:
            planned = runtime.plan()
            assert planned.batch_id is not None
            runtime.write("6b7a2d0e-5c38-4b37-b6a6-3f1df0d3a002", "test/theirs", planned.batch_id)
            runtime.commit([world.table], now=True)
        beside.meanwhile = theirs

    cycles(beside, [{**FIRST, "id": 0}], [{**SECOND, "y": {"a": 2, "b": "z"}}], before_last=change)
    assert beside.meanwhile is None
    assert beside.columns == {
        "id": "long", "n": "long", "note": "string", "x": "double", "y": "struct<`a`: long, `b`: string>",
        "o": "struct<`a`: list<long>>",
    }  # fmt: skip
    assert sorted(beside.rows) == [0, 1, 2, 3]
    assert beside.rows[2] == {"n": 2**40, "note": "b", "x": 7.0, "y": {"a": 2, "b": "z"}, "o": {"a": [1]}}
    assert beside.rows[3] == {"n": 3, "note": "c", "x": 2.5, "y": {"a": 1, "b": None}, "o": None}
    with open_with(other, text) as runtime:
        assert runtime.audit().complete


@pytest.mark.parametrize(
    "fault",
    [
        Fault("closed", Landing.LANDED),
        Fault("truncated", Landing.LANDED),
        Fault("an older answer", Landing.LANDED),
        Fault(503, Landing.LOST),
        Fault(409, Landing.LANDED),
        Fault(504, Landing.BEFORE_NEXT),
        Fault(504, Landing.AFTER_NEXT),
    ],
    ids=lambda fault: f"{fault.answer}, {fault.landing.value}",
)
def test_columns_change_once_whatever_the_commit_was_answered(beside: Beside, fault: Fault) -> None:
    cycles(beside, [FIRST], [SECOND], before_last=lambda: beside.proxy.script.append(fault))
    assert beside.proxy.script == []
    assert beside.said == [["n: long now", "x: new, long", "o: new, struct<`a`: list<long>>"]]
    assert len(beside.table.metadata.schemas) == 2
    assert beside.rows[2] == {"n": 2**40, "note": "b", "x": 7, "o": {"a": [1]}}
