"""Options that several commands and forms share; `.but(help=…)` gives one of them other words."""

from __future__ import annotations

from lakelock.catalogue.model import Option, OptionKind

MODES = {
    "recommit": "commit the same files again",
    "replay": "read the records from Kafka again",
    "skip": "leave the rows out until a backfill requests them",
}
BACKFILL_MODES = {
    "fill": "load records that the tables do not have",
    "replace": "read records again, and swap their rows",
}
TABLE = Option("table", "Table", "Only this table.", OptionKind.TABLE, unset="all tables")
TOPIC = Option("topic", "Topic", "Only this topic.", unset="all topics")
PARTITION = Option(
    "partition", "Partition", "Only this partition.", OptionKind.INTEGER, minimum=0, unset="all partitions"
)
FIRST_OFFSET = Option("from", "From", "The first offset.", OptionKind.INTEGER, minimum=0, unset="all offsets")
END_OFFSET = Option("to", "To", "The offset after the last one (exclusive).", OptionKind.INTEGER, minimum=1)
FIRST_TIME = Option("from", "From", "The time of the first records, like 2026-01-31T12:00:00Z.", OptionKind.MOMENT)
END_TIME = Option("to", "To", "The time after the last records (exclusive).", OptionKind.MOMENT)
PAST = Option(
    "to",
    "Back to",
    "A snapshot id, a time with a zone like 2026-01-31T12:00:00Z, or last:N for the state before the last N commits of this "
    "pipeline.",
    OptionKind.PAST,
    required=True,
)
REMOVED_ROWS = Option("mode", "The removed rows", "How to treat the removed rows.", OptionKind.CHOICE, choices=MODES)
WHY = Option("why", "Why", "The reason. It is recorded in the table with your name.", required=True)
WHO = Option("who", "Who", "The person who decided this.", unset="this login")
YES = Option("yes", "Yes", "Run it. Without this option, the command only previews.", OptionKind.FLAG)
DRY_RUN = Option("dry_run", "Dry run", "Only preview.", OptionKind.FLAG)
JSON = Option("json", "JSON", "Print one JSON document instead of tables.", OptionKind.FLAG)
MAX_RECORDS = Option(
    "max_records",
    "Most records per batch",
    "The most offsets per batch of this run.",
    OptionKind.INTEGER,
    minimum=1,
    unset="batch.max_records of the pipeline file",
)
ACCEPT_LOSS = Option(
    "accept_loss",
    "Accept loss",
    "Continue without records that must be read again but that Kafka no longer holds. Declare them with accept-loss "
    "afterwards.",
    OptionKind.FLAG,
)
RESTORED = Option(
    "restored",
    "Postgres was restored",
    "Postgres was restored to an earlier point in time. Its contents are discarded and rebuilt from the tables.",
    OptionKind.FLAG,
)
TAKE_OVER = Option(
    "take_over",
    "The tables' Postgres is lost",
    "The Postgres that the tables belong to is lost, and this one replaces it. Never use it for tables that another "
    "environment still writes to.",
    OptionKind.FLAG,
)
