"""Shorten a planned batch to the part that was read."""

from __future__ import annotations

from collections.abc import Mapping

from lakelock.adapters.wal.attempts import NOTHING_LEFT, lock_batch
from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.errors import Fenced, State
from lakelock.model.batches import LIVE
from lakelock.model.offsets import Source


def end_earlier(connection: Connection, batch_id: str, attempt: str, ends: Mapping[Source, int]) -> bool:
    """See the port. Locks the batch and then its streams, the order that all transactions use."""
    batch = lock_batch(connection, batch_id)
    if batch["attempt"] != attempt:
        raise Fenced(
            f"batch {batch_id}: attempt {batch['attempt']} works on it now, not {attempt}.",
            State.NOTHING_CHANGED,
            NOTHING_LEFT,
        )
    sql, key = queries("stage"), {"batch_no": batch["batch_no"]}
    parts = connection.execute(sql["parts_of_batch"], key).fetchall()
    if batch["lane"] != LIVE or batch["closing"] is not None or any(p["state"] != "planned" for p in parts):
        return False
    if not batch["is_closed"] and batch["without_survey"]:
        # A recovery planned it: tables may have records behind the new end, which a new batch would route by other rules.
        return False
    ranges = {
        Source(r["topic"], r["topic_id"], r["partition"]): r for r in connection.execute(sql["ranges_to_end"], key)
    }
    if all(source in ranges and ranges[source]["end_offset"] == end for source, end in ends.items()):
        # A retry after the answer to COMMIT was lost; others may have planned later offsets since.
        return True
    for source, end in ends.items():
        r = ranges.get(source)
        if r is None or r["next_offset"] != r["end_offset"] or not r["start_offset"] < end < r["end_offset"]:
            return False
    changed = [
        {"range_id": ranges[s]["range_id"], "stream_id": ranges[s]["stream_id"], "end": e} for s, e in ends.items()
    ]
    with connection.cursor() as cursor:
        cursor.executemany(sql["end_range"], changed)
        cursor.executemany(sql["move_frontier_back"], changed)
    given_back = sum(ranges[source]["end_offset"] - end for source, end in ends.items())
    add_event(connection, batch["batch_no"], "ended earlier", attempt=attempt, detail=f"{given_back} offsets")
    return True
