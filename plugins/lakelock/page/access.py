"""Permissions by Airflow's own rules, DAG by DAG, and Airflow's facts about a pipeline's DAGs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from airflow.api_fastapi.app import get_auth_manager
from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity
from airflow.api_fastapi.core_api.security import requires_access_dag
from airflow.configuration import conf
from airflow.models.dag import DagModel, DagTag
from airflow.models.dagrun import DagRun
from airflow.models.taskinstance import TaskInstance
from airflow.utils.session import create_session
from airflow.utils.state import DagRunState, TaskInstanceState
from fastapi import HTTPException, Request
from sqlalchemy import exists, func, select
from sqlalchemy.orm import aliased

from lakelock.monitor.alerts import EndedRun, Runs

KINDS = ("ingest", "backfill", "rollback", "recover", "maintain")
INGEST = "ingest__"
RUNS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a DAG. `asks`: it waits for the answer to its question, and later runs of its DAG wait for it."""

    run_id: str
    state: str
    asks: bool
    run_after: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class DagFacts:
    """One of a pipeline's DAGs as Airflow has it; `may_run` is the user's right. Runs are newest first.

    `stale`: its file is gone or no longer defines it. Airflow keeps its runs and starts none.
    """

    dag_id: str
    kind: str
    paused: bool
    stale: bool
    next_run_after: datetime | None
    may_run: bool
    runs: tuple[Run, ...]


def visible_pipelines(user: Any) -> list[str]:
    """Pipelines whose DAG `ingest__<pipeline>` exists and may be read by the user."""
    return sorted(d.removeprefix(INGEST) for d in get_auth_manager().get_authorized_dag_ids(user=user) if _is_ingest(d))


def teams_of(pipelines: Sequence[str]) -> Mapping[str, str | None]:
    """Teams by pipeline, of DAGs that have one; empty without Airflow's multi-team mode."""
    if not conf.getboolean("core", "multi_team", fallback=False):
        return {}
    teams = DagModel.get_dag_id_to_team_name_mapping([INGEST + p for p in pipelines])
    return {dag_id.removeprefix(INGEST): team for dag_id, team in teams.items()}


def ingest_runs(request: Request, user: Any, pipelines: Sequence[str]) -> dict[str, Runs]:
    """Runs by pipeline, for pipelines whose DAG exists: whether it is paused, and its last run if that failed.

    A failed run is included only if the user may read runs.
    """
    with create_session() as session:
        dags = select(DagModel.dag_id, DagModel.is_paused).where(DagModel.dag_id.in_([INGEST + p for p in pipelines]))
        paused = dict(session.execute(dags).tuples().all())
        # Failures are few, and the index by DAG and state finds them; successful runs would be many.
        later = aliased(DagRun)
        is_over = exists().where(
            later.dag_id == DagRun.dag_id, later.state == DagRunState.SUCCESS, later.end_date > DagRun.end_date
        )
        last = (
            select(DagRun.dag_id, func.max(DagRun.end_date).label("ended_at"))
            .where(DagRun.dag_id.in_(list(paused)), DagRun.state == DagRunState.FAILED)
            .group_by(DagRun.dag_id)
            .subquery()
        )
        runs = select(DagRun.dag_id, DagRun.run_id, DagRun.end_date).join(
            last, (last.c.dag_id == DagRun.dag_id) & (last.c.ended_at == DagRun.end_date)
        )
        runs = runs.where(DagRun.state == DagRunState.FAILED, ~is_over)
        failed = {dag_id: EndedRun(run_id, ended_at) for dag_id, run_id, ended_at in session.execute(runs)}
    shown = {d: run for d, run in failed.items() if _allowed(request, user, "GET", DagAccessEntity.RUN, d)}
    return {d.removeprefix(INGEST): Runs(is_paused, shown.get(d)) for d, is_paused in paused.items()}


def broken_pipelines(pipelines: Sequence[str]) -> set[str]:
    """Pipelines whose file has faults: their DAG has the tag `broken` and not `ingest`."""
    wanted = [INGEST + p for p in pipelines]
    with create_session() as session:
        tags = session.execute(
            select(DagTag.dag_id, DagTag.name)
            .join(DagModel, DagModel.dag_id == DagTag.dag_id)
            .where(DagTag.dag_id.in_(wanted), DagTag.name.in_(("broken", "ingest")), DagModel.is_stale.is_(False))
        ).all()
    reads = {dag_id for dag_id, name in tags if name == "ingest"}
    return {dag_id.removeprefix(INGEST) for dag_id, _ in tags if dag_id not in reads}


def require_visible(request: Request, user: Any, pipeline: str) -> None:
    """Raise HTTPException, the same for a missing pipeline and for one that the user may not know of."""
    dag_id = INGEST + pipeline
    if not _exists(dag_id) or not _allowed(request, user, "GET", None, dag_id):
        raise HTTPException(404, f"there is no pipeline {pipeline!r} whose DAG {dag_id} you may read")


def may_read_logs(request: Request, user: Any, pipeline: str) -> bool:
    """Whether the user may see record contents: the right to read logs of the tasks that read records."""
    return _allowed(request, user, "GET", DagAccessEntity.TASK_LOGS, INGEST + pipeline)


def dags_of(request: Request, user: Any, pipeline: str) -> list[DagFacts]:
    """The pipeline's DAGs that exist and that the user may read."""
    found = []
    with create_session() as session:
        for kind in KINDS:
            dag_id = f"{kind}__{pipeline}"
            model = session.get(DagModel, dag_id)
            if model is None or not _allowed(request, user, "GET", None, dag_id):
                continue
            runs: tuple[Run, ...] = ()
            if _allowed(request, user, "GET", DagAccessEntity.RUN, dag_id):
                newest = select(DagRun).where(DagRun.dag_id == dag_id).order_by(DagRun.run_after.desc())
                shown = session.scalars(newest.limit(RUNS_SHOWN)).all()
                asking = _asking(session, dag_id, [r.run_id for r in shown])
                runs = tuple(
                    Run(r.run_id, str(getattr(r.state, "value", r.state)), r.run_id in asking, r.run_after, r.end_date)
                    for r in shown
                )
            stale = bool(model.is_stale)
            may_run = not stale and _allowed(request, user, "POST", DagAccessEntity.RUN, dag_id)
            next_run_after = None if stale else model.next_dagrun_create_after
            found.append(DagFacts(dag_id, kind, bool(model.is_paused), stale, next_run_after, may_run, runs))
    return found


def _asking(session: Any, dag_id: str, run_ids: Sequence[str]) -> set[str]:
    waiting = select(TaskInstance.run_id).where(
        TaskInstance.dag_id == dag_id,
        TaskInstance.run_id.in_(run_ids),
        TaskInstance.state == TaskInstanceState.AWAITING_INPUT,
    )
    return set(session.scalars(waiting))


def _is_ingest(dag_id: str) -> bool:
    return dag_id.startswith(INGEST)


def _exists(dag_id: str) -> bool:
    with create_session() as session:
        return session.get(DagModel, dag_id) is not None


def _allowed(request: Request, user: Any, method: str, entity: Any, dag_id: str) -> bool:
    """Whether Airflow's own check for its API, teams included, lets the user do this."""
    try:
        requires_access_dag(method, entity, dag_id)(request, user)
    except HTTPException:
        return False
    return True
