"""How far each table is behind: by the open batches for it, and by what Kafka says of their records."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from lakelock.model.counts import Accounts
from lakelock.model.offsets import OffsetRange, Source
from lakelock.monitor.table_status import MOST_TIMES, tables_behind
from lakelock.monitor.watch import LOOKED_UP, in_turn

A, B = Source("t", "id", 0), Source("t", "id", 1)
NOW_MS = 1_000_000


def test_tables_that_are_behind_come_first_and_by_age() -> None:
    """A record at offset n is NOW - (1000 - n) seconds old; offset 500 has no time."""
    asked: list[dict[Source, int]] = []

    def times(offsets: Mapping[Source, int]) -> dict[Source, int | None]:
        asked.append(dict(offsets))
        return {s: None if n == 500 else NOW_MS - (1000 - n) * 1000 for s, n in offsets.items()}

    broker: Any = SimpleNamespace(timestamps_at=times)
    open_ranges = {
        ("n.a", A): [OffsetRange(A, 900, 950)],
        ("n.a", B): [OffsetRange(B, 700, 710)],
        ("n.b", A): [OffsetRange(A, 100, 200), OffsetRange(A, 900, 950)],
        ("n.c", A): [OffsetRange(A, 500, 510)],
        ("n.removed", B): [OffsetRange(B, 700, 710)],
    }
    accounts = Accounts({}, open_ranges, (), {})
    found = tables_behind(["n.a", "n.b", "n.c", "n.fine"], accounts, {"n.c": 7.0}, {A: 2_000_000}, broker, NOW_MS)
    assert [(t.table, t.open_offsets, t.lag_s, t.retention_left_s, t.staged_s) for t in found] == [
        ("n.b", 150, 900.0, 1100.0, None),
        ("n.a", 60, 300.0, 1900.0, None),
        ("n.removed", 10, 300.0, None, None),
        ("n.c", 10, None, None, 7.0),
        ("n.fine", 0, None, None, None),
    ]
    # One request for all sources, as often as a source has several such offsets.
    assert asked == [{A: 100, B: 700}, {A: 500}, {A: 900}]


def test_kafka_is_asked_for_the_times_of_few_offsets() -> None:
    asked: list[int] = []

    def times(offsets: Mapping[Source, int]) -> dict[Source, int | None]:
        asked.extend(offsets.values())
        return {}

    broker: Any = SimpleNamespace(timestamps_at=times)
    open_ranges = {(f"n.t{n}", A): [OffsetRange(A, n, n + 1)] for n in range(5_000)}
    tables_behind([], Accounts({}, open_ranges, (), {}), {}, {}, broker, NOW_MS)
    assert asked == list(range(MOST_TIMES))


def test_the_watch_looks_at_some_of_many_tables_in_turn_and_always_at_those_that_were_gone() -> None:
    few = ["n.b", "n.a"]
    assert in_turn(few, (), 7) == few
    many = [f"n.t{n:04}" for n in range(2 * LOOKED_UP + 50)]
    turns = [in_turn(many, {"n.t0001"}, turn) for turn in range(3)]
    assert {t for turn in turns for t in turn} == set(many)
    assert all("n.t0001" in turn for turn in turns)
    assert max(map(len, turns)) <= LOOKED_UP + 1
