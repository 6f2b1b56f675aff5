"""The commands of `bin/lakelock`."""

from __future__ import annotations

from lakelock.catalogue.model import Command, Files, Option, OptionKind
from lakelock.catalogue.options import (
    ACCEPT_LOSS,
    DRY_RUN,
    END_OFFSET,
    END_TIME,
    FIRST_OFFSET,
    FIRST_TIME,
    JSON,
    MAX_RECORDS,
    PARTITION,
    PAST,
    REASON,
    REMOVED_ROWS,
    RESTORED,
    TABLE,
    TAKE_OVER,
    TOPIC,
    WHO,
    WHY,
    YES,
)

DEFAULT_WAL_CONN_ID = "lakelock_postgres"
# Records of `check --sample` without a number.
SAMPLED = 1000
_OF_TOPICS = "all tables that take the topics"
_DECIDED = (WHY, WHO, YES)

_ALL = (
    Command(
        "migrate",
        "Update the schema of the write-ahead log in Postgres to this release.",
        (Option("conn_id", "Connection", "The Airflow connection.", default=DEFAULT_WAL_CONN_ID),),
        Files.NONE,
    ),
    Command(
        "check",
        "Check pipeline files and every server they need, and show the tables, DAGs and costs that follow. It writes nothing.",
        (
            Option(
                "sample",
                "Sample",
                f"Also read the newest N records ({SAMPLED} without a number), and show columns, rows and dead letters. It "
                "joins no consumer group. Give it after the files.",
                OptionKind.INTEGER,
                bare=SAMPLED,
                metavar="N",
            ),
            JSON,
        ),
        Files.ANY,
    ),
    Command(
        "run",
        "Run a pipeline without Airflow.",
        (
            Option("once", "Once", "One whole cycle: plan, write, commit, publish.", OptionKind.FLAG, required=True),
            MAX_RECORDS.but(help="The most offsets that the run reads."),
        ),
        dag="ingest",
    ),
    Command("status", "Show lag, open batches and the last commits.", (JSON,), Files.ANY),
    Command(
        "audit",
        "Prove that the tables hold each offset once, from the ledger, the books and DuckDB's count. It only reads.",
        (Option("no_rows", "No rows", "Compare ledger and books only, and open no data file.", OptionKind.FLAG), JSON),
        Files.ANY,
    ),
    Command(
        "rollback",
        "Roll a table back to an earlier snapshot, also while the pipeline runs.",
        (
            TABLE.but(required=True, unset="", help="The table."),
            PAST,
            REMOVED_ROWS.but(required=True),
            WHY,
            Option(
                "seen",
                "Seen",
                "The newest snapshot that the preview showed. Required with --yes; the preview prints it.",
                OptionKind.INTEGER,
                minimum=1,
                metavar="SNAPSHOT",
            ),
            YES,
        ),
        dag="rollback",
    ),
    Command(
        "recover",
        "Reconcile the tables and the write-ahead log, and rebuild a Postgres that was lost or restored.",
        (
            RESTORED,
            TAKE_OVER,
            REMOVED_ROWS.but(default="recommit", help="What happens to rows that another tool removed from a table."),
            ACCEPT_LOSS,
            YES,
        ),
        dag="recover",
    ),
    Command(
        "replace",
        "Read records of a time range again, and swap their rows: after a column, a cast or a time zone was changed.",
        (FIRST_TIME.but(required=True), END_TIME.but(required=True), TABLE.but(unset=_OF_TOPICS), *_DECIDED),
        dag="backfill",
    ),
    Command(
        "backfill",
        "Load records of a time range that the tables do not have: older than their start, left out, or declared lost.",
        (
            FIRST_TIME,
            END_TIME.but(
                help="The time after the last records (exclusive). Without --from and --to, the command continues "
                "earlier requests."
            ),
            TABLE.but(unset=_OF_TOPICS),
            WHY.but(required=False, default=""),
            WHO,
            YES,
        ),
        dag="backfill",
    ),
    Command("cancel", "Stop the pipeline's jobs on Spark Connect. Their tasks fail."),
    Command(
        "compact",
        "Merge small data files into larger ones with the same rows, also while the pipeline runs.",
        (DRY_RUN, TABLE),
        dag="maintain",
    ),
    Command(
        "expire",
        "Expire old snapshots, and delete the files that only they reference, also while the pipeline runs.",
        (
            Option(
                "older_than",
                "Older than",
                "The age, like 7d.",
                OptionKind.DURATION,
                unset="maintenance.expire_after of the pipeline file",
            ),
            Option(
                "keep",
                "Keep",
                "The number of newest snapshots that stay.",
                OptionKind.INTEGER,
                minimum=1,
                unset="maintenance.keep_at_least of the pipeline file",
            ),
            TABLE,
            YES,
        ),
        dag="maintain",
    ),
    Command(
        "rewrite-manifests",
        "Merge and sort manifests, so that readers open few of them, also while the pipeline runs.",
        (DRY_RUN, TABLE),
        dag="maintain",
    ),
    Command(
        "orphans",
        "Delete unreferenced files of lost attempts, also while the pipeline runs.",
        (
            Option(
                "older_than",
                "Older than",
                "The age, like 1d.",
                OptionKind.DURATION,
                unset="maintenance.orphans_after of the pipeline file",
            ),
            TABLE,
            YES,
        ),
        dag="maintain",
    ),
    Command(
        "accept-loss",
        "Continue without offsets that Kafka deleted before lakelock read them.",
        (TOPIC, PARTITION, FIRST_OFFSET.but(unset="all that Kafka deleted"), END_OFFSET, *_DECIDED),
        dag="recover",
    ),
    Command(
        "retire",
        "Stop reading a topic or partition.",
        (TOPIC.but(required=True, unset="", help="The topic."), PARTITION, *_DECIDED),
        dag="recover",
    ),
    Command(
        "rebind",
        "Continue with a replaced table, or with a topic that was created again.",
        (
            TABLE.but(unset="", help="The table was replaced, or is gone: then it is created."),
            TOPIC.but(unset="", help="The topic was created again."),
            ACCEPT_LOSS.but(help="With --table: continue without records that Kafka no longer holds for it."),
            *_DECIDED,
        ),
        one_of=("table", "topic"),
        dag="recover",
    ),
    Command(
        "pause",
        "Commit no batch to one table while the pipeline's other tables go on. Batches are still written and staged.",
        (TABLE.but(required=True, unset="", help="The table."), *_DECIDED),
        dag="recover",
    ),
    Command(
        "resume",
        "Commit to a paused table again.",
        (TABLE.but(required=True, unset="", help="The table."), *_DECIDED),
        dag="recover",
    ),
    Command(
        "redrive",
        "Turn dead letters that fit their table now into rows. They stay in the dead-letter table.",
        (TABLE, REASON, TOPIC, PARTITION, FIRST_OFFSET, END_OFFSET, *_DECIDED),
        dag="recover",
    ),
)
COMMANDS = {command.name: command for command in _ALL}
