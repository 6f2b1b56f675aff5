"""What the page does where a log or a broker is silent: what it reports, to which users, and how long they wait."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
from kits.airflow import airflow_environment, result_of
from kits.page import config_of, fill
from kits.wal import sql
from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.wal import page_queries
from lakelock.adapters.wal.page_queries import LogReader
from lakelock.config import Pipeline
from lakelock.errors import ConnectionFault, LakelockError, Unreachable
from lakelock.model.batches import LIVE
from lakelock.model.overview import PipelineView
from lakelock.page import page_sources
from lakelock.page.logs import LOG_SILENT, Opened
from lakelock.page.page_sources import KAFKA_SILENT, Sources
from psycopg.conninfo import conninfo_to_dict
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.2, about="page/")

USER, NOWHERE = "secretuser", 1
DEAD_LOG = Connection("log", "postgres", "127.0.0.1", NOWHERE, "lakelock", USER)
DEAD_KAFKA = Connection("kafka_default", "kafka", extra={"bootstrap.servers": f"127.0.0.1:{NOWHERE}"})


def connection_of(dsn: str, conn_id: str = "log", **extra: str) -> Connection:
    at = conninfo_to_dict(dsn)
    port = int(str(at["port"]))
    text = {k: str(at[k]) if at.get(k) else None for k in ("host", "dbname", "user", "password")}
    return Connection(conn_id, "postgres", text["host"], port, text["dbname"], text["user"], text["password"], extra)


def of(known: Mapping[str, Connection]) -> Callable[[str, str | None], Connection]:
    return lambda conn_id, team: known[conn_id]


def opened(name: str) -> Opened:
    view = PipelineView(name, 1, 1, None, None, (), ())
    return Opened("log", view, LogReader("host=127.0.0.1"), Pipeline.from_resolved(config_of(name, 1)))


def test_a_silent_log_is_reported_without_its_address(caplog: pytest.LogCaptureFixture) -> None:
    silent = Sources(["log"], of({"log": DEAD_LOG}))
    assert silent.overview(["p1"]) == ([], False)
    with pytest.raises(Unreachable) as reported:
        silent.open("p1")
    assert str(reported.value) == LOG_SILENT
    assert USER in caplog.text or str(NOWHERE) in caplog.text, "the operator of the server reads why"


def test_who_may_see_no_pipeline_asks_no_log() -> None:
    def refuse(conn_id: str, team: str | None) -> Connection:
        raise AssertionError(f"{conn_id} was asked")

    assert Sources(["log"], refuse).overview([]) == ([], True)


REPORTED = """
import json, threading
from fastapi.testclient import TestClient
from lakelock.adapters.wal.page_queries import LogReader
from lakelock.page import app as page
def silent():
    LogReader("host=127.0.0.1 port=1 user=secretuser dbname=x").config("p1")
app = page.build()
app.dependency_overrides[page.get_user] = lambda: None
app.dependency_overrides[page.opened] = silent
answer = TestClient(app).get("/api/pipelines/p1/dags")
started = []
page._import_heavy = lambda: started.append(1)
for _ in range(3):
    page._warm_up()
[t.join() for t in threading.enumerate() if t.name == "lakelock-page-imports"]
print("RESULT " + json.dumps([answer.status_code, answer.json(), len(started)]))
"""


def test_what_a_log_says_later_on_is_not_reported_either_and_heavy_modules_are_imported_once(tmp_path: Path) -> None:
    assert result_of(["-c", REPORTED], airflow_environment(tmp_path)) == [
        503,
        {"detail": LOG_SILENT, "error": "Unreachable"},
        1,
    ]


WITHOUT_LOGS = """
import json
from types import SimpleNamespace
from airflow.api_fastapi.app import _AuthManagerState
from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity
from airflow.api_fastapi.auth.managers.simple.simple_auth_manager import SimpleAuthManager
from airflow.models.dag import DagModel
from fastapi.testclient import TestClient
from lakelock.page import app as page, table_answers
from lakelock.page.cache import Gate
from lakelock.page.json_values import answer
class NoLogs(SimpleAuthManager):
    def is_authorized_dag(self, *, method, user, access_entity=None, details=None):
        return access_entity is not DagAccessEntity.TASK_LOGS
_AuthManagerState.instance = NoLogs()
DagModel.get_team_name = staticmethod(lambda dag_id, **more: None)
log = SimpleNamespace(streams=lambda *of: [], ledgers=lambda *of: {})
page.sources = SimpleNamespace(slow=Gate(1, 1.0), log=lambda of: log, tables=lambda of: None)
table_answers.dead_letters = lambda *of: answer({"with_contents": of[-1]})
app = page.build()
app.dependency_overrides[page.get_user] = lambda: None
app.dependency_overrides[page.opened] = lambda: SimpleNamespace(view=SimpleNamespace(pipeline="p1"))
answered = TestClient(app).get("/api/pipelines/p1/tables/t/dead-letters").json()
print("RESULT " + json.dumps([answered, page.access._allowed(None, None, "GET", None, "ingest__p1")]))
"""


def test_who_may_read_the_dag_and_not_its_logs_gets_no_contents_of_dead_letters(tmp_path: Path) -> None:
    assert result_of(["-c", WITHOUT_LOGS], airflow_environment(tmp_path)) == [{"with_contents": False}, True]


def test_a_silent_broker_is_asked_once_by_all_who_wait_and_no_topic_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources = Sources(["log"], of({"log": DEAD_LOG, "kafka_default": DEAD_KAFKA}))
    requests: list[int] = []
    reach = KafkaBroker.reach

    def counted(self: KafkaBroker) -> None:
        requests.append(1)
        reach(self)

    monkeypatch.setattr(KafkaBroker, "reach", counted)
    together, reported = threading.Barrier(3), []

    def ask() -> None:
        together.wait(10)
        try:
            sources.status(opened("p1"))
        except LakelockError as fault:
            reported.append(fault)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(requests) == 1
    with pytest.raises(Unreachable) as another:
        sources.status(opened("p2"))
    assert len(requests) == 1
    assert {str(t) for t in [*reported, another.value]} == {KAFKA_SILENT}
    assert len({id(t) for t in [*reported, another.value]}) == 4, "an exception of one request is none of another's"


def test_a_log_with_one_slow_statement_is_asked_again_at_once(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=1, partitions=1, batches=1)
    monkeypatch.setattr(page_queries, "TIMEOUT_MS", 100)
    sources = Sources(["log"], lambda conn_id, team: connection_of(dsn))
    with psycopg.connect(dsn) as other:
        other.execute("LOCK TABLE lakelock.tables IN ACCESS EXCLUSIVE MODE")
        assert sources.overview(["p1"]) == ([], False)
    views, complete = sources.overview(["p1"])
    assert ([view.pipeline for view in views], complete) == (["p1"], True)


def test_a_changed_password_leaves_no_connection_behind(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=1, partitions=1, batches=1)
    monkeypatch.setattr(page_sources, "CONNECTION_TTL_S", 0.0)
    changes: list[Any] = []

    def resolve(conn_id: str, team: str | None) -> Connection:
        return connection_of(dsn, keepalives_idle=str(11 + len(changes)))

    sources = Sources(["log"], resolve)
    for _ in range(4):
        sources.log(sources.open("p1")).installation_id()
        changes.append(1)
    mine = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'lakelock page'"
    with psycopg.connect(dsn, autocommit=True) as other:
        # The reader's and the log's; a closed one's process ends a moment later.
        wait_until(lambda: other.execute(mine).fetchone() == (2,), 120, "the other connections' end")


def test_each_teams_connections_are_its_own(new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    logs = {"red": new_database(), "blue": new_database(), None: new_database()}
    for dsn in logs.values():
        fill(dsn, pipelines=3, tables=1, partitions=1, batches=1)
    sql(logs["red"], "UPDATE lakelock.streams SET topic = topic || '-of-red'")
    requests: list[tuple[str, str | None]] = []

    def resolve(conn_id: str, team: str | None) -> Connection:
        requests.append((conn_id, team))
        return connection_of(logs[team], conn_id) if conn_id == "log" else DEAD_KAFKA

    sources = Sources(["log"], resolve, lambda names: {"p1": "red", "p2": "blue"})
    views, complete = sources.overview(["p1", "p2", "p3"])
    assert ([view.pipeline for view in views], complete) == (["p1", "p2", "p3"], True)
    shown = {name: sources.open(name) for name in ("p1", "p2", "p3")}
    assert [one.team for one in shown.values()] == ["red", "blue", None]
    (of_red,) = sources.log(shown["p1"]).streams("p1", LIVE)
    (of_blue,) = sources.log(shown["p2"]).streams("p2", LIVE)
    assert (of_red.source.topic, of_blue.source.topic) == ("topic1-of-red", "topic2")
    # One team's broker that is silent is not another's.
    reached: list[int] = []

    def reach(self: KafkaBroker) -> None:
        reached.append(1)
        raise Unreachable("no broker")

    monkeypatch.setattr(KafkaBroker, "reach", reach)
    for one in shown.values():
        with pytest.raises(Unreachable):
            sources.status(one)
    assert len(reached) == 3
    assert {team for conn_id, team in requests if conn_id == "kafka_default"} == {"red", "blue", None}


@pytest.mark.parametrize(("team", "is_silent"), [("red", False), (None, True)])
def test_a_team_without_a_log_under_one_of_the_ids_has_no_silent_log(
    new_database: Callable[[], str], team: str | None, is_silent: bool
) -> None:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=1, partitions=1, batches=1)

    def resolve(conn_id: str, of: str | None) -> Connection:
        if conn_id == "other":
            raise ConnectionFault("other is not defined")
        return connection_of(dsn, conn_id)

    views, complete = Sources(["other", "log"], resolve, lambda names: {"p1": team}).overview(["p1"])
    assert ([view.pipeline for view in views], complete) == (["p1"], not is_silent)


TEAM = """
import json
from airflow.models.connection import Connection
from airflow.models.dag import DagModel
from lakelock.page import access
from lakelock.page.app import sources
asked = []
def get(conn_id, team_name=None):
    asked.append([conn_id, team_name])
    return Connection(conn_id=conn_id, conn_type="postgres", host="127.0.0.1", port=1, schema="x", login="u")
Connection.get_connection_from_secrets = staticmethod(get)
DagModel.get_dag_id_to_team_name_mapping = staticmethod(lambda ids, **more: {"ingest__p1": "red"})
sources.overview(["p1"])
print("RESULT " + json.dumps([asked, access.teams_of(["p1", "p2"])]))
"""


@pytest.mark.parametrize(("multi_team", "team"), [("True", "red"), ("False", None)])
def test_airflow_is_asked_for_a_connection_as_the_dags_team_has_it(
    tmp_path: Path, multi_team: str, team: str | None
) -> None:
    environment = {**airflow_environment(tmp_path), "AIRFLOW__CORE__MULTI_TEAM": multi_team}
    assert result_of(["-c", TEAM], environment) == [[["lakelock_postgres", team]], {"p1": team} if team else {}]
