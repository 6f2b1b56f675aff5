"""What DAG files are built from. Imported at every parse: nothing here may import a client library or a step."""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Callable, Mapping, Sequence
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
from lakelock.model.units import format_duration, format_size

Function = Callable[..., Any]
logger = logging.getLogger(__name__)
# A fixed start: intervals lie on the same grid however often the file is parsed.
START = datetime(2024, 1, 1, tzinfo=timezone.utc)  # noqa: UP017
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


def run_params(pipeline: Pipeline) -> dict[str, Param]:
    tables = [*(t.name for t in pipeline.tables), pipeline.dead_letter_table]
    return {
        "max_records": Param(
            None,
            type=["null", "integer"],
            minimum=1,
            title="Most records per batch",
            description="Limits the offsets per batch of this run. Empty: batch.max_records of the pipeline file.",
        ),
        "commit_now": Param(
            False,
            type="boolean",
            title="Commit now",
            description="Commits without waiting for commit.min_bytes or commit.max_latency. 'Run now, and commit…' on the page "
            "of lakelock starts this run with this field on.",
        ),
        "dry_run": dry_run_param("Only logs what the run would read. It records and writes nothing."),
        "stop_at_time": moment_param(
            "Stop at a time",
            "Stops before each partition's first record with this timestamp or a later one. Later runs read the records "
            "behind it, even older ones.",
            "Stop earlier",
        ),
        "stop_at_offsets": Param(
            None,
            type=["null", "object"],
            additionalProperties={
                "type": "object",
                "patternProperties": {r"^\d+$": {"type": "integer", "minimum": 0}},
                "additionalProperties": False,
            },
            title="Stop at offsets",
            description='Stops before these offsets, like {"orders": {"0": 1500, "1": 900}}. Other partitions are read as '
            "usual.",
            section="Stop earlier",
        ),
        "commit_tables": Param(
            None,
            type=["null", "array"],
            items={"type": "string", "enum": tables},
            examples=tables,
            title="Commit these tables now",
            description="Commits these tables, their dead letters first. The others wait until they are due.",
            section="Commit less",
        ),
    }


def rollback_params(pipeline: Pipeline) -> dict[str, Param]:
    tables = [*(t.name for t in pipeline.tables), pipeline.dead_letter_table]
    return {
        "table": Param(tables[0], type="string", enum=tables, title="Table"),
        "to": Param(
            "last:1",
            type="string",
            pattern=r"^(\d+|last:[1-9]\d*|\d{4}-\d\d-\d\d[T ].*)$",
            title="Back to",
            description="A snapshot id, a time with its zone like 2026-01-31T12:00:00Z, or last:N for the state before the last "
            "N commits of this pipeline.",
        ),
        "mode": mode_param(None),
        "why": Param(type="string", minLength=1, title="Why", description="Recorded in the table with your name."),
    }


def recover_params(pipeline: Pipeline) -> dict[str, Param]:
    return {
        "decision": Param(
            "none",
            type="string",
            enum=["none", "accept-loss", "rebind", "redrive", "retire"],
            values_display={
                "none": "none: reconcile the tables and the write-ahead log",
                "accept-loss": "accept-loss: continue without offsets that Kafka deleted before lakelock read them",
                "rebind": "rebind: continue with a replaced table, or with a topic that was created again",
                "redrive": "redrive: turn dead letters that fit now into rows",
                "retire": "retire: stop reading a topic or partition",
            },
            title="Decision",
            description="The decision that an error of the pipeline asks for. Its fields are below.",
        ),
        "topic": optional_param("string", "Topic", "For a decision. Empty: all topics that it can apply to."),
        "partition": optional_param("integer", "Partition", "For a decision. Empty: all partitions.", minimum=0),
        "from": optional_param("integer", "From", "First offset that is lost or redriven. Empty: all.", minimum=0),
        "to": optional_param("integer", "To", "The offset after the last one (exclusive).", minimum=1),
        "table": table_param(
            [t.name for t in pipeline.tables],
            "none",
            "The table to rebind, instead of a topic; or the table whose dead letters are redriven.",
        ),
        "reason": optional_param(
            "string", "Reason", "Redrives dead letters whose reason contains this text. Empty: all."
        ),
        "accept_loss": Param(
            False,
            type="boolean",
            title="Accept loss",
            description="With rebind: continue without records that Kafka no longer holds. With no decision: recover although "
            "Kafka no longer has records that must be read again; declare them with accept-loss afterwards.",
        ),
        "why": optional_param("string", "Why", "Required for a decision. Recorded in the table with your name."),
        "restored": Param(
            False,
            type="boolean",
            title="Postgres was restored",
            description="It is older than the tables. Its contents are discarded and rebuilt from the tables.",
        ),
        "take_over": Param(
            False,
            type="boolean",
            title="The tables' Postgres is lost",
            description="This Postgres replaces it. Never use it for tables that another environment still writes to.",
        ),
        "mode": mode_param("recommit"),
    }


def maintain_params(pipeline: Pipeline) -> dict[str, Param]:
    tables = [*(t.name for t in pipeline.tables), pipeline.dead_letter_table]
    return {
        "table": table_param(
            tables, "all tables", "Maintains this table only. All tables: also those that left the pipeline file."
        ),
        "dry_run": dry_run_param("Only logs which files would be rewritten, expire or be deleted."),
    }


def table_param(tables: Sequence[str], unnamed: str, description: str) -> Param:
    """*unnamed* is what the form shows where no table is named."""
    return Param(
        None,
        type=["null", "string"],
        enum=[None, *tables],
        # As text: so the form looks a value of null up.
        values_display={"null": unnamed},
        title="Table",
        description=description,
    )


def dry_run_param(description: str) -> Param:
    return Param(False, type="boolean", title="Dry run", description=description)


def optional_param(kind: str, title: str, description: str, **limits: int) -> Param:
    return Param(None, type=["null", kind], title=title, description=description, **limits)


def moment_param(title: str, description: str, section: str) -> Param:
    return Param(
        None,
        type=["null", "string"],
        format="date-time",
        # Airflow checks no format; a time without a zone would be another moment on each machine.
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$",
        title=title,
        description=description,
        section=section,
    )


def mode_param(default: str | None) -> Param:
    given = {} if default is None else {"default": default}
    return Param(
        **given,
        type="string",
        enum=["recommit", "replay", "skip"],
        values_display={
            "recommit": "recommit: commit the same files again",
            "replay": "replay: read the records from Kafka again",
            "skip": "skip: leave the rows out until a backfill asks for them",
        },
        title="The removed rows",
    )


def broken_message(broken: BrokenPipeline) -> Any:
    """The body of the only task of a broken file's DAG."""

    def faults() -> None:
        raise AirflowFailException(broken.message)

    return faults


def broken_document(broken: BrokenPipeline) -> str:
    return f"""### This pipeline does not run: its file has faults

```text
{broken.message}
```

Staged and committed data is untouched. The DAG comes back when the file is fixed.
"""


def document(pipeline: Pipeline) -> str:
    """The page of a pipeline's ingest DAG."""
    topics = list(pipeline.source.topics)
    if pipeline.source.topics_regex:
        topics.append(f"/{pipeline.source.topics_regex}/")
    window = pipeline.schedule.batch_every
    limits = pipeline.dead_letters.stop_at
    rows = [
        ("topics", ", ".join(f"`{t}`" for t in topics)),
        ("tables", ", ".join(f"`{t.name}`" for t in pipeline.tables)),
        ("dead letters", f"`{pipeline.dead_letter_table}`" + (f", stop at {_limits(limits)}" if limits else "")),
        ("runs", _runs(pipeline)),
        ("commit", _commits(pipeline)),
        ("batch", f"at most {pipeline.batch.max_records} offsets"),
        ("starts at", f"`{pipeline.source.model_dump(mode='json')['start']}`"),
        ("connections", ", ".join(f"`{c}`" for c in _connections(pipeline))),
        ("consumer group", f"`{pipeline.group}` (a mirror, for lag tools)" if pipeline.group else "none"),
        ("asset alias", f"`lakelock/{pipeline.name}`"),
        ("configuration", f"`{pipeline.digest[:12]}`"),
    ]
    if pipeline.publish.max_lateness is not None:
        told = ", ".join(f"`{asset.uri}`" for asset in hour_assets(pipeline).values())
        rows.append(("complete hours", f"{told}, at most {format_duration(pipeline.publish.max_lateness)} late"))
    settings = "\n".join(f"| {key} | {value.replace('|', chr(92) + '|')} |" for key, value in rows)
    loop = (
        "A run is a window: `write` plans and writes a batch every "
        f"{format_duration(window)} until the window ends, and `commit` commits them meanwhile."
        if window
        else "A run moves one batch, or several while a backlog is large. After a rollback, the records to read again come first."
    )
    return f"""### Kafka topics into tables, each record exactly once

`plan` chooses the next offsets, `write` writes files with one Spark job, `commit` commits files and offsets in one snapshot
per table, and `publish` mirrors the progress. `done` decides whether the run is green. {loop}

| | |
|---|---|
{settings}

**Trigger it** to read now. *Run now, and commit…* in the tab lakelock starts the same run with *Commit now* on.

**Clear, retry or pause** any task at any time: offsets that a table has never go in again. If there is nothing to read,
`write` is skipped. If no commit is due, `commit` is skipped.
"""


def _runs(pipeline: Pipeline) -> str:
    schedule = pipeline.schedule
    if schedule.period is None:
        return f"`{schedule.cron}` ({schedule.timezone})"
    window = f", a batch every {format_duration(schedule.batch_every)}" if schedule.batch_every else ""
    return f"every {format_duration(schedule.period)}{window}"


def _commits(pipeline: Pipeline) -> str:
    commit = pipeline.commit
    if not commit.min_bytes:
        return "every batch at once"
    return (
        f"at {format_size(commit.min_bytes)} of staged files, or {format_duration(commit.max_latency)} after the first"
    )


def _limits(limits: Any) -> str:
    texts = ([f"{limits.ratio:.2%}"] if limits.ratio else []) + ([f"{limits.count} records"] if limits.count else [])
    return " or ".join(texts)


def _connections(pipeline: Pipeline) -> Sequence[str]:
    return [pipeline.source.conn_id, pipeline.catalog.conn_id, pipeline.spark.conn_id, pipeline.wal.conn_id]


ROLLBACK_DOCUMENT = """### Roll a table back to an earlier snapshot

`look` previews the rollback, `approve` waits for an approval, `roll_back` performs it in one commit, and `audit`
proves the result. A rejected run changes nothing: `approve` and the tasks after it are skipped, and its log says who
rejected it. The pipeline may run meanwhile: batches in progress are fenced, then committed once or read again.

| mode | the rows that go | use it when |
|---|---|---|
| recommit | are committed again from the same files | another tool damaged the table |
| replay | are read from Kafka again, with today's pipeline file | rows were converted wrongly |
| skip | stay out until a backfill asks for them; their offsets are recorded as skipped | they do not belong there |
"""

RECOVER_DOCUMENT = """### Reconcile the tables and the write-ahead log

Use it if Postgres was lost or restored, or if another tool rolled a table back. `look` lists the findings, `approve`
waits for an approval, `recover` fixes them, and `audit` proves the result. If nothing is wrong, `look` and the tasks
after it are skipped. If the run is rejected, `approve` is skipped, and its log says who rejected it. A restored
Postgres cannot notice it by itself: tick *Postgres was restored*.

With a *decision*, the run records that decision instead: `accept-loss`, `rebind` or `retire`. The preview names each
interval. The table keeps who approved it and why, and `audit` shows it. With `redrive`, dead letters that fit now
become rows: `look` tries some of them, and later dead letters wait for another redrive. If it tried all of them and
none fits, it asks for no approval.
"""

WATCH_DOCUMENT = """### Watch all pipelines

Measures each pipeline, paused ones too: how far it is behind, how old the oldest record is that is not committed, how long Kafka
still keeps it. Without any configuration it reports, once when it begins and once when it is over: a pipeline that is late by its
own promise, a last run that failed, a table that was dropped, files that wait for a commit, a hanging transaction, a file with
faults, a pipeline that cannot be read, and offsets that Kafka dropped before they were read. The `alerts` of a pipeline file name
other limits and the notifiers. A run is red just where an incident begins. The page shows the same list.
"""

MAINTAIN_DOCUMENT = """### Keep the tables small

`compact` merges small files. `expire` removes old snapshots and the files that only they reference.
`rewrite_manifests` merges and sorts the lists of data files, so that readers open few of them. `orphans` deletes
unreferenced files of lost attempts. `audit` proves from the ledger, the write-ahead log, Kafka and DuckDB's count
that each offset is in the table once. Tasks without work change nothing, and Spark starts only if `compact` needs it.
All of them are safe beside the pipeline.

**Trigger it** to run now: *Table* selects one table, *Dry run* only logs.
"""
