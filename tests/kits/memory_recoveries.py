"""Logs in memory that are lost or restored."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

from lakelock.recovery.findings import Finding
from lakelock.testing import BAD

from kits.memory_world import MemoryRuntime, MemoryWorld


def landed(world: MemoryWorld, times: int = 3, bad: int = 1) -> None:
    for _ in range(times):
        world.produce(10, [BAD] * bad)
        world.run()


def with_file(world: MemoryWorld, *tables: str | dict[str, Any]) -> closing[MemoryRuntime]:
    """A process under a pipeline file that has these tables from now on."""
    world.tables = [{"name": t} if isinstance(t, str) else t for t in tables]
    return world.open()


def lose_log(world: MemoryWorld) -> None:
    """An empty log of another installation takes the place of the one there is, which processes that run still have."""
    world.log = world.new_log(f"beside {world.log.installation_id()}")


def copied(world: MemoryWorld) -> Callable[[], None]:
    """A copy of the log as it is now; puts it in the log's place when called."""
    state = world.log.backup()

    def restored() -> None:
        world.log = world.new_log()
        world.log.restore(state)

    return restored


def about(name: str, found: list[Finding]) -> list[Finding]:
    return [f for f in found if f.about == name]
