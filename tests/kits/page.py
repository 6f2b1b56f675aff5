"""A log full of pipelines, made by SQL alone so that 10,000 partitions are there in seconds, and an api-server that shows it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg
from lakelock.adapters.wal import migrate
from lakelock.model.coverage import Coverage, Interval, SourceCoverage, Totals
from lakelock.model.coverage_text import encode
from lakelock.model.offsets import Source
from stack.airflow import Airflow
from stack.process import wait_until
from stack.settings import REPOSITORY

STEP = 1_000

_STREAMS = """
INSERT INTO lakelock.streams (pipeline, lane, topic, topic_id, partition, start_offset, next_offset)
SELECT 'p' || p, 'live', 'topic' || p, 'id-of-topic' || p, n - 1, 0, %(end)s
FROM generate_series(1, %(pipelines)s) p, generate_series(1, %(partitions)s) n
"""
_BATCHES = """
INSERT INTO lakelock.batches (batch_id, pipeline, lane, config_digest, planned_at)
SELECT gen_random_uuid(), 'p' || p, 'live', 'digest-of-p' || p, clock_timestamp() - (%(batches)s + 1 - b) * interval '1 minute'
FROM generate_series(1, %(batches)s + 1) b, generate_series(1, %(pipelines)s) p
ORDER BY b, p
"""
_RANGES = """
INSERT INTO lakelock.ranges (batch_no, stream_id, offsets)
SELECT b.batch_no, s.stream_id, int8range((b.n - 1) * %(step)s, b.n * %(step)s)
FROM (SELECT *, row_number() OVER (PARTITION BY pipeline ORDER BY batch_no) AS n FROM lakelock.batches) b
JOIN lakelock.streams s ON s.pipeline = b.pipeline
"""
# The newest batch of each pipeline is staged, all before it are committed.
_PARTS = """
INSERT INTO lakelock.parts (batch_no, pipeline, table_name, topics, state, attempt, table_uuid, generation, layout,
    row_count, file_count, size_bytes, staged_at, finished_at, version_id)
SELECT b.batch_no, b.pipeline, 'lake.' || b.pipeline || '_t' || t, ARRAY['topic' || substr(b.pipeline, 2)],
    CASE WHEN b.n <= %(batches)s THEN 'committed' ELSE 'staged' END, 'a', 'u', 0, 'l',
    %(partitions)s::bigint * %(step)s, 2, %(partitions)s::bigint * %(step)s * 100, b.planned_at,
    CASE WHEN b.n <= %(batches)s THEN b.planned_at + interval '5 s' END, b.batch_no
FROM (SELECT *, row_number() OVER (PARTITION BY pipeline ORDER BY batch_no) AS n FROM lakelock.batches) b,
    generate_series(1, %(tables)s) t
"""
_BOOKS = """
INSERT INTO lakelock.books (part_id, range_id, read_count, written_count, dead_count, filtered_count, max_timestamp_ms)
SELECT p.part_id, r.range_id, %(step)s, %(step)s, 0, 0, 1767225600000 + upper(r.offsets)
FROM lakelock.parts p JOIN lakelock.ranges r USING (batch_no)
"""

_ADD_DAGS = """
import sys
from airflow.models.dag import DagModel
from airflow.models.dagbundle import DagBundleModel
from airflow.utils.session import create_session
with create_session() as session:
    session.add(DagBundleModel(name="named"))
    session.flush()
    session.add_all(DagModel(dag_id=dag_id, bundle_name="named", fileloc="named.py", is_stale=False) for dag_id in sys.argv[1:])
"""

# Airflow's own commands, one after the other: an import takes longer than any of them.
_COMMANDS = """
import sys
from airflow.cli.cli_parser import get_parser
for line in sys.argv[1:]:
    asked = get_parser().parse_args(line.split())
    asked.func(asked)
"""


def config_of(pipeline: str, tables: int) -> dict[str, object]:
    """Enough of a resolved configuration for the page; `Pipeline.from_resolved` reads it."""
    return {
        "name": pipeline,
        "source": {"topics": [f"topic{pipeline[1:]}"]},
        "tables": [{"name": f"lake.{pipeline}_t{t}"} for t in range(1, tables + 1)],
        "commit": {"max_latency": "1m"},
    }


def fill(dsn: str, *, pipelines: int, tables: int, partitions: int, batches: int = 20) -> None:
    """*pipelines* `p1`, … of one topic with *partitions* each, all of it in each of *tables*; a batch is open in each."""
    migrate(dsn)
    end = (batches + 1) * STEP
    key = {
        "pipelines": pipelines,
        "tables": tables,
        "partitions": partitions,
        "batches": batches,
        "step": STEP,
        "end": end,
    }
    with psycopg.connect(dsn, autocommit=True) as connection:
        with connection.transaction(), connection.cursor() as cursor:
            configs, known = [], []
            for p in (f"p{n}" for n in range(1, pipelines + 1)):
                configs.append((f"digest-of-{p}", json.dumps(config_of(p, tables))))
                ledger = json.dumps(_ledger(connection, p, partitions, batches * STEP))
                known += [(p, f"lake.{p}_t{t}", [f"topic{p[1:]}"], ledger) for t in range(1, tables + 1)]
            cursor.executemany("INSERT INTO lakelock.configs (digest, config) VALUES (%s, %s)", configs)
            for sql in (_STREAMS, _BATCHES, _RANGES, _PARTS, _BOOKS):
                cursor.execute(sql, key)
            cursor.executemany(
                "INSERT INTO lakelock.tables (pipeline, table_name, topics, table_uuid, bound_at, generation, ledger, ledger_at)"
                " VALUES (%s, %s, %s, 'u', clock_timestamp(), 0, %s, clock_timestamp())",
                known,
            )
        connection.execute("ANALYZE")


def _ledger(connection: psycopg.Connection, pipeline: str, partitions: int, end: int) -> dict[str, object]:
    row = connection.execute("SELECT installation_id::text FROM lakelock.installation").fetchone()
    assert row is not None
    topic = f"topic{pipeline[1:]}"
    covered = SourceCoverage(0, (Interval(0, end),), Totals(end))
    return {
        "installation_id": row[0],
        "pipeline": pipeline,
        "commit_id": "commit-1",
        "generation": 0,
        "config_digest": f"digest-of-{pipeline}",
        "coverage": encode(Coverage({Source(topic, f"id-of-{topic}", n): covered for n in range(partitions)})),
        "rollback": None,
        "decisions": "[]",
    }


class PageServer:
    """An api-server alone: the page needs neither scheduler nor workers."""

    def __init__(
        self,
        home: Path,
        database: str,
        log: str,
        users: Mapping[str, str],
        pipelines: Path | None = None,
        **connections: str,
    ) -> None:
        self._home, self.database, self._users, self._pipelines = home, database, dict(users), pipelines
        self._settings = {"AIRFLOW_CONN_LAKELOCK_POSTGRES": log.replace("postgresql://", "postgres://"), **connections}
        self._teams: list[str] = []
        self.tokens: dict[str, str] = {}
        self.airflow = self._airflow()

    def add_teams(self, teams: Mapping[str, str]) -> None:
        """Each with a folder of DAGs of its own, which has one pipeline."""
        bundles = []
        for team, pipeline in teams.items():
            folder = self._home / team
            (folder / "pipelines").mkdir(parents=True)
            for file in (REPOSITORY / "dags").glob("*.py"):
                shutil.copy(file, folder)
            text = json.dumps({k: v for k, v in config_of(pipeline, 1).items() if k != "name"})
            (folder / "pipelines" / f"{pipeline}.yaml").write_text(text)
            classpath = "airflow.dag_processing.bundles.local.LocalDagBundle"
            bundles.append({"name": team, "classpath": classpath, "kwargs": {"path": str(folder)}, "team_name": team})
        self._teams = list(teams)
        self._settings |= {
            "AIRFLOW__CORE__MULTI_TEAM": "True",
            "AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST": json.dumps(bundles),
        }
        self.airflow = self._airflow()

    def start(self, dag_ids: Sequence[str] = (), *, is_migrated: bool = False) -> None:
        """With *dag_ids*, DAGs that are but names; else with those of the folders."""
        if not is_migrated:
            self.airflow.migrate()
        if dag_ids:
            self._run("-c", _ADD_DAGS, *dag_ids)
        else:
            teams = (f"teams create {team}" for team in self._teams)
            self._run("-c", _COMMANDS, *teams, "dags reserialize")
        self.airflow.start_api_server()
        wait_until(lambda: self.status("/lakelock/static/page.html") == 200, 600, "the page")
        for name in self._users:
            login = json.dumps({"username": name, "password": name}).encode()
            request = urllib.request.Request(
                f"{self.airflow.url}/auth/token", login, {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=120) as answer:
                self.tokens[name] = json.loads(answer.read())["access_token"]

    def stop(self) -> None:
        self.airflow.api_server.stop()

    def status(self, path: str, user: str | None = None, method: str = "GET", body: object = None) -> int:
        try:
            return self._ask(path, user, method, body)[0]
        except urllib.error.HTTPError as fault:
            return fault.code
        except OSError:
            return 0

    def get(self, path: str, user: str, *, cookie: bool = False) -> Any:
        return json.loads(self._ask(path, user, "GET", None, cookie)[1])

    def headers(self, path: str, user: str) -> dict[str, str]:
        return self._ask(path, user, "GET", None)[2]

    def _ask(
        self, path: str, user: str | None, method: str, body: object, cookie: bool = False
    ) -> tuple[int, bytes, dict[str, str]]:
        token = self.tokens[user] if user else None
        who = {} if token is None else {"Cookie": f"_token={token}"} if cookie else {"Authorization": f"Bearer {token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.airflow.url}{path}", data, {**who, "Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, answer.read(), {k.lower(): v for k, v in answer.headers.items()}

    def _airflow(self) -> Airflow:
        made = Airflow(
            self._home / "airflow",
            self.database,
            self._settings,
            pipelines=self._pipelines,
            AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS=",".join(f"{name}:{role}" for name, role in self._users.items()),
        )
        passwords = made.home / "simple_auth_manager_passwords.json.generated"
        passwords.write_text(json.dumps({name: name for name in self._users}))
        return made

    def _run(self, *arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, *arguments],
            env=self.airflow.environment,
            cwd=self.airflow.home,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
