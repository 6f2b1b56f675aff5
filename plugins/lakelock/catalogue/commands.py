"""The commands of `bin/lakelock`."""

from __future__ import annotations

from lakelock.catalogue.model import Command, Dialog, Files, Option, OptionKind
from lakelock.catalogue.shared_options import (
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
_OF_TOPICS = "all tables of the topics"
_DECIDED = (WHY, WHO, YES)
_REASON = Option(
    "reason",
    "Reason contains",
    "Only dead letters whose reason contains this text.",
    unset="any reason",
    metavar="TEXT",
)

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
    Command("status", "Show lag, open batches and the last commits.", "reports:status", (JSON,), Files.ANY),
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
    Command(
        "accept-loss",
        "Continue without offsets that Kafka deleted before lakelock read them.",
        "decision_commands:decide",
        (TOPIC, PARTITION, FIRST_OFFSET.but(unset="all that Kafka deleted"), END_OFFSET, *_DECIDED),
        dag="recover",
        decides="recover_decisions:Declared",
    ),
    Command(
        "retire",
        "Stop reading a topic or partition.",
        "decision_commands:decide",
        (TOPIC.but(required=True, unset="", help="The topic."), PARTITION, *_DECIDED),
        dag="recover",
        decides="recover_decisions:Declared",
    ),
    Command(
        "rebind",
        "Continue with a replaced table, or with a topic that was recreated.",
        "decision_commands:rebind",
        (
            TABLE.but(unset="", help="The table that was replaced. If it is gone, it is created."),
            TOPIC.but(unset="", help="The topic that was recreated."),
            ACCEPT_LOSS.but(help="With --table: continue without records that Kafka no longer holds for it."),
            *_DECIDED,
        ),
        one_of=("table", "topic"),
        dag="recover",
        decides="recover_decisions:Declared",
    ),
    Command(
        "pause",
        "Stop commits to one table while the pipeline's other tables continue. Batches are still written and staged.",
        "decision_commands:pause_or_resume",
        (TABLE.but(required=True, unset="", help="The table."), *_DECIDED),
        dag="recover",
        decides="recover_decisions:Paused",
    ),
    Command(
        "resume",
        "Resume commits to a paused table.",
        "decision_commands:pause_or_resume",
        (TABLE.but(required=True, unset="", help="The table."), *_DECIDED),
        dag="recover",
        decides="recover_decisions:Paused",
    ),
    Command(
        "apply",
        "Change existing tables as the pipeline file says: columns, comments, partitioning, sort order and properties. "
        "Files that are there stay as they are.",
        "decision_commands:apply",
        (
            TABLE,
            WHY.but(required=False, default="as the pipeline file says"),
            WHO,
            YES,
        ),
        dag="recover",
        decides="recover_decisions:Applied",
    ),
    Command(
        "redrive",
        "Turn dead letters that now fit their table into rows. They also stay in the dead-letter table.",
        "redrive:redrive",
        (
            TABLE,
            _REASON,
            TOPIC,
            PARTITION,
            FIRST_OFFSET,
            END_OFFSET,
            *_DECIDED,
        ),
        dag="recover",
        decides="redrive:Redriving",
        in_dag="`look` tries some of them, and later dead letters wait for another run. If it tried all of them and none "
        "fits, it asks for no approval.",
        dialog=Dialog(
            "Redrive…",
            "Redrive dead letters of {table}",
            "Turns dead letters that fit the table now, after you fixed its columns or the pipeline file, into rows. They stay "
            "in the dead-letter table, with the reason why they failed. The run tries some of them, shows a preview, and asks "
            "before it changes anything.",
            (_REASON, WHY),
            asks=True,
        ),
    ),
)
COMMANDS = {command.name: command for command in _ALL}
