"""Remove the rows of an interval from others, column by column."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.table_files import RowsOf


def outside(rows: pa.Table, without: RowsOf) -> pa.Table:
    """Rows of *rows* that are not in *without*; rows without partition or offset are kept."""
    partition, offset = (rows.column(name) for name in without.columns)
    inside = pa.scalar(False)
    for number, start, end in without.numbers:
        within = pc.and_kleene(pc.greater_equal(offset, start), pc.less(offset, end))
        inside = pc.or_kleene(inside, pc.and_kleene(pc.equal(partition, number), within))
    return rows.filter(pc.invert(pc.fill_null(inside, False)))
