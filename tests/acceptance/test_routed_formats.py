"""Rules by fields of delimited text and of Connect's JSON on real servers, with the tables as DuckDB reads them."""

from __future__ import annotations

import json

import pytest
from kits.here_writer import HereRedriver
from kits.redrives import redrive
from kits.routing import cycle, dead, read, routed_file
from kits.topics import new_producer, produce
from kits.world import World, open_with
from lakelock.check.sample import sample
from lakelock.redrive.redrive_preview import RedriveRequest

pytestmark = pytest.mark.drawn(0.5, about=("records/routing", "records/csv"))
CSV = "value: {format: csv, csv: {columns: [kind, n], header: skip}}\n"
CONNECT = "value: {format: connect_json}\n"


def sent(world: World, *values: bytes) -> None:
    produce(new_producer(world.connections["kafka_default"].extra["bootstrap.servers"]), world.topic, values)


def test_lines_go_to_the_table_that_a_field_names(world: World) -> None:
    world.redriver = HereRedriver()
    rule = "- {when: {kind: [push, fork]}, table: '{ns}.{kind}'}"
    with open_with(world, routed_file(world, rule, tables=CSV)) as runtime:
        sent(world, b"kind,n", b"push,1", b"fork,2", b"star,3", b"push,4\r\n", b"push", b"kind,n")
        shown = sample(runtime, 100).text.splitlines()
        assert shown[0] == (
            "# route: of 7 sampled records, 3 would go to 2 tables, 2 would be filtered, and 2 would be dead letters without a table"
        )
        cycle(world, runtime)
        assert read(world, "push", "kind, n") == [("push", 1), ("push", 4)]
        assert read(world, "fork", "kind, n") == [("fork", 2)]
        found = {(d["target_table"], d["offset"], d["kind"]) for d in dead(world)}
        assert {(table, kind) for table, _, kind in found} == {("*", "no rule fits"), ("*", "wrong number of fields")}
    with open_with(world, routed_file(world, "- {table: '{ns}.{kind}'}", tables=CSV)) as runtime:
        # Its dead letters are routed by the edited rules.
        redrive(runtime, RedriveRequest("*"))
        assert read(world, "star", "kind, n") == [("star", 3)]
        assert not runtime.audit().faults


def test_changes_go_to_the_table_that_their_payload_names(world: World) -> None:
    def change(table: object, n: int, *, schema: object = None) -> bytes:
        payload = {"op": "c", "n": n, "source": {"table": table}}
        return json.dumps({"schema": schema, "payload": payload}).encode()

    described = {
        "type": "struct",
        "fields": [{"field": "n", "type": "int64", "name": "org.apache.kafka.connect.data.Timestamp"}],
    }
    rule = "- {table: '{ns}.{source.table}', columns: {n: timestamptz, op: string}, drop_fields: [source]}"
    with open_with(world, routed_file(world, rule, tables=CONNECT)) as runtime:
        sent(
            world,
            change("orders", 1_000, schema=described),
            change("items", 2_000, schema=described),
            change(None, 3_000),
            json.dumps({"source": {"table": "orders"}, "n": 4}).encode(),
            b"{",
        )
        cycle(world, runtime)
        assert read(world, "orders", "epoch_ms(n), op") == [(1_000, "c")]
        assert read(world, "items", "epoch_ms(n), op") == [(2_000, "c")]
        assert sorted((d["target_table"], d["kind"]) for d in dead(world)) == [
            ("*", "no rule fits"),
            ("*", "no rule fits"),
            ("*", "not a JSON object"),
        ]
        assert not runtime.audit().faults
