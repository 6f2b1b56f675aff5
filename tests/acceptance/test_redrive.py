"""Dead letters that fit by now become rows once, and stay told as what they were, whatever happens meanwhile."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from lakelock.compose import Runtime
from lakelock.core.ledger import Mode
from lakelock.errors import RedriveRefused
from lakelock.steps.redrive_plan import Asked, RedriveOutcome

from acceptance.test_letters_told_again import fit, lose_letters, produce_unfit
from acceptance.test_recover import recover
from acceptance.test_rollback import roll_back, settle
from acceptance.test_rollback_edges import letters_of, on_the_way
from acceptance.test_upkeep import Killed
from acceptance.world import World, open_with


def redrive(runtime: Runtime, asked: Asked | None = None) -> list[RedriveOutcome]:
    asked = asked or Asked()
    return runtime.redrive(asked, "somebody", "columns mended", runtime.redrives.plan(asked).shown)


def made(outcomes: list[RedriveOutcome]) -> int:
    return sum(o.rows for o in outcomes)


def mended(world: World, letters: int = 2) -> None:
    """Dead letters of a table that has the column they lacked by now, and one that never fits."""
    for _ in range(letters):
        produce_unfit(world, 3)
        world.run()
    world.produce(1, bad=[b"no json"])
    world.run()
    fit(world)


def proven(world: World, redriven: int, dead: int) -> None:
    """Rows of all good ids; letters of *redriven* that are rows, too, and of *dead*; and the audit agrees."""
    rows, letters = world.rows(), world.rows(letters_of(world))
    assert sorted(r[2] for r in rows) == list(range(world.next_id))
    assert len({(p, o) for p, o, _ in rows}) == len(rows)
    both = {(p, o) for p, o, _ in rows} & {(p, o) for p, o, _ in letters}
    assert (len(both), len(letters)) == (redriven, redriven + dead)
    with closing(world.runtime()) as runtime:
        found = runtime.audit()
    assert found.complete, found
    (table,) = found.tables
    assert sum(s.redriven for s in table.sources) == redriven
    assert sum(s.totals.dead for s in table.sources) == dead


def test_letters_that_fit_by_now_become_rows_once(near: World) -> None:
    mended(near)
    with closing(near.runtime()) as runtime:
        planned = runtime.redrives.plan(Asked())
        assert (planned.tables[0].letters, planned.tables[0].tried, planned.tables[0].fits) == (3, 3, 2)
        assert sum(planned.tables[0].unfit.values()) == 1
        (done,) = redrive(runtime)
        assert (done.letters, done.rows) == (3, 2)
        assert list(done.unfit) == ["not a JSON object: begins with 'no json'"]
        proven(near, redriven=2, dead=1)
        (again,) = redrive(runtime)
        assert (again.letters, again.rows) == (1, 0)
        near.produce(5)
        near.cycle(runtime)
    proven(near, redriven=2, dead=1)
