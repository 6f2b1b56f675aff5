"""Pipelines in memory whose records name their tables: what each table must have, and cycles that commit all of them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from lakelock.audit.audit_text import audit_text
from lakelock.ingest.marking import mark
from lakelock.model.batches import LIVE
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import Source
from lakelock.model.registry import Registry
from lakelock.testing import GOOD, NONE
from lakelock.testing.routing import kind_of, routed_record, to_of

from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, Killed, MemoryRuntime, MemoryWorld
from kits.recoveries import recover

ONE, TWO, THREE = "ns.t1", "ns.t2", "ns.t3"
X = Source("x", "id-x", 0)
RULES: dict[str, Any] = {"rules": [{"table": "ns.t{to}"}]}


def routed_world(rules: dict[str, Any] | None = None, **settings: Any) -> MemoryWorld:
    """A pipeline without tables of its own: record number n of a kind goes to ns.t<n>, and one without a number to none."""
    return MemoryWorld(settings={"route": rules or RULES, **settings}, tables=[])


def two_tables() -> MemoryWorld:
    """Two tables with four records, complete and marked."""
    world = routed_world()
    send(world, 1, 2, 1, 2)
    settle(world)
    return world


def offsets(world: MemoryWorld, table: str) -> list[int]:
    """Offsets of the table's rows."""
    return [offset for _, _, offset in world.rows(table)]


def send(world: MemoryWorld, *to: int, kind: int = GOOD, partition: int = 0) -> None:
    source = world.kafka.sources([world.topic])[partition]
    world.kafka.records[source] += [routed_record(kind, n) for n in to]


def write(runtime: MemoryRuntime) -> None:
    """Plan, then write every batch that is not written."""
    runtime.plan()
    for batch in runtime.log.planned(runtime.pipeline.name):
        runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", batch.batch_id)
    runtime.refresh_tables()


def commit(runtime: MemoryRuntime, *left: str) -> None:
    """Commit all tables but for those *left*."""
    log, pipeline = runtime.log, runtime.pipeline.name
    for name in (*log.dead_letter_tables(pipeline), *runtime.routed_tables):
        if name not in left and name in log.staged_tables(pipeline):
            runtime.commit([name], now=True)


def cycle(runtime: MemoryRuntime, *left: str) -> None:
    write(runtime)
    commit(runtime, *left)
    # What is complete is recorded once a minute.
    runtime.world.now_s += 61
    runtime.publish()
    mark(runtime.context, lambda seconds: None)


def settle(world: MemoryWorld, times: int = 30) -> None:
    """Runs until all records are read and nothing is on its way, at most *times*."""
    for _ in range(times):
        with world.open() as runtime:
            cycle(runtime)
            log, name = runtime.log, runtime.pipeline.name
            ends = {s: len(records) for s, records in world.kafka.records.items()}
            if {s.source: s.next_offset for s in log.streams(name, LIVE)} != ends:
                continue
            if not log.planned(name) and not log.staged_tables(name):
                return


def lose_log_after(world: MemoryWorld, *to: int, left: Collection[str] = ()) -> None:
    """Records for the tables *to* are written and committed, but for those of tables *left*; then the log is lost and recovered."""
    send(world, *to)
    with world.open() as runtime:
        write(runtime)
        commit(runtime, *left)
    lose_log(world)
    recover(world, take_over=True)


def before_its(owner: Any, method: str, happens: Callable[[], object]) -> None:
    """*happens* before the next call of a process to *method*."""
    real = getattr(owner, method)

    def late(*of: Any, **named: Any) -> Any:
        setattr(owner, method, real)
        happens()
        return real(*of, **named)

    setattr(owner, method, late)


def ledger_of(world: MemoryWorld, table: str = DEAD_LETTERS) -> Ledger:
    with world.open() as runtime:
        ledger: Ledger | None = runtime.tables.load(table).ledger
    assert ledger is not None
    return ledger


def registry_of(world: MemoryWorld, table: str = DEAD_LETTERS) -> Registry:
    registry = ledger_of(world, table).registry
    assert registry is not None
    return registry


def check(world: MemoryWorld, *, dead: int = 0, but: Collection[str] = (), audited: bool = True) -> None:
    """Each record is once in the table that it names, or one of *dead* letters; tables *but* these."""
    letters = world.rows(world.dead_letters)
    assert len(letters) == len(set(letters)), "a dead letter is there twice"
    wanted: dict[str, list[tuple[str, int, int]]] = {}
    for s, records in sorted(world.kafka.records.items()):
        for offset, record in enumerate(records):
            if kind_of(record) != NONE and to_of(record) and (s.topic, s.partition, offset) not in letters:
                wanted.setdefault(f"ns.t{to_of(record)}", []).append((s.topic, s.partition, offset))
    for name, places in wanted.items():
        if name not in but:
            assert world.rows(name) == places, name
    stored = [place for name in world.catalog.tables if name not in but for place in world.rows(name)]
    assert len(stored) == len(set(stored)), "an offset is there twice"
    assert len(letters) == dead
    if audited:
        with world.open() as runtime:
            found = runtime.audit()
        assert found.complete, audit_text(found)


def tables_of(world: MemoryWorld) -> Sequence[str]:
    return sorted(name for name in world.catalog.tables if name != world.dead_letters)


def retire(world: MemoryWorld, table: str = TWO) -> None:
    with world.open() as runtime:
        runtime.retiring.retire(table, "tester", "test", runtime.retiring.preview(table).shown)


@contextmanager
def dies_at_commit(runtime: MemoryRuntime, table: str) -> Iterator[None]:
    real = runtime.tables.commit

    def commit_or_die(state: Any, change: Any) -> Any:
        if state.name == table:
            raise Killed
        return real(state, change)

    runtime.tables.commit = commit_or_die
    with pytest.raises(Killed):
        yield
    runtime.tables.commit = real
