"""Dead letters that a rollback took out for good are read again: beside rows, each record is in one of both, or the stop says why."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from kits.memory_rollbacks import fit, lose_letters, rows_staged_beside_a_dead_letter
from kits.memory_world import LETTERS, TABLE, MemoryWorld, killed_at
from kits.redrives import write_all
from kits.rollbacks import on_the_way, roll_back, settle
from lakelock.errors import TableUnfit, Unreachable
from lakelock.model.batches import plain_range
from lakelock.model.ledger import Mode
from lakelock.testing import NEW


def read_again(world: MemoryWorld) -> None:
    with world.open() as runtime:
        lose_letters(world, runtime)
        write_all(runtime)


def test_a_commit_that_is_under_way_lands_no_rows_beside_other_dead_letters(memory: MemoryWorld) -> None:
    with memory.open() as zombie, memory.open() as runtime:
        rows_staged_beside_a_dead_letter(memory, runtime)
        on_the_way(zombie, zombie.tables, lambda: read_again(memory))
        zombie.commit([TABLE], now=True)
        settle(memory, runtime, 4)
    memory.audit()


def test_the_table_is_fenced_once_however_often_the_batch_is_tried(memory: MemoryWorld) -> None:
    def unreachable(*_: Any) -> None:
        raise Unreachable("Spark is away")

    def snapshots() -> int:
        return len(memory.catalog.get(TABLE).snapshots)

    with memory.open() as runtime:
        rows_staged_beside_a_dead_letter(memory, runtime)
        lose_letters(memory, runtime)
        before, run = snapshots(), runtime.writer.run
        runtime.writer.run = unreachable  # type: ignore[method-assign, assignment]
        for _ in range(3):
            for batch in runtime.log.planned(memory.pipeline.name):
                with pytest.raises(Unreachable):
                    runtime.write(str(uuid.uuid4()), "r", batch.batch_id)
        assert snapshots() == before + 1
        runtime.writer.run = run  # type: ignore[method-assign]
        settle(memory, runtime, 4)
    memory.audit()


@pytest.mark.parametrize("known", [True, False], ids=["its file is gone", "long ago"])
def test_a_rollback_tells_of_rows_that_are_read_again_with_the_dead_letters(memory: MemoryWorld, known: bool) -> None:
    with memory.open() as runtime:
        rows_staged_beside_a_dead_letter(memory, runtime)
        staged = [r for p in runtime.log.staged(memory.pipeline.name, TABLE) for r in p.ranges]
        if known:
            memory.catalog.deleted |= memory.files(LETTERS)
        else:
            # Of batches that were finished long ago the log keeps no files.
            assert runtime.log.coalesce(memory.pipeline.name, 0)
        plan = roll_back(runtime, LETTERS, "last:1", Mode.RECOMMIT)
        assert sorted(plain_range(r) for r in plan.reread) == sorted(staged)
        settle(memory, runtime, 4)
    memory.audit()


def test_a_commit_that_has_read_what_is_staged_looks_once_more(memory: MemoryWorld) -> None:
    """It loads the table after that was fenced, so only the log can tell."""
    with memory.open() as zombie, memory.open() as runtime:
        rows_staged_beside_a_dead_letter(memory, runtime)
        generations, staged = zombie.log.generations, zombie.log.staged

        def meanwhile(*arguments: Any) -> Any:
            found = staged(*arguments)
            zombie.log.staged = staged
            read_again(memory)
            return found

        def asked(pipeline: str) -> Any:
            """The question that comes just before the one for what is staged."""
            zombie.log.generations = generations
            zombie.log.staged = meanwhile
            return generations(pipeline)

        zombie.log.generations = asked
        zombie.commit([TABLE], now=True)
        assert zombie.log.staged is staged, "they were read again meanwhile"
        settle(memory, runtime, 4)
    memory.audit()


def test_dead_letters_wait_until_the_log_knows_which_rows_land_again(memory: MemoryWorld) -> None:
    memory.produce(4, [NEW])
    memory.run()
    with memory.open() as runtime, memory.open() as dies:
        lose_letters(memory, runtime)
        with killed_at(dies.log, "follow"):
            roll_back(dies, TABLE, "last:1", Mode.RECOMMIT)
        fit(memory)
        planned = runtime.plan()
        assert planned.batch_id is not None
        waits = runtime.write("a", "r", planned.batch_id)
        assert waits.offsets == 0
        assert "waits until the log knows of the rollback" in waits.line
        settle(memory, runtime, 4)
    memory.audit()


def test_dead_letters_beside_rows_that_are_there_in_part_are_compared_piece_by_piece(memory: MemoryWorld) -> None:
    for _ in range(2):
        memory.produce(6, [NEW])
        memory.run()
    with memory.open() as runtime:
        lose_letters(memory, runtime, "last:2")
        roll_back(runtime, TABLE, "last:1", Mode.RECOMMIT)
    memory.log = memory.new_log("inst-2")
    with memory.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
        fit(memory)
        with pytest.raises(TableUnfit, match="not the"):
            write_all(runtime)
        fit(memory, fits=False)
        settle(memory, runtime, 6)
    memory.audit(dead=2)
