"""Drop the detail of finished batches, so that the log stays small."""

from __future__ import annotations

from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection

# Limits of one call: it holds locks on the batches that it drops, and runs inside a publish task.
MAX_BATCHES = 500
MAX_FILES = 20_000


def coalesce(connection: Connection, pipeline: str, keep_batches: int) -> int:
    """Drop the detail of finished batches, whose totals are in the tables' ledgers; returns how many."""
    sql = queries("fold")
    rows = connection.execute(
        sql["victims"],
        {
            "pipeline": pipeline,
            "keep_batches": keep_batches,
            "max_batches": MAX_BATCHES,
            "max_files": MAX_FILES,
        },
    )
    batch_nos = [row["batch_no"] for row in rows]
    if batch_nos:
        for name in (
            "drop_events",
            "drop_attempts",
            "drop_books",
            "drop_files",
            "drop_parts",
            "drop_ranges",
            "drop_batches",
            "drop_lane_starts",
            "drop_lanes",
        ):
            connection.execute(sql[name], {"batch_nos": batch_nos, "pipeline": pipeline})
        connection.execute(sql["drop_configs"])
    return len(batch_nos)
