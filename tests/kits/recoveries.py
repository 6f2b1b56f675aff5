"""A log that is lost, and what brings it back."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from typing import Any

from kits.world import World


def postgres_of(world: World, dsn: str) -> None:
    """The log's connection goes to another database."""
    before = world.connections["lakelock_postgres"]
    fields: dict[str, Any] = {**asdict(before), "schema": dsn.rpartition("/")[2]}
    world.connections["lakelock_postgres"] = type(before)(**fields)


def recover(world: World, **how: Any) -> list[str]:
    with closing(world.runtime()) as runtime:
        found = runtime.recovery("tester", **how).look()
        assert [f.line for f in runtime.recovery("tester", **how).recover()] == [f.line for f in found]
    with closing(world.runtime()) as runtime:
        assert runtime.recovery("tester").look() == [], "once more finds nothing"
    return [f.line for f in found]
