"""One Airflow DAG `ingest__<pipeline>` per file of `pipelines/`: plan, write, commit, publish.

A file with faults becomes a DAG of the same name that fails with them, and never hides the other DAGs.
`pipeline_faults.py` lists the faults of all files among the import errors.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, TriggerRule, task
from lakelock.config import BrokenPipeline, Pipeline, planned_dags
from lakelock.orchestration import airflow_forms, dag_builder, documents

PREFIX = planned_dags.prefix("ingest")
QUICK = {"retries": 1, "retry_delay": timedelta(seconds=5), "execution_timeout": timedelta(minutes=10)}


def ingest(pipeline: Pipeline) -> DAG:
    window = pipeline.schedule.period if pipeline.schedule.batch_every else None
    longest = (window or timedelta()) + timedelta(hours=2)
    alias, hour_assets = dag_builder.asset_alias(pipeline.name), dag_builder.hour_assets(pipeline)
    cut = dag_builder.cut_asset(pipeline)
    planned_dag = planned_dags.ingest(pipeline)
    with DAG(
        planned_dag.dag_id,
        description=planned_dag.purpose,
        schedule=dag_builder.timetable(planned_dag),
        start_date=dag_builder.START,
        catchup=False,
        max_active_runs=1,
        # Overrides the configuration: a pipeline that Airflow pauses would silently fall behind.
        max_consecutive_failed_dag_runs=0,
        # Ranges never come from a data interval, so a backfill of this DAG would be many empty runs.
        allowed_run_types=dag_builder.RUN_TYPES,
        default_args={"owner": pipeline.owner, **QUICK},
        deadline=dag_builder.deadline(pipeline, __file__),
        tags={"lakelock", "ingest", *pipeline.tags},
        doc_md=documents.document(pipeline),
    ) as dag:

        @dag_builder.task(
            branch=True,
            doc_md="Decides which offsets to read next, and which of the other tasks have work.",
        )
        def plan() -> list[str]:
            from lakelock.orchestration import ingest_tasks

            return ingest_tasks.plan(pipeline.resolved())

        @dag_builder.task(
            doc_md="Writes the planned offsets as data files with one Spark job, and stages them in the write-ahead log.",
            retries=2,
            retry_delay=timedelta(seconds=2),
            execution_timeout=longest,
            # Runs before the commit tasks of a window, which wait for it.
            priority_weight=10,
            do_xcom_push=False,
        )
        def write() -> None:
            from lakelock.orchestration import ingest_tasks

            ingest_tasks.write(pipeline.resolved())

        @dag_builder.task(
            doc_md="Commits staged files and their offsets in one snapshot per table, if a commit is due.",
            trigger_rule=TriggerRule.ALL_DONE,
            execution_timeout=longest,
            map_index_template=dag_builder.commit_label(pipeline),
            pool=dag_builder.commit_pool(pipeline),
            outlets=[alias],
            do_xcom_push=False,
        )
        def commit(tables: list[str]) -> None:
            from lakelock.orchestration import ingest_tasks

            ingest_tasks.commit(pipeline.resolved(), tables, alias)

        @dag_builder.task(
            doc_md="Mirrors committed offsets to the consumer group, and reports the consistent cut. If commit failed for one "
            "table, sends the asset events of the others.",
            trigger_rule=TriggerRule.ALL_DONE,
            # The task reads the events that it has sent.
            inlets=[cut] if cut else [],
            outlets=[alias, cut] if cut else [alias],
            do_xcom_push=False,
        )
        def publish() -> None:
            from lakelock.orchestration import ingest_tasks

            ingest_tasks.publish(pipeline.resolved(), alias, cut)

        @dag_builder.task(
            doc_md="Reports each hour that is complete in a table, once.",
            trigger_rule=TriggerRule.ALL_DONE,
            # The task reads the events that it has sent.
            inlets=list(hour_assets.values()),
            outlets=list(hour_assets.values()),
            do_xcom_push=False,
        )
        def hours() -> None:
            from lakelock.orchestration import ingest_tasks

            ingest_tasks.hours(pipeline.resolved(), hour_assets)

        # commit and publish run after failures, too; this task, which costs no worker, makes such a run red.
        done = EmptyOperator(task_id="done", trigger_rule=TriggerRule.NONE_FAILED)

        planned, written, published = plan(), write(), publish()
        committed = commit.expand(tables=planned_dags.commit_groups(pipeline))
        planned >> [written, committed, published]
        if window is None:
            written >> committed >> published
        else:
            [written, committed] >> published
        [written, committed, published] >> done
        if hour_assets:
            reported = hours()
            planned >> reported >> done
            [written, committed] >> reported
    dag_builder.add_params(dag, airflow_forms.params("ingest", pipeline))
    return dag


def broken(pipeline: BrokenPipeline) -> DAG:
    planned_dag = planned_dags.broken(pipeline)
    with DAG(
        planned_dag.dag_id,
        description=planned_dag.purpose,
        schedule=dag_builder.timetable(planned_dag),
        start_date=dag_builder.START,
        catchup=False,
        max_active_runs=1,
        tags={"lakelock", "broken"},
        doc_md=documents.broken_document(pipeline),
    ) as dag:
        task(task_id="faults", doc_md=documents.broken_document(pipeline))(dag_builder.broken_message(pipeline))()
    return dag


for found in dag_builder.pipelines(__file__, PREFIX):
    built = broken(found) if isinstance(found, BrokenPipeline) else ingest(found)
    globals()[built.dag_id] = built
