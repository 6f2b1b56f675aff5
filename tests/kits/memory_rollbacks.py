"""What comes before and beside rollbacks in a world in memory."""

from __future__ import annotations

from lakelock.testing import BAD

from kits.memory_world import MemoryWorld


def landed(world: MemoryWorld, times: int = 3, bad: int = 0) -> None:
    for _ in range(times):
        world.produce(10, [BAD] * bad)
        world.run()


def fit(world: MemoryWorld, fits: bool = True) -> None:
    """The table gets the column that NEW records need, or loses it."""
    world.catalog.change_columns(world.table, int(fits))
