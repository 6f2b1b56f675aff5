"""Records without a value: dead letters, or filtered and counted, and never both."""

from __future__ import annotations

from contextlib import closing

import pytest
from kits.replaces import read_again
from kits.rollbacks import roll_back, settle
from kits.world import World
from lakelock.check import sample as records_sample
from lakelock.model.coverage import Totals
from lakelock.model.ledger import Mode

pytestmark = pytest.mark.drawn(0.3, about=("workers/sink", "workers/table_rows"))
SKIP = "value: {tombstones: skip}\n"


def totals(world: World) -> Totals:
    """Of all sources, after an audit without a fault."""
    with closing(world.runtime()) as runtime:
        found = runtime.audit()
    assert found.complete, found.faults
    assert [f for t in found.tables for f in t.faults] == []
    (table,) = [t for t in found.tables if t.table == world.table]
    of = [s.totals for s in table.sources]
    return Totals(sum(t.written for t in of), sum(t.dead for t in of), sum(t.filtered for t in of))


def test_tombstones_are_filtered_and_the_books_balance(fresh: World) -> None:
    fresh.settings += SKIP
    fresh.produce(10, bad=[None, b"no json", None])
    with closing(fresh.runtime()) as runtime:
        assert (
            "10 rows in 1 table partition, 1 dead letter, 2 filtered records (missing value: 2)"
            in records_sample.sample(runtime, 100).text
        )
        planned = runtime.plan(None)
        assert planned.batch_id is not None
        written = runtime.write("attempt", "test/attempt", planned.batch_id)
        assert "wrote 10 rows and 1 dead letter" in written.line
        assert "filtered 2 records" in written.line
        fresh.commit(runtime)
    assert totals(fresh) == Totals(written=10, dead=1, filtered=2)
    assert sorted(i for *_, i in fresh.rows()) == list(range(10))


def test_a_range_of_tombstones_alone_is_covered_once(fresh: World) -> None:
    fresh.settings += SKIP
    fresh.produce(10)
    fresh.run()
    fresh.produce(0, bad=[None] * 5)
    fresh.run()
    assert totals(fresh) == Totals(written=10, filtered=5)
    with closing(fresh.runtime()) as runtime:
        assert runtime.plan(None).batch_id is None
        assert [s.lag_offsets for s in runtime.status().sources] == [0, 0]


def test_filtered_tombstones_stay_out_of_a_replace_whatever_the_file_says_now(fresh: World) -> None:
    settings = fresh.settings
    fresh.settings += SKIP
    fresh.produce(10, bad=[None, b"no json", None])
    fresh.run()
    fresh.settings = settings
    with closing(fresh.runtime()) as runtime:
        (done,) = read_again(runtime)
        assert done.rows == 10
    assert totals(fresh) == Totals(written=10, dead=1, filtered=2)


def test_tombstones_that_are_dead_letters_stay_so_when_their_records_are_read_again(fresh: World) -> None:
    fresh.produce(5)
    fresh.run()
    fresh.produce(5, bad=[None, None])
    fresh.run()
    assert totals(fresh) == Totals(written=10, dead=2)
    fresh.settings += SKIP
    with closing(fresh.runtime()) as runtime:
        roll_back(runtime, fresh.table, "last:1", Mode.REPLAY)
        settle(fresh, runtime)
    assert totals(fresh) == Totals(written=10, dead=2)
    fresh.produce(0, bad=[None])
    fresh.run()
    assert totals(fresh) == Totals(written=10, dead=2, filtered=1)
