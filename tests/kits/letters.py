"""Dead letters without a table in memory, and their redrives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from lakelock.audit.audit_text import audit_text
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveOutcome, RedriveRequest

from kits.memory_world import DEAD_LETTERS, Killed, MemoryRuntime, MemoryWorld
from kits.routed_worlds import offsets, routed_world, send, settle

ALL, REST = "ns.all", "ns.rest"
EACH: dict[str, Any] = {"rules": [{"table": "ns.t{to}"}]}
TO_ALL: dict[str, Any] = {"rules": [{"table": ["ns.t{to}", ALL]}], "otherwise": {"table": REST}}


def world_of_letters() -> MemoryWorld:
    """Table one, and dead letters without a table: of records without a field `to`, and of those with 2."""
    world = routed_world({"rules": [{"when": {"to": "2"}, "table": "dead_letter"}, *EACH["rules"]]})
    send(world, 1, 0, 2, 1, 2)
    settle(world)
    assert offsets(world, DEAD_LETTERS) == [1, 2, 4]
    return world


def edit(world: MemoryWorld, rules: dict[str, Any]) -> None:
    world.settings = {"route": rules}


def redrive(
    runtime: MemoryRuntime, request: RedriveRequest | None = None, shown: ApprovedDeadLetters | None = None
) -> list[RedriveOutcome]:
    request = request or RedriveRequest()
    shown = shown or runtime.redrives.preview(request).shown
    return runtime.redrives.redrive(request, "tester", "test", shown, lambda done: None)


def redriven(world: MemoryWorld, request: RedriveRequest | None = None) -> list[RedriveOutcome]:
    with world.open() as runtime:
        return redrive(runtime, request)


def audited(world: MemoryWorld) -> None:
    with world.open() as runtime:
        found = runtime.audit()
    assert found.complete, audit_text(found)
    assert not any(t.faults for t in found.tables), audit_text(found)
    for name in world.catalog.tables:
        assert len(offsets(world, name)) == len(set(offsets(world, name))), name


@contextmanager
def dying(runtime: MemoryRuntime, table: str, *, after: bool) -> Iterator[None]:
    """Dies before or after its first commit to the table that has rows, or an assignment."""
    real = runtime.tables.commit

    def commit_or_die(state: Any, change: Any) -> Any:
        matters = change.batch_ids or (change.ledger.registry is not None and change.ledger.registry.assigned)
        if state.name != table or not matters:
            return real(state, change)
        if after:
            real(state, change)
        raise Killed

    runtime.tables.commit = commit_or_die
    with pytest.raises(Killed):
        yield
    runtime.tables.commit = real
