"""Rollbacks as commands do them, and what they meet on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lakelock.app.runtime import Runtime
from lakelock.model.ledger import Mode
from lakelock.rollback.rollback import RollbackPlan

from kits.memory_world import MemoryWorld
from kits.world import World


def landed(world: World, times: int = 3, bad: int = 0) -> None:
    for _ in range(times):
        world.produce(10, bad=[b"{"] * bad)
        world.run()


def roll_back(runtime: Runtime, table: str, to: str, mode: Mode) -> RollbackPlan:
    planned = runtime.rollbacks.preview(table, to, mode)
    print("\n".join(planned.lines))
    assert approved(runtime, planned) is not None
    return planned


def approved(runtime: Runtime, planned: RollbackPlan) -> int | None:
    to = str(planned.to.id)
    return runtime.rollbacks.roll_back(planned.table, to, planned.mode, "tester", "a test", planned.shown)


def settle(world: World | MemoryWorld, runtime: Runtime, runs: int = 3) -> None:
    for _ in range(runs):
        world.cycle(runtime)
        runtime.commit([runtime.pipeline.dead_letter_table], now=True)
    assert not runtime.log.staged(runtime.pipeline.name)
    assert not runtime.log.planned(runtime.pipeline.name)


def dead_letters_of(world: World) -> str:
    return f"{world.table}__dead_letters"


def moving(world: World, second: str, other: str) -> tuple[str, str]:
    """The pipeline file while its table takes two topics, and once the *second* goes to the *other* table."""
    both = f"source: {{topics: [{world.topic}, {second}]}}\n"
    first, further = f"{{name: {world.table}, topics: [{world.topic}]}}", f"{{name: {other}, topics: [{second}]}}"
    return both + f"tables: [{{name: {world.table}}}]\n", both + f"tables:\n  - {first}\n  - {further}\n"


def on_the_way(runtime: Runtime, tables: Any, what: Callable[[], object]) -> None:
    """*what* happens after the next commit through *tables* was decided, and before it is sent."""
    commit = tables.commit

    def meanwhile(*arguments: Any) -> Any:
        tables.commit = commit
        what()
        return commit(*arguments)

    tables.commit = meanwhile
