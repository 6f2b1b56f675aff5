"""The log's own history: one small row per state change."""

from __future__ import annotations

from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection


def add_event(
    connection: Connection,
    batch_no: int,
    edge: str,
    *,
    table: str | None = None,
    target: str = "",
    attempt: str | None = None,
    detail: str | None = None,
) -> None:
    connection.execute(
        queries("attempt")["add_event"],
        {"batch_no": batch_no, "edge": edge, "table": table, "target": target, "attempt": attempt, "detail": detail},
    )
