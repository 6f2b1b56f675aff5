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
from lakelock.config.dags import PlannedDag
from lakelock.core.units import format_duration, format_size

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
        callback=SyncCallback("lakelock.deadline.missed", {"pipeline": pipeline.name, "folder": str(folder(dag_file))}),
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
            description="Reads at most this many offsets per batch in this run. Empty: the pipeline's batch.max_records.",
        ),
        "commit_now": Param(
            False,
            type="boolean",
            title="Commit now",
            description="Commits whatever is staged, without waiting for commit.min_bytes or commit.max_latency. 'Run now, and "
            "commit…' on lakelock's page starts the same run as this form with this field on.",
        ),
        "dry_run": dry_run_param("Only logs what would be read. Records nothing, writes nothing."),
        "stop_at_time": moment_param(
            "Stop at a time",
            "Reads no further than the first record of each partition whose timestamp is this or later; what was "
            "written behind that record stays for later runs, also if it is older.",
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
            description='Reads only what lies before these offsets, like {"orders": {"0": 1500, "1": 900}}. Partitions that are '
            "not named are read as ever.",
            section="Stop earlier",
        ),
        "commit_tables": Param(
            None,
            type=["null", "array"],
            items={"type": "string", "enum": tables},
            examples=tables,
            title="Commit these tables now",
            description="Commits what is staged for these, their dead letters first; the others wait until they are due.",
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
        "why": Param(type="string", minLength=1, title="Why", description="Kept in the table with your name."),
    }


def recover_params(pipeline: Pipeline) -> dict[str, Param]:
    return {
        "decision": Param(
            "none",
            type="string",
            enum=["none", "accept-loss", "rebind", "redrive", "retire"],
            values_display={
                "none": "none: bring tables and write-ahead log to one state",
                "accept-loss": "accept-loss: go on without offsets that Kafka dropped before they were read",
                "rebind": "rebind: go on with a table that was replaced, or a topic that was created again",
                "redrive": "redrive: make rows of dead letters that fit their table by now",
                "retire": "retire: read no more of a topic or partition",
            },
            title="Decision",
            description="What a message of the pipeline asks for; the fields of its command are below.",
        ),
        "topic": optional_param("string", "Topic", "Of a decision. Empty: all that it can be about."),
        "partition": optional_param("integer", "Partition", "Of a decision. Empty: all partitions.", minimum=0),
        "from": optional_param("integer", "From", "First offset of what is lost or redriven. Empty: all.", minimum=0),
        "to": optional_param("integer", "To", "The offset behind the last one.", minimum=1),
        "table": table_param(
            [t.name for t in pipeline.tables],
            "none",
            "To rebind, in place of a topic; or whose dead letters are redriven.",
        ),
        "reason": optional_param("string", "Reason", "To redrive dead letters whose reason has this text. Empty: any."),
        "accept_loss": Param(
            False,
            type="boolean",
            title="Accept loss",
            description="When a table is rebound: go on without what Kafka no longer holds for it. With no decision: recover "
            "although Kafka no longer has what must then be read again; accept-loss declares that afterwards.",
        ),
        "why": optional_param("string", "Why", "Needed for a decision, and kept in the table with your name."),
        "restored": Param(
            False,
            type="boolean",
            title="Postgres was restored",
            description="It is at an earlier moment than the tables: its records are discarded and told anew by the tables.",
        ),
        "take_over": Param(
            False,
            type="boolean",
            title="The tables' Postgres is lost",
            description="This one takes its place. Never for tables that another environment still writes to.",
        ),
        "mode": mode_param("recommit"),
    }


def maintain_params(pipeline: Pipeline) -> dict[str, Param]:
    tables = [*(t.name for t in pipeline.tables), pipeline.dead_letter_table]
    return {
        "table": table_param(
            tables, "all tables", "Only this one is tidied. All tables: those that left the pipeline file, too."
        ),
        "dry_run": dry_run_param("Only logs what would be rewritten, what would expire and what would be deleted."),
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
            "recommit": "recommit: the same files land again",
            "replay": "replay: read from Kafka again",
            "skip": "skip: leave out until a backfill asks for it",
        },
        title="What becomes of what is taken out",
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

Nothing that is staged or committed is touched. The DAG comes back as it was when the file is mended.
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
        f"{format_duration(window)} until the window ends, and `commit` lands them beside it."
        if window
        else "A run moves one batch; a backlog is worked off in one batch per run. What must be read again after a rollback "
        "comes first, at most a batch's size in each run."
    )
    return f"""### Kafka topics into tables, each record exactly once

`plan` decides which offsets come next, `write` turns them into files with one Spark job, `commit` lands files and offsets in
one snapshot per table, `publish` mirrors the progress. `done` gives the run its colour. {loop}

| | |
|---|---|
{settings}

**Trigger it by hand** to read now. *Run now, and commit…* in the tab lakelock is the same, with *Commit now* on. *Most records
per batch* bounds one batch, *Commit now* does not wait until a commit is due, *Dry run* only logs what would be read. *Stop at a
time* and *Stop at offsets* leave what lies behind for later runs, and *Commit these tables now* commits some tables at once and
the others when they are due.

**Clear, retry or pause** any task at any time: offsets that are in a table never go in again. With nothing to read, `write`
is skipped; when no commit is due, `commit` is skipped.
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


ROLLBACK_DOCUMENT = """### Set a table back to an earlier snapshot

`look` shows what would be taken out and what would become of it, `approve` waits for a person, `roll_back` does it in one commit,
`audit` proves the result. A run that is rejected changes nothing: `approve` and what follows are skipped, and its log says who
rejected it. The pipeline may run on meanwhile: what is in flight is fenced and lands once, or is read again.

| mode | |
|---|---|
| recommit | the same files land again with the next commit: for a table that was harmed by others |
| replay | Kafka is read again, under the pipeline file as it is now: for rows that were converted wrongly |
| skip | the rows stay out until a backfill asks for them, and their offsets are recorded as skipped |
"""

RECOVER_DOCUMENT = """### Bring tables and write-ahead log to one state

For a Postgres that was lost or restored, a table that somebody rolled back by hand, and whatever else does not fit together.
`look` tells what was found, `approve` waits for a person, `recover` does it, `audit` proves the result. Where all is well `look`
is skipped, and the rest with it; where the run is rejected `approve` is, and its log says by whom. A Postgres that was restored
to an earlier moment cannot know it: say so with the parameter.

With a *decision* the run does what a message of the pipeline asks for in place of that: `accept-loss`, `rebind` or `retire`. The
plan names each interval; who approved it and why is kept in the table and shown by `audit`. With `redrive`, dead letters that fit
their table by now become rows of it: `look` tries some, and what comes later is not touched. Where all were tried and none fits,
nobody is asked.
"""

WATCH_DOCUMENT = """### Watch all pipelines

Measures each pipeline, paused ones too: how far it is behind, how old the oldest record is that is not committed, how long Kafka
still keeps it. Without any configuration it reports, once when it begins and once when it is over: a pipeline that is late by its
own promise, a last run that failed, a table that was dropped, files that wait for a commit, a hanging transaction, a file with
faults, a pipeline that cannot be read, and offsets that Kafka dropped before they were read. The `alerts` of a pipeline file name
other limits and the notifiers. A run is red just where an incident begins. The page shows the same list.
"""

MAINTAIN_DOCUMENT = """### Care for the tables

`compact` rewrites small files into larger ones with the same rows; `expire` removes old snapshots, and the files that only they
name; `rewrite_manifests` makes lists of data files fewer, and sorts them by partition, so that readers open few of them;
`orphans` deletes files of lost attempts that nothing names; `audit` proves that each offset is in the table once: ledger,
write-ahead log, Kafka and the rows as DuckDB counts them. Where nothing is due nothing is changed and Spark, which `compact`
alone needs, is not started. All of them may run beside the pipeline.

**Trigger it by hand** to tidy now: *Table* takes one alone, *Dry run* only logs what would be done.
"""
