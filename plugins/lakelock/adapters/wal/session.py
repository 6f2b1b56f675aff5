"""One connection that is reopened when lost, with transactions whose outcome is never guessed."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import psycopg
from psycopg import errors as pg

from lakelock.adapters.wal import migrations
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection, Server
from lakelock.errors import AccessDenied, LakelockError, OutcomeUnknown, State, Unreachable, WalUnusable
from lakelock.model.units import counted

logger = logging.getLogger(__name__)

T = TypeVar("T")


class FailedTries:
    """Warnings about one piece of work: for the first failed try, for each with another message, and at the end."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._message = ""
        self._count = 0

    def add(self, message: str) -> None:
        """A try failed with *message*, and another one follows."""
        self._count += 1
        if message != self._message:
            self._warn(f"{message} Trying again." + (f" Failed tries: {self._count}." if self._message else ""))
        self._message = message

    def end(self, how: str) -> None:
        """The last try is over; *how* says what came of it."""
        if self._count:
            self._warn(f"{how} after {counted(self._count, 'failed try', 'failed tries')}")


class Session:
    """Runs transactions one at a time, from any thread.

    Each piece of work given to `run` must be idempotent: if it is repeated after its commit, it finds its own effect
    and changes nothing. A lost connection, even one lost in the middle of COMMIT, is therefore handled by repeating the
    work on a new connection, for up to *patience_s*.
    """

    def __init__(self, server: Server, patience_s: float, turn_s: float = -1) -> None:
        """A thread waits at most *turn_s* for other threads' work (-1: without limit)."""
        self._server = server
        self._turn_s = turn_s
        self._patience_s = patience_s
        self._lock = threading.RLock()
        self._connection: Connection | None = None
        self._was_connected = False

    def read(self, doing: str, work: Callable[[Connection], T]) -> T:
        """Run *work*, one statement that reads and locks nothing: it needs no transaction around it."""
        return self._until_done(doing, lambda connection, sent: work(connection))

    def run(self, doing: str, work: Callable[[Connection], T], *, snapshot: bool = False) -> T:
        """Run *work* in one transaction; *snapshot* makes it a read-only snapshot of one moment.

        Raises Unreachable if nothing was sent, OutcomeUnknown if COMMIT was sent and Postgres cannot be reached.
        """
        begin = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if snapshot else b"BEGIN"

        def transaction(connection: Connection, sent: threading.Event) -> T:
            connection.execute(begin)
            result = work(connection)
            if not snapshot:
                sent.set()
            connection.execute(b"COMMIT")
            return result

        return self._until_done(doing, transaction)

    def _until_done(self, doing: str, attempt: Callable[[Connection, threading.Event], T]) -> T:
        """The result of the first *attempt* that succeeds. It sets the event before it sends a COMMIT that may change the log."""
        give_up_at = time.monotonic() + self._patience_s
        pause_s, in_doubt, failed = 0.05, False, FailedTries(logger.warning)
        with self._turn(doing):
            while True:
                sent = threading.Event()
                try:
                    result = attempt(self._connected(), sent)
                    failed.end(f"{self._server.name}: {doing} succeeded")
                    return result
                except psycopg.Error as fault:
                    lost = self._lost()
                    in_doubt |= sent.is_set() and lost
                    busy = isinstance(fault, (pg.DeadlockDetected, pg.SerializationFailure))
                    again = (lost and self._was_connected) or busy
                    translated = self._server.translate(fault, doing)
                    if not again or isinstance(translated, AccessDenied | WalUnusable) or time.monotonic() > give_up_at:
                        failed.end(f"{self._server.name}: {doing} failed")
                        raise self._verdict(translated, doing, in_doubt) from fault
                    failed.add(str(translated))
                except Unreachable as fault:
                    # It may come from another server that *work* called: the transaction is then still open.
                    self._roll_back()
                    if time.monotonic() > give_up_at or not self._was_connected:
                        failed.end(f"{self._server.name}: {doing} failed")
                        raise self._verdict(fault, doing, in_doubt) from fault
                except BaseException:
                    self._roll_back()
                    raise
                time.sleep(pause_s)
                pause_s = min(1.0, pause_s * 2)

    @contextmanager
    def _turn(self, doing: str) -> Iterator[None]:
        if not self._lock.acquire(timeout=self._turn_s):
            raise Unreachable(f"{doing} waited too long for other threads of this process.", State.NOTHING_CHANGED)
        try:
            yield
        finally:
            self._lock.release()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _verdict(self, fault: LakelockError, doing: str, in_doubt: bool) -> LakelockError:
        if not in_doubt:
            return fault
        return OutcomeUnknown(
            f"{self._server.name}: the connection broke while {doing} was being committed, and Postgres has not "
            "answered since. The transaction was committed completely or not at all.",
            do="The next run reads the outcome and continues. Repeating it is safe.",
        )

    def _connected(self) -> Connection:
        if self._connection is None:
            connection = self._server.connect()
            try:
                refuse_unready(connection, self._server.name)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            self._was_connected = True
        return self._connection

    def _lost(self) -> bool:
        """Whether the connection is gone (or never came up); otherwise the transaction is rolled back."""
        self._roll_back()
        if self._connection is not None and self._connection.closed:
            self._connection = None
        return self._connection is None

    def _roll_back(self) -> None:
        if self._connection is None or self._connection.closed:
            return
        try:
            self._connection.execute(b"ROLLBACK")
        except psycopg.Error:
            self._connection.close()


def refuse_unready(connection: Connection, where: str) -> None:
    """Raise WalUnusable if the schema is absent, older or newer; AccessDenied if permissions are missing."""
    sql = queries("session")
    standing = connection.execute(sql["standing"]).fetchone() or {}
    if not standing["has_schema"]:
        raise WalUnusable(
            f"{where} has no write-ahead log yet (schema lakelock).",
            State.NOTHING_CHANGED,
            "Run `bin/lakelock migrate` once.",
        )
    if not standing["may_use"]:
        raise AccessDenied(
            f"{where}: user {standing['role']!r} lacks USAGE on schema lakelock.",
            State.NOTHING_CHANGED,
            f"Run `GRANT USAGE ON SCHEMA lakelock TO {standing['role']}`.",
        )
    try:
        made = {row["name"]: row["checksum"] for row in connection.execute(sql["migrations_made"])}
    except pg.UndefinedTable:
        made = {}
    migrations.check(made, where)
    lacking = [f"{row['rights']} on lakelock.{row['relation']}" for row in connection.execute(sql["missing_rights"])]
    if lacking:
        raise AccessDenied(
            f"{where}: user {standing['role']!r} lacks {'; '.join(lacking)}.",
            State.NOTHING_CHANGED,
            "Grant these rights, or connect as the schema's owner.",
        )
