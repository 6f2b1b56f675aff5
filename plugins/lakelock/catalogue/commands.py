"""The commands of `bin/lakelock`."""

from __future__ import annotations

from lakelock.catalogue.decision_commands import DECISION_COMMANDS
from lakelock.catalogue.model import Command, Files, Option, OptionKind
from lakelock.catalogue.shared_options import (
    ACCEPT_LOSS,
    DRY_RUN,
    END_TIME,
    FIRST_TIME,
    JSON,
    MAX_RECORDS,
    PAST,
    REMOVED_ROWS,
    RESTORED,
    TABLE,
    TAKE_OVER,
    WHO,
    WHY,
    YES,
)

DEFAULT_WAL_CONN_ID = "lakelock_postgres"
# Records of `check --sample` without a number.
SAMPLED = 1000
_OF_TOPICS = "all tables of the topics"
_DECIDED = (WHY, WHO, YES)
_ALL = (
    Command(
        "migrate",
        "Update the schema of the write-ahead log in Postgres to this release.",
        "running:migrate",
        (Option("conn_id", "Connection", "The Airflow connection.", default=DEFAULT_WAL_CONN_ID),),
        Files.NONE,
    ),
    Command(
        "check",
        "Check pipeline files and every server that they need, and show the resulting tables, DAGs and costs. It "
        "writes nothing except a scratch table, which it then drops.",
        "check_command:check",
        (
            Option(
                "sample",
                "Sample",
                f"Also read the newest N records ({SAMPLED} without a number), and show columns, rows and dead letters. It "
                "does not join a consumer group. Place it after the files.",
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
        "running:run_once",
        (
            Option(
                "once", "Once", "Run one whole cycle: plan, write, commit, publish.", OptionKind.FLAG, required=True
            ),
            MAX_RECORDS.but(help="The most offsets that the run reads."),
        ),
        dag="ingest",
    ),
    Command(
        "schema",
        "Show the tables' columns beside the fields of the newest records in Kafka, and the last changes of the columns. "
        "It changes nothing.",
        "schema_command:schema",
        (
            TABLE,
            Option(
                "sample",
                "Sample",
                "The number of newest records to read.",
                OptionKind.INTEGER,
                default=SAMPLED,
                minimum=1,
                metavar="N",
            ),
            JSON,
        ),
    ),
    Command(
        "status",
        "Show lag, the tables with offsets on their way, open batches and the last commits.",
        "reports:status",
        (
            Option(
                "table",
                "Table",
                "Only tables with this text in their name. It may have the wildcards * and ?.",
                metavar="TEXT",
                unset="tables with offsets on their way",
            ),
            Option(
                "limit",
                "Limit",
                "The most tables to show of each list. JSON has all.",
                OptionKind.INTEGER,
                default=20,
                minimum=1,
                metavar="N",
            ),
            JSON,
        ),
        Files.ANY,
    ),
    Command(
        "audit",
        "Prove that the tables hold each offset exactly once, from the ledger, the books and DuckDB's count. It "
        "changes nothing.",
        "reports:audit",
        (
            Option("no_rows", "No rows", "Compare only ledger and books, without opening data files.", OptionKind.FLAG),
            JSON,
        ),
        Files.ANY,
    ),
    Command(
        "rollback",
        "Roll a table back to an earlier snapshot while the pipeline keeps running.",
        "decision_commands:rollback",
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
        "decision_commands:recover",
        (
            RESTORED,
            TAKE_OVER,
            REMOVED_ROWS.but(default="recommit", help="How to treat rows that another tool removed from a table."),
            ACCEPT_LOSS,
            YES,
        ),
        dag="recover",
    ),
    Command(
        "replace",
        "Read the records of a time range from Kafka again and swap their rows, after you change a column, a type or "
        "a time zone.",
        "bring_records:replace",
        (FIRST_TIME.but(required=True), END_TIME.but(required=True), TABLE.but(unset=_OF_TOPICS), *_DECIDED),
        dag="backfill",
    ),
    Command(
        "backfill",
        "Load records of a time range that the tables do not have: older than the tables' start, left out by a "
        "rollback, or declared lost.",
        "bring_records:backfill",
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
    Command("cancel", "Stop the pipeline's jobs on Spark Connect. Their tasks fail.", "running:cancel"),
    Command(
        "compact",
        "Merge small data files into larger ones with the same rows, while the pipeline keeps running.",
        "upkeep:compact",
        (DRY_RUN, TABLE),
        dag="maintain",
    ),
    Command(
        "expire",
        "Expire old snapshots, and delete the files that only they reference, while the pipeline keeps running.",
        "upkeep:expire",
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
        "Merge and sort manifests, so that readers open few of them, while the pipeline keeps running.",
        "upkeep:rewrite_manifests",
        (DRY_RUN, TABLE),
        dag="maintain",
    ),
    Command(
        "orphans",
        "Delete unreferenced files of lost attempts, while the pipeline keeps running.",
        "upkeep:orphans",
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
    *DECISION_COMMANDS,
)
COMMANDS = {command.name: command for command in _ALL}
