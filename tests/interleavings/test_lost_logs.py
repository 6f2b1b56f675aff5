"""Postgres is lost, and another log takes its place: one command later each record is there once."""

from __future__ import annotations

import pytest
from kits.memory_recoveries import about, landed, lose_log, with_file
from kits.memory_world import MemoryWorld
from kits.recoveries import recover
from kits.world import write_next
from lakelock.audit.audit_text import audit_text
from lakelock.catalogue.shared_options import TAKE_OVER
from lakelock.errors import LedgerForeign, RecoveryRefused
from lakelock.testing import BAD

LATE, OTHER = "ns.late", "ns.other"


def test_a_lost_postgres_is_rebuilt_from_the_tables(memory: MemoryWorld) -> None:
    landed(memory)
    name = memory.pipeline.name
    with memory.open() as before:
        memory.produce(10, [BAD])
        write_next(before)  # staged, and lost with the log
        (zombie,) = before.log.staged(name, memory.table)
        lose_log(memory)
        with memory.open() as runtime, pytest.raises(LedgerForeign, match="another installation"):
            memory.cycle(runtime)
        with memory.open() as runtime:
            found = runtime.recovery("tester").recover()
            assert [f.left for f in found] == [True, True], "nothing asked to take the tables over"
            assert all("--take-over" in f.line and TAKE_OVER.title in f.line for f in found)
        assert len(recover(memory, take_over=True)) == 3
        with pytest.raises(LedgerForeign):
            # A commit in flight against the log that is gone.
            before.commit([memory.table], now=True)
    memory.produce(10)
    for _ in range(3):
        memory.run()
    head = memory.catalog.get(memory.table).head
    assert head is not None
    assert zombie.result.files
    assert not {f.path for f in zombie.result.files} & set(head.files)
    memory.audit(dead=4)
    assert memory.rows() == memory.sent()


def test_the_log_that_was_not_lost_after_all_writes_no_more(memory: MemoryWorld) -> None:
    lost = memory.log
    memory.produce(10)
    with memory.open() as runtime:
        write_next(runtime)
    lose_log(memory)
    recover(memory, take_over=True)
    memory.run()
    mine, memory.log = memory.log, lost
    with memory.open() as runtime, pytest.raises(LedgerForeign, match="another installation"):
        runtime.commit([memory.table], now=True)
    memory.log = mine
    memory.audit()


def test_dead_letters_that_landed_before_the_log_was_lost_are_not_recorded_twice(memory: MemoryWorld) -> None:
    landed(memory)
    memory.produce(10, [BAD, BAD])
    with memory.open() as runtime:
        write_next(runtime)
        runtime.commit([memory.dead_letters], now=True)
    assert len(memory.rows(memory.dead_letters)) == 5
    lose_log(memory)
    recover(memory, take_over=True)
    memory.produce(10, [BAD])
    for _ in range(4):
        memory.run()
    memory.audit(dead=6)
    assert memory.rows() == memory.sent()


@pytest.mark.parametrize("way", ["register", "take out", "accept"])
def test_a_table_that_only_the_lost_log_knew_is_requested(memory: MemoryWorld, way: str) -> None:
    first = memory.sent()
    with with_file(memory, memory.table, LATE) as runtime:
        memory.produce(20)
        memory.cycle(runtime)
    lose_log(memory)
    metadata = memory.catalog.get(LATE)
    memory.catalog.drop(LATE)
    with memory.open() as runtime:
        (missing,) = about(LATE, runtime.recovery("tester", take_over=True).preview())
        assert missing.left
        assert missing.approval == f"{LATE} does not exist"
        with pytest.raises(RecoveryRefused, match=rf"(?s){LATE}: it does not exist.*restore it first"):
            runtime.recovery("tester", take_over=True).recover()
        if way == "accept":
            assert not any(f.left for f in runtime.recovery("tester", take_over=True, accept_loss=True).recover())
    if way == "register":
        memory.catalog.register(metadata)
    if way != "accept":
        names = [memory.table, LATE] if way == "register" else [memory.table]
        with with_file(memory, *names) as runtime:
            assert not any(f.left for f in runtime.recovery("tester", take_over=True).recover())
    before = memory.sent()
    memory.produce(20)
    with with_file(memory, memory.table, LATE) as runtime:
        memory.cycle(runtime)
        found = runtime.audit()
        assert found.complete, audit_text(found)
    begins_after = first if way == "register" else before
    assert memory.rows(LATE) == [place for place in memory.sent() if place not in begins_after]


@pytest.mark.parametrize("bad", [0, 1])
def test_dead_letters_that_a_lost_log_knew_are_requested_where_there_were_any(memory: MemoryWorld, bad: int) -> None:
    landed(memory, 1, bad)
    lose_log(memory)
    memory.catalog.drop(memory.dead_letters)
    with memory.open() as runtime:
        found = about(memory.dead_letters, runtime.recovery("tester", take_over=True).preview())
        assert [f.left for f in found] == [True] * bad
