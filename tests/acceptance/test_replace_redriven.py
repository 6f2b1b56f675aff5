"""Rows that dead letters became, and rows that are read again, beside each other: each offset is one row, whichever comes first."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from kits.redrives import fit, fixed, made, produce_unfit, proven, redrive
from kits.replaces import read_again
from kits.rollbacks import on_the_way, roll_back, settle
from kits.world import World
from lakelock.app.redrive import Redrive
from lakelock.errors import RedriveRefused, ReplaceUnfinished
from lakelock.model.ledger import Mode
from lakelock.redrive.redrive_preview import RedriveRequest
from pyiceberg.table import DataScan, Table

pytestmark = pytest.mark.drawn(0.15)


def test_redriven_rows_are_read_again_with_the_others(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        redrive(runtime)
        rows = near.rows()
        (done,) = read_again(runtime)
        assert (done.rows, near.rows()) == (len(rows), rows)
        proven(near, redriven=2, dead=1)
        # To before both: the letters are open again, and the rows are those of before.
        roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
        settle(near, runtime)
        assert len(near.rows()) == len(rows) - 2
        assert runtime.audit().complete
        assert made(redrive(runtime)) == 2
    proven(near, redriven=2, dead=1)


def test_a_replace_that_is_overtaken_by_a_redrive_lands_nothing(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as slow, closing(near.runtime()) as fast:
        on_the_way(slow, slow.tables, lambda: redrive(fast))
        with pytest.raises(ReplaceUnfinished, match="some of its dead letters have become rows since"):
            read_again(slow)
        proven(near, redriven=2, dead=1)
        (done,) = read_again(slow)
        assert done.rows == len(near.rows())
    proven(near, redriven=2, dead=1)


def test_a_redrive_that_is_overtaken_by_a_replace_lands_nothing(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as slow, closing(near.runtime()) as fast:
        shown = slow.redrives.preview(RedriveRequest()).shown
        on_the_way(slow, slow.tables, lambda: read_again(fast))
        with pytest.raises(RedriveRefused, match="tester has replaced some of these records since"):
            slow.run(Redrive(RedriveRequest(), "somebody", "late", shown))
        assert slow.audit().complete
        assert made(redrive(slow)) == 2
    proven(near, redriven=2, dead=1)


def test_dead_letters_are_read_once_a_partition_however_many_pieces_were_redriven(
    near: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(12):
        produce_unfit(near, 3)
    near.run()
    fit(near)
    with closing(near.runtime()) as runtime:
        assert made(redrive(runtime)) == 12
        plain, scans = Table.scan, list[object]()

        def scan(*args: Any, **more: Any) -> DataScan:
            scans.append(args)
            return plain(*args, **more)

        monkeypatch.setattr(Table, "scan", scan)
        (done,) = read_again(runtime)
        monkeypatch.undo()
        assert len(scans) <= 2
    assert done.rows == near.next_id
    proven(near, redriven=12, dead=0)
