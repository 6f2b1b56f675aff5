"""State that a release has written is read by every later one: CHANGELOG.md promises it from 0.2.0 on."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

from lakelock.adapters.iceberg.ledger_reading import tag_name
from lakelock.adapters.wal.migrations import known
from lakelock.config import Pipeline
from lakelock.model.batches import Books
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode, Rollback, owner_property, parse, summary
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.operator_log import Decided, What
from lakelock.records import dead_letters
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, ApprovedTable

# An installation that has applied one of them refuses another text under the same name. A change is a new migration.
MIGRATIONS = {
    "0001_wal": "4fb2899bd61c9412e7df6b368f10e34c805b7488257a9f962e5269085f51338e",
}
SOURCE = Source("orders", "aGVsbG8", 0)
AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
BOOKS = (Books(OffsetRange(SOURCE, 0, 10), 9, 7, 2),)
COVERED = Coverage().adding(BOOKS, {SOURCE: 0}, 0).requesting([OffsetRange(SOURCE, 20, 30)], {SOURCE: 0})
LEDGER = Ledger(
    "installation",
    "orders",
    "commit",
    1,
    "digest",
    Coverage({SOURCE: replace(COVERED[SOURCE], redriven=((3, 5),))}),
    Rollback(7, 5, Mode.REPLAY, "ann", "wrong zone"),
    (
        Decided(What.ACCEPT_LOSS, AT, "ann", "retention", "", (OffsetRange(SOURCE, 10, 20),)),
        Decided(What.BACKFILL, AT, "ann", "late", "records of a day", (OffsetRange(SOURCE, 20, 30),)),
        Decided(What.REPLACE, AT, "ann", "another zone", "records of a day", (OffsetRange(SOURCE, 0, 5),)),
        Decided(What.REDRIVE, AT, "ann", "columns", "2 dead letters"),
        Decided(What.RETIRE, AT, "ann", "moved", "", (OffsetRange(SOURCE, 40, FOREVER),)),
        Decided(What.PAUSE, AT, "bob", "a reader migrates"),
    ),
    1_769_860_800_000,
)
SUMMARY_OF_0_2_0 = {
    "lakelock.protocol": "1",
    "lakelock.installation": "installation",
    "lakelock.pipeline": "orders",
    "lakelock.commit-id": "commit",
    "lakelock.batches": "b1,b2",
    "lakelock.generation": "1",
    "lakelock.config": "digest",
    "lakelock.ranges": '[["aGVsbG8",0,0,10,9,7,2,0]]',
    "lakelock.coverage": '{"aGVsbG8":{"topic":"orders","0":"0|0-10|7,2|20-30|3-5"}}',
    "lakelock.rollback": '{"from": 7, "to": 5, "mode": "replay", "who": "ann", "why": "wrong zone"}',
    "lakelock.decisions": '[["accept-loss","2026-01-31T12:00:00+00:00","ann","retention","",{"aGVsbG8":["orders",[0,10,20]]}],["backfill","2026-01-31T12:00:00+00:00","ann","late","records of a day",{"aGVsbG8":["orders",[0,20,30]]}],["replace","2026-01-31T12:00:00+00:00","ann","another zone","records of a day",{"aGVsbG8":["orders",[0,0,5]]}],["redrive","2026-01-31T12:00:00+00:00","ann","columns","2 dead letters",{}],["retire","2026-01-31T12:00:00+00:00","ann","moved","",{"aGVsbG8":["orders",[0,40]]}],["pause","2026-01-31T12:00:00+00:00","bob","a reader migrates","",{}]]',
    "lakelock.valid-through": "2026-01-31T12:00:00.000Z",
}
CONFIG_OF_0_2_0 = (
    '{"owner": "lakelock", "tags": [], "schedule": {"every": "5m", "timezone": "UTC"}, "source": {"conn_id": "kafka'
    '_default", "topics": ["orders"], "start": "earliest"}, "value": {"format": "json", "max_decompressed_bytes": 6'
    '7108864}, "tables": [{"topics": [], "columns": [{"name": "id", "type": "long", "required": false}, {"name": "a'
    't", "type": "timestamptz", "required": false, "zone": "Europe/Berlin"}], "partition_by": ["day(at)"], "sort_by'
    '": [], "id_columns": [], "properties": {}, "unknown_fields": "ignore", "name": "shop.orders"}], "metadata_colu'
    'mns": {"partition": "_kafka_partition", "offset": "_kafka_offset", "timestamp": "_kafka_timestamp"}, "catalog"'
    ': {"conn_id": "iceberg_default", "branch": "main"}, "dead_letters": {"table": "shop.orders__dead_letters"}, "c'
    'ommit": {"max_latency": "1m", "min_bytes": 67108864, "keep_snapshots": 1000}, "maintenance": {"compact_min_fil'
    'es": 5, "compact_after": "1h", "compact_within": "1h", "expire_after": "7d", "keep_at_least": 100, "orphans_af'
    'ter": "1d"}, "batch": {"max_records": 1000, "max_bytes": 1073741824}, "spark": {"conn_id": "spark_default"}, "'
    'wal": {"conn_id": "lakelock_postgres"}, "publish": {"group": true, "group_prefix": "lakelock.", "connect_valid'
    '_through": false}, "name": "orders"}'
)
DIGEST = "68ef76219b102ff7ec0a905f6bcfc953d0bd949fd62cad59af7eed2cffdfe2a7"
COLUMNS = [
    "target_table",
    "topic",
    "topic_id",
    "partition",
    "offset",
    "timestamp",
    "key",
    "value",
    "headers",
    "stage",
    "kind",
    "field",
    "reason",
    "found",
    "format",
    "batch_id",
    "pipeline_version",
]


def test_migrations_of_a_release_do_not_change() -> None:
    assert {name: checksum for name, (checksum, _) in known().items() if name in MIGRATIONS} == MIGRATIONS


def test_a_ledger_of_0_2_0_is_read() -> None:
    assert parse(SUMMARY_OF_0_2_0, "shop.orders") == LEDGER


def test_a_ledger_is_written_as_its_protocol_number_says() -> None:
    assert summary(LEDGER, ["b1", "b2"], BOOKS) == SUMMARY_OF_0_2_0


def test_tables_are_recognised_by_the_names_of_0_2_0() -> None:
    assert (owner_property("orders"), tag_name("orders")) == ("lakelock.orders", "lakelock-orders")


def test_a_configuration_that_0_2_0_planned_with_is_read_and_keeps_its_digest() -> None:
    found = Pipeline.from_resolved(json.loads(CONFIG_OF_0_2_0))
    assert found.digest == DIGEST
    assert found.resolved() == json.loads(CONFIG_OF_0_2_0)


def test_dead_letters_have_the_columns_of_0_2_0() -> None:
    assert [c.name for c in dead_letters.COLUMNS][: len(COLUMNS)] == COLUMNS


def test_a_redrive_that_waits_for_approval_since_0_2_0_is_approved() -> None:
    text = '{"shop.orders": {"generation": 2, "snapshot_id": 7, "dead_letters": {"shop.dead": 5}}}'
    found = ApprovedDeadLetters.of(text)
    assert found.tables == {"shop.orders": ApprovedTable(2, 7, {"shop.dead": 5})}
    assert ApprovedDeadLetters.of(found.text) == found
