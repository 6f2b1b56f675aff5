"""A table goes back and forth in every mode, beside what is on its way, and ends with each record once."""

from __future__ import annotations

import pytest
from kits.memory_recoveries import landed
from kits.memory_world import MemoryWorld, killed_at
from kits.recoveries import meanwhile
from kits.rollbacks import roll_back, settle
from kits.world import write_next
from lakelock.audit.audit_text import audit_text
from lakelock.errors import RollbackRefused
from lakelock.model.ledger import Mode
from lakelock.testing import BAD

Place = tuple[str, int, int]


def taken_out(memory: MemoryWorld, before: list[Place], snapshots: int) -> list[Place]:
    """The places that the table lost when it went back over so many commits of ten records."""
    then = memory.rows()
    gone = [place for place in before if place not in then]
    assert len(gone) == 10 * snapshots
    return gone


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_what_a_rollback_takes_out_comes_back_once(memory: MemoryWorld, mode: Mode) -> None:
    landed(memory, bad=1)
    with memory.open() as runtime:
        before = memory.rows()
        roll_back(runtime, memory.table, "last:2", mode)
        assert len(memory.rows()) == 30
        assert runtime.audit().complete
        settle(memory, runtime)
        assert memory.rows() == before
    memory.audit(dead=3)


def test_what_is_skipped_stays_out_and_is_recorded(memory: MemoryWorld) -> None:
    landed(memory, bad=0)
    before = memory.rows()
    with memory.open() as runtime:
        roll_back(runtime, memory.table, "last:2", Mode.SKIP)
        gone = taken_out(memory, before, 2)
        settle(memory, runtime)
        found = runtime.audit()
        assert found.complete, audit_text(found)
        assert sum(s.gaps.get("skipped", 0) for s in found.tables[0].sources) == 20
    assert len(memory.rows()) == 30
    memory.produce(5)
    memory.run()
    assert len(memory.rows()) == 35
    assert memory.rows() == [place for place in memory.sent() if place not in gone]


@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_on_its_way_is_fenced_and_not_lost(memory: MemoryWorld, mode: Mode) -> None:
    """A staged batch, a planned one, and one that is being written when the table goes back."""
    landed(memory, bad=1)
    before = memory.rows()
    with memory.open() as runtime:
        memory.produce(10, [BAD])
        write_next(runtime)
        memory.produce(10)
        planned = runtime.plan()
        assert planned.batch_id is not None
        roll_back(runtime, memory.table, "last:2", mode)
        gone = taken_out(memory, before, 2)
        memory.produce(5)
        settle(memory, runtime, 4)
        found = runtime.audit()
        assert found.complete, audit_text(found)
    if mode is Mode.SKIP:
        assert memory.rows() == [place for place in memory.sent() if place not in gone]
    else:
        memory.audit(dead=4)
        assert memory.rows() == memory.sent()


def test_a_part_written_under_the_old_generation_never_lands(memory: MemoryWorld) -> None:
    landed(memory, bad=0)
    with memory.open() as zombie, memory.open() as runtime:
        memory.produce(10)
        planned = zombie.plan()
        assert planned.batch_id is not None
        meanwhile(zombie, "stage", lambda: roll_back(runtime, memory.table, "last:1", Mode.RECOMMIT))
        zombie.write("zombie", "test/1", planned.batch_id)
        staged = [p for p in runtime.log.staged(memory.pipeline.name) if p.batch_id == planned.batch_id]
        files = {f.path for p in staged for f in p.result.files}
        assert files
        settle(memory, runtime)
        head = memory.catalog.get(memory.table).head
        assert head is not None
        assert not files & set(head.files)
    memory.audit()


def test_a_rollback_whose_process_dies_before_the_log_knows_is_followed_by_whoever_commits(
    memory: MemoryWorld,
) -> None:
    landed(memory, bad=0)
    with memory.open() as runtime, killed_at(runtime.log, "follow"):
        roll_back(runtime, memory.table, "last:2", Mode.RECOMMIT)
    assert len(memory.rows()) == 30
    with memory.open() as runtime:
        # Nothing is staged and nothing new is there: the announcement makes the commit look at the table.
        runtime.commit([memory.table], now=True)
        runtime.publish()
    memory.audit()


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_a_second_rollback_before_the_first_has_come_back(memory: MemoryWorld, mode: Mode) -> None:
    landed(memory, 4, bad=0)
    with memory.open() as runtime:
        roll_back(runtime, memory.table, "last:2", mode)
        roll_back(runtime, memory.table, "last:1", Mode.RECOMMIT)
        settle(memory, runtime, 4)
    memory.audit()


def test_a_place_to_which_a_table_cannot_go_is_refused(memory: MemoryWorld) -> None:
    landed(memory, bad=0)
    with memory.open() as runtime:
        for to, why in [
            ("last:99", "not in the branch's history"),
            ("1", "not in the branch's history"),
            ("1970-01-01T00:00:00Z", "not in the branch's history"),
            ("2099-01-01T00:00:00Z", "the current state of the table"),
            ("2026-01-01T00:00:00", "has no time zone"),
            ("yesterday", "neither a snapshot id"),
        ]:
            with pytest.raises(RollbackRefused, match=why):
                runtime.rollbacks.preview(memory.table, to, Mode.REPLAY)
