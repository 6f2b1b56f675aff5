"""Record a planned batch: streams, frontier, ranges and parts in one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import errors as pg

from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.row_reading import read_batches
from lakelock.adapters.wal.server import Connection
from lakelock.errors import PlanConflict, State, WalUnusable
from lakelock.model.batches import Batch, PlannedRange
from lakelock.model.offsets import Source
from lakelock.model.units import one_line
from lakelock.model.valid_through import Survey


@dataclass(frozen=True, slots=True)
class Planned:
    """Arguments of `plan`."""

    pipeline: str
    lane: str
    batch_id: str
    config: Mapping[str, object]
    config_digest: str
    ranges: Sequence[PlannedRange]
    starts: Mapping[Source, int]
    tables: Mapping[str, Sequence[str]]
    survey: Survey | None = None
    closed: bool = True

    def __post_init__(self) -> None:
        sources = [p.range.source for p in self.ranges]
        if len(set(sources)) < len(sources):
            raise ValueError("a batch has one range per source")


def plan(connection: Connection, planned: Planned) -> Batch:
    try:
        return _plan(connection, planned)
    except (
        pg.ExclusionViolation,
        pg.UniqueViolation,
        pg.DeadlockDetected,
        pg.SerializationFailure,
        pg.LockNotAvailable,
    ) as fault:
        raise _conflict(planned, one_line(fault)) from fault


def _plan(connection: Connection, planned: Planned) -> Batch:
    sql = queries("plan")
    key = {"pipeline": planned.pipeline, "lane": planned.lane}
    if planned.ranges:
        keep_config(connection, planned.config, planned.config_digest)
    declared = sorted(planned.starts.items(), key=lambda item: (item[0].topic_id, item[0].partition))
    if declared:
        connection.execute(
            sql["declare_streams"],
            key
            | {
                "topics": [s.topic for s, _ in declared],
                "topic_ids": [s.topic_id for s, _ in declared],
                "partitions": [s.partition for s, _ in declared],
                "starts": [start for _, start in declared],
            },
        )
    if not planned.ranges:
        _keep_tables(connection, planned.pipeline, planned.tables)
        return Batch(
            planned.batch_id, planned.pipeline, planned.lane, planned.config, planned.config_digest, (), (), None
        )
    stream_ids, next_offsets = _locked(connection, planned)
    refuse_while_recovering(connection, planned.pipeline)
    # Only while the streams are locked is an earlier COMMIT of this batch certain to be over.
    row = connection.execute(sql["find_batch"], {"batch_id": planned.batch_id}).fetchone()
    if row is not None:
        return _same(planned, read_batches(connection, [row["batch_no"]])[0])
    ordered = sorted(planned.ranges, key=lambda p: (p.range.source.topic_id, p.range.source.partition))
    columns = {
        "stream_ids": [stream_ids.get(p.range.source, -1) for p in ordered],
        "start_offsets": [p.range.start for p in ordered],
        "end_offsets": [p.range.end for p in ordered],
    }
    moved = {r["stream_id"] for r in connection.execute(sql["move_frontiers"], columns)}
    for p in ordered:
        if stream_ids.get(p.range.source) not in moved:
            now = next_offsets.get(p.range.source, "not declared")
            raise _conflict(planned, f"{p.range} does not begin at the frontier, which is {now}")
    survey = json.dumps(planned.survey.json(), separators=(",", ":"), ensure_ascii=False) if planned.survey else None
    batch = connection.execute(
        sql["insert_batch"],
        key
        | {
            "batch_id": planned.batch_id,
            "digest": planned.config_digest,
            "survey": survey,
            "closed": planned.closed,
        },
    ).fetchone()
    assert batch is not None
    batch_no = batch["batch_no"]
    connection.execute(
        sql["insert_ranges"], columns | {"batch_no": batch_no, "leader_epochs": [p.leader_epoch for p in ordered]}
    )
    read = {p.range.source.topic for p in planned.ranges}
    add_parts(connection, planned.pipeline, batch_no, read, planned.tables)
    add_event(connection, batch_no, "planned", detail=f"{len(ordered)} ranges")
    return read_batches(connection, [batch_no])[0]


def keep_config(connection: Connection, config: Mapping[str, object], digest: str) -> None:
    text = json.dumps(config, ensure_ascii=False)
    connection.execute(queries("plan")["keep_config"], {"digest": digest, "config": text})


def read_survey(connection: Connection, batch_id: str) -> Survey | None:
    row = connection.execute(queries("plan")["survey"], {"batch_id": batch_id}).fetchone()
    return Survey.of_json(row["survey"]) if row and row["survey"] else None


def last_recovery(connection: Connection, pipeline: str) -> dict[str, Any] | None:
    """The row of the recovery that began last, whether it has ended or not."""
    return connection.execute(queries("rebuild")["last"], {"pipeline": pipeline}).fetchone()


def refuse_while_recovering(connection: Connection, pipeline: str) -> None:
    """Raise WalUnusable during a recovery. Callers must hold locks that a recovery takes when it begins."""
    row = last_recovery(connection, pipeline)
    if row is not None and row["ended_at"] is None:
        raise WalUnusable(
            f"pipeline {pipeline!r}: {row['who']} started to recover it at {row['began_at']:%Y-%m-%d %H:%M:%S%z}, and "
            "the recovery has not finished.",
            State.NOTHING_CHANGED,
            "Wait until it finishes. If its process is gone, run `bin/lakelock recover FILE --yes` again.",
        )


def _locked(connection: Connection, planned: Planned) -> tuple[dict[Source, int], dict[Source, int]]:
    """Stream ids and frontiers; locks the rows in the same order as every planner."""
    sources = {(p.range.source.topic_id, p.range.source.partition): p.range.source for p in planned.ranges}
    rows = connection.execute(
        queries("plan")["lock_streams"],
        {
            "pipeline": planned.pipeline,
            "lane": planned.lane,
            "topic_ids": [topic_id for topic_id, _ in sources],
            "partitions": [partition for _, partition in sources],
        },
    ).fetchall()
    found = {sources[row["topic_id"], row["partition"]]: row for row in rows}
    return {s: r["stream_id"] for s, r in found.items()}, {s: r["next_offset"] for s, r in found.items()}


def add_parts(
    connection: Connection, pipeline: str, batch_no: int, read: set[str], tables: Mapping[str, Sequence[str]]
) -> None:
    """Add a part for each of *tables* that takes any of the topics that are *read*."""
    sql = queries("plan")
    _keep_tables(connection, pipeline, tables)
    for table, topics in sorted(tables.items()):
        key = {"pipeline": pipeline, "table": table}
        if taken := sorted(read.intersection(topics)):
            part = key | {"batch_no": batch_no, "topics": taken}
            connection.execute(sql["insert_part"], part)
            connection.execute(sql["keep_table_starts"], part)


def _keep_tables(connection: Connection, pipeline: str, tables: Mapping[str, Sequence[str]]) -> None:
    for table, topics in sorted(tables.items()):
        key = {"pipeline": pipeline, "table": table, "topics": sorted(set(topics))}
        connection.execute(queries("plan")["keep_table_topics"], key)


def _same(planned: Planned, batch: Batch) -> Batch:
    if set(batch.ranges) != set(planned.ranges) or batch.config_digest != planned.config_digest:
        raise _conflict(planned, "the batch is recorded with other ranges or another configuration")
    return batch


def _conflict(planned: Planned, why: str) -> PlanConflict:
    return PlanConflict(
        f"pipeline {planned.pipeline!r}, lane {planned.lane!r}: batch {planned.batch_id} was not recorded because "
        f"another run planned first: {why}.",
        State.NOTHING_CHANGED,
        "Plan again from the new frontier.",
    )
