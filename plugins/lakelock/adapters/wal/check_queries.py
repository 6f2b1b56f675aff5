"""A pipeline's history in the log, for checks of its file before it runs. Reads one snapshot."""

from __future__ import annotations

from typing import Any

from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.row_reading import read_ledgers, read_newest_config, read_streams
from lakelock.adapters.wal.server import Connection, Server
from lakelock.adapters.wal.session import Session
from lakelock.model.batches import LIVE
from lakelock.model.past import PastLoad, PastPipeline

# The newest batches, taken as typical of the next ones.
NEWEST = 100
PATIENCE_S = 1.0


def read_past(dsn: str, pipeline: str) -> tuple[PastPipeline, PastLoad]:
    """Read on a connection of its own."""
    session = Session(Server(dsn, application_name="lakelock check"), PATIENCE_S)
    try:
        return session.run("reading the past", lambda c: (_known(c, pipeline), _seen(c, pipeline)), snapshot=True)
    finally:
        session.close()


def _known(connection: Connection, pipeline: str) -> PastPipeline:
    def rows(name: str) -> list[dict[str, Any]]:
        return connection.execute(queries("past")[name], {"pipeline": pipeline}).fetchall()

    tables = rows("tables")
    return PastPipeline(
        before=read_newest_config(connection, pipeline),
        streams=read_streams(connection, pipeline, LIVE),
        topics={t["table_name"]: tuple(t["topics"]) for t in tables if not t["is_dead_letter_table"]},
        made=frozenset(t["table_name"] for t in tables if t["is_made"]),
        dead_letters=frozenset(t["table_name"] for t in tables if t["is_dead_letter_table"]),
        open_parts={r["table_name"]: (r["planned"], r["staged"]) for r in rows("open_parts")},
        coverage={table: ledger.coverage for table, ledger in read_ledgers(connection, pipeline).items()},
    )


def _seen(connection: Connection, pipeline: str) -> PastLoad:
    row = connection.execute(queries("past")["seen"], {"pipeline": pipeline, "limit": NEWEST}).fetchone()
    if row is None or row["files"] is None:
        return PastLoad()
    return PastLoad(row["batches"], row["files"], row["write_s"] or 0.0, row["routed"] or 0.0)
