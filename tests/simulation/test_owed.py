"""Dead letters that a rollback took out and that are just read again are not told as missing."""

from __future__ import annotations

from typing import Any

import pytest
from lakelock.model.ledger import Mode
from lakelock.testing.kafka import BAD, GOOD

from simulation import pipelines
from simulation.pipelines import APART, LETTERS, A
from simulation.processes import Process
from simulation.undisturbed import calm_world, done
from simulation.world import World

OLD = LETTERS[0]


def landed() -> World:
    """A row and a dead letter, of which the log has no files any more."""
    world = calm_world()
    world.pipeline = pipelines.pipeline((), None, OLD, 100, 1000)
    world.kafka.add(APART[0])
    world.kafka.records[APART[0]] += [GOOD, BAD]
    first = done(world, lambda p: p.plan().batch_id)
    done(world, lambda p: p.write_run(first, "first"))
    done(world, lambda p: p.commit(True))
    world.advance(100_000)
    done(world, lambda p: p.log.coalesce("p", 0))
    return world


def taken_out(world: World) -> str:
    """The batch that reads the dead letter again."""
    to = str(world.catalog.get(OLD).ancestry(world.catalog.get(OLD).head)[1].snapshot_id)
    shown = done(world, lambda p: p.rollbacks.plan(OLD, to, Mode.RECOMMIT)).shown
    done(world, lambda p: p.rollbacks.roll_back(OLD, to, Mode.RECOMMIT, "somebody", "because", shown))
    return str(done(world, lambda p: p.plan().batch_id))


@pytest.mark.parametrize("letters", LETTERS)
def test_what_is_staged_again_is_on_its_way_back_in_whatever_dead_letter_table(letters: str) -> None:
    with pipelines.installed():
        world = landed()
        world.pipeline = pipelines.pipeline((), None, letters, 100, 1000)
        again = taken_out(world)
        done(world, lambda p: p.write_run(again, "again"))
        assert {p.result.table for p in world.log.staged("p")} == {A, letters}
        assert done(world, lambda p: p.audit().faults) == ()
        assert done(world, lambda p: p.recovery(Mode.RECOMMIT, (), "x").look()) == []
        world.close()


def test_what_is_staged_while_audit_looks_is_on_its_way_back() -> None:
    def audit(process: Process) -> Any:
        notes, generations, log = process.log.notes, process.log.generations, process.log
        began: list[str] = []

        def beside(pipeline: str, table: str) -> Any:
            found = notes(pipeline, table)
            if not began:
                began.append(table)
                Process(process.actor).write_run(again, "beside")
            return found

        # Postgres promises no order.
        log.generations = lambda pipeline: dict(sorted(generations(pipeline).items(), reverse=True))  # type: ignore[method-assign]
        log.notes = beside  # type: ignore[method-assign]
        faults = process.audit().faults
        assert began
        return faults

    with pipelines.installed():
        world = landed()
        again = taken_out(world)
        assert done(world, audit) == ()
        world.close()
