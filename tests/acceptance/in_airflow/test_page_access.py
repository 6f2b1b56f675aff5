"""Who sees what of the page: a real api-server with Airflow's own logins and teams, and a log with several pipelines."""

from __future__ import annotations

import json
import re
import urllib.error
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from kits.lanes import PAGES
from kits.page import PageServer, fill
from kits.shared_airflow import MIGRATED
from stack.settings import REPOSITORY

pytestmark = pytest.mark.drawn(1.0, in_turn=PAGES, about="page/")
# Both pipelines of the log that a team has a DAG of; `p3` is in the log, and its DAG is nowhere.
TEAMS = {"red": "p1", "blue": "p2"}
USERS = {
    "admin": "admin",
    "olga": "viewer",
    "ruth": "user:red",
    "rolf": "viewer:red",
    "bea": "op:blue",
}
TABLE = "lake.p1_t1"


@pytest.fixture(scope="module")
def server(session_folder: Path, postgres: Any) -> Iterator[PageServer]:
    mark = uuid.uuid4().hex[:8]
    with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
        for name, template in ((f"page_airflow_{mark}", MIGRATED), (f"page_log_{mark}", "template1")):
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
    fill(postgres.dsn(f"page_log_{mark}"), pipelines=3, tables=2, partitions=4, batches=3)
    home = session_folder / f"page-{mark}"
    home.mkdir()
    running = PageServer(home, postgres.dsn(f"page_airflow_{mark}"), postgres.dsn(f"page_log_{mark}"), USERS)
    running.add_teams(TEAMS)
    running.start(is_migrated=True)
    yield running
    running.stop()
    with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
        for name in (f"page_airflow_{mark}", f"page_log_{mark}"):
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def routes() -> list[str]:
    """Every route there is, by the source, so that a new one is asked, too."""
    text = (REPOSITORY / "plugins" / "lakelock" / "page" / "app.py").read_text(encoding="utf-8")
    found = re.findall(r'@pages\.get\("([^"]+)"\)', text)
    assert len(found) >= 8
    assert text.count("@") - text.count("@pages.get(") == 0, "routes are made by `pages` alone"
    given = {"where": "?topic=topic1&partition=0&offset=1", "file": "?path=s3://lake/a.parquet"}
    filled = [r.replace("{pipeline}", "p1").replace("{table}", TABLE) for r in found]
    return [f"/lakelock{r}{given.get(r.rpartition('/')[2], '')}" for r in filled]


@pytest.mark.parametrize("route", routes())
def test_nobody_sees_anything_without_a_login(server: PageServer, route: str) -> None:
    assert server.status(route) == 401


@pytest.mark.parametrize("route", [r for r in routes() if "/pipelines/" in r])
def test_another_team_sees_nothing_of_a_pipeline(server: PageServer, route: str) -> None:
    assert server.status(route, "bea") == 404
    assert server.status(route, "olga") == 404
    assert server.status(route.replace("p1", "p3"), "admin") == 404, "its DAG is none of this Airflow's"
    assert server.status(route.replace("p1", "nosuch"), "admin") == 404


def test_what_the_api_reports_itself_is_reported_to_nobody(server: PageServer) -> None:
    for path in ("/lakelock/docs", "/lakelock/redoc", "/lakelock/openapi.json", "/lakelock/static/../app.py"):
        assert server.status(path, "admin") == 404


@pytest.mark.parametrize(
    ("user", "pipelines"),
    [("admin", ["p1", "p2"]), ("ruth", ["p1"]), ("rolf", ["p1"]), ("bea", ["p2"]), ("olga", [])],
)
def test_each_team_sees_its_own_pipelines(server: PageServer, user: str, pipelines: list[str]) -> None:
    for cookie in (False, True):
        found = server.get("/lakelock/api/overview", user, cookie=cookie)
        assert [p["pipeline"] for p in found["pipelines"]] == pipelines
        assert found["unknown"] == []
        assert found["faults"] == []


def test_a_pipeline_reports_its_partitions_batches_and_dags(server: PageServer) -> None:
    found = server.get("/lakelock/api/pipelines/p1", "ruth")
    assert found["sources"] == [["topic1", n, 0, 4000, 3000] for n in range(4)]
    assert [(b["state"], b["staged_parts"]) for b in found["batches"]] == [("staged", 2)]
    assert [d["kind"] for d in found["dags"]] == ["ingest", "backfill", "rollback", "recover", "maintain"]
    assert found["config"]["topics"] == ["topic1"]
    table = server.get(f"/lakelock/api/pipelines/p1/tables/{TABLE}", "ruth")
    assert [b["rows"] for b in table["batches"]] == [4000] * 3
    assert table["open_offsets"] == 4000
    assert table["written"] == 4 * 3000


def test_a_viewer_cannot_act(server: PageServer) -> None:
    def may(user: str) -> set[bool]:
        return {d["may_run"] for d in server.get("/lakelock/api/pipelines/p1", user)["dags"]}

    assert may("ruth") == {True}
    assert may("rolf") == {False}
    body: dict[str, object] = {"logical_date": None, "conf": {}}
    # What the page's buttons do, and users who may not press them.
    assert server.status("/api/v2/dags/maintain__p1/dagRuns", "rolf", "POST", body) == 403
    assert server.status("/api/v2/dags/maintain__p1/dagRuns", "bea", "POST", body) == 403


def test_a_dag_whose_file_is_gone_is_not_started_and_has_no_next_run(server: PageServer) -> None:
    def known(kind: str) -> Any:
        return next(d for d in server.get("/lakelock/api/pipelines/p1", "ruth")["dags"] if d["kind"] == kind)

    before = known("ingest")
    assert (before["stale"], before["may_run"]) == (False, True)
    assert before["next_run_after"] is not None
    with psycopg.connect(server.database, autocommit=True) as airflow:
        reported = "UPDATE dag SET is_stale = %s WHERE dag_id = 'ingest__p1'"
        airflow.execute(reported, (True,))
        try:
            gone = known("ingest")
        finally:
            airflow.execute(reported, (False,))
    assert (gone["stale"], gone["may_run"], gone["next_run_after"]) == (True, False, None)


@pytest.mark.parametrize("route", routes())
def test_the_page_changes_nothing(server: PageServer, route: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert server.status(route, "admin", method, {}) == 405


def test_only_airflow_itself_may_frame_the_page(server: PageServer) -> None:
    for path in ("/lakelock/page", "/lakelock/api/overview", "/lakelock/static/page.html"):
        policy = server.headers(path, "ruth")["content-security-policy"]
        assert "frame-ancestors 'self'" in policy
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
    assert server.headers("/lakelock/api/overview", "ruth")["cache-control"] == "no-store"


def test_an_unknown_table_and_a_strange_question_are_refused_with_a_reason(server: PageServer) -> None:
    assert server.status("/lakelock/api/pipelines/p1/tables/lake.p2_t1", "ruth") == 404
    where = f"/lakelock/api/pipelines/p1/tables/{TABLE}/where?topic=topic1&partition=-1&offset=1"
    assert server.status(where, "ruth") == 422


def test_a_server_that_is_not_there_is_reported(server: PageServer) -> None:
    """No catalog is known here, and no Kafka."""
    for path in (f"tables/{TABLE}/snapshots", "lag"):
        with pytest.raises(urllib.error.HTTPError) as reported:
            server.get(f"/lakelock/api/pipelines/p1/{path}", "ruth")
        assert reported.value.code == 409
        assert "is not defined" in json.loads(reported.value.read())["detail"]
