"""What comes before and beside rollbacks in a world in memory."""

from __future__ import annotations

from lakelock.app.runtime import Runtime
from lakelock.model.ledger import Mode
from lakelock.testing import BAD, NEW

from kits.memory_world import MemoryWorld
from kits.redrives import write_all
from kits.rollbacks import roll_back


def landed(world: MemoryWorld, times: int = 3, bad: int = 0) -> None:
    for _ in range(times):
        world.produce(10, [BAD] * bad)
        world.run()


def fit(world: MemoryWorld, fits: bool = True) -> None:
    """The table gets the column that NEW records need, or loses it."""
    world.catalog.change_columns(world.table, int(fits))


def lose_letters(world: MemoryWorld, runtime: Runtime, to: str = "last:1") -> None:
    """The dead-letter table goes back, and what it had lost its files: it owes them."""
    held = world.files(world.letters)
    roll_back(runtime, world.letters, to, Mode.RECOMMIT)
    world.catalog.deleted |= held - world.files(world.letters)
    runtime.commit([world.letters], now=True)


def rows_staged_beside_a_dead_letter(world: MemoryWorld, runtime: Runtime) -> None:
    """They were read when the dead letter had landed, and the table has its column since."""
    world.produce(4, [NEW])
    world.run()
    roll_back(runtime, world.table, "last:1", Mode.REPLAY)
    fit(world)
    write_all(runtime)
    assert runtime.log.staged(world.pipeline.name, world.table)
