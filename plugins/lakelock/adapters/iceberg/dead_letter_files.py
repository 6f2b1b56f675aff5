"""Dead letters in a dead-letter table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pyiceberg import expressions

from lakelock.adapters.iceberg.errors import Border
from lakelock.adapters.iceberg.handle import Handle
from lakelock.errors import State, TableUnfit
from lakelock.model.offset_arrays import within
from lakelock.model.offsets import OffsetRange, united


def dead_letter_offsets(
    handle: Handle, border: Border, snapshot_id: int | None, target: str, ranges: Sequence[OffsetRange]
) -> frozenset[tuple[str, int, int]]:
    """(topic, partition, offset) of *target*'s dead letters in *ranges*."""
    # PyIceberg's predicates are pydantic models whose types hide the constructors that take a column's name.
    e: Any = expressions
    found: set[tuple[str, int, int]] = set()
    with border.crossing(f"{handle.name}: reading dead letters"):
        # One scan per source: a scan or a filter term per range would multiply the time by the number of ranges.
        for source, pieces in groupby(united(ranges), key=lambda r: r.source):
            of_source = list(pieces)
            wanted = e.And(
                e.EqualTo("target_table", target),
                # An earlier topic of this name had another id.
                e.EqualTo("topic_id", source.topic_id),
                e.EqualTo("topic", source.topic),
                e.EqualTo("partition", source.partition),
                e.GreaterThanOrEqual("offset", of_source[0].start),
                e.LessThan("offset", of_source[-1].end),
            )
            try:
                rows = handle.table.scan(wanted, ("offset",), snapshot_id=snapshot_id).to_arrow()
            except FileNotFoundError as fault:
                raise TableUnfit(
                    f"{handle.name}: a data file of snapshot {snapshot_id} is gone, and dead letters with it: "
                    f"{border.reason(fault)}.",
                    State.NOTHING_CHANGED,
                    "Restore the file. If it cannot be restored, set the table's branch back to a snapshot before it, then run "
                    "`bin/lakelock recover FILE --mode skip`.",
                ) from None
            offsets = rows.column("offset").to_numpy()
            found |= {(source.topic, source.partition, o) for o in offsets[within(offsets, of_source)].tolist()}
    return frozenset(found)
