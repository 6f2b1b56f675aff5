"""A paused table commits no batch, its siblings do; whatever happens meanwhile, it has each record once when it is resumed."""

from __future__ import annotations

import pytest
from kits.memory_world import DEAD_LETTERS, TABLE, MemoryWorld
from kits.rollbacks import on_the_way, roll_back, settle
from kits.world import write_next
from lakelock.app.runtime import Runtime
from lakelock.errors import DecisionRefused
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What
from lakelock.testing import BAD
from lakelock.testing.log import MemoryLog

OTHER = "ns.other"


def decide(runtime: Runtime, what: What, table: str = TABLE) -> None:
    planned = runtime.pausing.preview(table, what)
    assert not planned.nothing, planned.lines
    runtime.pausing.decide(table, what, "tester", "a test")
    assert runtime.pausing.preview(table, what).nothing


def heads(memory: MemoryWorld) -> dict[str, int]:
    return {name: len(meta.ancestry(meta.head)) for name, meta in memory.catalog.tables.items()}


def test_a_paused_table_gets_its_batches_once_when_it_is_resumed(memory: MemoryWorld) -> None:
    memory.tables = [{"name": TABLE}, {"name": OTHER}]
    memory.produce(10, [BAD])
    with memory.open() as runtime:
        memory.cycle(runtime, TABLE, OTHER, DEAD_LETTERS)
        before = memory.rows()
        decide(runtime, What.PAUSE)
        for _ in range(3):
            memory.produce(5, [BAD])
            said = [o.line for o in memory.cycle(runtime, TABLE, OTHER, DEAD_LETTERS) if o.table == TABLE]
            assert "no batch is committed" in said[-1]
            assert "pause by tester: a test" in said[-1]
        assert memory.rows() == before
        assert len(memory.rows(OTHER)) == 25
        decide(runtime, What.RESUME)
        memory.cycle(runtime, TABLE, OTHER, DEAD_LETTERS)
        ledger = runtime.tables.load(TABLE).ledger
        assert ledger is not None
        assert [d.what for d in ledger.decisions] == [What.RESUME], (
            "each commit carries decisions on: only the newest stays"
        )
    assert memory.rows() == memory.sent()


def test_the_lag_that_is_watched_is_that_of_the_tables_that_are_not_paused(
    memory: MemoryWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A status lists batches, too, which are not of interest here.
    monkeypatch.setattr(MemoryLog, "recent", lambda self, pipeline, limit: [], raising=False)
    monkeypatch.setattr(MemoryLog, "staged_tables", lambda self, pipeline: {}, raising=False)
    memory.tables = [{"name": TABLE}, {"name": OTHER}]
    memory.produce(10)
    with memory.open() as runtime:
        memory.cycle(runtime, TABLE, OTHER, DEAD_LETTERS)
        decide(runtime, What.PAUSE)
        memory.produce(5)
        assert sum(s.unpaused.lag_offsets for s in runtime.status().sources) == 5
        memory.cycle(runtime, TABLE, OTHER, DEAD_LETTERS)
        found = runtime.status().sources
        assert sum(s.lag_offsets for s in found) == 5
        assert all(s.unpaused_committed == s.end_offset for s in found)
        assert {(s.unpaused.lag_offsets, s.unpaused.lag_s) for s in found} == {(0, 0.0)}
        decide(runtime, What.PAUSE, OTHER)
        memory.produce(5)
        found = runtime.status().sources
        assert sum(s.lag_offsets for s in found) == 10
        assert sum(s.unpaused.lag_offsets for s in found) == 0, "nothing waits for tables that are all paused"
        decide(runtime, What.RESUME)
        assert sum(s.unpaused.lag_offsets for s in runtime.status().sources) == 10


@pytest.mark.parametrize("mode", list(Mode))
def test_a_rollback_leaves_a_table_paused(memory: MemoryWorld, mode: Mode) -> None:
    memory.produce(5)
    memory.run()
    with memory.open() as runtime:
        decide(runtime, What.PAUSE)
        memory.produce(5)
        write_next(runtime)
        roll_back(runtime, TABLE, "last:1", mode)
        there = memory.rows()
        memory.produce(5)
        memory.cycle(runtime)
        assert memory.rows() == there
        decide(runtime, What.RESUME)
        settle(memory, runtime)
    sent = memory.sent()
    assert len(memory.rows()) == len(sent) - (5 if mode is Mode.SKIP else 0)
    assert set(memory.rows()) <= set(sent)


def test_a_lost_log_does_not_resume_it(memory: MemoryWorld) -> None:
    memory.produce(5)
    memory.run()
    with memory.open() as runtime:
        decide(runtime, What.PAUSE)
    memory.log = memory.new_log("inst-2")
    with memory.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
        memory.produce(5)
        before = memory.rows()
        memory.cycle(runtime)
        assert memory.rows() == before
        assert [line.split(":")[0] for line in _paused(runtime)] == [TABLE]
        decide(runtime, What.RESUME)
        settle(memory, runtime)
    memory.audit()


def _paused(runtime: Runtime) -> list[str]:
    ledgers = runtime.log.ledgers(runtime.pipeline.name)
    return [f"{name}: {led.paused.line}" for name, led in ledgers.items() if led.paused]


def test_a_commit_that_is_under_way_when_the_table_is_paused_ends_in_a_conflict(memory: MemoryWorld) -> None:
    memory.produce(5)
    memory.run()
    memory.produce(5)
    with memory.open() as zombie, memory.open() as runtime:
        before = memory.rows()
        write_next(zombie)
        on_the_way(zombie, zombie.tables, lambda: decide(runtime, What.PAUSE))
        zombie.commit([TABLE], now=True)
        assert memory.rows() == before
        decide(runtime, What.RESUME)
        settle(memory, runtime)
    memory.audit()


def test_a_pause_that_races_with_a_commit_is_decided_again(memory: MemoryWorld) -> None:
    memory.produce(5)
    memory.run()
    memory.produce(5)
    with memory.open() as other, memory.open() as runtime:
        write_next(other)
        on_the_way(runtime, runtime.tables, lambda: other.commit([TABLE], now=True))
        decide(runtime, What.PAUSE)
        assert memory.rows() == memory.sent()
        before = heads(memory)
        memory.produce(5)
        memory.cycle(runtime)
        assert heads(memory)[TABLE] == before[TABLE]


def test_dead_letters_are_not_paused_and_neither_is_a_table_without_a_ledger() -> None:
    memory = MemoryWorld()
    memory.catalog.create(TABLE)
    with memory.open() as runtime:
        with pytest.raises(DecisionRefused, match="carries no ledger"):
            runtime.pausing.preview(TABLE, What.PAUSE)
        memory.produce(1, [BAD])
        memory.cycle(runtime)
        with pytest.raises(DecisionRefused, match="holds the dead letters"):
            runtime.pausing.preview(DEAD_LETTERS, What.PAUSE)
