"""Commands that are also decisions of the form of `recover__p`."""

from __future__ import annotations

from lakelock.catalogue.model import Command, Dialog, Option
from lakelock.catalogue.shared_options import (
    ACCEPT_LOSS,
    END_OFFSET,
    FIRST_OFFSET,
    PARTITION,
    TABLE,
    TOPIC,
    WHO,
    WHY,
    YES,
)

_DECIDED = (WHY, WHO, YES)
_AS_THE_FILE_SAYS = "as the pipeline file says"
_REASON = Option(
    "reason",
    "Reason contains",
    "Only dead letters whose reason contains this text.",
    unset="any reason",
    metavar="TEXT",
)

DECISION_COMMANDS = (
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
        "Stop reading a topic or partition, or stop writing to a table that rules made.",
        "decision_commands:retire",
        (
            TOPIC.but(unset="", help="The topic."),
            PARTITION,
            TABLE.but(unset="", help="The routed table. Records that rules route to it become dead letters."),
            *_DECIDED,
        ),
        one_of=("topic", "table"),
        dag="recover",
        decides="recover_decisions:Retired",
        dialog=Dialog(
            "Retire…",
            "Retire {table}",
            "Stops writing to this table, which rules made, for example because it was dropped on purpose. Batches that it does "
            "not have yet are given up, and later records that rules route to it become dead letters without a table.",
            (WHY,),
            asks=True,
        ),
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
            WHY.but(required=False, default=_AS_THE_FILE_SAYS),
            WHO,
            YES,
        ),
        dag="recover",
        decides="recover_decisions:Applied",
        dialog=Dialog(
            "Apply…",
            "Apply the pipeline file",
            "Changes existing tables as the pipeline file says: columns, comments, partitioning, sort order and properties. "
            "Files that are there stay as they are, and the pipeline keeps running.",
            (TABLE, WHY.but(default=_AS_THE_FILE_SAYS)),
            previews=True,
            asks=True,
        ),
    ),
    Command(
        "redrive",
        "Turn dead letters that now fit their table into rows. They also stay in the dead-letter table.",
        "redrive:redrive",
        (
            TABLE.but(help="Only this table, or * for dead letters without a table."),
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
