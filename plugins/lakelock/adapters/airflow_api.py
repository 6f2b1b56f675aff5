"""Airflow's REST API, for what only Airflow itself may do with its own database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

import httpx

from lakelock.adapters.connections import Connection
from lakelock.errors import AccessDenied, ConnectionFault, Unreachable

PAGE = 100
TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A run that has ended with success."""

    dag_id: str
    run_id: str
    ended_at: datetime
    is_scheduled: bool


class AirflowApi:
    """Raises Unreachable, AccessDenied."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def dag_ids(self, tag: str) -> list[str]:
        return [dag["dag_id"] for dag in self._pages("/dags", "dags", {"tags": tag, "order_by": "dag_id"})]

    def successful_runs(self, dag_id: str) -> Iterator[EndedRun]:
        """Newest first."""
        path = f"/dags/{quote(dag_id, safe='')}/dagRuns"
        for run in self._pages(path, "dag_runs", {"state": "success", "order_by": "-run_after"}):
            if run["end_date"] is not None:
                ended_at = datetime.fromisoformat(run["end_date"])
                yield EndedRun(dag_id, run["dag_run_id"], ended_at, run["run_type"] == "scheduled")

    def delete(self, run: EndedRun) -> None:
        """With its task instances, XComs and asset events' source; one that is gone already is no error."""
        path = f"/dags/{quote(run.dag_id, safe='')}/dagRuns/{quote(run.run_id, safe='')}"
        self._call("DELETE", path, {}, also=httpx.codes.NOT_FOUND)

    def _pages(self, path: str, key: str, query: dict[str, Any]) -> Iterator[dict[str, Any]]:
        offset = 0
        while True:
            answer = self._call("GET", path, {**query, "limit": PAGE, "offset": offset}).json()
            yield from answer[key]
            offset += len(answer[key])
            if not answer[key] or offset >= answer["total_entries"]:
                return

    def _call(self, method: str, path: str, query: dict[str, Any], also: int | None = None) -> httpx.Response:
        try:
            answer = self._client.request(method, f"/api/v2{path}", params=query)
        except httpx.HTTPError as fault:
            raise _unreachable(self._client.base_url, fault) from fault
        return answer if answer.status_code == also else _good(answer)


@contextmanager
def airflow_api(connection: Connection) -> Iterator[AirflowApi]:
    """Logs in with login and password, or takes a password without a login for a token."""
    with httpx.Client(base_url=address(connection), timeout=TIMEOUT_S) as client:
        token = connection.password
        if connection.login:
            login = {"username": connection.login, "password": connection.password}
            try:
                answer = client.post("/auth/token", json=login)
            except httpx.HTTPError as fault:
                raise _unreachable(client.base_url, fault) from fault
            token = _good(answer).json()["access_token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield AirflowApi(client)


def address(connection: Connection) -> str:
    """The URL of the api-server. Raises ConnectionFault where that, or a password, is missing."""
    host = connection.host or ""
    if not host:
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: host is empty; it is the URL of Airflow's api-server."
        )
    if not connection.password:
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: write login and password of an Airflow user, or a token as the password."
        )
    url = host if "://" in host else f"{connection.schema or 'http'}://{host}"
    return f"{url}:{connection.port}" if connection.port else url


def _good(answer: httpx.Response) -> httpx.Response:
    what = f"{answer.request.method} {answer.request.url.copy_with(query=None)}"
    if answer.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        raise AccessDenied(
            f"Airflow refused {what} ({answer.status_code}): its user may not do that. Nothing more was done."
        )
    if not answer.is_success:
        raise Unreachable(f"Airflow answered {what} with {answer.status_code}: {answer.text[:300]}")
    return answer


def _unreachable(url: httpx.URL, fault: httpx.HTTPError) -> Unreachable:
    return Unreachable(f"Airflow's api-server at {url} did not answer: {type(fault).__name__}: {fault}")
