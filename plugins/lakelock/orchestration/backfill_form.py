"""The form and the page of `backfill__<pipeline>`. Imported at every parse, as `dag_parts` is."""

from __future__ import annotations

from airflow.sdk import Param

from lakelock.config import Pipeline
from lakelock.model.units import format_duration
from lakelock.orchestration.dag_builder import dry_run_param, moment_param, table_param

# Runs of it that work at once: each reads Kafka beside the ingest runs.
AT_ONCE = 2
BY_HAND = "Time range of a single run"
# What Airflow's form of backfills calls the box without which none of its fields is sent.
BOX = "Override parameters on existing runs"
# A person's name is kept beside it.
WHY = "a backfill on Airflow's pages"


def params(pipeline: Pipeline) -> dict[str, Param]:
    return {
        "mode": Param(
            "fill",
            type="string",
            enum=["fill", "replace"],
            values_display={
                "fill": "fill: load records that the tables do not have",
                "replace": "replace: read records again, and swap their rows",
            },
            title="Mode",
            # The first field of the form: the box of a Backfill is right above it.
            description=f"In a Backfill, tick '{BOX}' above: otherwise Airflow sends none of these fields, and the runs fail "
            "without a change. Use replace after you changed a column, a cast or a time zone.",
        ),
        "table": table_param(
            [t.name for t in pipeline.tables],
            "all tables",
            "Loads into this table only. All tables: into each one that takes the topics.",
        ),
        "why": Param(
            WHY,
            type=["null", "string"],
            title="Why",
            description="Recorded in the tables with your name. Please be more specific than the default.",
        ),
        "dry_run": dry_run_param("Only logs what the run would do. It requests nothing and reads no records."),
        "from": moment_param(
            "From",
            "Time of the first records. Leave From and To empty to continue earlier requests that are not complete. In a "
            "Backfill, leave both empty: each run has its own time range.",
            BY_HAND,
        ),
        "to": moment_param("To", "Time after the last records (exclusive).", BY_HAND),
    }


def document(pipeline: Pipeline) -> str:
    length = format_duration(pipeline.backfill.interval)
    return f"""### Load older or skipped records, or replace rows

Loads records from before a table's start, records that a rollback with *skip* left out, and records that were accepted as lost
although Kafka has them. It does not load what a table has or gets anyway, and it is idempotent.

`ask` records the request in each table, `write` writes files with Spark, `commit` commits them, `check` fails while records are
missing, and `done` decides whether the run is green. Runs of `ingest__{pipeline.name}` continue beside it.

**One time range:** trigger the DAG with *From* and *To*. Without both, the run continues earlier requests that are not complete,
for example after a failed run.

**A long time range:** choose *Backfill* in *Trigger*. Airflow makes one run per {length} of records (`backfill.interval` in the
pipeline file), at most {AT_ONCE} at once and no more than *Max Active Runs*. From and To are both included: with intervals of an
hour, *00:00 to 02:00* makes the runs 00:00, 01:00 and 02:00. The current interval is left out.

**Tick *{BOX}* in that form.** Despite its name, it matters for new runs, too: without it Airflow
sends none of the form's fields (*Mode*, *Dry run*, *Table*, *Why*). lakelock cannot know your choice, so such a run fails and
changes nothing. To repeat it, tick the box and choose *Missing and Errored Runs*.

**Mode *replace*** reads the records of a time range again, with today's columns and pipeline file. The task `replace` swaps their
rows in one snapshot per table, so readers see either the old or the new rows. A table is refused, with nothing changed, if Kafka
no longer holds all of the records, if records would not fit, if rows do not show their record, or if a file cannot be rewritten.
The log of `replace` says why. Dead letters stay dead letters.

**A time range means offsets:** in each partition it begins at the first record with a timestamp at or after *From*, and ends
before the first one at or after *To*. If producers write timestamps out of order, some records in between have other timestamps.
"""
