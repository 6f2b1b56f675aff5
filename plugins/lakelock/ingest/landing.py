"""Whether a table's files land without partitions, which a compaction makes later."""

from __future__ import annotations

import logging
from dataclasses import replace

from lakelock.config import Table
from lakelock.ports import Tables, TableState

logger = logging.getLogger(__name__)


def as_written(table: Table, state: TableState, tables: Tables) -> TableState:
    """*state* with the layout of the files that a batch writes for it."""
    if table.landing != "unpartitioned" or not state.layout.is_partitioned:
        return state
    layout = tables.landing_layout(state)
    if layout is None:
        logger.warning(
            "table %s: it takes no files without partitions now, so this batch writes to partitions", state.name
        )
        return state
    return replace(state, layout=layout, partitioned=state.layout)
