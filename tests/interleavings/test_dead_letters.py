"""Dead letters around rollbacks: each record is a row or a dead letter, never both and never neither, or the stop says why."""

from __future__ import annotations

import pytest
from kits.memory_rollbacks import fit, landed
from kits.memory_world import DEAD_LETTERS, TABLE, MemoryWorld
from kits.rollbacks import on_the_way, roll_back, settle
from kits.world import write_next
from lakelock.errors import LedgerDetached, RecoveryRefused, RollbackRefused, TableUnfit
from lakelock.model.ledger import Mode
from lakelock.testing import BAD, GOOD, NEW, OLD

LATER = "ns.later"


def test_dead_letters_that_land_while_their_table_goes_back_are_not_reported_twice(memory: MemoryWorld) -> None:
    landed(memory)
    memory.produce(10, [NEW])
    with memory.open() as zombie, memory.open() as runtime:
        write_next(zombie)
        on_the_way(zombie, zombie.tables, lambda: roll_back(runtime, TABLE, "last:2", Mode.REPLAY))
        zombie.commit([DEAD_LETTERS], now=True)
        assert len(memory.rows(DEAD_LETTERS)) == 1
        # It would be a row now, and is a dead letter already.
        fit(memory)
        settle(memory, runtime, 5)
    memory.audit(dead=1)


def test_a_dead_letter_whose_commit_is_under_way_does_not_become_a_row(memory: MemoryWorld) -> None:
    """Its table goes back, then gets the column that it lacked, and all is read again, before that commit lands."""
    landed(memory)
    memory.produce(10, [NEW])

    def meanwhile() -> None:
        with memory.open() as runtime:
            roll_back(runtime, TABLE, "last:2", Mode.REPLAY)
            fit(memory)
            for _ in range(3):
                write_next(runtime)

    with memory.open() as zombie, memory.open() as runtime:
        write_next(zombie)
        on_the_way(zombie, zombie.tables, meanwhile)
        zombie.commit([DEAD_LETTERS], now=True)
        settle(memory, runtime, 5)
    memory.audit(dead=1)


def test_dead_letters_that_a_batch_waits_for_are_due_at_once(memory: MemoryWorld) -> None:
    landed(memory)
    memory.settings = {"commit": {"max_latency": "1h"}}
    memory.produce(10, [BAD])
    with memory.open() as runtime:
        write_next(runtime)
        (idle,) = runtime.commit([DEAD_LETTERS])
        assert "due in" in idle.line
        roll_back(runtime, TABLE, "last:1", Mode.REPLAY)
        runtime.context.followed(TABLE)
        (due,) = runtime.commit([DEAD_LETTERS])
        assert due.version_id is not None
        settle(memory, runtime)
    memory.audit(dead=1)


def lose(memory: MemoryWorld) -> None:
    """The dead-letter table is set back by hand, and a person leaves it so."""
    memory.set_back(DEAD_LETTERS)
    with memory.open() as runtime:
        runtime.recovery("tester", mode=Mode.SKIP).recover()


def test_a_dead_letter_table_that_was_set_back_is_put_back(memory: MemoryWorld) -> None:
    memory.produce(6, [BAD, BAD])
    memory.run()
    there = memory.rows(DEAD_LETTERS)
    memory.set_back(DEAD_LETTERS)
    assert memory.rows(DEAD_LETTERS) != there
    memory.produce(4, [BAD])
    with memory.open() as runtime:
        with pytest.raises(LedgerDetached):
            memory.cycle(runtime)
        (found,) = [f for f in runtime.recovery("tester").preview() if f.approval]
        assert "puts it back to snapshot" in found.then
        runtime.recovery("tester").recover()
        assert memory.rows(DEAD_LETTERS) == there
        settle(memory, runtime)
    memory.audit(dead=3)


def test_dead_letters_are_not_rolled_back(memory: MemoryWorld) -> None:
    landed(memory, bad=1)
    with memory.open() as runtime, pytest.raises(RollbackRefused, match="holds the dead letters of pipeline"):
        roll_back(runtime, DEAD_LETTERS, "last:1", Mode.RECOMMIT)


def test_dead_letters_that_are_declared_lost_hold_up_no_others(memory: MemoryWorld) -> None:
    """A batch that reads both again must not report them together: those never land."""
    memory.produce(4, [BAD])
    memory.run()
    lose(memory)
    with memory.open() as runtime:
        memory.produce(5, [BAD])
        write_next(runtime)
        roll_back(runtime, TABLE, "last:1", Mode.REPLAY)
        settle(memory, runtime, 5)
    memory.audit(dead=1, missing=1)


def test_dead_letters_that_are_declared_lost_stay_so(memory: MemoryWorld) -> None:
    """A recovery knows them from the snapshot that the tag names."""
    memory.produce(6, [BAD, BAD])
    memory.run()
    lose(memory)
    with memory.open() as runtime:
        roll_back(runtime, TABLE, "last:1", Mode.REPLAY)
        settle(memory, runtime)
    assert memory.rows(DEAD_LETTERS) == []
    memory.audit(missing=2)


def test_dead_letters_whose_files_are_gone_are_written_again_with_their_rows(memory: MemoryWorld) -> None:
    """Beside new ones the rows of before could be both or neither."""
    landed(memory)
    memory.produce(6, [NEW])
    with memory.open() as runtime:
        write_next(runtime)
        (dead_letters,) = [p for p in runtime.log.staged(memory.pipeline.name) if p.result.target]
        memory.catalog.deleted |= {f.path for f in dead_letters.result.files}
        clock = memory.log.clock
        memory.log.clock = lambda: clock() + 7_200
        fit(memory)
        settle(memory, runtime, 4)
    assert memory.rows(DEAD_LETTERS) == []
    memory.audit()


def test_a_record_that_fits_no_more_is_not_lost_among_dead_letters_that_are_declared_lost(memory: MemoryWorld) -> None:
    """Its range is held as lost, so its dead letter cannot land; those that are lost hold up nothing."""
    memory.produce(4)
    memory.run()
    fit(memory)
    memory.produce(6, [BAD, BAD, BAD, BAD, NEW])
    memory.run()
    lose(memory)
    with memory.open() as runtime:
        roll_back(runtime, TABLE, "last:1", Mode.REPLAY)
        fit(memory, fits=False)
        planned, before = runtime.plan(), memory.rows()
        assert planned.batch_id is not None
        with pytest.raises(TableUnfit, match="1 records of .* fitted the table before"):
            runtime.write("a", "r", planned.batch_id)
        runtime.commit([TABLE], now=True)
        assert memory.rows() == before
        fit(memory)
        settle(memory, runtime)
    assert memory.rows(DEAD_LETTERS) == []
    memory.audit(missing=4)


def test_dead_letters_that_are_lost_unseen_stop_until_they_get_another_table(memory: MemoryWorld) -> None:
    """Their file was gone: which records they were is not known, and so no other one is taken for one of them."""
    memory.produce(4, [BAD])
    memory.run()
    (lost_file,) = memory.files(DEAD_LETTERS)
    memory.catalog.deleted.add(lost_file)
    lose(memory)
    with memory.open() as runtime:
        roll_back(runtime, TABLE, "last:1", Mode.REPLAY)
        # What is lost is read again in a batch of its own.
        write_next(runtime)
        with pytest.raises(TableUnfit, match="recover FILE --restored"):
            write_next(runtime)
    memory.dead_letters = LATER
    with memory.open() as runtime:
        runtime.recovery("tester", announced=True).recover()
        settle(memory, runtime)
    assert len(memory.rows(LATER)) == 1
    memory.audit(dead=1)


def test_dead_letters_in_a_table_of_an_older_name_are_not_reported_again(memory: MemoryWorld) -> None:
    landed(memory, bad=1)
    memory.dead_letters = LATER
    with memory.open() as runtime:
        roll_back(runtime, TABLE, "last:3", Mode.REPLAY)
        memory.produce(5, [BAD])
        for _ in range(4):
            memory.cycle(runtime)
    assert (len(memory.rows(DEAD_LETTERS)), len(memory.rows(LATER))) == (3, 1)
    memory.audit(dead=4, former=[DEAD_LETTERS])


def test_dead_letters_that_are_lost_in_a_piece_of_a_batch_hold_it_up_no_longer_than_a_run(memory: MemoryWorld) -> None:
    """They were staged when the batch that reads them again was planned, so that it is not cut at their edges."""
    landed(memory)
    memory.produce(2, [BAD, BAD])
    with memory.open() as runtime:
        write_next(runtime)
        memory.produce(4)
        write_next(runtime)
        roll_back(runtime, TABLE, "last:1", Mode.REPLAY)
        runtime.commit([DEAD_LETTERS], now=True)
    lose(memory)
    with memory.open() as runtime:
        settle(memory, runtime, 5)
    assert memory.rows(DEAD_LETTERS) == []
    memory.audit(missing=2)


def test_rows_do_not_land_before_dead_letters_that_a_former_table_has_lost(memory: MemoryWorld) -> None:
    """What is lost in one table is written again into another: the rows beside it wait for that."""
    landed(memory)
    memory.produce(0, [OLD])
    memory.run()
    memory.produce(0, [BAD, GOOD, OLD])
    memory.run()
    lose(memory)
    memory.dead_letters = LATER
    fit(memory)
    with memory.open() as runtime, memory.open() as other:
        roll_back(runtime, TABLE, "last:2", Mode.REPLAY)
        write_next(runtime)
        on_the_way(runtime, runtime.tables, lambda: write_next(other))
        runtime.commit([TABLE], now=True)
        # The dead letters that are staged are of columns that the table no longer has.
        memory.catalog.change_columns(LATER, 1)
        runtime.commit([LATER], now=True)
        settle(memory, runtime, 4)
        assert runtime.audit().complete
    assert len(memory.rows(LATER)) == 3


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.SKIP])
def test_of_two_recoveries_at_once_the_later_one_looks_again(memory: MemoryWorld, mode: Mode) -> None:
    memory.produce(6, [BAD, BAD])
    memory.run()
    memory.set_back(DEAD_LETTERS)
    with memory.open() as one, memory.open() as two:
        on_the_way(one, one.tables, lambda: two.recovery("two", mode=mode).recover())
        with pytest.raises(RecoveryRefused, match="Run recover again"):
            one.recovery("one", mode=Mode.SKIP if mode is Mode.RECOMMIT else Mode.RECOMMIT).recover()
        assert one.recovery("one").preview() == []
