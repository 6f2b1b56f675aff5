"""Per pipeline: `rollback__p` and `recover__p`, which ask for approval, and `maintain__p`, which maintains and audits.

Only `maintain__p` can have a schedule, from the pipeline file. A file with faults has them on `ingest__p`, and no DAGs
here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, TriggerRule, chain
from lakelock.config import BrokenPipeline, Pipeline, planned_dags
from lakelock.orchestration import airflow_forms, dag_builder, documents
from lakelock.orchestration.approval import Approval

QUICK = {"retries": 1, "retry_delay": timedelta(seconds=5), "execution_timeout": timedelta(hours=1)}
LONG = timedelta(hours=6)
# A person waits for these tasks, so they take the next free worker slot, before any ingest run.
FIRST = {"priority_weight": 1000, "weight_rule": "absolute"}


@contextmanager
def dag(pipeline: Pipeline, kind: str, document: str) -> Iterator[DAG]:
    planned = planned_dags.OF_EACH[kind](pipeline)
    with DAG(
        planned.dag_id,
        description=planned.purpose,
        schedule=dag_builder.timetable(planned),
        start_date=dag_builder.START,
        catchup=False,
        max_active_runs=1,
        default_args={"owner": pipeline.owner, **QUICK, **({} if kind == "maintain" else FIRST)},
        tags={"lakelock", kind, *pipeline.tags},
        doc_md=document,
    ) as built:
        yield built
    dag_builder.add_params(built, airflow_forms.params(kind, pipeline))


def approve(subject: str) -> Approval:
    return Approval(
        task_id="approve",
        subject=subject,
        preview="look",
        # If the answer comes before the scheduler has noticed that the task waits, the task looks killed, and the
        # question is asked again.
        retries=5,
        retry_delay=timedelta(seconds=2),
        execution_timeout=None,
    )


def audit(pipeline: Pipeline, rule: TriggerRule = TriggerRule.ALL_SUCCESS) -> Any:
    @dag_builder.task(
        doc_md="Proves that the tables hold each offset once, and fails if they do not.",
        trigger_rule=rule,
        do_xcom_push=False,
    )
    def audit() -> None:
        from lakelock.orchestration import maintenance_tasks

        maintenance_tasks.audit(pipeline.resolved())

    return audit()


def rollback(pipeline: Pipeline) -> DAG:
    with dag(pipeline, "rollback", documents.ROLLBACK_DOCUMENT) as built:

        @dag_builder.task(
            multiple_outputs=True,
            doc_md="Previews the rows that the rollback removes, and what happens to them. Changes nothing.",
        )
        def look() -> dict[str, str]:
            from lakelock.orchestration import maintenance_tasks

            return maintenance_tasks.plan_rollback(pipeline.resolved())

        @dag_builder.task(
            doc_md="One commit in the table, then one transaction in the write-ahead log.", do_xcom_push=False
        )
        def roll_back() -> None:
            from lakelock.orchestration import maintenance_tasks

            maintenance_tasks.roll_back(pipeline.resolved())

        (
            look()
            >> approve("Roll back {{ params.table }} to {{ params.to }} (mode {{ params.mode }})?")
            >> roll_back()
            >> audit(pipeline)
        )
    return built


def recover(pipeline: Pipeline) -> DAG:
    alias = dag_builder.asset_alias(pipeline.name)
    with dag(pipeline, "recover", documents.RECOVER_DOCUMENT) as built:

        @dag_builder.task(
            multiple_outputs=True,
            doc_md="Lists the findings, or previews the decision. Changes nothing. Without findings, the rest is skipped.",
        )
        def look() -> dict[str, str]:
            from lakelock.orchestration import maintenance_tasks

            return maintenance_tasks.preview(pipeline.resolved())

        @dag_builder.task(
            doc_md="Reconciles the tables and the write-ahead log, or carries out the decision.",
            # A decision may take several Spark jobs and commits; finished commits stay.
            execution_timeout=LONG,
            outlets=[alias],
            do_xcom_push=False,
        )
        def recover() -> None:
            from lakelock.orchestration import maintenance_tasks

            maintenance_tasks.recover(pipeline.resolved(), alias)

        @dag_builder.task(
            doc_md="Sends the asset events of rows that were committed before recover failed.",
            trigger_rule=TriggerRule.ONE_FAILED,
            outlets=[alias],
            do_xcom_push=False,
        )
        def tell() -> None:
            from lakelock.orchestration import ingest_tasks

            ingest_tasks.report(pipeline.resolved(), alias, "recover")

        subject = (
            "{{ 'Recover' if params.decision == 'none' else params.decision | capitalize }} " + pipeline.name + "?"
        )
        look() >> approve(subject) >> recover() >> [audit(pipeline), tell()]
    return built


def maintain(pipeline: Pipeline) -> DAG:
    with dag(pipeline, "maintain", documents.MAINTAIN_DOCUMENT) as built:

        @dag_builder.task(
            doc_md="Changes the tables as the pipeline file says, each in one commit. Asks for no approval.",
            do_xcom_push=False,
        )
        def apply() -> None:
            from lakelock.orchestration import maintenance_tasks

            maintenance_tasks.apply(pipeline.resolved())

        @dag_builder.task(
            doc_md="Rewrites small files into larger ones with the same rows: at most ten Spark jobs and commits a table.",
            trigger_rule=TriggerRule.ALL_DONE,
            # Finished groups stay, and the next run continues.
            execution_timeout=LONG,
            do_xcom_push=False,
        )
        def compact() -> None:
            from lakelock.orchestration import maintenance_tasks

            maintenance_tasks.compact(pipeline.resolved())

        @dag_builder.task(
            doc_md="Expires old snapshots, then deletes the files that only they reference.",
            trigger_rule=TriggerRule.ALL_DONE,
            do_xcom_push=False,
        )
        def expire() -> None:
            from lakelock.orchestration import maintenance_tasks

            maintenance_tasks.expire(pipeline.resolved())

        @dag_builder.task(
            doc_md="Rewrites manifests into fewer ones, sorted by partition, so that readers open few of them.",
            trigger_rule=TriggerRule.ALL_DONE,
            do_xcom_push=False,
        )
        def rewrite_manifests() -> None:
            from lakelock.orchestration import maintenance_tasks

            maintenance_tasks.rewrite_manifests(pipeline.resolved())

        @dag_builder.task(
            doc_md="Deletes files of lost attempts and commits that nothing can reference any longer.",
            trigger_rule=TriggerRule.ALL_DONE,
            do_xcom_push=False,
        )
        def orphans() -> None:
            from lakelock.orchestration import maintenance_tasks

            maintenance_tasks.orphans(pipeline.resolved())

        # Each runs after failures, too; this task, which costs no worker, makes such a run red.
        done = EmptyOperator(task_id="done", trigger_rule=TriggerRule.NONE_FAILED)
        steps = [compact(), expire(), rewrite_manifests(), orphans(), audit(pipeline, TriggerRule.ALL_DONE)]
        if pipeline.maintenance.apply:
            steps.insert(0, apply())
        chain(*steps)
        steps >> done
    return built


KINDS: dict[str, Callable[[Pipeline], DAG]] = {"rollback": rollback, "recover": recover, "maintain": maintain}
for found in dag_builder.pipelines(__file__, *map(planned_dags.prefix, KINDS)):
    if not isinstance(found, BrokenPipeline):
        for kind, build in KINDS.items():
            globals()[planned_dags.prefix(kind) + found.name] = build(found)
