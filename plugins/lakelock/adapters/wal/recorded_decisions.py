"""Record operators' decisions in the log, after the tables have them; one transaction per call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lakelock.adapters.wal.marking import keep_ledger
from lakelock.adapters.wal.planning import refuse_while_recovering
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.reconcile import apply, batches_of, plan_in_place, plan_lacking, plan_unclosed, read_notes
from lakelock.adapters.wal.routed_names import is_routed
from lakelock.adapters.wal.row_reading import read_batches, read_planned, read_starts, read_streams, read_unclosed
from lakelock.adapters.wal.server import Connection
from lakelock.gaps.decision import given_up, moved, not_known, refuse_moved, refuse_read, refuse_reread
from lakelock.ingest.closing_decision import without_gaps
from lakelock.ingest.reconcile_decision import lacking
from lakelock.model.batches import LIVE
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Recorded, Redo
from lakelock.model.offsets import FOREVER, OffsetRange, Source, overlap
from lakelock.model.retirement import NEVER, Retirement, first_of, of_text, text_of


def hold(connection: Connection, pipeline: str, gaps: Sequence[OffsetRange], attempt: str) -> bool:
    """Move the frontiers of sources with an open-ended gap to its end, so that they are no longer planned.

    False, with nothing changed, if *attempt* does not hold a planned batch that overlaps *gaps*. This precedes the
    record in the tables: anything planned later would be staged and mistaken for offsets that the operator gave up.
    """
    key = {"pipeline": pipeline, "lane": LIVE}
    connection.execute(queries("decide")["lock_batches"], key)
    streams = connection.execute(queries("decide")["lock_streams"], key).fetchall()
    for batch in read_planned(connection, pipeline):
        if batch.attempt != attempt and overlap([p.range for p in batch.ranges], gaps):
            return False
    _move_frontiers(connection, key, streams, [g for g in gaps if g.end == FOREVER])
    return True


def declare(
    connection: Connection,
    pipeline: str,
    tables: Mapping[str, Recorded],
    gaps: Sequence[OffsetRange],
    redo: Redo,
    attempt: str,
    reason: str,
) -> None:
    """Move frontiers past *gaps*, and cut overlapping planned parts of *tables* around the offsets no longer needed.

    Idempotent. Raises Fenced if a table has changed since its decision, or *attempt* lacks the batch of such a part.
    """
    sql, key = queries("decide"), {"pipeline": pipeline, "lane": LIVE}
    # In the same order as planning, staging and marking.
    connection.execute(sql["lock_batches"], key)
    streams = connection.execute(sql["lock_streams"], key).fetchall()
    for table, recorded in sorted(tables.items()):
        bound = connection.execute(queries("follow")["lock_table"], key | {"table": table}).fetchone()
        uuid, generation = (bound["table_uuid"], bound["generation"] or 0) if bound else (None, 0)
        refuse_moved(table, recorded, uuid, generation)
    _move_frontiers(connection, key, streams, gaps)
    _plan_undecided_again(connection, pipeline, gaps, redo, attempt, reason)
    for table, recorded in sorted(tables.items()):
        again = given_up(read_notes(connection, pipeline, table), recorded.ledger.coverage, gaps)
        if again:
            batches = batches_of(connection, again)
            for batch in batches.values():
                refuse_read(table, batch["batch_id"], batch["attempt"], attempt)
            plan_in_place(connection, pipeline, table, again, batches, redo, reason)
        keep_ledger(connection, pipeline, table, recorded.ledger)


def _plan_undecided_again(
    connection: Connection, pipeline: str, gaps: Sequence[OffsetRange], redo: Redo, attempt: str, reason: str
) -> None:
    """Batches that are not closed cannot be read as a whole if *gaps* are never read: others read the rest for all tables.

    The same is true of those whose dead letters without a table are planned again. A part of a table of the pipeline file stays
    in its batch, which then has no other.
    """
    for batch in connection.execute(queries("routes")["undecided"], {"pipeline": pipeline}).fetchall():
        planned = [p.range for p in read_batches(connection, [batch["batch_no"]])[0].ranges]
        rest = without_gaps(planned, gaps)
        if rest is None:
            continue
        refuse_read("of a route", batch["batch_id"], batch["attempt"], attempt)
        connection.execute(queries("routes")["leave_unrouted"], batch)
        parts = connection.execute(queries("routes")["undecided_parts"], batch)
        if part_ids := [row["part_id"] for row in parts]:
            apply(connection, "abort", {"part_ids": part_ids, "reason": reason})
        connection.execute(queries("mark")["free_ranges"], batch)
        pinned = replace(redo, config=batch["config"], config_digest=batch["config_digest"])
        plan_unclosed(connection, pipeline, rest, pinned, batch["lane"])


def _move_frontiers(
    connection: Connection, key: Mapping[str, object], streams: Sequence[Mapping[str, Any]], gaps: Sequence[OffsetRange]
) -> None:
    """Move frontiers past *gaps*; *streams* are locked."""
    for row in streams:
        source = Source(row["topic"], row["topic_id"], row["partition"])
        frontier = moved(row["next_offset"], [(g.start, g.end) for g in gaps if g.source == source])
        if frontier != row["next_offset"]:
            at = {"topic_id": source.topic_id, "partition": source.partition, "next_offset": frontier}
            connection.execute(queries("decide")["move_frontier"], {**key, **at})


def retire_table(connection: Connection, pipeline: str, table: str) -> Retirement:
    """See the port."""
    sql, key = queries("decide"), {"pipeline": pipeline, "table": table}
    # Locked so that no batch is closed and no frontier moves: a batch is closed before this with the table, or later without it.
    connection.execute(sql["lock_batches"], key)
    streams = connection.execute(sql["lock_streams"], key | {"lane": LIVE}).fetchall()
    refuse_while_recovering(connection, pipeline)
    row = connection.execute(queries("follow")["lock_table"], key).fetchone()
    if row is None or row["raw_name"] is None:
        raise not_known(table)
    before = of_text(row["retirement"]) if row["retirement"] else NEVER
    if before.lasting:
        return before
    refuse_reread(table, read_planned(connection, pipeline))
    retirement = before.begun(_frontiers(streams), read_unclosed(connection, pipeline))
    connection.execute(sql["retire_table"], key | {"retirement": text_of(retirement)})
    return retirement


def give_up_parts(connection: Connection, pipeline: str, table: str, reason: str) -> None:
    """See the port."""
    sql, key = queries("decide"), {"pipeline": pipeline, "table": table}
    connection.execute(sql["lock_batches"], key)
    row = connection.execute(queries("follow")["lock_table"], key).fetchone()
    if row is None or not row["is_retired"]:
        return
    if part_ids := [part["part_id"] for part in connection.execute(sql["open_parts"], key)]:
        apply(connection, "abort", {"part_ids": part_ids, "reason": reason})


def _frontiers(streams: Sequence[Mapping[str, Any]]) -> dict[Source, int]:
    return {Source(row["topic"], row["topic_id"], row["partition"]): row["next_offset"] for row in streams}


def rebind(
    connection: Connection,
    pipeline: str,
    table: str,
    table_uuid: str,
    ledger: Ledger,
    redo: Redo,
    reason: str,
) -> list[OffsetRange]:
    """Abort all parts of the table, then plan and return what the new one lacks; nothing if this was done before."""
    sql, key = queries("decide"), {"pipeline": pipeline, "table": table}
    connection.execute(sql["lock_batches"], key)
    # Locked so that no frontier moves: parts planned before are aborted here, later ones are for the new table.
    locked = connection.execute(sql["lock_streams"], key | {"lane": LIVE}).fetchall()
    bound = connection.execute(queries("follow")["lock_table"], key).fetchone()
    if bound is None or bound["table_uuid"] == table_uuid:
        return []
    part_ids = [row["part_id"] for row in connection.execute(sql["all_parts"], key)]
    if part_ids:
        apply(connection, "abort", {"part_ids": part_ids, "reason": reason})
    connection.execute(sql["set_uuid"], key | {"uuid": table_uuid})
    connection.execute(queries("rebuild")["rebound"], key)
    if bound["is_retired"]:
        # Batches that are not closed count as planned from now on: one may end earlier, and the rest be planned with others.
        begins = first_of(_frontiers(locked), read_unclosed(connection, pipeline, with_backfills=False))
        ended = of_text(bound["retirement"]).ended(begins)
        connection.execute(sql["end_retirement"], key | {"retirement": text_of(ended) if ended != NEVER else None})
    keep_ledger(connection, pipeline, table, ledger)
    starts = read_starts(connection, pipeline, LIVE, table)
    frontiers = {s.source: s.next_offset for s in read_streams(connection, pipeline, LIVE)}
    # Of batches that are not closed, it gets a part like every other table.
    on_its_way = read_unclosed(connection, pipeline) if is_routed(connection, pipeline, table) else []
    ranges = lacking(ledger.coverage, on_its_way, starts, frontiers, redo.wanted(table))
    plan_lacking(connection, pipeline, table, ranges, redo, ledger.coverage)
    return ranges
