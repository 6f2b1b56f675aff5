"""Rows of delimited text through real servers: header lines are filtered, and dead letters fit once the file is fixed."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import duckdb
import pytest
from kits.redrives import redrive
from kits.topics import new_producer, produce
from kits.world import World, file_of, open_with, write_next
from lakelock.check.sample import sample

CSV = 'value: {format: csv, csv: {delimiter: "%s", columns: [id, at, amount, note, spare], header: skip}}\n'
COLUMNS = (
    "columns: {id: {type: long, required: true}, placed_at: {type: timestamptz, field: at, cast: [rfc3339, epoch_ms]}, "
    "amount: 'decimal(9, 2)', note: string}, drop_fields: [spare]"
)
VALUES = [
    b"id;at;amount;note;spare\r\n",
    b"0;2026-01-01T00:00:00Z;1.50;;x\r\n",
    b'1;1767225600000;-2;"a;b\nc ""d""";x',
    b"2;;;\"\";",
    b"x;;;;",
    b"3;;;",
    b"4;;;;\n5;;;;",
    b'"id";at;amount;note;spare',
]  # fmt: skip
DEAD = {
    ("id", "text that is no long"),
    (None, "wrong number of fields"),
    (None, "several lines"),
}


def _file(world: World, delimiter: str) -> str:
    return file_of(world, f"{{name: {world.table}, {COLUMNS}}}", rest=CSV % delimiter)


def _rows(world: World) -> list[tuple[Any, ...]]:
    paths = [
        t.file.file_path.removeprefix("file://") for t in world.catalog.load_table(world.table).scan().plan_files()
    ]
    columns = "id, epoch_ms(placed_at), amount::varchar, note"
    rows: list[tuple[Any, ...]] = duckdb.sql(f"SELECT {columns} FROM read_parquet({paths!r}) ORDER BY id").fetchall()
    return rows


def _dead(world: World) -> set[tuple[str | None, str]]:
    with closing(world.catalog.load_table(f"{world.table}__dead_letters").scan().to_arrow_batch_reader()) as reader:
        return {(r["field"], r["kind"]) for r in reader.read_all().to_pylist()}


@pytest.mark.drawn(1.0, about="lakelock/records/csv")
def test_rows_land_exactly_and_header_lines_are_filtered(fresh: World) -> None:
    produce(new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"]), fresh.topic, VALUES)
    with open_with(fresh, _file(fresh, ";")) as runtime:
        said = sample(runtime, 100).text
        assert "# would become 3 rows in 1 table partition, 3 dead letters, 2 filtered records (header line: 2)" in said
        write_next(runtime)
        runtime.commit([fresh.table], now=True)
        audited = runtime.audit()
    assert not audited.faults, audited.faults
    (of_table,) = [t for t in audited.tables if t.table == fresh.table]
    totals = [s.totals for s in of_table.sources]
    assert [sum(getattr(t, name) for t in totals) for name in ("written", "dead", "filtered")] == [3, 3, 2]
    assert _rows(fresh) == [
        (0, 1767225600000, "1.50", None),
        (1, 1767225600000, "-2.00", 'a;b\nc "d"'),
        (2, None, None, ""),
    ]
    assert _dead(fresh) == DEAD


@pytest.mark.drawn(1.0, about="lakelock/records/csv")
def test_rows_with_another_delimiter_fit_once_the_file_is_fixed(fresh: World) -> None:
    produce(new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"]), fresh.topic, VALUES[1:3])
    with open_with(fresh, _file(fresh, ",")) as runtime:
        write_next(runtime)
        runtime.commit([fresh.table], now=True)
    with open_with(fresh, _file(fresh, ";")) as runtime:
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (2, 2)
        assert [row[0] for row in _rows(fresh)] == [0, 1]
        audited = runtime.audit()
    assert not audited.faults, audited.faults


def test_check_infers_columns_of_the_named_fields(fresh: World) -> None:
    values = [f"{n},{n}.5,2026-01-01T00:00:00Z,{n:03d}".encode() for n in range(5)]
    produce(new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"]), fresh.topic, values)
    csv = "value: {format: csv, csv: {columns: [id, amount, at, code]}}\n"
    with open_with(fresh, file_of(fresh, fresh.table, rest=csv)) as runtime:
        said = sample(runtime, 5).text
    for line in ("id: long", "amount: double", "at: timestamptz", "code: string"):
        assert line in said
    assert "# would become 5 rows in 1 table partition, 0 dead letters" in said
