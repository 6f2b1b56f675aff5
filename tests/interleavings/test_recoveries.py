"""Recoveries that sleep, die or meet a table that is gone: nothing that only the log knew of is given up unseen."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from kits.memory_decisions import delete_before
from kits.memory_recoveries import about, landed, with_file
from kits.memory_world import MemoryWorld, killed_at
from kits.recoveries import meanwhile, recover
from kits.world import write_next
from lakelock.audit.audit_text import audit_text
from lakelock.errors import (
    DecisionRefused,
    Fenced,
    LakelockError,
    LedgerDetached,
    RecoveryRefused,
    TableMissing,
    WalUnusable,
)
from lakelock.model.ledger import Mode

LATE, OTHER = "ns.late", "ns.other"


def test_where_all_is_well_nothing_is_done(memory: MemoryWorld) -> None:
    landed(memory)
    before = dict(memory.catalog.tables)
    assert recover(memory) == []
    assert memory.catalog.tables == before


@pytest.mark.parametrize("is_staged_before", [True, False])
def test_what_came_after_the_look_is_not_given_up_unseen(memory: MemoryWorld, is_staged_before: bool) -> None:
    memory.produce(20)
    with memory.open() as slow, memory.open() as runtime:

        def goes_on() -> None:
            if not is_staged_before:
                write_next(runtime)
            for partition in (0, 1):
                delete_before(memory, partition, 20)

        if is_staged_before:
            write_next(runtime)
        meanwhile(slow, "give_up", goes_on)
        with pytest.raises(RecoveryRefused, match=r"(?s)more records would be lost with the log.*-0 \[10, 20\)"):
            slow.recovery("first", announced=True).recover()
        assert runtime.log.recovering(memory.pipeline.name) is None
        runtime.commit([memory.table], now=True)
        slow.recovery("first", announced=True).recover()
    memory.audit()


def test_a_table_that_a_run_makes_meanwhile_is_no_sign_of_a_lost_log(memory: MemoryWorld) -> None:
    memory.produce(5)
    memory.run()
    with with_file(memory, memory.table, OTHER) as slow, memory.open() as runtime:
        read = slow.log.bound

        def bound(pipeline: str) -> Mapping[str, str]:
            slow.log.bound = read
            before: Mapping[str, str] = read(pipeline)
            memory.produce(5)
            memory.cycle(runtime, memory.table, OTHER)
            return before

        slow.log.bound = bound
        assert slow.recovery("tester").recover() == []
        assert runtime.log.recovering(memory.pipeline.name) is None
        assert memory.rows(OTHER)


def test_a_recovery_does_not_give_up_a_log_that_another_one_has_rebuilt_since(memory: MemoryWorld) -> None:
    landed(memory)
    with memory.open() as slow:
        meanwhile(slow, "give_up", lambda: recover(memory, announced=True))
        with pytest.raises(Fenced, match="overtaken"):
            slow.recovery("slow", announced=True).recover()
        assert slow.log.recovering(memory.pipeline.name) is None
    landed(memory, times=1)
    memory.audit(dead=4)


def test_what_is_staged_for_a_table_outside_the_file_is_given_up_only_where_that_is_accepted(
    memory: MemoryWorld,
) -> None:
    name = memory.pipeline.name
    with with_file(memory, memory.table, LATE) as runtime:
        memory.produce(20)
        memory.cycle(runtime, memory.table, LATE)
        memory.produce(20)
        write_next(runtime)
        runtime.commit([memory.table], now=True)
    metadata = memory.catalog.get(LATE)
    memory.catalog.drop(LATE)
    for partition in (0, 1):
        delete_before(memory, partition, 30)
    with with_file(memory, memory.table) as runtime:
        gone, lost = about(LATE, runtime.recovery("tester", announced=True).preview())
        assert gone.then.endswith("but its staged files are given up with the log")
        assert "staged for it are records in files that only the log knows: x-0 [20, 30), but Kafka holds" in lost.line
        assert lost.left
        assert lost.approval == f"{LATE} loses x-0 [20, 30), x-1 [20, 30)"
        with pytest.raises(RecoveryRefused, match=LATE):
            runtime.recovery("tester", announced=True).recover()
        assert len(runtime.log.staged(name, LATE)) == 1
        runtime.recovery("tester", announced=True, accept_loss=True).recover()
        assert runtime.log.staged(name, LATE) == []
    memory.catalog.register(metadata)
    with with_file(memory, memory.table, LATE) as runtime:
        assert any("[20, 30) must be read again" in f.what for f in runtime.recovery("tester").preview())


@pytest.mark.parametrize("is_adopted", [False, True])
@pytest.mark.parametrize("is_alone", [False, True])
def test_a_table_that_is_lost_while_the_log_is_rebuilt_can_be_rebound(
    memory: MemoryWorld, is_adopted: bool, is_alone: bool
) -> None:
    """The log goes on without it first; also where the new table was adopted just before."""
    table = memory.table
    names = [table, OTHER][: 2 - is_alone]
    with with_file(memory, *names) as runtime:
        memory.produce(20)
        memory.cycle(runtime)
        memory.produce(10)
        write_next(runtime)
        # When everything was given up, and before the log was rebuilt.
        with killed_at(runtime.log, "rebuild"):
            runtime.recovery("tester", announced=True).recover()
    memory.catalog.drop(table)
    with memory.open() as runtime:
        if is_adopted:
            ask, runtime.log.recovering = runtime.log.recovering, lambda pipeline: None
            with pytest.raises(WalUnusable, match="started to recover"):
                runtime.rebinding.rebind(table, False, "tester", "a test")
            runtime.log.recovering = ask
        else:
            with pytest.raises(DecisionRefused, match=r"lakelock recover FILE --yes` first"):
                runtime.rebinding.rebind(table, False, "tester", "a test")
            with pytest.raises(TableMissing):
                runtime.tables.load(table)
        recovery = runtime.recovery("tester")
        (about_it,) = about(table, recovery.preview())
        assert about_it.left
        assert "the log is rebuilt without it" in about_it.then
        assert f"lakelock rebind FILE --table {table}" in about_it.then
        with pytest.raises(RecoveryRefused, match="the plan changed after you approved it"):
            recovery.recover([f.approval for f in recovery.preview() if f.about != table])
        recovery.recover([f.approval for f in recovery.preview()])
        assert runtime.log.recovering(memory.pipeline.name) is None
        runtime.rebinding.rebind(table, False, "tester", "a test")
        assert runtime.recovery("tester").preview() == []
        for _ in range(4):
            memory.cycle(runtime)
        found = runtime.audit()
        assert found.complete, audit_text(found)
    assert memory.rows() == memory.sent()
    if not is_alone:
        # It came into the file when 20 records had landed.
        assert memory.rows(OTHER) == [place for place in memory.sent() if place[2] >= 10]


@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize(("low", "later", "is_more"), [(22, 24, False), (15, 18, True)])
def test_only_what_is_lost_counts_as_more_than_was_shown(
    memory: MemoryWorld, announced: bool, low: int, later: int, is_more: bool
) -> None:
    memory.produce(20)
    memory.run()
    memory.produce(20)
    with memory.open() as runtime:
        runtime.log.coalesce(memory.pipeline.name, 0)
    memory.set_back()
    delete_before(memory, 0, low)
    with memory.open() as runtime:
        recovery = runtime.recovery("tester", announced=announced, accept_loss=True)
        shown = [f.approval for f in recovery.preview() if f.approval]
        delete_before(memory, 0, later)
        if is_more:
            with pytest.raises(RecoveryRefused, match="the plan changed after you approved it"):
                recovery.recover(shown)
        else:
            recovery.recover(shown)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_table_rolled_back_by_hand_is_adopted(memory: MemoryWorld, mode: Mode) -> None:
    landed(memory)
    kept = memory.sent()
    memory.set_back(snapshots=2)
    back = memory.rows()
    assert len(back) == 30
    memory.produce(5)
    with memory.open() as runtime, pytest.raises(LedgerDetached, match="rolled back"):
        memory.cycle(runtime)
    (line,) = recover(memory, mode=mode)
    assert "another tool rolled it back" in line
    for _ in range(3):
        memory.run()
    with memory.open() as runtime:
        found = runtime.audit()
    assert found.complete, audit_text(found)
    if mode is Mode.SKIP:
        assert memory.rows() == sorted([*back, *(place for place in memory.sent() if place not in kept)])
    else:
        memory.audit(dead=3)
        assert memory.rows() == memory.sent()


def test_a_table_that_was_out_of_the_file_gets_what_it_missed(memory: MemoryWorld) -> None:
    before = memory.sent()
    for names in ((memory.table, OTHER), (memory.table,)):
        with with_file(memory, *names) as runtime:
            memory.produce(5)
            write_next(runtime)
            runtime.commit(names, now=True)
    memory.produce(5)
    with with_file(memory, memory.table, OTHER) as runtime:
        write_next(runtime)
        with pytest.raises(LakelockError, match="comes first"):
            runtime.commit([memory.table, OTHER], now=True)
        (finding,) = runtime.recovery("tester").recover()
        assert "neither in the table nor on its way" in finding.line
        assert runtime.recovery("tester").recover() == []
        write_next(runtime)
        runtime.commit([memory.table, OTHER], now=True)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    assert memory.rows(OTHER) == [place for place in memory.sent() if place not in before]


def test_what_is_planned_for_a_table_outside_the_file_is_on_its_way(memory: MemoryWorld) -> None:
    """One that nothing was written to yet, and the only one that takes these records."""
    memory.produce(10)
    memory.run()
    memory.produce(10)
    with with_file(memory, LATE) as runtime:
        runtime.plan()
    with with_file(memory, memory.table) as runtime:
        assert runtime.audit().faults == (), "the table of the file lacks it, and says so by itself"
