"""One DAG `lakelock_watch`: measures all pipelines, paused ones too, and reports each incident once."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from airflow.sdk import DAG, get_parsing_context, task
from lakelock.config import planned_dags
from lakelock.orchestration import dag_builder, documents


def watch(folder: Path) -> DAG:
    planned = planned_dags.watch(os.environ)
    with DAG(
        planned.dag_id,
        description=planned.purpose,
        schedule=dag_builder.timetable(planned),
        start_date=dag_builder.START,
        catchup=False,
        max_active_runs=1,
        # It only looks and reports, and no one would be notified that it is paused.
        is_paused_upon_creation=False,
        tags={"lakelock", "watch"},
        doc_md=documents.WATCH_DOCUMENT,
    ) as dag:
        # No retry: the next run sees it too, and a second try might report it twice.
        @task(retries=0, execution_timeout=timedelta(hours=1), do_xcom_push=False)  # type: ignore[untyped-decorator]
        def watch() -> None:
            from lakelock.orchestration import watch_tasks

            watch_tasks.watch(folder)

        watch()
    return dag


if get_parsing_context().dag_id in (None, planned_dags.WATCH_ID):
    built = watch(dag_builder.folder(__file__))
