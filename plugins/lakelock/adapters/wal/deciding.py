"""Bringing the log up to what a person decided and the tables already say, in one transaction each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lakelock.adapters.wal.following import apply, plan_again, read_notes
from lakelock.adapters.wal.marking import keep_ledger
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.reading import read_starts, read_streams
from lakelock.adapters.wal.server import Connection
from lakelock.core.batch import LIVE
from lakelock.core.follow import Redo, lacking
from lakelock.core.gaps import given_up, moved
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import OffsetRange, Source


def declare(
    connection: Connection,
    pipeline: str,
    tables: Mapping[str, tuple[Ledger, Redo]],
    gaps: Sequence[OffsetRange],
    reason: str,
) -> None:
    """Frontiers move over *gaps*; planned parts of *tables* that a gap of theirs, or what they have of *gaps*, lies in are cut
    around it.

    Again it changes nothing.
    """
    sql, key = queries("decide"), {"pipeline": pipeline, "lane": LIVE}
    # In the order in which planners, stages and marks take them.
    connection.execute(sql["lock_batches"], key)
    for row in connection.execute(sql["lock_streams"], key).fetchall():
        source = Source(row["topic"], row["topic_id"], row["partition"])
        frontier = moved(row["next_offset"], [(g.start, g.end) for g in gaps if g.source == source])
        if frontier != row["next_offset"]:
            at = {"topic_id": source.topic_id, "partition": source.partition, "next_offset": frontier}
            connection.execute(sql["move_frontier"], key | at)
    for table, (ledger, redo) in sorted(tables.items()):
        again = given_up(read_notes(connection, pipeline, table), ledger.coverage, gaps)
        if again:
            part_ids = {"part_ids": list(again)}
            # What takes the place of a part is read under the configuration of the part.
            configs = {row["part_id"]: row for row in connection.execute(sql["configs_of_parts"], part_ids)}
            apply(connection, "abort", part_ids | {"reason": reason})
            for part_id, ranges in again.items():
                of_part = configs[part_id]
                pinned = replace(redo, config=of_part["config"], config_digest=of_part["config_digest"])
                plan_again(connection, pipeline, table, ranges, pinned)
        keep_ledger(connection, pipeline, table, ledger)


def rebind(
    connection: Connection,
    pipeline: str,
    table: str,
    table_uuid: str,
    ledger: Ledger,
    redo: Redo,
    reason: str,
) -> list[OffsetRange]:
    """All parts of the table are given up, and what the new one lacks is planned; nothing where that was done before."""
    sql, key = queries("decide"), {"pipeline": pipeline, "table": table}
    connection.execute(sql["lock_batches"], key)
    # No planner moves a frontier meanwhile: what it planned is given up here, what it plans then is for the new table.
    connection.execute(sql["lock_streams"], key | {"lane": LIVE})
    bound = connection.execute(queries("follow")["lock_table"], key).fetchone()
    if bound is None or bound["table_uuid"] == table_uuid:
        return []
    part_ids = [row["part_id"] for row in connection.execute(sql["all_parts"], key)]
    if part_ids:
        apply(connection, "abort", {"part_ids": part_ids, "reason": reason})
    connection.execute(sql["set_uuid"], key | {"uuid": table_uuid})
    keep_ledger(connection, pipeline, table, ledger)
    starts = read_starts(connection, pipeline, LIVE, table)
    frontiers = {s.source: s.next_offset for s in read_streams(connection, pipeline, LIVE)}
    ranges = lacking(ledger.coverage, (), starts, frontiers, redo.wanted(table))
    plan_again(connection, pipeline, table, ranges, redo)
    return ranges
