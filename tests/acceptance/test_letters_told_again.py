"""Dead letters that a rollback took out for good are told anew: beside rows, each record is in one of both, or the stop says why."""

from __future__ import annotations

from contextlib import closing

import pytest
from kits.redrives import fit, lose_letters, produce_unfit, write_all
from kits.rollbacks import roll_back, settle
from kits.world import World
from lakelock.app.runtime import Runtime
from lakelock.errors import TableUnfit
from lakelock.model.ledger import Mode


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
