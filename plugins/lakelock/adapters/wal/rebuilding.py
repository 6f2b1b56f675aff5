"""Rebuilding a pipeline's part of the log from what its tables say of themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.following import plan_again
from lakelock.adapters.wal.marking import keep_ledger
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.core.batch import LIVE
from lakelock.core.follow import Redo
from lakelock.core.offsets import Source
from lakelock.core.recover import Rebuilt, Stand, rebuilt


def give_up(connection: Connection, pipeline: str, who: str) -> None:
    """Aborts all parts there are and ends all attempts; plan and claim are refused from here until `rebuild`."""
    sql, key = queries("rebuild"), {"pipeline": pipeline}
    connection.execute(sql["begin"], key | {"who": who})
    # In the order in which planners, stages and marks take them.
    connection.execute(sql["lock_batches"], key)
    connection.execute(sql["lock_streams"], key)
    reason = "the log was rebuilt from the tables"
    for row in connection.execute(sql["abort_parts"], key | {"reason": reason}).fetchall():
        add_event(
            connection,
            row["batch_no"],
            "aborted",
            table=row["table_name"],
            target=row["target"],
            attempt=row["attempt"],
            detail=reason,
        )
    for name in ("abort_ranges", "end_attempts", "leave_batches"):
        connection.execute(sql[name], key)


def rebuild(connection: Connection, pipeline: str, stands: Sequence[Stand], redo: Redo) -> Rebuilt:
    """Gives up what there is, sets frontiers, tables and starts from *stands*, and plans what tables lack."""
    sql, key = queries("rebuild"), {"pipeline": pipeline, "lane": LIVE}
    give_up(connection, pipeline, "")
    connection.execute(sql["finish"], key)
    connection.execute(sql["frontiers_back"], key)
    decided = rebuilt(stands, redo.takes)
    streams = decided.streams
    connection.execute(
        sql["set_streams"],
        key
        | _columns([s.source for s in streams])
        | {"start_offsets": [s.start_offset for s in streams], "next_offsets": [s.next_offset for s in streams]},
    )
    for stand in stands:
        table = key | {"table": stand.table, "uuid": stand.uuid}
        connection.execute(sql["set_table"], table | {"topics": sorted({s.topic for s in stand.starts})})
        starts = {"start_offsets": list(stand.starts.values())}
        connection.execute(sql["set_table_starts"], table | _columns(list(stand.starts)) | starts)
        keep_ledger(connection, pipeline, stand.table, stand.ledger)
    for name, ranges in decided.redo.items():
        plan_again(connection, pipeline, name, ranges, redo)
    return decided


def _columns(sources: Sequence[Source]) -> dict[str, Any]:
    return {
        "topics": [s.topic for s in sources],
        "topic_ids": [s.topic_id for s in sources],
        "partitions": [s.partition for s in sources],
    }
