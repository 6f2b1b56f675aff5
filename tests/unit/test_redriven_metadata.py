"""Metadata columns of rows that a redrive makes: what the dead-letter table has of the record, and null for the rest."""

from __future__ import annotations

import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.table_files import FileView
from lakelock.ports.redrive_jobs import DeadLetterFiles, RedriveOrder
from lakelock.records import dead_letters as letters
from lakelock.records.dead_letters import DeadLetter
from lakelock.records.reasons import UNKNOWN_FIELD, Reason
from lakelock.workers.redrive import redrive_dead_letters

Headers = list[tuple[str, bytes | None]]
SENT: list[Headers | None] = [
    [("a", b"1"), ("b", None)],
    [],
    [("a", b"1"), ("a", b"2")],
    None,
    [("a", b"\xff")],
]
NAMED = {"headers": "h", "header.a": "a", "timestamp_type": "tt", "topic": "t", "offset": "o"}
LIST = "list<struct<key: string, value: binary>>"


def order(folder: Path, of: dict[str, str], required: tuple[str, ...] = ()) -> RedriveOrder:
    """Dead letters of one partition, whose table has since got these columns."""
    found = [
        DeadLetter(
            "ns.t", "topic", "id", 0, n, n, None, b'{"id":%d}' % n, h, "convert", Reason(UNKNOWN_FIELD, "no"), "json"
        )
        for n, h in enumerate(SENT)
    ]
    box = target(folder, "dead", letters.COLUMNS, ["topic"])
    writer = TableWriter(box, str(uuid.uuid4()), str(uuid.uuid4()), 1 << 20)
    writer.write(letters.to_arrow(found, "batch", "1", writer.arrow_schema))
    files = tuple(FileView(f.path, f.size_bytes, f.rows, None, 0, 0, 0, len(SENT) - 1) for f in writer.finish())
    ids = {f.name: f.field_id for f in schema_from(letters.COLUMNS).fields}
    wanted = target(folder, "t", columns(of, required), ["topic"], metadata_columns=NAMED)
    read = DeadLetterFiles("ns.dead", files, ids, {})
    at = OffsetRange(Source("topic", "id", 0), 0, len(SENT))
    return RedriveOrder(str(uuid.uuid4()), wanted, ((at,),), (read,))


def rows(asked: RedriveOrder) -> dict[int, dict[str, Any]]:
    (done,) = [redrive_dead_letters(asked, 0)]
    assert redrive_dead_letters(replace(asked, is_trial=True), 0).rows == done.rows
    read = [r for f in done.files for r in pq.read_table(f.path.removeprefix("file://")).to_pylist()]
    return {r.pop("id"): r for r in read}


def test_redriven_rows_have_the_headers_of_their_records_and_no_type_of_the_timestamp(tmp_path: Path) -> None:
    of = {"id": "long", "h": LIST, "a": "string", "tt": "string", "t": "string", "o": "long"}
    asked = order(tmp_path, of)
    whole = [{"key": "a", "value": b"1"}, {"key": "b", "value": None}]
    assert rows(asked) == {
        0: {"h": whole, "a": "1", "tt": None, "t": "topic", "o": 0},
        1: {"h": None, "a": None, "tt": None, "t": "topic", "o": 1},
    }
    assert redrive_dead_letters(replace(asked, is_trial=True), 0).unfit == {
        "`h`: headers cannot be read": 1,
        "`a`: header twice": 1,
        "`a`: not UTF-8": 1,
    }


@pytest.mark.parametrize("kind", ["map<string, binary>", LIST])
def test_other_columns_of_the_same_headers_take_others_of_the_records(tmp_path: Path, kind: str) -> None:
    found = rows(order(tmp_path, {"id": "long", "h": kind}))
    assert sorted(found) == ([0, 1, 4] if kind.startswith("map") else [0, 1, 2, 4])


def test_a_required_type_of_the_timestamp_refuses_each_dead_letter_by_name(tmp_path: Path) -> None:
    asked = order(tmp_path, {"id": "long", "tt": "string"}, ("tt",))
    assert rows(asked) == {}
    assert redrive_dead_letters(replace(asked, is_trial=True), 0).unfit == {"`tt`: required field is null": len(SENT)}


def test_a_dead_letter_table_without_the_column_gives_no_headers(tmp_path: Path) -> None:
    asked = order(tmp_path, {"id": "long", "a": "binary"})
    box = asked.dead_letters[0]
    without = replace(box, columns={k: v for k, v in box.columns.items() if k != "headers"})
    found = rows(replace(asked, dead_letters=(without,)))
    assert found == {n: {"a": None} for n in range(len(SENT))}


def test_a_column_that_was_renamed_since_is_found_by_its_id(tmp_path: Path) -> None:
    asked = order(tmp_path, {"id": "long", "a": "binary"})
    (file,) = asked.dead_letters[0].files
    path = file.path.removeprefix("file://")
    table = pq.read_table(path)
    pq.write_table(table.rename_columns(["was_" + name for name in table.column_names]), path)
    assert {n: r["a"] for n, r in rows(asked).items()} == {0: b"1", 1: None, 4: b"\xff"}
