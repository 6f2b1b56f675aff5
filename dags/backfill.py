"""`backfill__<pipeline>` per pipeline file: load or replace records of a time range, by Airflow's Backfill or a form.

Never scheduled. A pipeline file with faults has them on `ingest__p`, and no DAG here.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, TriggerRule
from lakelock.config import BrokenPipeline, Pipeline, planned_dags
from lakelock.orchestration import airflow_forms, dag_builder, documents
from lakelock.orchestration.backfill_timetable import BackfillTimetable

PREFIX = planned_dags.prefix("backfill")
QUICK = {"retries": 1, "retry_delay": timedelta(seconds=5), "execution_timeout": timedelta(hours=1)}
# Airflow counts the runs of a backfill apart from those that were triggered by hand; it counts tasks over all of them.
FEW = {"max_active_tis_per_dag": dag_builder.BACKFILLS_AT_ONCE}


def backfill(pipeline: Pipeline) -> DAG:
    alias = dag_builder.asset_alias(pipeline.name)
    planned = planned_dags.backfill(pipeline)
    with DAG(
        planned.dag_id,
        description=planned.purpose,
        schedule=BackfillTimetable(pipeline.backfill.interval),
        start_date=dag_builder.START,
        catchup=False,
        max_active_runs=dag_builder.BACKFILLS_AT_ONCE,
        default_args={"owner": pipeline.owner, **QUICK},
        tags={"lakelock", "backfill", *pipeline.tags},
        doc_md=documents.backfill_document(pipeline),
    ) as dag:

        @dag_builder.task(
            branch=True,
            doc_md="Records the requested offsets in each table and plans batches for them, or previews a replace. Without work, "
            "the other tasks are skipped.",
            **FEW,
        )
        def ask() -> list[str]:
            from lakelock.orchestration import backfill_tasks

            return backfill_tasks.request(pipeline.resolved())

        @dag_builder.task(
            doc_md="Writes the requested records as data files with Spark, batch by batch, and stages them.",
            retries=2,
            # Staged files stay, and the next attempt continues.
            execution_timeout=timedelta(hours=6),
            do_xcom_push=False,
            **FEW,
        )
        def write() -> None:
            from lakelock.orchestration import backfill_tasks

            backfill_tasks.write(pipeline.resolved())

        @dag_builder.task(
            doc_md="Commits the staged files in one snapshot per table, even if write failed.",
            trigger_rule=TriggerRule.ALL_DONE,
            map_index_template="{{ ', '.join(task.op_kwargs['tables']) }}",
            pool=dag_builder.commit_pool(pipeline),
            outlets=[alias],
            do_xcom_push=False,
            **FEW,
        )
        def commit(tables: list[str]) -> None:
            from lakelock.orchestration import backfill_tasks

            backfill_tasks.commit(pipeline.resolved(), tables, alias)

        @dag_builder.task(
            doc_md="Fails if the tables still lack requested offsets, and lists them.",
            trigger_rule=TriggerRule.ALL_DONE,
            # Another run may be writing the missing records.
            retries=5,
            retry_delay=timedelta(minutes=2),
            do_xcom_push=False,
        )
        def check() -> None:
            from lakelock.orchestration import backfill_tasks

            backfill_tasks.check(pipeline.resolved())

        @dag_builder.task(
            doc_md="Reads records again and replaces their rows, in one snapshot per table.",
            # A compaction or another replace of the same files may come first.
            retries=5,
            retry_delay=timedelta(seconds=30),
            execution_timeout=timedelta(hours=6),
            outlets=[alias],
            do_xcom_push=False,
            **FEW,
        )
        def replace() -> None:
            from lakelock.orchestration import backfill_tasks

            backfill_tasks.replace(pipeline.resolved(), alias)

        @dag_builder.task(
            doc_md="Sends the asset events of tables that were committed before commit or replace failed for another table.",
            trigger_rule=TriggerRule.ALL_DONE,
            outlets=[alias],
            do_xcom_push=False,
        )
        def tell() -> None:
            from lakelock.orchestration import ingest_tasks

            ingest_tasks.report(pipeline.resolved(), alias, "commit", "replace")

        # commit and check run after failures, too; this task, which costs no worker, makes such a run red.
        done = EmptyOperator(task_id="done", trigger_rule=TriggerRule.NONE_FAILED)

        requested, written, checked, replaced, reported = ask(), write(), check(), replace(), tell()
        committed = commit.expand(tables=planned_dags.commit_groups(pipeline))
        requested >> [written, committed, checked, replaced, reported]
        written >> committed >> checked
        [committed, replaced] >> reported
        [written, committed, checked, replaced, reported] >> done
    dag_builder.add_params(dag, airflow_forms.params("backfill", pipeline))
    return dag


for found in dag_builder.pipelines(__file__, PREFIX):
    if not isinstance(found, BrokenPipeline):
        globals()[PREFIX + found.name] = backfill(found)
