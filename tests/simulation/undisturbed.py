"""Worlds in which nothing happens but what a test asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lakelock.errors import TableUnfit

from simulation.actors import Actor
from simulation.processes import Process
from simulation.world import World


def calm_world() -> World:
    world = World(1)
    world.calm, world.fault_in = True, -1
    return world


def done(world: World, what: Callable[[Process], Any]) -> Any:
    """What it gives, or the TableUnfit that it ends with, by a process of its own that nothing strikes."""
    out: list[Any] = []

    def work(actor: Actor) -> None:
        try:
            out.append(what(Process(actor)))
        except TableUnfit as fault:
            out.append(fault)

    world.start("somebody", work)
    world.run([])
    return out[0]
