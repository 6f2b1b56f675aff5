"""State that a release has written is read by every later one: CHANGELOG.md promises it from 0.2.0 on."""

from __future__ import annotations

from datetime import UTC, datetime

from lakelock.adapters.wal.migrations import known
from lakelock.model.batches import Books
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode, Rollback, parse, summary
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided, What

# An installation that has applied one of them refuses another text under the same name. A change is a new migration.
MIGRATIONS = {
    "0001_wal": "4fb2899bd61c9412e7df6b368f10e34c805b7488257a9f962e5269085f51338e",
}
SOURCE = Source("orders", "aGVsbG8", 0)
AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
BOOKS = (Books(OffsetRange(SOURCE, 0, 10), 9, 7, 2),)
LEDGER = Ledger(
    "installation",
    "orders",
    "commit",
    1,
    "digest",
    Coverage().adding(BOOKS, {SOURCE: 0}, 0).requesting([OffsetRange(SOURCE, 20, 30)], {SOURCE: 0}),
    Rollback(7, 5, Mode.REPLAY, "ann", "wrong zone"),
    (
        Decided(What.ACCEPT_LOSS, AT, "ann", "retention", "", (OffsetRange(SOURCE, 10, 20),)),
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
    "lakelock.coverage": '{"aGVsbG8":{"topic":"orders","0":"0|0-10|7,2|20-30"}}',
    "lakelock.rollback": '{"from": 7, "to": 5, "mode": "replay", "who": "ann", "why": "wrong zone"}',
    "lakelock.decisions": '[["accept-loss","2026-01-31T12:00:00+00:00","ann","retention","",{"aGVsbG8":["orders",[0,10,20]]}],["pause","2026-01-31T12:00:00+00:00","bob","a reader migrates","",{}]]',
    "lakelock.valid-through": "2026-01-31T12:00:00.000Z",
}


def test_migrations_of_a_release_do_not_change() -> None:
    assert {name: checksum for name, (checksum, _) in known().items() if name in MIGRATIONS} == MIGRATIONS


def test_a_ledger_of_0_2_0_is_read() -> None:
    assert parse(SUMMARY_OF_0_2_0, "shop.orders") == LEDGER


def test_a_ledger_is_written_as_its_protocol_number_says() -> None:
    assert summary(LEDGER, ["b1", "b2"], BOOKS) == SUMMARY_OF_0_2_0
