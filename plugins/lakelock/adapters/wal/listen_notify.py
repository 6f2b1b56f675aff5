"""Wait for work with LISTEN and NOTIFY, on one channel per pipeline."""

from __future__ import annotations

import hashlib
import threading
import time

import psycopg
from psycopg import sql

from lakelock.adapters.wal.server import Connection, Server


def channel_of(pipeline: str) -> str:
    """A valid identifier of at most 63 bytes for any pipeline name."""
    return "lakelock_" + hashlib.sha256(pipeline.encode()).hexdigest()[:24]


class Listener:
    """A connection for listening only.

    The first wait for a pipeline, and the first after a lost connection, return True at once: notices sent before
    LISTEN are not delivered, so the caller has to look. After that, notices queue up between waits.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._channels: set[str] = set()

    def wait(self, pipeline: str, timeout_s: float) -> bool:
        channel = channel_of(pipeline)
        with self._lock, self._server.translated("waiting for notices"):
            try:
                return self._wait(channel, timeout_s)
            except psycopg.OperationalError:
                self._close()
                return self._wait(channel, timeout_s)

    def _wait(self, channel: str, timeout_s: float) -> bool:
        if self._connection is None:
            self._connection = self._server.connect()
            self._channels = set()
        if channel not in self._channels:
            self._connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self._channels.add(channel)
            return True
        until = time.monotonic() + timeout_s
        while (left := until - time.monotonic()) > 0:
            heard = [n.channel for n in self._connection.notifies(timeout=left, stop_after=1)]
            heard += [n.channel for n in self._connection.notifies(timeout=0)]
            if channel in heard:
                return True
        return False

    def close(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
