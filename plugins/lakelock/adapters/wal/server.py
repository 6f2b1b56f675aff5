"""A Postgres server for the write-ahead log: connecting, refusing unsuitable servers, translating errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row

from lakelock.adapters.wal.queries import queries
from lakelock.errors import AccessDenied, ConnectionFault, LakelockError, State, Unreachable, WalUnusable
from lakelock.model.units import one_line

Connection = psycopg.Connection[dict[str, Any]]

# libpq reports a refused login without an SQLSTATE; these are its words and the server's.
_LOGIN_REFUSED = ("authentication failed", "no password supplied", "no pg_hba.conf entry", "is not permitted to log in")
_NO_ROLE = ('role "', "does not exist")
_NO_DATABASE = ('database "', "does not exist")


_PRIMARY = "Point the connection at the primary (target_session_attrs=read-write chooses it among several hosts)."


class Server:
    """Connection settings of one server and database. `name` is host:port/database, for messages."""

    def __init__(
        self,
        dsn: str,
        *,
        application_name: str = "lakelock",
        connect_timeout_s: int = 10,
        lock_timeout_ms: int = 10_000,
        statement_timeout_ms: int = 60_000,
        idle_timeout_ms: int = 60_000,
    ) -> None:
        try:
            parsed = {key: str(value) for key, value in conninfo_to_dict(dsn).items() if value is not None}
        except psycopg.ProgrammingError:
            # The parser's message quotes the text, including the password.
            raise ConnectionFault(
                "the connection of the write-ahead log is not a Postgres address.",
                do="Give postgresql://user@host:port/database or key=value pairs.",
            ) from None
        host = parsed.get("host") or parsed.get("hostaddr") or "local socket"
        self.name = f"{host}:{parsed.get('port', '5432')}/{parsed.get('dbname', parsed.get('user', ''))}"
        self._user = parsed.get("user", "")
        defaults = {
            "connect_timeout": str(connect_timeout_s),
            # A server that vanishes silently is noticed within about 20 s.
            "keepalives_idle": "10",
            "keepalives_interval": "3",
            "keepalives_count": "3",
            "tcp_user_timeout": "20000",
            "application_name": application_name,
        }
        self._settings = defaults | parsed
        self._session = {
            "lock_timeout_ms": str(lock_timeout_ms),
            "statement_timeout_ms": str(statement_timeout_ms),
            "idle_timeout_ms": str(idle_timeout_ms),
        }

    def __repr__(self) -> str:
        return f"Server({self.name})"

    def connect(self) -> Connection:
        """A new connection in autocommit mode, with time-outs set; refuses replicas and read-only servers."""
        connection = psycopg.connect(
            autocommit=True,
            prepare_threshold=None,
            row_factory=dict_row,
            **self._settings,  # type: ignore[arg-type]
        )
        try:
            sql = queries("session")
            connection.execute(sql["settings"], self._session)
            standing = connection.execute(sql["standing"]).fetchone() or {}
            if standing["in_recovery"] or standing["read_only"]:
                what = "is a replica" if standing["in_recovery"] else "is read-only"
                raise WalUnusable(
                    f"{self.name} {what}: the write-ahead log needs the primary.",
                    State.NOTHING_CHANGED,
                    _PRIMARY,
                )
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def translated(self, doing: str) -> Iterator[None]:
        """Translate psycopg's errors into lakelock's; *doing* names the work in the message."""
        try:
            yield
        except psycopg.Error as fault:
            raise self.translate(fault, doing) from fault

    def translate(self, fault: psycopg.Error, doing: str) -> LakelockError:
        said = one_line(fault)
        if isinstance(fault, pg.InsufficientPrivilege):
            return AccessDenied(
                f"{self.name}: user {self._user!r} lacks a right that {doing} needs: {said}.",
                State.NOTHING_CHANGED,
                "Grant the right to that user, or let the schema's owner run `bin/lakelock migrate`.",
            )
        if isinstance(fault, pg.ReadOnlySqlTransaction):
            return WalUnusable(
                f"{self.name} is read-only, so it refused {doing} ({said}).",
                State.NOTHING_CHANGED,
                _PRIMARY,
            )
        if isinstance(fault, (pg.LockNotAvailable, pg.QueryCanceled, pg.DeadlockDetected, pg.SerializationFailure)):
            return Unreachable(
                f"{self.name}: {doing} waited too long for other sessions ({said}).",
                State.NOTHING_CHANGED,
                "The next run tries again. If this happens again, look for a session that holds locks "
                "(pg_stat_activity, lakelock.open_work).",
            )
        if isinstance(fault, psycopg.OperationalError) or fault.sqlstate is None:
            return self._no_answer(said, doing)
        return WalUnusable(
            f"{self.name}: Postgres refused {doing} and rolled the transaction back: {said} (SQLSTATE "
            f"{fault.sqlstate}).",
            State.NOTHING_CHANGED,
        )

    def _no_answer(self, said: str, doing: str) -> LakelockError:
        if any(words in said for words in _LOGIN_REFUSED) or all(words in said for words in _NO_ROLE):
            return AccessDenied(
                f"{self.name}: Postgres refused user {self._user!r}: {said}.",
                State.NOTHING_CHANGED,
                "Correct the login and the password of the connection.",
            )
        if all(words in said for words in _NO_DATABASE):
            return WalUnusable(
                f"{self.name}: {said}.", State.NOTHING_CHANGED, "Create the database, then run `bin/lakelock migrate`."
            )
        return Unreachable(
            f"{self.name}: Postgres did not answer {doing} ({said}).",
            State.DONE_KEPT,
            "The next run continues. Check that Postgres runs and that this machine can reach it.",
        )
