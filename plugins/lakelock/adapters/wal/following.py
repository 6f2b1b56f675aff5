"""Bringing the log up to a table whose generation is ahead of it, in one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lakelock.adapters.wal.attempts import lock_batch
from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.marking import abort, keep_ledger
from lakelock.adapters.wal.planning import Planned, plan
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.reading import range_of, read_letter_tables, read_starts, read_streams
from lakelock.adapters.wal.server import Connection
from lakelock.core import follow as decisions
from lakelock.core.batch import LIVE, PlannedRange, StagedPart, covered_range
from lakelock.core.follow import Following, PartNote, PartState, Redo
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import OffsetRange
from lakelock.errors import Fenced


def follow(
    connection: Connection, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo
) -> Following | None:
    """None where the log is at that generation already, or bound to another table."""
    sql, key = queries("follow"), {"pipeline": pipeline, "table": table}
    # In the order in which marks take them; whoever stages or marks waits until this is decided.
    connection.execute(sql["lock_batches"], key)
    bound = connection.execute(sql["lock_table"], key).fetchone()
    known = (bound["generation"] or 0) if bound else 0
    if bound is None or bound["table_uuid"] != table_uuid or known >= ledger.generation:
        return None
    # Frontiers before parts: a batch planned in between is then on its way, and not planned twice.
    frontiers = {s.source: s.next_offset for s in read_streams(connection, pipeline, LIVE)}
    notes = read_notes(connection, pipeline, table)
    # Empty for the dead-letter table, whose coverage has no order.
    starts = read_starts(connection, pipeline, LIVE, table)
    decided = decisions.follow(notes, ledger, known, starts, frontiers, redo.wanted(table))
    reason = f"the table was rolled back to generation {ledger.generation}"
    for edge, part_ids in (("mark", decided.mark), ("restage", decided.restage), ("abort", decided.abort)):
        if part_ids:
            apply(connection, edge, {"part_ids": list(part_ids), "generation": ledger.generation, "reason": reason})
    plan_again(connection, pipeline, table, decided.redo, redo)
    keep_ledger(connection, pipeline, table, ledger)
    return decided


def lacking(
    connection: Connection, pipeline: str, table: str, ledger: Ledger, takes: Callable[[str, str], bool]
) -> list[OffsetRange]:
    """Marked parts count as held: the ledger may have been loaded before they landed."""
    frontiers = {s.source: s.next_offset for s in read_streams(connection, pipeline, LIVE)}
    # Targets first: what is planned for them is staged together with its dead letters, and is in one of the two.
    names = [*decisions.targets_of(ledger), table]
    if ledger.rollback is not None and ledger.rollback.owed:
        names += read_letter_tables(connection, pipeline)
    notes = {name: read_notes(connection, pipeline, name) for name in dict.fromkeys(names)}
    starts = read_starts(connection, pipeline, LIVE, table)
    return decisions.unread(table, ledger, notes, starts, frontiers, takes)


def fill(connection: Connection, pipeline: str, table: str, ledger: Ledger, redo: Redo) -> list[OffsetRange]:
    sql, key = queries("follow"), {"pipeline": pipeline, "table": table}
    connection.execute(sql["lock_batches"], key)
    # Two that fill at once: the second finds what the first has planned.
    connection.execute(sql["lock_table"], key)
    ranges = lacking(connection, pipeline, table, ledger, redo.takes)
    plan_again(connection, pipeline, table, ranges, redo)
    return ranges


def read_notes(connection: Connection, pipeline: str, table: str) -> list[PartNote]:
    sql = queries("follow")
    parts = connection.execute(sql["parts"], {"pipeline": pipeline, "table": table}).fetchall()
    ranges = _ranges_of_data(connection, [p["part_id"] for p in parts if not p["target"]])
    targets = {p["part_id"]: p["target"] for p in parts if p["target"]}
    for row in connection.execute(queries("read")["books"], {"part_ids": list(targets)}):
        ranges[row["part_id"]].append(covered_range(range_of(row), targets[row["part_id"]]))
    return [
        PartNote(p["part_id"], PartState(p["state"]), tuple(ranges[p["part_id"]]), p["schema_id"], p["spec_id"])
        for p in parts
    ]


def _ranges_of_data(connection: Connection, part_ids: Sequence[int]) -> defaultdict[int, list[OffsetRange]]:
    ranges: defaultdict[int, list[OffsetRange]] = defaultdict(list)
    for row in connection.execute(queries("follow")["ranges_of_data"], {"part_ids": list(part_ids)}):
        ranges[row["part_id"]].append(range_of(row))
    return ranges


def apply(connection: Connection, edge: str, values: dict[str, Any]) -> None:
    rows = connection.execute(queries("follow")[edge], values).fetchall()
    past = {"mark": "committed", "restage": "restaged", "abort": "aborted"}[edge]
    for row in rows:
        add_event(
            connection,
            row["batch_no"],
            past,
            table=row["table_name"],
            target=row["target"],
            attempt=row["attempt"],
            detail=values["reason"],
        )
    if edge == "abort":
        for batch_no in sorted({row["batch_no"] for row in rows}):
            connection.execute(queries("mark")["free_ranges"], {"batch_no": batch_no})


def replace(
    connection: Connection, pipeline: str, part: StagedPart, reason: str, ranges: Iterable[OffsetRange], redo: Redo
) -> None:
    """Aborts the part and plans *ranges* in its place; Fenced, with nothing planned, where it is not as it was read.

    Dead letters take the staged part of their table with them: its rows were written beside just these.
    """
    if not abort(connection, part, reason):
        return
    target = part.result.target
    if not target:
        plan_again(connection, pipeline, part.result.table, ranges, redo)
        return
    sql, batch_no = queries("follow"), lock_batch(connection, part.batch_id)["batch_no"]
    data = connection.execute(
        sql["abort_data_of"], {"batch_no": batch_no, "target": target, "reason": reason}
    ).fetchone()
    if data is None:
        planned = [
            r for n in read_notes(connection, pipeline, target) if n.state is PartState.PLANNED for r in n.ranges
        ]
        plan_again(connection, pipeline, part.result.table, decisions.untold(ranges, target, planned), redo)
        return
    connection.execute(queries("mark")["free_ranges"], {"batch_no": batch_no})
    add_event(connection, batch_no, "aborted", table=target, attempt=part.attempt, detail=reason)
    plan_again(connection, pipeline, target, _ranges_of_data(connection, [data["part_id"]])[data["part_id"]], redo)


def split(connection: Connection, batch_id: str, attempt: str, table: str, redo: Redo) -> None:
    """The part of *table* that is still to be written is planned in pieces instead."""
    batch = lock_batch(connection, batch_id)
    if batch["attempt"] != attempt:
        raise Fenced(f"batch {batch_id}: a newer attempt took over from {attempt}; nothing was changed.")
    reason = "the dead-letter table has a piece of it"
    key = {"batch_no": batch["batch_no"], "table": table, "reason": reason}
    row = connection.execute(queries("follow")["abort_planned"], key).fetchone()
    if row is None:
        return
    ranges = _ranges_of_data(connection, [row["part_id"]])[row["part_id"]]
    connection.execute(queries("mark")["free_ranges"], key)
    add_event(connection, batch["batch_no"], "aborted", table=table, attempt=attempt, detail=reason)
    plan_again(connection, str(batch["pipeline"]), table, ranges, redo)


def plan_again(connection: Connection, pipeline: str, table: str, ranges: Iterable[OffsetRange], redo: Redo) -> None:
    """Batches of a lane of their own each, for *table* alone; ranges of a dead-letter table's coverage for their target.

    The target is read once more and found to be in its table, so only its dead letters land.
    """
    for name, wanted in decisions.readers(ranges, table):
        for batch in decisions.redo_batches(wanted, redo.letters, name, redo.max_offsets):
            batch_id = redo.new_id()
            topics = sorted({r.source.topic for r in batch})
            plan(
                connection,
                Planned(
                    pipeline,
                    f"redo-{batch_id}",
                    batch_id,
                    redo.config,
                    redo.config_digest,
                    [PlannedRange(r) for r in batch],
                    {r.source: r.start for r in batch},
                    {name: topics},
                ),
            )
