"""Logs that are lost, recoveries that bring them back, and acts that come between two steps of one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from typing import Any

from kits.memory_world import MemoryWorld
from kits.world import World


def postgres_of(world: World, dsn: str) -> None:
    """The log's connection goes to another database."""
    before = world.connections["lakelock_postgres"]
    fields: dict[str, Any] = {**asdict(before), "schema": dsn.rpartition("/")[2]}
    world.connections["lakelock_postgres"] = type(before)(**fields)


def recover(world: World | MemoryWorld, **how: Any) -> list[str]:
    with closing(world.runtime()) as runtime:
        found = runtime.recovery("tester", **how).look()
        assert [f.line for f in runtime.recovery("tester", **how).recover()] == [f.line for f in found]
    with closing(world.runtime()) as runtime:
        assert runtime.recovery("tester").look() == [], "once more finds nothing"
    return [f.line for f in found]


def ahead_of(log: Any, call: str, what: Callable[[], object]) -> None:
    """*what* happens just before the next *call* of the log is sent."""
    sent = getattr(log, call)

    def meanwhile(*arguments: Any) -> Any:
        setattr(log, call, sent)
        what()
        return sent(*arguments)

    setattr(log, call, meanwhile)
