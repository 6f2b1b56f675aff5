"""The form and the page of `backfill__<pipeline>`. Imported at every parse, as `dag_parts` is."""

from __future__ import annotations

from airflow.sdk import Param

from lakelock.config import Pipeline
from lakelock.core.units import format_duration
from lakelock.dag_parts import dry_run_param, moment_param, table_param

# Runs of it that work at once: each reads Kafka beside the ingest runs.
AT_ONCE = 2
BY_HAND = "A run that you trigger by hand"
# What Airflow's form of backfills calls the box without which none of its fields is sent.
BOX = "Override parameters on existing runs"
TICKED = f"In a Backfill only with '{BOX}' ticked."
# A person's name is kept beside it.
WHY = "a backfill on Airflow's pages"


def params(pipeline: Pipeline) -> dict[str, Param]:
    return {
        "mode": Param(
            "fill",
            type="string",
            enum=["fill", "replace"],
            values_display={
                "fill": "fill: bring records that the tables do not have",
                "replace": "replace: read records again that they have, and swap the rows",
            },
            title="Mode",
            # The first field of the form: the box of a Backfill is right above it.
            description=f"In a Backfill tick '{BOX}' above. Without it Airflow sends none of these fields: the runs fail, and "
            "nothing is changed. Replace is for rows that are to be as the table's columns and the pipeline file say now: after "
            "a column, a cast or a zone was changed.",
        ),
        "table": table_param(
            [t.name for t in pipeline.tables],
            "all tables",
            f"Only this one. All tables: each that takes the topics. {TICKED}",
        ),
        "why": Param(
            WHY,
            type=["null", "string"],
            title="Why",
            description=f"Kept in the tables with your name: better say more than the default does. {TICKED}",
        ),
        "dry_run": dry_run_param(
            f"Only logs what would be done. Asks for nothing, and reads nothing from Kafka. {TICKED}"
        ),
        "from": moment_param(
            "From",
            "Time of the first records, with To. Empty with an empty To: goes on with what was asked for before and is not there "
            "yet. In a Backfill leave both empty: each of its runs has its own time.",
            BY_HAND,
        ),
        "to": moment_param("To", "Time behind the last records: one of this very time is not brought.", BY_HAND),
    }


def document(pipeline: Pipeline) -> str:
    length = format_duration(pipeline.backfill.interval)
    return f"""### Bring records of a time that the tables do not have

Records from before a table's start, records that a rollback with *skip* left out, and records that were accepted as lost though
Kafka has them. What a table has already, or gets by itself, is not brought again: the same backfill twice changes nothing.

`ask` notes in each table what it is to get, `write` turns that into files with Spark, `commit` lands them, `check` fails with
what still waits, and `done` gives the run its colour. Runs of `ingest__{pipeline.name}` go on beside it.

**With *Backfill* in *Trigger***: a run for each {length} of records, of which at most {AT_ONCE} work at once, and no more than
the form's *Max Active Runs* (1, if you leave it). From and To are both included: there is a run for each square of time that has
a moment between them, so with squares of an hour *00:00 to 02:00* makes three: 00:00, 01:00 and 02:00. A square that is not over
yet is left out. `backfill.interval` in the pipeline file is how long a square is.

**Tick *{BOX}* in that form.** Despite its name the box is about new runs, too: without it Airflow sends
none of the form's fields (*Mode*, *Dry run*, *Table*, *Why*) to any run. lakelock cannot know then what you chose, so such a run
fails and changes nothing. Backfill again with the box ticked and *Missing and Errored Runs*. With the box ticked and all else
left as it is, the runs bring what all tables lack.

**Triggered by hand** with *From* and *To*: one run for just that time. Triggered with neither: it goes on with what was asked for
before and is not there yet, as after a run that failed. Its data interval is not used.

**In mode replace** the records of the time that the tables have are read again, under the tables' columns and the pipeline file
as they are now, and the task `replace` swaps their rows for the old ones in one snapshot a table: readers see old or new. Each
record stays once: a table is refused, and nothing changed, where Kafka no longer holds all of it, records would not fit any more,
rows do not tell which record they are, or a file cannot be rewritten; the log of `replace` says why. Dead letters stay dead
letters. A rollback to before it shows the old rows again.

**Records of a time** are, in each partition, those from the first with a timestamp at or after the start up to the first with one
at or after the end. Where producers write timestamps out of order, some between them are of another time, and come too; others of
this time lie elsewhere, and come with the time that they lie in.
"""
