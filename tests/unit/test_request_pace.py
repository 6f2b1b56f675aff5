"""Requests to a catalog are spaced out, whatever the number of threads and of processes that share the limit."""

from __future__ import annotations

from pathlib import Path

import pytest
from kits.iceberg import adopted, change, open_tables, raw
from lakelock.adapters.iceberg.request_pace import RequestPace


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0
        self.paused: list[float] = []

    def monotonic(self) -> float:
        return self.now_s

    def pause(self, seconds: float) -> None:
        self.paused.append(seconds)
        self.now_s += seconds

    def pace(self, per_second: float | None) -> RequestPace:
        return RequestPace(per_second, self.monotonic, self.pause)


def test_requests_are_as_far_apart_as_the_limit_says() -> None:
    clock = Clock()
    pace = clock.pace(20)
    for _ in range(41):
        pace.wait()
    assert clock.now_s == pytest.approx(102.0)


def test_tasks_share_the_limit() -> None:
    clock = Clock()
    pace = clock.pace(20)
    pace.tasks = 4
    for _ in range(11):
        pace.wait()
    assert clock.now_s == pytest.approx(102.0)


def test_time_without_requests_is_not_saved_up() -> None:
    clock = Clock()
    pace = clock.pace(10)
    pace.wait()
    clock.now_s += 60
    for _ in range(11):
        pace.wait()
    assert clock.now_s == pytest.approx(161.0)


def test_without_a_limit_nothing_waits() -> None:
    clock = Clock()
    pace = clock.pace(None)
    for _ in range(1_000):
        pace.wait()
    assert clock.paused == []


def test_each_load_and_each_change_of_a_table_waits_for_its_turn(tmp_path: Path) -> None:
    clock = Clock()
    warehouse = {"type": "sql", "uri": f"sqlite:///{tmp_path}/catalog.db", "warehouse": f"file://{tmp_path}"}
    tables = open_tables(warehouse, pace=clock.pace(10))
    state = adopted(tables, "ns.t")
    before = clock.now_s
    tables.commit(state, change(state, 0, 1))
    tables.load("ns.t")
    assert clock.now_s - before == pytest.approx(0.2)
    # On behalf of another pipeline, they go to the same catalog.
    tables.for_pipeline("other", "installation").load("ns.t")
    assert clock.now_s - before == pytest.approx(0.3)


def test_a_snapshot_is_as_old_as_its_request(tmp_path: Path) -> None:
    """Not as old as its wait: the time of its draft decides whether another writer's snapshot is younger."""
    clock = Clock()
    warehouse = {"type": "sql", "uri": f"sqlite:///{tmp_path}/catalog.db", "warehouse": f"file://{tmp_path}"}
    tables = open_tables(warehouse, pace=clock.pace(0.01), now_ms=lambda: 2_000_000_000_000 + int(1000 * clock.now_s))
    state = adopted(tables, "ns.t")
    tables.commit(state, change(state, 0, 1))
    committed_s = clock.now_s
    newest = raw(tables.load("ns.t")).current_snapshot()
    assert newest is not None
    assert newest.timestamp_ms == 2_000_000_000_000 + int(1000 * committed_s)
