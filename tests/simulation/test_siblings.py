"""One table's record that fits no more, while its dead letters have landed, holds up no other table of its batch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lakelock.errors import TableUnfit
from lakelock.steps.commit import Committer

from simulation import pipelines
from simulation.kafka import GOOD, NEW, OLD
from simulation.oracle import tagged
from simulation.pipelines import APART, LETTERS, A, B
from simulation.processes import Process
from simulation.world import World


def done(world: World, what: Callable[[Process], Any]) -> Any:
    """By a process of its own that nothing strikes."""
    out = []

    def work(actor: Any) -> None:
        try:
            out.append(what(Process(actor)))
        except TableUnfit as fault:
            out.append(fault)

    world.start("somebody", work)
    world.run([])
    return out[0]


def commit(process: Process, table: str) -> None:
    Committer(process.follower, process.pause).commit(table, now=True)


def ingest(world: World, run: str) -> Any:
    batch_id = done(world, lambda p: p.plan().batch_id)
    fault = done(world, lambda p: p.write_run(batch_id, run))
    done(world, lambda p: p.commit(True))
    return fault


def test_a_record_that_fits_one_table_no_more_stops_no_other_table() -> None:
    with pipelines.installed():
        world = World(1)
        world.calm, world.fault_in = True, -1
        world.pipeline = pipelines.pipeline((), (), LETTERS[0], 100, 1000)
        world.kafka.add(APART[0])
        records = world.kafka.records[APART[0]]
        records += [GOOD, OLD, NEW]
        batch_id = done(world, lambda p: p.plan().batch_id)
        done(world, lambda p: p.write_run(batch_id, "first"))
        done(world, partial(commit, table=LETTERS[0]))
        for table in (A, B):
            world.catalog.change_columns(table, 1)
            done(world, partial(commit, table=table))
        world.catalog.change_columns(B, 0)
        records.append(GOOD)
        faults = [ingest(world, "second"), ingest(world, "third")]
        assert all(isinstance(fault, TableUnfit) and f"table {A}: " in str(fault) for fault in faults)
        ledger = tagged(world.catalog.get(B))
        assert ledger is not None
        assert ledger.coverage[APART[0]].prefix_end == len(records)
        world.catalog.change_columns(A, 0)
        ingest(world, "fourth")
        ingest(world, "fifth")
        ledger = tagged(world.catalog.get(A))
        assert ledger is not None
        assert ledger.coverage[APART[0]].prefix_end == len(records)
        world.close()
