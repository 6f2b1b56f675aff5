"""Columns with fields of other names, casts and JSON, through real servers; dead letters and replaces follow the file."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import duckdb
import pytest
from kits.redrives import redrive
from kits.topics import new_producer, produce
from kits.world import World, file_of, open_with, write_next
from lakelock.check.sample import sample

COLUMNS = (
    "{id: long, at: {type: timestamptz, field: event.at, cast: [rfc3339, epoch_ms]}, "
    "amount: {type: double, cast: %s}, payload: json, whole: {type: json, field: $}}"
)
VALUES = [
    b'{"id":0,"event":{"at":"2026-01-01T00:00:00Z","by":"ann"},"amount":1.50,"payload":{"b":[1.10, null],"a":1E5}}',
    b'{"id":1,"event":{"at":1767225600000},"amount":"2.50","payload":"text","new":{"deep":[true]}}',
    b'{"id":2,"event":{"at":"yesterday"},"payload":null}',
    b'{"id":3,"payload":[1,2}',
]


def _file(world: World, cast: str) -> str:
    return file_of(world, f"{{name: {world.table}, new_fields: {{json_column: rest}}, columns: {COLUMNS % cast}}}")


def _rows(world: World) -> list[tuple[Any, ...]]:
    paths = [
        t.file.file_path.removeprefix("file://") for t in world.catalog.load_table(world.table).scan().plan_files()
    ]
    columns = 'id, epoch_ms("at"), amount::varchar, payload, whole, rest'
    rows: list[tuple[Any, ...]] = duckdb.sql(f"SELECT {columns} FROM read_parquet({paths!r}) ORDER BY id").fetchall()
    return rows


@pytest.mark.drawn(1.0, about="lakelock/records/")
def test_fields_casts_and_json_land_exactly_and_dead_letters_fit_once_the_file_is_fixed(fresh: World) -> None:
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    produce(producer, fresh.topic, VALUES)
    first = (0, 1767225600000, "1.5", '{"b":[1.10, null],"a":1E5}', VALUES[0].decode(), '{"event":{"by":"ann"}}')
    second = (1, 1767225600000, "2.5", '"text"', VALUES[1].decode(), '{"new":{"deep":[true]}}')
    with open_with(fresh, _file(fresh, "[clamp]")) as runtime:
        write_next(runtime)
        runtime.commit([fresh.table], now=True)
    assert _rows(fresh) == [first]
    with closing(fresh.catalog.load_table(f"{fresh.table}__dead_letters").scan().to_arrow_batch_reader()) as reader:
        found = {(r["field"], r["kind"]) for r in reader.read_all().to_pylist()}
    assert found == {
        ("amount", "fits none of its casts"),
        ("event.at", "fits none of its casts"),
        (None, "not JSON"),
    }

    with open_with(fresh, _file(fresh, "[clamp, text]")) as runtime:
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (3, 1)
        assert _rows(fresh) == [first, second]
        audited = runtime.audit()
    assert not audited.faults, audited.faults


def test_check_samples_with_the_casts_of_the_file(fresh: World) -> None:
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    produce(producer, fresh.topic, [json.dumps({"id": n, "at": 1767225600 + n}).encode() for n in range(5)])
    with open_with(
        fresh,
        file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long, at: {{type: timestamptz, cast: epoch_s}}}}}}"),
    ) as runtime:
        said = sample(runtime, 5).text
    assert "# would become 5 rows in 1 table partition, 0 dead letters" in said
