"""The connections of one log: for its methods, for heartbeats, and for waiting."""

from __future__ import annotations

from typing import Self

from lakelock.adapters.wal.listen_notify import Listener
from lakelock.adapters.wal.server import Server
from lakelock.adapters.wal.session import Session

HEARTBEAT_PATIENCE_S = 5.0


class LogSessions:
    """Connections of one log, opened at first use. Thread-safe.

    Heartbeats and `wait` have connections of their own, so that a heartbeat never waits behind a long transaction, and
    a waiting thread delays no other. All other calls share one connection, one at a time. A lost connection is reopened
    for up to *patience_s*; the first connection must succeed at once. A call waits at most *turn_s* for those of other
    threads (-1: without limit).
    """

    def __init__(
        self,
        dsn: str,
        *,
        application_name: str = "lakelock",
        patience_s: float = 20.0,
        lock_timeout_ms: int = 10_000,
        statement_timeout_ms: int = 60_000,
        turn_s: float = -1,
    ) -> None:
        server = Server(
            dsn,
            application_name=application_name,
            lock_timeout_ms=lock_timeout_ms,
            statement_timeout_ms=statement_timeout_ms,
        )
        self._main = Session(server, patience_s, turn_s)
        self._beats = Session(server, HEARTBEAT_PATIENCE_S)
        self._listener = Listener(server)

    def close(self) -> None:
        self._main.close()
        self._beats.close()
        self._listener.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
