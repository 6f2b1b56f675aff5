"""Rollbacks and recoveries where several things come together: each record still lands once, or the stop says why."""

from __future__ import annotations

from contextlib import closing

import pytest
from kits.rollbacks import landed, on_the_way, settle
from kits.world import World
from lakelock.errors import WalUnusable


def test_a_rollback_by_hand_behind_a_cut_history_is_left_to_a_person(near: World) -> None:
    landed(near)
    table = near.catalog.load_table(near.table)
    oldest = table.current_snapshot()
    assert oldest is not None
    # A foreign writer appends, and everything before its snapshot expires: its parent is cleared.
    table.append(table.scan().to_arrow().slice(0, 0))
    strange = table.current_snapshot()
    assert strange is not None
    near.produce(5)
    near.run()
    table.refresh()
    table.manage_snapshots().set_current_snapshot(strange.snapshot_id).commit()
    gone = [s.snapshot_id for s in table.metadata.snapshots if s.timestamp_ms < strange.timestamp_ms]
    for snapshot_id in gone:
        table.maintenance.expire_snapshots().by_id(snapshot_id).commit()
    with closing(near.runtime()) as runtime:
        (finding,) = runtime.recovery("tester").recover()
        assert finding.left
        assert "not known" in finding.what
    assert len(near.rows()) == 50


def test_nothing_is_planned_or_claimed_while_the_log_is_rebuilt(near: World) -> None:
    """A process that read the new generation before the log is whole would commit what no other then knows of."""
    landed(near)
    near.produce(5)
    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        planned = zombie.plan()
        assert planned.batch_id is not None
        said = []

        def meanwhile() -> None:
            assert zombie.write("z", "r", planned.batch_id or "").files == 0
            near.produce(5)
            with pytest.raises(WalUnusable, match="started to recover"):
                zombie.plan()
            said.append(True)

        on_the_way(runtime, runtime.tables, meanwhile)
        runtime.recovery("tester", announced=True).recover()
        assert said
        settle(near, runtime)
    near.audit()
