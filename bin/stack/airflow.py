"""Airflow as processes: api-server, scheduler, dag-processor, and for its home page a triggerer."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psycopg

from stack.ports import free_port
from stack.process import Server, StackError, too_slow, wait_until
from stack.settings import AIRFLOW_SETTINGS, REPOSITORY

USER, PASSWORD = "admin", "admin"
READY_S = 120.0


class Airflow:
    """One installation in *home*; its metadata database outlives a restart."""

    def __init__(
        self,
        home: Path,
        database: str,
        connections: Mapping[str, str],
        *,
        pipelines: Path | None = None,
        port: int | None = None,
        log_server_port: int | None = None,
        **settings: str,
    ) -> None:
        self.home = home
        self.port = port or free_port()
        self._database = database
        self._env = self._environment(database, pipelines, log_server_port or free_port(), connections) | settings
        self.api_server = Server("Airflow api-server", home / "api-server.log")
        self.scheduler = Server("Airflow scheduler", home / "scheduler.log")
        self.dag_processor = Server("Airflow dag-processor", home / "dag-processor.log")
        # Nothing here defers; Airflow's home page shows a missing triggerer in red.
        self.triggerer = Server("Airflow triggerer", home / "triggerer.log")
        self._token = ""
        self._migration: subprocess.Popen[bytes] | None = None

    @property
    def _needed(self) -> tuple[Server, ...]:
        return self.api_server, self.scheduler, self.dag_processor

    @property
    def alive(self) -> bool:
        return all(server.alive for server in self._needed)

    @property
    def servers(self) -> dict[Server, Callable[[], None]]:
        """Each server with the call that starts it again."""
        return {
            self.api_server: self.start_api_server,
            self.scheduler: self.start_scheduler,
            self.dag_processor: self.start_dag_processor,
            self.triggerer: self.start_triggerer,
        }

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        return dict(self._env)

    def migrate(self) -> None:
        """Migrate the metadata database; needs only Postgres, so it can run while other servers start."""
        self.home.mkdir(parents=True, exist_ok=True)
        passwords = self.home / "simple_auth_manager_passwords.json.generated"
        if not passwords.exists():
            passwords.write_text(json.dumps({USER: PASSWORD}))
        log = self.home / "migrate.log"
        with log.open("w") as out:
            self._migration = subprocess.Popen(
                [sys.executable, "-m", "airflow", "db", "migrate"], env=self._env, cwd=self.home, stdout=out, stderr=out
            )
        if self._migration.wait():
            last = (log.read_text().strip() or "no output").splitlines()[-1]
            raise StackError(f"Airflow's database could not be migrated: {last} (log: {log})")

    def start(self) -> None:
        self.migrate()
        self.start_migrated()

    def start_over(self) -> None:
        """Start all parts again with a new metadata database, because the old one was lost while they ran."""
        self.kill()
        self.migrate()
        self.start_api_server()
        self.start_dag_processor()
        self.wait_for_execution_api()
        self.start_scheduler()
        self.start_triggerer()

    def start_migrated(self) -> None:
        self.start_dag_processor()
        self.start_scheduler()
        self.start_api_server()
        self.wait_until_healthy()

    def start_api_server(self) -> None:
        self._launch(self.api_server, "api-server", "--port", str(self.port), "--host", "127.0.0.1", "--workers", "1")

    def wait_until_healthy(self, *more: str) -> None:
        """Wait for what runs need, and for *more* parts that Airflow's home page shows."""

        def healthy() -> bool:
            for server in self._needed:
                server.require_alive()
            return self.healthy(*more)

        wait_until(healthy, READY_S, too_slow("Airflow", READY_S, self.home), every_s=0.2)
        self.wait_for_execution_api()

    def wait_for_execution_api(self) -> None:
        """Wait until the execution API answers: its first request builds it for seconds, which would fail a task."""

        def answers() -> bool:
            self.api_server.require_alive()
            return self.answers("/execution/health")

        wait_until(answers, READY_S, too_slow("Airflow's execution API", READY_S, self.home))

    def answers(self, path: str = "/api/v2/version") -> bool:
        """Whether the api-server answers, on a path that needs no login."""
        try:
            self._get(f"{self.url}{path}")
        except OSError:
            return False
        return True

    def start_scheduler(self) -> None:
        self._launch(self.scheduler, "scheduler")

    def start_dag_processor(self) -> None:
        self._launch(self.dag_processor, "dag-processor")

    def start_triggerer(self) -> None:
        # Without its log server, which would take a fixed port.
        self._launch(self.triggerer, "triggerer", "--skip-serve-logs")

    def reparse(self, *names: str) -> None:
        """Have Airflow read these files of the DAG folder now, or all of them, as after a click on *Reparse Dag*.

        Raises StackError if the request fails.
        """
        files = names or [file.name for file in (REPOSITORY / "dags").glob("*.py")]
        try:
            with psycopg.connect(self._database, connect_timeout=5) as connection:
                connection.cursor().executemany(
                    "INSERT INTO dag_priority_parsing_request VALUES (md5(%(file)s), 'dags-folder', %(file)s)"
                    " ON CONFLICT DO NOTHING",
                    [{"file": file} for file in files],
                )
        except psycopg.Error as fault:
            raise StackError(f"Airflow could not be asked to read its DAG files again: {fault}") from fault

    def stop(self, timeout_s: float = 8) -> None:
        """Stop at once: the scheduler would wait for its tasks, and a window takes minutes.

        Interrupted tasks are made up for later.
        """
        until = time.monotonic() + timeout_s
        if self._migration is not None:
            self._migration.kill()
        for server in self.servers:
            server.is_to_end()
        for server in self.servers:
            server.send(signal.SIGTERM)
        for server in self.servers:
            server.stop(timeout_s=max(0.0, until - time.monotonic()))

    def kill(self) -> None:
        for server in self.servers:
            server.kill()

    def healthy(self, *more: str) -> bool:
        try:
            health = json.loads(self._get(f"{self.url}/api/v2/monitor/health"))
        except (OSError, ValueError):
            return False
        parts = ("metadatabase", "scheduler", "dag_processor", *more)
        return all(health[part]["status"] == "healthy" for part in parts)

    def api(self, method: str, path: str, body: object = None, timeout_s: float = 30) -> Any:
        """Call `/api/v2<path>` as the admin user; raises urllib's HTTPError with the response's text."""
        if not self._token:
            login = json.dumps({"username": USER, "password": PASSWORD}).encode()
            answer = self._call("POST", f"{self.url}/auth/token", login, {})
            self._token = json.loads(answer)["access_token"]
        data = None if body is None else json.dumps(body).encode()
        token = {"Authorization": f"Bearer {self._token}"}
        answer = self._call(method, f"{self.url}/api/v2{path}", data, token, timeout_s)
        return json.loads(answer) if answer else None

    def _launch(self, server: Server, command: str, *arguments: str) -> None:
        server.launch(
            [sys.executable, "-m", "airflow", command, *arguments],
            env=self._env,
            ready=lambda: True,
            timeout_s=30,
            cwd=self.home,
        )

    @staticmethod
    def _get(url: str) -> bytes:
        with urllib.request.urlopen(url, timeout=10) as answer:
            body: bytes = answer.read()
            return body

    @staticmethod
    def _call(method: str, url: str, data: bytes | None, headers: Mapping[str, str], timeout_s: float = 30) -> bytes:
        request = urllib.request.Request(
            url, data=data, method=method, headers={"Content-Type": "application/json", **headers}
        )
        try:
            with urllib.request.urlopen(request, timeout=timeout_s) as answer:
                body: bytes = answer.read()
                return body
        except urllib.error.HTTPError as fault:
            fault.add_note(fault.read().decode(errors="replace")[:600])
            raise

    def _environment(
        self, database: str, pipelines: Path | None, log_server_port: int, connections: Mapping[str, str]
    ) -> dict[str, str]:
        keep = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE" and not k.startswith("AIRFLOW")}
        address = database.removeprefix("postgresql://")
        self.home.mkdir(parents=True, exist_ok=True)
        secret_file = self.home / "secret"
        if not secret_file.exists():
            secret_file.write_text(secrets.token_urlsafe(32))
        secret = secret_file.read_text()
        return {
            **keep,
            **AIRFLOW_SETTINGS,
            **connections,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), keep.get("PATH", "")]),
            "PYTHONPATH": str(REPOSITORY / "plugins"),
            "AIRFLOW_HOME": str(self.home),
            "AIRFLOW__CORE__DAGS_FOLDER": str(REPOSITORY / "dags"),
            "AIRFLOW__CORE__PLUGINS_FOLDER": str(REPOSITORY / "plugins"),
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{self.url}/execution/",
            "AIRFLOW__CORE__FERNET_KEY": "",
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"postgresql+psycopg://{address}",
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN_ASYNC": f"postgresql+psycopg_async://{address}",
            "AIRFLOW__API__BASE_URL": self.url,
            "AIRFLOW__API__SECRET_KEY": secret,
            "AIRFLOW__API_AUTH__JWT_SECRET": secret,
            "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(self.home / "logs"),
            "AIRFLOW__LOGGING__WORKER_LOG_SERVER_PORT": str(log_server_port),
            "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "false",
            **({"LAKELOCK_PIPELINES": str(pipelines)} if pipelines else {}),
        }
