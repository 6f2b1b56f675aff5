"""Move the log to the generation of a table that is ahead of it, in one transaction."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lakelock.adapters.wal.attempts import NOTHING_LEFT, lock_batch
from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.marking import abort, keep_ledger
from lakelock.adapters.wal.planning import Planned, plan
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.routed_names import read_evidence
from lakelock.adapters.wal.row_reading import range_of, read_ledgers, read_starts, read_streams, read_unclosed
from lakelock.adapters.wal.server import Connection
from lakelock.errors import Fenced, State
from lakelock.ingest import reconcile_decision as decisions
from lakelock.ingest import replan_decision
from lakelock.ingest.closing_decision import as_planned
from lakelock.ingest.unclosed_decision import unclosed_batches
from lakelock.model.batches import BACKFILL, LIVE, REDO, PlannedRange, StagedPart, covered_range, is_backfill, lane_of
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, PartNote, PartState, Redo, TailBatch, wanted
from lakelock.model.offsets import OffsetRange, overlap, without


def follow(
    connection: Connection, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo
) -> Following | None:
    """See the port; None also if the log is bound to another table."""
    bound = _lock(connection, pipeline, table)
    known = (bound["generation"] or 0) if bound else 0
    if bound is None or bound["table_uuid"] != table_uuid or known >= ledger.generation:
        return None
    if bound["is_retired"]:
        keep_ledger(connection, pipeline, table, ledger)
        return Following()
    # Read frontiers before parts: a batch planned in between then counts as open and is not planned twice. So does a part
    # of a routed table whose batch is closed in between.
    frontiers = {s.source: s.next_offset for s in read_streams(connection, pipeline, LIVE)}
    evidence = read_evidence(connection, pipeline, table)
    notes = read_notes(connection, pipeline, table)
    # Empty for the dead-letter table, whose coverage has no order.
    starts = read_starts(connection, pipeline, LIVE, table)
    planned = dataclasses.replace(ledger, coverage=as_planned(evidence, ledger, notes))
    is_wanted, is_routed = redo.wanted(table), evidence is not None
    decided = decisions.follow(notes, planned, known, starts, frontiers, is_wanted, is_routed=is_routed)
    reason = f"the table was rolled back to generation {ledger.generation}"
    for edge, part_ids in (("mark", decided.mark), ("restage", decided.restage), ("abort", decided.abort)):
        if part_ids:
            apply(connection, edge, {"part_ids": list(part_ids), "generation": ledger.generation, "reason": reason})
    plan_lacking(connection, pipeline, table, decided.redo, redo, ledger.coverage)
    keep_ledger(connection, pipeline, table, ledger)
    return decided


def lacking(
    connection: Connection, pipeline: str, table: str, ledger: Ledger, takes: Callable[[str, str], bool]
) -> list[OffsetRange]:
    """See the port. Committed parts count as covered: the ledger may have been loaded before they were committed."""
    frontiers = {s.source: s.next_offset for s in read_streams(connection, pipeline, LIVE)}
    evidence = read_evidence(connection, pipeline, table)
    notes = read_notes(connection, pipeline, table)
    # Of batches that are not closed, a routed table gets a part like every other one.
    on_its_way = read_unclosed(connection, pipeline) if evidence is not None else []
    known = [*on_its_way, *(r for n in notes for r in n.ranges)]
    starts = read_starts(connection, pipeline, LIVE, table)
    coverage = as_planned(evidence, ledger, notes)
    return decisions.lacking(coverage, known, starts, frontiers, wanted(takes, table))


def fill(connection: Connection, pipeline: str, table: str, ledger: Ledger, redo: Redo) -> list[OffsetRange]:
    # If two fill at once, the second finds the parts that the first planned.
    _lock(connection, pipeline, table)
    ranges = lacking(connection, pipeline, table, ledger, redo.takes)
    plan_lacking(connection, pipeline, table, ranges, redo, ledger.coverage)
    return ranges


def fill_requested(
    connection: Connection, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo
) -> list[OffsetRange]:
    bound = _lock(connection, pipeline, table)
    if bound is None or bound["table_uuid"] != table_uuid or (bound["generation"] or 0) != ledger.generation:
        return []
    # Use the newer of two ledgers: each commit since *ledger* was loaded has cached its own.
    keep_ledger(connection, pipeline, table, ledger)
    newest = read_ledgers(connection, pipeline, [table])[table]
    ranges, gone = decisions.unasked(read_notes(connection, pipeline, table), newest, redo.wanted(table))
    if gone:
        apply(connection, "abort", {"part_ids": gone, "reason": "it was left out of the table, and is read again"})
    plan_again(connection, pipeline, table, ranges, redo, BACKFILL)
    rows = connection.execute(queries("routes")["for_all_tables"], {"pipeline": pipeline}) if newest.registry else ()
    left = without(newest.backfills_left, map(range_of, rows))
    if newest.registry is not None and left:
        most = replan_decision.bounded(redo).max_offsets
        for batch in unclosed_batches(left, newest.registry, [redo.dead_letters], [], most):
            plan_backfill(connection, pipeline, batch, redo)
    return [*ranges, *left]


def plan_backfill(connection: Connection, pipeline: str, batch: TailBatch, redo: Redo) -> None:
    """Plan a batch of a backfill of all routed tables, which is not closed."""
    _plan(connection, pipeline, BACKFILL, batch.ranges, redo, (batch.config, batch.config_digest), {}, closed=False)


def read_notes(connection: Connection, pipeline: str, table: str) -> list[PartNote]:
    sql = queries("follow")
    parts = connection.execute(sql["parts"], {"pipeline": pipeline, "table": table}).fetchall()
    ranges = _ranges_of_data(connection, [p["part_id"] for p in parts if not p["target"]])
    targets = {p["part_id"]: p["target"] for p in parts if p["target"]}
    for row in connection.execute(queries("read")["books"], {"part_ids": list(targets)}):
        ranges[row["part_id"]].append(covered_range(range_of(row), targets[row["part_id"]]))
    return [PartNote(p["part_id"], PartState(p["state"]), tuple(ranges[p["part_id"]]), p["layout"]) for p in parts]


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


def plan_instead(
    connection: Connection, pipeline: str, part: StagedPart, reason: str, ranges: Iterable[OffsetRange], redo: Redo
) -> None:
    """Abort the part and plan *ranges* in its place; raises Fenced, with nothing planned, if it has changed."""
    if abort(connection, part, reason):
        plan_again(connection, pipeline, part.result.table, ranges, redo, part.lane)


def replan_unwritten(connection: Connection, batch_id: str, attempt: str, table: str, reason: str, redo: Redo) -> None:
    """Plan the planned part of *table* again, under the settings of *redo*."""
    batch = lock_batch(connection, batch_id)
    if batch["attempt"] != attempt:
        raise Fenced(
            f"batch {batch_id}: a newer attempt took over from {attempt}.", State.NOTHING_CHANGED, NOTHING_LEFT
        )
    key = {"batch_no": batch["batch_no"], "table": table, "reason": reason}
    row = connection.execute(queries("follow")["abort_planned"], key).fetchone()
    if row is None:
        return
    ranges = _ranges_of_data(connection, [row["part_id"]])[row["part_id"]]
    connection.execute(queries("mark")["free_ranges"], key)
    add_event(connection, batch["batch_no"], "aborted", table=table, attempt=attempt, detail=reason)
    plan_again(connection, str(batch["pipeline"]), table, ranges, redo, batch["lane"])


def plan_lacking(
    connection: Connection,
    pipeline: str,
    table: str,
    ranges: Sequence[OffsetRange],
    redo: Redo,
    coverage: Coverage,
) -> None:
    """`plan_again`, with the ranges that *coverage* has as requested planned as a backfill."""
    plan_again(connection, pipeline, table, without(ranges, coverage.requested), redo)
    plan_again(connection, pipeline, table, overlap(ranges, coverage.requested), redo, BACKFILL)


def plan_again(
    connection: Connection,
    pipeline: str,
    table: str,
    ranges: Iterable[OffsetRange],
    redo: Redo,
    in_place_of: str = LIVE,
) -> None:
    """Plan *ranges* for *table* alone, each batch in a lane of its own.

    They are backfill batches if the lane *in_place_of* is one, else re-reads that precede anything new.
    """
    kind = BACKFILL if is_backfill(in_place_of) else REDO
    bounds = replan_decision.bounded(redo) if kind == BACKFILL else redo
    for batch in replan_decision.redo_batches(ranges, bounds, table):
        config = redo.config_at(table, batch)
        _plan(connection, pipeline, kind, batch, redo, config, {table: sorted({r.source.topic for r in batch})})


def plan_unclosed(
    connection: Connection, pipeline: str, ranges: Sequence[OffsetRange], redo: Redo, in_place_of: str
) -> None:
    """Plan *ranges* for all routed tables, each batch in a lane of its own and not closed; its kind as in `plan_again`."""
    kind = BACKFILL if is_backfill(in_place_of) else REDO
    for batch in replan_decision.batches(ranges, redo.max_offsets):
        _plan(connection, pipeline, kind, batch, redo, (redo.config, redo.config_digest), {}, closed=False)


def _plan(
    connection: Connection,
    pipeline: str,
    kind: str,
    ranges: Sequence[OffsetRange],
    redo: Redo,
    config: tuple[Mapping[str, object], str],
    tables: Mapping[str, Sequence[str]],
    *,
    closed: bool = True,
) -> None:
    batch_id = redo.new_id()
    plan(
        connection,
        Planned(
            pipeline,
            lane_of(kind, batch_id),
            batch_id,
            *config,
            [PlannedRange(r) for r in ranges],
            {r.source: r.start for r in ranges},
            tables,
            closed=closed,
        ),
    )


def batches_of(connection: Connection, part_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    rows = connection.execute(queries("decide")["batches_of_parts"], {"part_ids": list(part_ids)})
    return {row["part_id"]: row for row in rows}


def plan_in_place(
    connection: Connection,
    pipeline: str,
    table: str,
    found: Mapping[int, Sequence[OffsetRange]],
    batches: Mapping[int, Mapping[str, Any]],
    redo: Redo,
    reason: str,
) -> None:
    """Abort parts of *table* and plan for each the ranges in *found*; *batches* are those of the parts."""
    apply(connection, "abort", {"part_ids": list(found), "reason": reason})
    for part_id, ranges in found.items():
        # The replacement of a part is read under the part's own configuration.
        of_part = batches[part_id]
        config, digest = of_part["config"], of_part["config_digest"]
        pinned = dataclasses.replace(redo, config=config, config_digest=digest, registry=None)
        plan_again(connection, pipeline, table, ranges, pinned, of_part["lane"])


def _lock(connection: Connection, pipeline: str, table: str) -> dict[str, Any] | None:
    """Lock and return the row of *table*: first its batches, in the same order as marking, then the table. Staging,
    marking and planning for it then wait.
    """
    key = {"pipeline": pipeline, "table": table}
    connection.execute(queries("follow")["lock_batches"], key)
    return connection.execute(queries("follow")["lock_table"], key).fetchone()
