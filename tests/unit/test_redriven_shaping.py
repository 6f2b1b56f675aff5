"""Dead letters of a table that shapes its records become rows by the settings that its file has now."""

from __future__ import annotations

import hmac
import json
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from kits.transform_cases import Record, Settings
from kits.transforms import Written, pipeline_of, rows_in, target_of, written
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.model.table_files import FileView
from lakelock.ports.redrive_jobs import DeadLetterFiles, RedriveOrder
from lakelock.records import dead_letters as letters
from lakelock.workers.redrive import redrive_dead_letters

MAIL, CARD = "ann@example.org", "4111222233334444"
KEYS = {"masking_key": "example"}
# Before: no cast, no JSON within texts, and fields without a column.
BEFORE: Settings = (
    "columns: {id: long, mail: {type: string, field: user.mail, mask: sha256}, "
    "card: {type: string, field: payload.card, mask: {keep_last: 4}}, at: timestamptz}",
    "new_fields: dead_letter",
)
NOW: Settings = (
    "parse_json: [payload]",
    'flatten: {separator: "_"}',
    "columns: {id: long, mail: {type: string, field: user_mail, mask: {hmac_sha256: masking_key}}, "
    "card: {type: string, field: payload_card, mask: {keep_last: 4}}, "
    'total: {type: "decimal(5, 2)", field: payload_total}, items: {type: json, field: payload_items}, '
    "at: {type: timestamptz, cast: [rfc3339, epoch_ms]}, region: {type: string, constant: eu}}",
    "new_fields: {json_column: rest}",
    "new_types: dead_letter",
)


def record(number: int, user: object, payload: object, at: object, **more: object) -> bytes:
    return json.dumps({"id": number, "user": user, "payload": payload, "at": at, **more}).encode()


PAYLOAD = json.dumps({"card": CARD, "total": 2.5, "items": [1.50]})
SENT = [
    record(0, {"mail": MAIL, "name": "ann"}, PAYLOAD, 1000),
    record(1, {"mail": None}, None, "1970-01-01T00:00:02Z", new={"a": 1}),
    # These never fit; all have what a mask hides.
    record(2, {"mail": [MAIL]}, PAYLOAD, 1000),
    record(3, {"mail": MAIL}, PAYLOAD, "soon"),
    record(4, {"mail": MAIL}, PAYLOAD[:-5], 1000),
    record(5, {"mail": MAIL}, {"card": CARD}, 1000),
    record(6, {"mail": MAIL}, json.dumps({"card": [CARD], "total": 1000}), 1000),
    record(7, {"mail": MAIL}, PAYLOAD, 1000).replace(b'"at"', b"at"),
    MAIL.encode(),
]


def before(folder: Path) -> Written:
    records = [Record(value, offset=n) for n, value in enumerate(SENT)]
    return written(folder, pipeline_of(folder, BEFORE, "orders"), records)


def order(folder: Path, found: Written) -> RedriveOrder:
    """Of all dead letters that *found* has, by the settings of now."""
    wanted = target_of(folder, pipeline_of(folder, NOW, "orders"), "orders", KEYS)
    last = len(SENT) - 1
    files = tuple(FileView(f.path, f.size_bytes, f.rows, None, 0, 0, 0, last) for f in found.dead_letters.files)
    ids = {f.name: f.field_id for f in schema_from(letters.COLUMNS).fields}
    return RedriveOrder(
        str(uuid.uuid4()),
        replace(wanted, table=found.target.table),
        found.order.slices,
        (DeadLetterFiles("ns.dead", files, ids, {}),),
    )


def test_dead_letters_become_rows_by_todays_settings(tmp_path: Path) -> None:
    found = before(tmp_path)
    assert (found.books.written, found.books.dead) == (0, len(SENT))
    asked = order(tmp_path, found)
    done = redrive_dead_letters(asked, 0)
    rows = sorted(rows_in(done.files), key=lambda row: row["id"])
    instant = {n: datetime(1970, 1, 1, 0, 0, n, tzinfo=UTC) for n in (1, 2)}
    digest = hmac.digest(KEYS["masking_key"].encode(), MAIL.encode(), "sha256").hex()
    nothing: dict[str, Any] = dict.fromkeys(("mail", "card", "total", "items"))
    assert rows == [
        {"id": 0, "mail": digest, "card": "*" * 12 + "4444", "total": Decimal("2.50"), "items": "[1.5]", "at": instant[1],
         "region": "eu", "rest": '{"user_name":"ann"}'},
        {"id": 1, **nothing, "at": instant[2], "region": "eu", "rest": '{"payload":null,"new_a":1}'},
    ]  # fmt: skip
    assert [(r.start, r.end) for r in done.rows] == [(0, 2)]
    assert redrive_dead_letters(replace(asked, is_trial=True), 0).unfit == done.unfit == {
        "`user_mail`: list for a string": 1,
        "`at`: fits none of its casts": 1,
        "`payload`: not JSON": 1,
        "`payload`: object for a JSON text": 1,
        "`payload_card`: list for a string": 1,
        "not JSON": 1,
        "not a JSON object": 1,
    }  # fmt: skip


@pytest.mark.parametrize("settings", [BEFORE, NOW], ids=["before", "now"])
def test_no_reason_has_what_a_mask_hides(tmp_path: Path, settings: Settings) -> None:
    records = [Record(value, offset=n) for n, value in enumerate(SENT)]
    found = written(tmp_path, pipeline_of(tmp_path, settings, "orders"), records, KEYS)
    dead = rows_in(found.dead_letters.files)
    assert len(dead) >= len(SENT) - 2
    said = [str(row[name]) for row in dead for name in ("reason", "found", "kind", "field")]
    assert [text for text in said if MAIL[:8] in text or CARD[:8] in text] == []


def test_no_row_and_no_cause_of_a_redrive_has_what_a_mask_hides(tmp_path: Path) -> None:
    redriven = redrive_dead_letters(order(tmp_path, before(tmp_path)), 0)
    said = f"{redriven.unfit} {rows_in(redriven.files)}"
    assert MAIL not in said
    assert CARD not in said
