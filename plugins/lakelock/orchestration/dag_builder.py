"""Schedules, tasks, assets and deadlines of the DAG files.

Imported when Airflow parses them, so it imports no client library and no step.
"""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from airflow.sdk import (
    DAG,
    Asset,
    AssetAlias,
    CronDataIntervalTimetable,
    DeltaDataIntervalTimetable,
    Param,
    get_parsing_context,
)
from airflow.sdk.definitions.callback import SyncCallback
from airflow.sdk.definitions.deadline import DeadlineAlert, DeadlineReference
from airflow.sdk.exceptions import AirflowFailException

from lakelock.config import BrokenPipeline, Pipeline, load_folder
from lakelock.config.planned_dags import PlannedDag, commit_groups

Function = Callable[..., Any]
logger = logging.getLogger(__name__)
# A fixed start keeps intervals on the same grid however often the file is parsed.
START = datetime(2024, 1, 1, tzinfo=timezone.utc)  # noqa: UP017
# Concurrent runs of a backfill: each reads Kafka beside the ingest runs.
BACKFILLS_AT_ONCE = 2
RUN_TYPES = ["scheduled", "manual", "operator_triggered", "asset_triggered", "asset_materialization"]


def pipelines(dag_file: str, *prefixes: str) -> list[Pipeline | BrokenPipeline]:
    """Pipelines of the folder `pipelines` beside *dag_file*, or of `LAKELOCK_PIPELINES`; in a task only its own."""
    dag_id = get_parsing_context().dag_id
    if dag_id is None:
        return load_folder(folder(dag_file))
    mine = next((prefix for prefix in prefixes if dag_id.startswith(prefix)), None)
    return [] if mine is None else load_folder(folder(dag_file), only=dag_id.removeprefix(mine))


def folder(dag_file: str) -> Path:
    """The folder of the pipeline files."""
    return Path(os.environ.get("LAKELOCK_PIPELINES") or Path(dag_file).parent / "pipelines")


def timetable(dag: PlannedDag) -> CronDataIntervalTimetable | DeltaDataIntervalTimetable | None:
    """A timetable with explicit data intervals: the meaning of a plain cron string depends on the site."""
    if dag.every is not None:
        return DeltaDataIntervalTimetable(dag.every)
    return None if dag.cron is None else CronDataIntervalTimetable(dag.cron, timezone=dag.timezone)


def task(*, branch: bool = False, multiple_outputs: bool = False, **settings: Any) -> Callable[[Function], Any]:
    """`@task` or `@task.branch`, given its outputs and signature, which it would otherwise compute several times."""
    # Not every DAG file has tasks of its own, and importing these takes as long as everything else here.
    from airflow.sdk import task as plain

    decorator = (plain.branch if branch else plain)(multiple_outputs=multiple_outputs, **settings)

    def decorated(function: Function) -> Any:
        function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        return decorator(function)

    return decorated


def add_params(dag: DAG, params: Mapping[str, Param]) -> None:
    """Add a form to a DAG that has its tasks: params added earlier are copied into each task.

    Airflow then checks each copy against its JSON Schema at every parse, which for six fields takes as long as the
    rest of the parse. The values of a run are still checked when it is triggered.
    """
    for name, param in params.items():
        dag.params[name] = param


def deadline(pipeline: Pipeline, dag_file: str) -> DeadlineAlert | None:
    """The deadline of a pipeline's runs, called by the executor because not every site has a triggerer.

    Airflow stores the arguments, so the notifiers, which may be anything, are read from the file at the deadline. None
    without `alerts.deadline`, and on an executor that runs no callbacks: Airflow 3.3's scheduler exits over a callback
    that it cannot hand on.
    """
    if pipeline.alerts.deadline is None:
        return None
    from airflow.executors.executor_loader import ExecutorLoader

    executor, _ = ExecutorLoader.import_default_executor_cls()
    if not executor.supports_callbacks:
        logger.warning(
            "alerts.deadline of %s is not watched: %s does not support callbacks", pipeline.name, executor.__name__
        )
        return None
    return DeadlineAlert(
        reference=DeadlineReference.DAGRUN_QUEUED_AT,
        interval=pipeline.alerts.deadline,
        callback=SyncCallback(
            "lakelock.orchestration.deadline.missed", {"pipeline": pipeline.name, "folder": str(folder(dag_file))}
        ),
        name="alerts.deadline",
    )


def asset_alias(pipeline_name: str) -> AssetAlias:
    """The alias of the pipeline's tables. It emits events for committed tables only."""
    return AssetAlias(f"lakelock/{pipeline_name}", group="lakelock")


def commit_pool(pipeline: Pipeline) -> str:
    """The Airflow pool of the commit tasks."""
    return pipeline.commit.pool or "default_pool"


def commit_label(pipeline: Pipeline) -> str:
    """The template of the names that Airflow shows for the commit tasks."""
    if pipeline.route is None:
        return "{{ ', '.join(task.op_kwargs['tables']) }}"
    share = f"'routed tables, share %d of {len(commit_groups(pipeline))}' % (ti.map_index + 1)"
    return f"{{{{ ', '.join(task.op_kwargs['tables'] + [{share}]) }}}}"


def table_asset(pipeline: Pipeline, table: str) -> Asset:
    """The asset that consumers schedule on; the catalog's connection id keeps tables of the same name apart."""
    return Asset(f"iceberg://{pipeline.catalog.conn_id}/{table}")


def cut_asset(pipeline: Pipeline) -> Asset | None:
    """The asset of the pipeline's consistent cut; None without `route`."""
    return Asset(f"lakelock://{pipeline.name}", group="lakelock") if pipeline.route else None


def hour_assets(pipeline: Pipeline) -> dict[str, Asset]:
    """Assets by table whose partitions are complete hours; empty if the pipeline does not report them.

    Several pipelines may write one table, and each reports its own hours.
    """
    if pipeline.publish.max_lateness is None:
        return {}
    return {
        t.name: Asset(f"{table_asset(pipeline, t.name).uri}/hours/{pipeline.name}", group="lakelock")
        for t in pipeline.tables
    }


def broken_message(broken: BrokenPipeline) -> Any:
    """The body of the only task in the DAG of a file with faults."""

    def faults() -> None:
        raise AirflowFailException(broken.message)

    return faults
