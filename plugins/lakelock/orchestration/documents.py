"""Pages of the DAGs in Airflow, as Markdown. Imported when Airflow parses DAG files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lakelock.catalogue.dag_forms import BOX, BY_DECISION
from lakelock.config import BrokenPipeline, Pipeline
from lakelock.config.route_section import Route
from lakelock.config.routing import NOT_REPLACEABLE
from lakelock.model.units import format_duration, format_size
from lakelock.orchestration.dag_builder import BACKFILLS_AT_ONCE, hour_assets

ROLLBACK_DOCUMENT = """### Roll a table back to an earlier snapshot

`look` previews the rollback, `approve` waits for approval, `roll_back` performs it in one commit, and `audit`
proves the result. A rejected run changes nothing: `approve` and the tasks after it are skipped, and its log says who
rejected it. The pipeline may keep running: batches in progress are fenced, then committed once or read again.

| mode | the removed rows | use it when |
|---|---|---|
| recommit | are committed again from the same files | another tool damaged the table |
| replay | are read from Kafka again, with the current pipeline file | rows were converted incorrectly |
| skip | stay out until a backfill requests them; their offsets are recorded as skipped | they do not belong there |
"""

RECOVER_DOCUMENT = """### Reconcile the tables and the write-ahead log

Use it if Postgres was lost or restored, or if another tool rolled a table back. `look` lists the findings, `approve`
waits for approval, `recover` fixes them, and `audit` proves the result. If nothing is wrong, `look` and the tasks
after it are skipped. If the run is rejected, `approve` is skipped, and its log says who rejected it. A restored
Postgres cannot notice it by itself: tick *Postgres was restored*.

With a *decision*, the run takes that decision instead. The preview names each interval. The table records who approved
it and why, and `audit` shows it.

| decision | |
|---|---|
""" + "\n".join(f"| `{name}` | {' '.join(filter(None, [c.summary, c.in_dag]))} |" for name, c in BY_DECISION.items())

WATCH_DOCUMENT = """### Watch all pipelines

Measures each pipeline, including paused ones: its lag, the age of its oldest uncommitted record, and how long Kafka still
keeps that record. It needs no configuration. It reports each incident once when it begins and once when it ends:

- a pipeline that is later than it promises, or whose last run failed
- a table that was dropped, whose files wait for a commit, or that has been paused for more than a day
- a hanging transaction in Kafka
- a pipeline file with errors, or a pipeline that cannot be read
- offsets that Kafka deleted before lakelock read them

The `alerts` of a pipeline file set other limits and the notifiers. A run fails only when an incident begins. The page
shows the same list.
"""

MAINTAIN_DOCUMENT = """### Keep the tables small

`compact` merges small files. `expire` removes old snapshots and the files that only they reference.
`rewrite_manifests` merges and sorts the lists of data files, so that readers open few of them. `orphans` deletes
unreferenced files of lost attempts. `audit` proves from the ledger, the write-ahead log, Kafka and DuckDB's count
that each offset is in the table once. Tasks without work change nothing, and Spark starts only if `compact` needs it.
All of them are safe to run alongside the pipeline. If the file sets `maintenance.apply`, `apply` comes first: it changes
the tables as the file says, without approval.

**Trigger it** to run now: *Table* selects one table, *Dry run* only logs.
"""


def broken_document(broken: BrokenPipeline) -> str:
    return f"""### This pipeline does not run: its file has errors

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
        *([("tables", ", ".join(f"`{t.name}`" for t in pipeline.tables))] if pipeline.tables else []),
        *([("routes", _routes(pipeline.route))] if pipeline.route else []),
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
        assets = ", ".join(f"`{asset.uri}`" for asset in hour_assets(pipeline).values())
        rows.append(("complete hours", f"{assets}, at most {format_duration(pipeline.publish.max_lateness)} late"))
    settings = "\n".join(f"| {key} | {value.replace('|', chr(92) + '|')} |" for key, value in rows)
    loop = (
        "A run is a window: `write` plans and writes a batch every "
        f"{format_duration(window)} until the window ends, and `commit` commits them in parallel."
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

**Clear, retry or pause** any task at any time: a table never takes the same offset twice. If there is nothing to read,
`write` is skipped. If no commit is due, `commit` is skipped.
"""


def _routes(route: Route) -> str:
    names = dict.fromkeys(name for rule in route.all_rules for name in rule.table_names)
    return f"{', '.join(f'`{name}`' for name in names)}, at most {route.max_tables:,} tables"


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


def backfill_document(pipeline: Pipeline) -> str:
    length = format_duration(pipeline.backfill.interval)
    refused = (
        ""
        if pipeline.is_replaceable
        else f"**Runs with the mode *replace* fail, and change nothing:** this pipeline {NOT_REPLACEABLE}.\n\n"
    )
    return f"""### Load older or skipped records, or replace rows

{refused}\
Loads records from before a table's start, records that a rollback with *skip* left out, and records that were accepted as lost
even though Kafka still has them. It skips records that are already in a table or that a normal run will load. It is idempotent.

`ask` records the request in each table, `write` writes files with Spark, `commit` commits them, `check` fails while records are
missing, and `done` decides whether the run is green. Runs of `ingest__{pipeline.name}` continue beside it.

**One time range:** trigger the DAG with *From* and *To*. Without both, the run continues earlier requests that are not complete,
for example after a failed run.

**A long time range:** choose *Backfill* in *Trigger*. Airflow makes one run per {length} of records (`backfill.interval` in the
pipeline file), at most {BACKFILLS_AT_ONCE} at once, or *Max Active Runs* if that is fewer. From and To are both inclusive: with
intervals of an hour, *00:00 to 02:00* makes the runs 00:00, 01:00 and 02:00. The current interval is left out.

**Tick *{BOX}* in that form.** Despite its name, it also matters for new runs: without it, Airflow
sends none of the form's fields (*Mode*, *Dry run*, *Table*, *Why*). lakelock cannot know your choice, so such a run fails and
changes nothing. To repeat it, tick the box and choose *Missing and Errored Runs*.

**Mode *replace*** reads the records of a time range again, with the current columns and pipeline file. The task `replace` swaps
their rows in one snapshot per table, so readers see either the old or the new rows. A table is refused, with nothing changed, if
Kafka no longer holds all of the records, if records would not fit, if rows do not show their record, or if a file cannot be
rewritten. The log of `replace` says why. Dead letters stay dead letters.

**A time range means offsets:** in each partition it begins at the first record with a timestamp at or after *From*, and ends
before the first one at or after *To*. If producers write timestamps out of order, some records in between have other timestamps.
"""
