"""Every server, and a task of each kind, killed once under load: time is lost, records are not."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from kits.airflow_faults import OF_AIRFLOW, OF_SERVERS, survived
from kits.live import Live
from stack.process import wait_until
from stack.stack import Stack

RATE = 200
BATCHES = "schedule: {every: 3s}\nbatch: {max_records: 3000}\ncommit: {min_bytes: 0}\n"
WINDOWS = "schedule: {every: 1m, batch_every: 2s}\nbatch: {max_records: 3000}\ncommit: {min_bytes: 0}\n"


@pytest.fixture
def stack(new_stack: Callable[[], Stack]) -> Stack:
    return new_stack()


@pytest.mark.long
def test_killed_servers_and_tasks_cost_time_and_nothing_else(stack: Stack) -> None:
    both = (Live(stack, "batches", BATCHES), Live(stack, "windows", WINDOWS))
    for live in both:
        live.deploy()
    with both[0].load(RATE), both[1].load(RATE):
        for live in both:
            live.wait_for_rows(1)
        for fault in (*OF_AIRFLOW, *OF_SERVERS):
            survived(fault, both)
    for live in both:
        began = time.monotonic()
        live.wait_until_caught_up()
        print(f"{live.name} caught up in {time.monotonic() - began:.1f} s")
        live.world.audit()
    wait_until(
        lambda: both[0].supervise() and not both[0].wal("SELECT * FROM lakelock.open_work"), 60, "no open work", 0.2
    )
