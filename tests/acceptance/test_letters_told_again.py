"""Dead letters that a rollback took out for good are told anew: beside rows, each record is in one of both, or the stop says why."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from kits.recoveries import postgres_of
from kits.redrives import fit, lose_letters, produce_unfit, write_all
from kits.rollbacks import letters_of, on_the_way, roll_back, settle
from kits.world import World
from lakelock.compose import Runtime
from lakelock.core.batch import plain_range
from lakelock.core.ledger import Mode
from lakelock.errors import TableUnfit, Unreachable


def rows_staged_beside_a_dead_letter(world: World, runtime: Runtime) -> None:
    """They were read when the dead letter had landed, and the table has its column by now."""
    produce_unfit(world, 4)
    world.run()
    roll_back(runtime, world.table, "last:1", Mode.REPLAY)
    fit(world)
    write_all(runtime)
    assert runtime.log.staged(world.name, world.table)


def test_staged_rows_do_not_land_beside_other_dead_letters_than_theirs(near: World) -> None:
    with closing(near.runtime()) as runtime:
        rows_staged_beside_a_dead_letter(near, runtime)
        lose_letters(near, runtime)
        settle(near, runtime, 4)
        assert runtime.audit().complete
    near.audit(dead=0)


def told_anew(near: World) -> None:
    with closing(near.runtime()) as runtime:
        lose_letters(near, runtime)
        write_all(runtime)


def test_a_commit_that_is_under_way_lands_no_rows_beside_other_dead_letters(near: World) -> None:
    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        rows_staged_beside_a_dead_letter(near, runtime)
        on_the_way(zombie, zombie.tables, lambda: told_anew(near))
        zombie.commit([near.table], now=True)
        settle(near, runtime, 4)
        assert runtime.audit().complete
    near.audit(dead=0)


def test_the_table_is_fenced_once_however_often_the_batch_is_tried(near: World) -> None:
    def unreachable(*_: Any) -> None:
        raise Unreachable("Spark is away")

    def snapshots() -> int:
        return len(near.catalog.load_table(near.table).metadata.snapshots)

    with closing(near.runtime()) as runtime:
        rows_staged_beside_a_dead_letter(near, runtime)
        lose_letters(near, runtime)
        before, run = snapshots(), runtime.writer.run
        runtime.writer.run = unreachable  # type: ignore[method-assign, assignment]
        for _ in range(3):
            for batch in runtime.log.planned(near.name):
                with pytest.raises(Unreachable):
                    runtime.write(str(uuid.uuid4()), "r", batch.batch_id)
        assert snapshots() == before + 1
        runtime.writer.run = run  # type: ignore[method-assign]
        settle(near, runtime, 4)
        assert runtime.audit().complete
    near.audit(dead=0)


@pytest.mark.parametrize("known", [True, False], ids=["its file is gone", "long ago"])
def test_a_rollback_tells_of_rows_that_are_read_again_with_the_dead_letters(near: World, known: bool) -> None:
    with closing(near.runtime()) as runtime:
        rows_staged_beside_a_dead_letter(near, runtime)
        staged = [r for p in runtime.log.staged(near.name, near.table) for r in p.ranges]
        if known:
            table = near.catalog.load_table(letters_of(near))
            for task in table.scan().plan_files():
                table.io.delete(task.file.file_path)
        else:
            # Of batches that were finished long ago the log keeps no files.
            assert runtime.log.coalesce(near.name, 0)
        plan = runtime.rollbacks.plan(letters_of(near), "last:1", Mode.RECOMMIT)
        assert sorted(plain_range(r) for r in plan.reread) == sorted(staged)


def test_a_commit_that_has_read_what_is_staged_looks_once_more(near: World) -> None:
    """It loads the table after that was fenced, so only the log can tell."""
    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        rows_staged_beside_a_dead_letter(near, runtime)
        generations = zombie.log.generations
        staged = zombie.log.staged

        def meanwhile(*arguments: Any) -> Any:
            found = staged(*arguments)
            zombie.log.staged = staged  # type: ignore[method-assign]
            told_anew(near)
            return found

        def asked(pipeline: str) -> Any:
            """The question that comes just before the one for what is staged."""
            zombie.log.generations = generations  # type: ignore[method-assign]
            zombie.log.staged = meanwhile  # type: ignore[method-assign, assignment]
            return generations(pipeline)

        zombie.log.generations = asked  # type: ignore[method-assign]
        zombie.commit([near.table], now=True)
        settle(near, runtime, 4)
        assert runtime.audit().complete
    near.audit(dead=0)


def test_dead_letters_wait_until_the_log_knows_which_rows_land_again(near: World) -> None:
    class Killed(Exception):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    produce_unfit(near, 4)
    near.run()
    with closing(near.runtime()) as runtime, closing(near.runtime()) as dies:
        lose_letters(near, runtime)
        dies.log.follow = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            roll_back(dies, near.table, "last:1", Mode.RECOMMIT)
        fit(near)
        planned = runtime.plan()
        assert planned.batch_id is not None
        waits = runtime.write("a", "r", planned.batch_id)
        assert waits.offsets == 0
        assert "waits until the log knows of the rollback" in waits.line
        settle(near, runtime, 4)
        assert runtime.audit().complete
    near.audit(dead=0)


def test_dead_letters_beside_rows_that_are_there_in_part_are_compared_piece_by_piece(
    near: World, new_log: Callable[[], str]
) -> None:
    produce_unfit(near, 6)
    near.run()
    produce_unfit(near, 6)
    near.run()
    with closing(near.runtime()) as runtime:
        lose_letters(near, runtime, "last:2")
        roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
    dsn = new_log()
    postgres_of(near, dsn)
    with closing(near.runtime()) as runtime:
        runtime.recovery("tester", take_over=True).recover()
        fit(near)
        with pytest.raises(TableUnfit, match="not the"):
            write_all(runtime)
        fit(near, fits=False)
        settle(near, runtime, 6)
        assert runtime.audit().complete
    near.next_id -= 2
    assert len(near.rows(letters_of(near))) == 2


def test_as_many_other_records_that_fit_are_not_the_same_rows(near: World) -> None:
    """One fits no more, another does: their number alone would not tell."""
    near.produce(4, bad=[b'{"id": 90, "unheard_of": 1}', b'{"id": 91, "note": 7}'])
    near.run()
    with closing(near.runtime()) as runtime:
        lose_letters(near, runtime)
        fit(near)
        with near.catalog.load_table(near.table).update_schema(allow_incompatible_changes=True) as columns:
            columns.delete_column("note")
        planned = runtime.plan()
        assert planned.batch_id is not None
        with pytest.raises(TableUnfit, match="not the"):
            runtime.write("a", "r", planned.batch_id)
