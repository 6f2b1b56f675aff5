"""What a batch knows of a pipeline's routed tables: of thousands it reads all names only if log and registry differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from kits.memory_world import DEAD_LETTERS
from kits.routed_worlds import check, cycle, registry_of, routed_world, send, write
from lakelock.errors import Fenced
from lakelock.ingest.registration import with_those_of_log
from lakelock.testing import MemoryLog


@contextmanager
def counted(server: Any, *methods: str) -> Iterator[list[tuple[str, object]]]:
    """Calls of *methods* with their first argument."""
    calls: list[tuple[str, object]] = []

    def noting(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any, **more: Any) -> Any:
            calls.append((name, values[0]))
            return method(*values, **more)

        return call

    before = {name: getattr(server, name) for name in methods}
    for name, method in before.items():
        setattr(server, name, noting(name, method))
    yield calls
    for name, method in before.items():
        setattr(server, name, method)


def test_an_ordinary_batch_loads_the_dead_letter_table_once_and_does_not_read_all_names() -> None:
    world = routed_world()
    send(world, 1, 2, 3)
    with world.open() as runtime:
        cycle(runtime)
    send(world, 1)
    with world.open() as runtime:
        batch_id = runtime.plan().batch_id
        assert batch_id is not None
        with counted(runtime.tables, "load") as loaded, counted(runtime.log, "routed", "keep_routed") as read:
            runtime.write("attempt", "run", batch_id)
        assert sorted(loaded) == [("load", DEAD_LETTERS), ("load", "ns.t1")]
        assert read == []
        cycle(runtime)
    check(world)


def test_a_dead_letter_table_that_takes_the_place_of_a_lost_one_names_all_tables() -> None:
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        cycle(runtime)
    registered = registry_of(world).tables
    world.dead_letters = "ns.d2"
    del world.catalog.tables[DEAD_LETTERS]
    send(world, 1)
    with world.open() as runtime:
        write(runtime)
        ledger = runtime.tables.load("ns.d2").ledger
    assert ledger is not None
    assert ledger.registry is not None
    assert ledger.registry.tables == registered, "also that which the batch has no records for"


def test_a_log_without_a_registered_name_gets_it() -> None:
    log: Any = MemoryLog("inst", lambda: 0.0)
    log.keep_routed("p", {"ns.a": "ns.a", "ns.only_log": "ns.Only-Log"})
    names = {"ns.a": "ns.a", "ns.b": "ns.B"}
    assert with_those_of_log(log, "p", names) == {**names, "ns.only_log": "ns.Only-Log"}
    assert log.routed("p") == {**names, "ns.only_log": "ns.Only-Log"}


def test_a_log_that_lacks_one_name_and_has_another_in_its_place_gets_nothing_staged() -> None:
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        cycle(runtime)
    world.log.state.tables["ns.t9"] = world.log.state.tables.pop("ns.t2")
    send(world, 2)
    with world.open() as runtime, pytest.raises(Fenced, match="ns.t2 is not recorded as a routed table"):
        write(runtime)
