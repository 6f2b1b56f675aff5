"""One table's record that no longer fits, while its dead letters have landed, blocks no other table of its batch."""

from __future__ import annotations

from functools import partial
from typing import Any

from lakelock.errors import TableUnfit
from lakelock.ingest.commit import Committer
from lakelock.testing.kafka import GOOD, NEW, OLD

from simulation import pipelines
from simulation.oracle import tagged
from simulation.pipelines import APART, DEAD_LETTERS, A, B
from simulation.processes import Process
from simulation.undisturbed import calm_world, done
from simulation.world import World


def commit(process: Process, table: str) -> None:
    Committer(process.context, process.pause).commit(table, now=True)


def ingest(world: World, run: str) -> Any:
    batch_id = done(world, lambda p: p.plan().batch_id)
    fault = done(world, lambda p: p.write_run(batch_id, run))
    done(world, lambda p: p.commit(True))
    return fault


def test_a_record_that_fits_one_table_no_more_stops_no_other_table() -> None:
    with pipelines.installed():
        world = calm_world()
        world.pipeline = pipelines.pipeline((), (), DEAD_LETTERS[0], 100, 1000)
        world.kafka.add(APART[0])
        records = world.kafka.records[APART[0]]
        records += [GOOD, OLD, NEW]
        batch_id = done(world, lambda p: p.plan().batch_id)
        done(world, lambda p: p.write_run(batch_id, "first"))
        done(world, partial(commit, table=DEAD_LETTERS[0]))
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
