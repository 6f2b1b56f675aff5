"""The forms of the DAGs: options of commands, with the words that several decisions in one form need; and their dialogs."""

from __future__ import annotations

from lakelock.catalogue.commands import COMMANDS
from lakelock.catalogue.model import Dialog, Form, Option, OptionKind
from lakelock.catalogue.shared_options import (
    ACCEPT_LOSS,
    BACKFILL_MODES,
    DRY_RUN,
    END_OFFSET,
    END_TIME,
    FIRST_OFFSET,
    FIRST_TIME,
    MAX_RECORDS,
    PARTITION,
    PAST,
    REMOVED_ROWS,
    RESTORED,
    TABLE,
    TAKE_OVER,
    TOPIC,
    WHY,
)
from lakelock.model.batches import NO_TABLE

# The box of Airflow's form of backfills without which none of its fields is sent.
BOX = "Override parameters on existing runs"
BACKFILL_WHY = "a backfill on Airflow's pages"
_BY_HAND = "Time range of a single run"
_STOP = "Stop earlier"
BY_DECISION = {name: COMMANDS[name] for name in sorted(COMMANDS) if COMMANDS[name].decides}
DECISIONS = {
    "none": "reconcile the tables and the write-ahead log",
    **{name: command.short for name, command in BY_DECISION.items()},
}


def taking(option: str) -> list[str]:
    """Decisions whose command has this option."""
    return [name for name, command in BY_DECISION.items() if any(o.name == option for o in command.options)]


def _only_with(option: str) -> str:
    *others, last = taking(option)
    return f"Only with {' and '.join(filter(None, [', '.join(others), last]))}."


_OF_SEVERAL = {"topic", "partition", "from", "to", "table", "accept_loss", "why", "who", "yes"}
_OF_ONE = [o for command in BY_DECISION.values() for o in command.options if o.name not in _OF_SEVERAL]

_INGEST = Form(
    "ingest",
    (
        MAX_RECORDS,
        Option(
            "commit_now",
            "Commit now",
            "Commits without waiting for commit.min_bytes or commit.max_latency. 'Run now, and commit…' on the "
            "lakelock page starts a run with this field on.",
            OptionKind.FLAG,
        ),
        DRY_RUN.but(help="Only logs what the run would read. It records and writes nothing."),
        Option(
            "stop_at_time",
            "Stop at a time",
            "Stops in each partition before the first record with this timestamp or a later one. Later runs read the "
            "remaining records, even older ones.",
            OptionKind.MOMENT,
            section=_STOP,
        ),
        Option(
            "stop_at_offsets",
            "Stop at offsets",
            'Stops before these offsets, like {"orders": {"0": 1500, "1": 900}}. Other partitions are read as usual.',
            OptionKind.OFFSETS,
            section=_STOP,
        ),
        Option(
            "commit_tables",
            "Commit these tables now",
            "Commits these tables, their dead letters first. The others wait until they are due.",
            OptionKind.TABLES,
            section="Commit less",
        ),
    ),
    Dialog(
        "Run now, and commit…",
        "Run now, and commit",
        "Starts a run that reads new records and commits all staged files, without waiting for commit.min_bytes or "
        "commit.max_latency.",
        fixed={"commit_now": True},
        same="with Commit now on. Its form has more fields",
    ),
    has_dead_letters=True,
)
_BACK = (PAST.but(default="last:1"), REMOVED_ROWS.but(required=True, help=""), WHY)
_ROLLBACK = Form(
    "rollback",
    (TABLE.but(required=True, unset="", help=""), *_BACK),
    Dialog(
        "Roll back…",
        "Roll back {table}",
        "The run shows a preview and waits for approval. The pipeline keeps running.",
        _BACK,
        asks=True,
    ),
)
_RECOVER = Form(
    "recover",
    (
        Option(
            "decision",
            "Decision",
            "The decision that the pipeline's error requires. Its fields are below.",
            OptionKind.CHOICE,
            choices=DECISIONS,
            default="none",
        ),
        TOPIC.but(help=_only_with("topic"), unset="all topics that it can apply to"),
        PARTITION.but(help=_only_with("partition")),
        FIRST_OFFSET.but(help=f"The first offset. {_only_with('from')}"),
        END_OFFSET,
        TABLE.but(
            unset="none",
            help=f"{_only_with('table')} With rebind and retire, enter it instead of a topic. In a pipeline with routes, "
            f"{NO_TABLE} selects dead letters without a table.",
            beside_names=(NO_TABLE,),
        ),
        *_OF_ONE,
        ACCEPT_LOSS.but(
            help=(
                "With rebind: continue without records that Kafka no longer holds. Without a decision: recover "
                "although Kafka no longer holds records that must be read again. Declare them with accept-loss "
                "afterwards."
            )
        ),
        WHY.but(required=False, help="Required for a decision. It is recorded in the table with your name."),
        RESTORED,
        TAKE_OVER,
        REMOVED_ROWS.but(default="recommit", help=""),
    ),
    Dialog(
        "Recover…",
        "Recover",
        "The run reports where tables, log and Kafka disagree, and asks before it changes anything. If all is well, it ends "
        "by itself.",
        asks=True,
        same="with an unchanged form",
    ),
)
_MAINTAINED = (
    TABLE.but(help="Maintains only this table. All tables include those that the pipeline file no longer names."),
    DRY_RUN.but(help="Only logs which files would be rewritten, expire or be deleted."),
)
_MAINTAIN = Form(
    "maintain",
    _MAINTAINED,
    Dialog(
        "Maintain…",
        "Run maintenance",
        "Rewrites small files, expires old snapshots, rewrites manifests, deletes files of lost attempts, and audits. If "
        "nothing is due, nothing is changed.",
        _MAINTAINED,
        then="The logs of its tasks show what they do.",
    ),
    has_dead_letters=True,
)
_BACKFILL_MODE = Option(
    "mode",
    "Mode",
    f"In a Backfill, tick '{BOX}' above: otherwise Airflow sends none of these fields, and the runs fail without "
    "changing anything. Use replace after you change a column, a type or a time zone.",
    OptionKind.CHOICE,
    choices=BACKFILL_MODES,
    default="fill",
)
_BACKFILL_DRY_RUN = DRY_RUN.but(help="Only logs what the run would do. It requests nothing and reads no records.")
_BACKFILL = Form(
    "backfill",
    (
        # The first field: the box of a Backfill is right above it.
        _BACKFILL_MODE,
        TABLE.but(help="Loads into this table only. All tables: into each one that takes the topics."),
        WHY.but(
            required=False,
            default=BACKFILL_WHY,
            help="Recorded in the tables with your name. Please be more specific than the default.",
        ),
        _BACKFILL_DRY_RUN,
        FIRST_TIME.but(
            help="The time of the first records. Leave From and To empty to continue earlier requests that are not complete. In "
            "a Backfill, leave both empty: each run has its own time range.",
            section=_BY_HAND,
        ),
        END_TIME.but(section=_BY_HAND),
    ),
    Dialog(
        "Backfill…",
        "Backfill {table}",
        "Loads the records of a time range from Kafka, each exactly once. The pipeline keeps running.",
        (
            _BACKFILL_MODE.but(help=""),
            FIRST_TIME.but(required=True, help=""),
            END_TIME.but(
                required=True,
                help="Times with their zone, like 2026-01-31T12:00:00Z. To is exclusive. For a long time range, open this DAG "
                f"in Airflow and choose Trigger, Backfill: one run per hour. In that form, tick {BOX}, or Airflow ignores "
                "its fields and the runs fail without changing anything.",
            ),
            WHY,
            _BACKFILL_DRY_RUN,
        ),
        then="The log of its task ask shows what it will do.",
    ),
)
FORMS = {form.dag: form for form in (_INGEST, _ROLLBACK, _RECOVER, _MAINTAIN, _BACKFILL)}
