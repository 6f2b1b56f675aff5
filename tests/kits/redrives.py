"""Dead letters that come to fit, and their redrive."""

from __future__ import annotations

import uuid
from contextlib import closing

from lakelock.app.redrive import Redrive
from lakelock.app.runtime import Runtime
from lakelock.redrive.redrive_preview import RedriveOutcome, RedriveRequest
from pyiceberg.types import LongType

from kits.rollbacks import dead_letters_of
from kits.world import World


def redrive(runtime: Runtime, request: RedriveRequest | None = None) -> list[RedriveOutcome]:
    request = request or RedriveRequest()
    return runtime.run(Redrive(request, "somebody", "columns fixed", runtime.redrives.preview(request).shown))


def made(outcomes: list[RedriveOutcome]) -> int:
    return sum(o.rows for o in outcomes)


def fixed(world: World, dead_letters: int = 2) -> None:
    """Dead letters of a table that now has the column they lacked, and one that never fits."""
    for _ in range(dead_letters):
        produce_unfit(world, 3)
        world.run()
    world.produce(1, bad=[b"no json"])
    world.run()
    fit(world)


def proven(world: World, redriven: int, dead: int) -> None:
    """Rows of all good ids; letters of *redriven* that are rows, too, and of *dead*; and the audit agrees."""
    rows, dead_letters = world.rows(), world.rows(dead_letters_of(world))
    assert sorted(r[2] for r in rows) == list(range(world.next_id))
    assert len({(p, o) for p, o, _ in rows}) == len(rows)
    both = {(p, o) for p, o, _ in rows} & {(p, o) for p, o, _ in dead_letters}
    assert (len(both), len(dead_letters)) == (redriven, redriven + dead)
    with closing(world.runtime()) as runtime:
        found = runtime.audit()
    assert found.complete, found
    (table,) = found.tables
    assert sum(s.redriven for s in table.sources) == redriven
    assert sum(s.totals.dead for s in table.sources) == dead


def produce_unfit(world: World, count: int) -> None:
    """Good records, and one behind them that fits once the table has the column that it lacks."""
    world.produce(count, bad=[b'{"id": %d, "unheard_of": 1}' % (world.next_id + count)])
    world.next_id += 1


def fit(world: World, fits: bool = True) -> None:
    with world.catalog.load_table(world.table).update_schema() as columns:
        if fits:
            columns.add_column("unheard_of", LongType())
        else:
            columns.delete_column("unheard_of")


def write_all(runtime: Runtime) -> None:
    while (planned := runtime.plan()).batch_id is not None:
        runtime.write(str(uuid.uuid4()), "r", planned.batch_id)
