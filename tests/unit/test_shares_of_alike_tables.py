"""Tables that are alike are decoded at once, and no table keeps the rows of others for longer than they stay."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.detached import SentRecords
from lakelock.ports import WriteOrder
from lakelock.records.values import Values
from lakelock.workers.slice_events import BlockRead
from lakelock.workers.slice_reading import events_of_shares
from lakelock.workers.slice_shares import TableShares

COLUMNS = columns({"id": "long"})
RECORDS = 1_000


@pytest.mark.parametrize("end_soon", [True, False])
def test_rows_that_may_stay_for_longer_than_those_of_other_tables_are_copied(end_soon: bool) -> None:
    tables = [target(Path("/t"), name, COLUMNS, ["t"], is_routed=True) for name in ("a", "b")]
    order = WriteOrder("p", "batch", "attempt", (), tuple(tables), target(Path("/t"), "dead", COLUMNS, ["t"]), kafka={})
    values = Values.from_list([json.dumps({"id": n}).encode() for n in range(RECORDS)])
    zeros, at = np.zeros(RECORDS, np.int32), np.arange(RECORDS)
    block = Block("t", SentRecords(None, values, None), values, zeros, at, at)
    shares = TableShares(block, [("ns.a", 0, 10), ("ns.b", 10, RECORDS)], {}, end_soon)
    events = events_of_shares(order, iter([shares]), ())
    of_a, of_b = (event.tables[0].decoded.table for event in events if isinstance(event, BlockRead))
    assert of_a.column("id").to_pylist() == list(range(10))
    assert of_b.column("id").to_pylist() == list(range(10, RECORDS))
    (chunk,) = of_a.column("id").chunks
    assert (chunk.get_total_buffer_size() < RECORDS) is not end_soon
