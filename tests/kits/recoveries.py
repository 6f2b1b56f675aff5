"""Logs that are lost, recoveries that rebuild them, and acts that come between two steps of one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from typing import Any

from lakelock.app.runtime import Runtime

from kits.memory_world import MemoryWorld
from kits.world import World


def postgres_of(world: World, dsn: str) -> None:
    """The log's connection goes to another database."""
    before = world.connections["lakelock_postgres"]
    fields: dict[str, Any] = {**asdict(before), "schema": dsn.rpartition("/")[2]}
    world.connections["lakelock_postgres"] = type(before)(**fields)


def recover(world: World | MemoryWorld, **how: Any) -> list[str]:
    with closing(world.runtime()) as runtime:
        found = runtime.recovery("tester", **how).preview()
        assert [f.line for f in runtime.recovery("tester", **how).recover()] == [f.line for f in found]
    with closing(world.runtime()) as runtime:
        again = [f.line for f in runtime.recovery("tester").preview()]
        assert again == [], "once more finds nothing"
    return [f.line for f in found]


def meanwhile(runtime: Runtime, method: str, act: Callable[[], object], times: int = 1) -> None:
    """*act* happens before the log's *method* does, the first *times*."""
    real, left = getattr(runtime.log, method), [times]

    def late(*arguments: Any) -> Any:
        if left[0]:
            left[0] -= 1
            act()
        return real(*arguments)

    setattr(runtime.log, method, late)
