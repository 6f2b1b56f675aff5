"""Schedules, tasks, assets and deadlines of the DAG files. Imported when Airflow parses them: no client library, no step."""

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
from lakelock.config.planned_dags import PlannedDag

Function = Callable[..., Any]
logger = logging.getLogger(__name__)
# A fixed start: intervals lie on the same grid however often the file is parsed.
START = datetime(2024, 1, 1, tzinfo=timezone.utc)  # noqa: UP017
# Runs of a backfill that work at once: each reads Kafka beside the ingest runs.
BACKFILLS_AT_ONCE = 2
RUN_TYPES = ["scheduled", "manual", "operator_triggered", "asset_triggered", "asset_materialization"]


def pipelines(dag_file: str, *prefixes: str) -> list[Pipeline | BrokenPipeline]:
    """The folder `pipelines` beside *dag_file*, or `LAKELOCK_PIPELINES`; in a task only the pipeline it belongs to."""
    dag_id = get_parsing_context().dag_id
    if dag_id is None:
        return load_folder(folder(dag_file))
    mine = next((prefix for prefix in prefixes if dag_id.startswith(prefix)), None)
    return [] if mine is None else load_folder(folder(dag_file), only=dag_id.removeprefix(mine))


def folder(dag_file: str) -> Path:
    """Where the pipeline files are."""
    return Path(os.environ.get("LAKELOCK_PIPELINES") or Path(dag_file).parent / "pipelines")


def timetable(dag: PlannedDag) -> CronDataIntervalTimetable | DeltaDataIntervalTimetable | None:
    """Always an explicit data interval: what a plain cron string means depends on the site's configuration."""
    if dag.every is not None:
        return DeltaDataIntervalTimetable(dag.every)
    return None if dag.cron is None else CronDataIntervalTimetable(dag.cron, timezone=dag.timezone)


def task(*, branch: bool = False, multiple_outputs: bool = False, **settings: Any) -> Callable[[Function], Any]:
    """`@task` or `@task.branch`, told what it works out anew for each function: its outputs, and its signature five times."""
    # Not every DAG file has tasks of its own, and these take as long to import as all else here.
    from airflow.sdk import task as plain

    decorator = (plain.branch if branch else plain)(multiple_outputs=multiple_outputs, **settings)

    def decorated(function: Function) -> Any:
        function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        return decorator(function)

    return decorated


def add_params(dag: DAG, params: Mapping[str, Param]) -> None:
    """After its tasks: what a DAG has before them is copied into each, and checked against its JSON Schema at every parse.

    For a form of six fields that takes as long as all else of a parse. A run's values are checked when it is triggered, as ever.
    """
    for name, param in params.items():
        dag.params[name] = param


def deadline(pipeline: Pipeline, dag_file: str) -> DeadlineAlert | None:
    """By the executor, for not every site has a triggerer. Airflow keeps the arguments: who is told, which may be anything, is
    read from the file when it is told.

    None, too, on an executor that runs no callbacks: Airflow 3.3's scheduler ends by itself over one that it cannot hand on.
    """
    if pipeline.alerts.deadline is None:
        return None
    from airflow.executors.executor_loader import ExecutorLoader

    executor, _ = ExecutorLoader.import_default_executor_cls()
    if not executor.supports_callbacks:
        logger.warning("alerts.deadline of %s is not watched: %s runs no callbacks", pipeline.name, executor.__name__)
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
    """Stands for the pipeline's tables: an alias emits events for tables that were committed, and only for them."""
    return AssetAlias(f"lakelock/{pipeline_name}", group="lakelock")


def table_asset(pipeline: Pipeline, table: str) -> Asset:
    """What consumers schedule on; the catalog's connection id keeps tables of the same name apart."""
    return Asset(f"iceberg://{pipeline.catalog.conn_id}/{table}")


def hour_assets(pipeline: Pipeline) -> dict[str, Asset]:
    """By table the asset whose partitions are its complete hours; several pipelines may write one table, and each tells its own.

    Empty where the pipeline tells none.
    """
    if pipeline.publish.max_lateness is None:
        return {}
    return {
        t.name: Asset(f"{table_asset(pipeline, t.name).uri}/hours/{pipeline.name}", group="lakelock")
        for t in pipeline.tables
    }


def broken_message(broken: BrokenPipeline) -> Any:
    """The body of the only task of a broken file's DAG."""

    def faults() -> None:
        raise AirflowFailException(broken.message)

    return faults
