"""Postgres is restored to an earlier moment, which it cannot know by itself: the tables do."""

from __future__ import annotations

import pytest
from kits.memory_recoveries import copied, with_file
from kits.memory_world import MemoryWorld, killed_at
from kits.world import write_next
from lakelock.audit.audit_text import audit_text
from lakelock.errors import WalUnusable
from lakelock.testing import OLD

LATE = "ns.late"


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("dies", [False, True])
def test_a_table_outside_the_file_that_a_restored_log_had_only_planned_for_is_recovered(
    memory: MemoryWorld, announced: bool, dies: bool
) -> None:
    """Its batch could never be written: the log does not know that the table was, and nothing else asks the table."""
    name = memory.pipeline.name
    memory.produce(10)
    memory.run()
    before = memory.sent()
    memory.produce(10)
    with with_file(memory, memory.table, LATE) as runtime:
        runtime.plan()
    restored = copied(memory)
    with memory.open() as runtime:
        for more in (0, 10):
            memory.produce(more)
            write_next(runtime)
            runtime.commit([memory.table, LATE], now=True)
    restored()
    with with_file(memory, memory.table) as runtime:
        assert LATE in {t for b in runtime.log.planned(name) for t in b.planned_tables}
        if dies:
            with killed_at(runtime.log, "rebuild"):
                runtime.recovery("tester", announced=announced).recover()
        assert runtime.recovery("tester", announced=announced).preview() != []
        runtime.recovery("tester", announced=announced).recover()
        assert LATE in runtime.log.bound(name)
        assert runtime.recovery("tester").preview() == []
    memory.produce(10)
    with with_file(memory, memory.table, LATE) as runtime:
        for _ in range(4):
            memory.cycle(runtime)
        assert not runtime.log.planned(name)
        runtime.recovery("tester").recover()
        for _ in range(2):
            memory.cycle(runtime)
        found = runtime.audit()
        assert found.complete, audit_text(found)
    assert memory.rows() == memory.sent()
    assert memory.rows(LATE) == [place for place in memory.sent() if place not in before]


def test_what_the_table_has_does_not_become_a_dead_letter_after_a_restore_that_was_not_announced(
    memory: MemoryWorld,
) -> None:
    """The log plans it again, and the table's columns have changed meanwhile."""
    memory.produce(0, [OLD] * 10)
    with memory.open() as runtime:
        runtime.plan()
    restored = copied(memory)
    memory.run()
    memory.catalog.change_columns(memory.table, 1)
    restored()
    with memory.open() as runtime:
        assert runtime.log.planned(memory.pipeline.name)
        with pytest.raises(WalUnusable, match=r"holds some of .* recover FILE --restored"):
            memory.cycle(runtime)
        runtime.commit([memory.table], now=True)
        runtime.publish()
    memory.audit()
    with memory.open() as runtime:
        runtime.recovery("tester", announced=True).recover()
        memory.cycle(runtime)
    memory.audit()
    assert len(memory.rows()) == 30
