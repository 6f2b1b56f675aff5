"""Attempts at a batch: claims, heartbeats, releases. All times are by Postgres' clock."""

from __future__ import annotations

from typing import Any

from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.planning import refuse_while_recovering
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.row_reading import read_batches
from lakelock.adapters.wal.server import Connection
from lakelock.errors import BatchBusy, Fenced, State
from lakelock.model.batches import Batch

NOTHING_LEFT = "This attempt has nothing left to do."


def lock_batch(connection: Connection, batch_id: str) -> dict[str, Any]:
    """Lock the batch's row until the transaction ends and return it; raises Fenced if the log does not have it."""
    row = connection.execute(queries("attempt")["lock_batch"], {"batch_id": batch_id}).fetchone()
    if row is None:
        raise Fenced(
            f"batch {batch_id} is not in the write-ahead log: it was finished and removed, or the log was "
            "restored to an earlier moment.",
            State.NOTHING_CHANGED,
            NOTHING_LEFT,
        )
    return row


def claim(connection: Connection, batch_id: str, attempt: str, run: str, stale_after_s: float) -> Batch:
    sql = queries("attempt")
    before = lock_batch(connection, batch_id)
    refuse_while_recovering(connection, before["pipeline"])
    batch_no = before["batch_no"]
    key = {"batch_no": batch_no, "attempt": attempt, "run": run}
    if connection.execute(sql["take_batch"], key | {"stale_after_s": stale_after_s}).fetchone() is None:
        if connection.execute(sql["was_attempt"], key).fetchone() is not None:
            raise Fenced(
                f"batch {batch_id}: attempt {attempt} was replaced by {before['attempt']} of {before['holder_run']}.",
                State.STAGED_KEPT,
                "End this attempt: it can no longer change anything.",
            )
        raise BatchBusy(
            f"batch {batch_id}: attempt {before['attempt']} of {before['holder_run']} works on it, last heartbeat "
            f"{before['silent_s']:.0f} s ago.",
            State.NOTHING_CHANGED,
            f"It can be taken over after {stale_after_s:.0f} s of silence.",
        )
    if before["attempt"] != attempt:
        if before["attempt"] is not None:
            connection.execute(
                sql["end_attempt"],
                key | {"attempt": before["attempt"], "outcome": "fenced", "heartbeat_at": before["heartbeat_at"]},
            )
        connection.execute(sql["begin_attempt"], key)
        add_event(connection, batch_no, "claimed", attempt=attempt, detail=run)
    return read_batches(connection, [batch_no])[0]


def heartbeat(connection: Connection, batch_id: str, attempt: str, progress: str) -> bool:
    key = {"batch_id": batch_id, "attempt": attempt, "progress": progress or None}
    return connection.execute(queries("attempt")["heartbeat"], key).fetchone() is not None


def release(connection: Connection, batch_id: str, attempt: str, outcome: str) -> None:
    """End the attempt; no effect if it does not hold the batch, because nothing waits for it then."""
    batch = lock_batch(connection, batch_id)
    if leave(connection, batch, attempt, outcome):
        add_event(connection, batch["batch_no"], "released", attempt=attempt, detail=outcome)


def leave(connection: Connection, batch: dict[str, Any], attempt: str, outcome: str) -> bool:
    """Release the locked *batch* of this attempt; False if another attempt holds it, or none."""
    sql = queries("attempt")
    key = {"batch_no": batch["batch_no"], "attempt": attempt}
    if connection.execute(sql["leave_batch"], key).fetchone() is None:
        return False
    connection.execute(sql["end_attempt"], key | {"outcome": outcome, "heartbeat_at": batch["heartbeat_at"]})
    return True
