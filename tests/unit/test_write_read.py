"""The half of a slice that writes what another process reads."""

from __future__ import annotations

import uuid
from pathlib import Path

from kits.columns import columns
from kits.slices import target
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import WriteOrder
from lakelock.records import dead_letters as letters
from lakelock.workers.slice_events import Event, RangesOpened, ReadEnded
from lakelock.workers.write import write_read


def test_a_table_without_files_does_not_affect_others(tmp_path: Path) -> None:
    of = columns({"id": "long", "_p": "int", "_o": "long", "_t": "timestamptz"})
    whole = OffsetRange(Source("a", str(uuid.uuid4()), 0), 0, 1)
    good = target(tmp_path, "t", of, ["a"])
    bad = target(tmp_path, "u", of, ["a"], properties={"write.parquet.compression-codec": "none of them"})
    order = WriteOrder(
        pipeline="p",
        batch_id=str(uuid.uuid4()),
        attempt=str(uuid.uuid4()),
        slices=((whole,),),
        targets=(good, bad),
        dead_letters=target(tmp_path, "dead", letters.COLUMNS, ["a"]),
        kafka={},
    )
    names = [good.table, bad.table]
    events: list[Event] = [
        RangesOpened([whole], names),
        ReadEnded([], 0, {}, {}, dict.fromkeys(names, ()), {name: {} for name in names}),
    ]
    output = write_read(order, 0, ((event, {}) for event in events))
    assert {t.table: t.fault is None for t in output.tables} == {good.table: True, bad.table: False}
