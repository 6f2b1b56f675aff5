"""Routed tables, and what the log knows about offsets for which they have no part."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lakelock.adapters.wal.planning import refuse_while_recovering
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.row_reading import range_of, source_of
from lakelock.adapters.wal.server import Connection
from lakelock.model.consistent_cut import OpenTable, RoutedProgress
from lakelock.model.counts import RoutedRange
from lakelock.model.offsets import OffsetRange, Source, united, without
from lakelock.model.registry import RegisteredTable
from lakelock.model.retirement import of_text
from lakelock.model.route_evidence import RouteEvidence
from lakelock.model.valid_through import Survey

# Closed live batches whose tables the next batch will most likely have records for.
LATELY = 20


def read_routed(connection: Connection, pipeline: str, tables: Collection[str] | None = None) -> dict[str, str]:
    key = {"pipeline": pipeline, "tables": None if tables is None else list(tables)}
    row = connection.execute(queries("routes")["routed"], key).fetchone()
    return dict(row["raw_names"] or {}) if row else {}


def has_routed(connection: Connection, pipeline: str) -> bool:
    row = connection.execute(queries("routes")["has_routed"], {"pipeline": pipeline}).fetchone()
    return bool(row and row["has_routed"])


def routed_without_parts(connection: Connection, pipeline: str) -> tuple[int, dict[str, str]]:
    row = connection.execute(queries("routes")["routed_without_parts"], {"pipeline": pipeline}).fetchone()
    return (row["routed"], dict(row["raw_names"] or {})) if row else (0, {})


def read_retirements(connection: Connection, pipeline: str) -> dict[str, RegisteredTable]:
    rows = connection.execute(queries("routes")["retirements"], {"pipeline": pipeline})
    return {
        row["table_name"]: RegisteredTable(row["raw_name"], row["table_uuid"], of_text(row["retirement"]))
        for row in rows
    }


def is_routed(connection: Connection, pipeline: str, table: str) -> bool:
    key = {"pipeline": pipeline, "table": table}
    return connection.execute(queries("routes")["is_routed"], key).fetchone() is not None


def has_other_unclosed(connection: Connection, pipeline: str, batch_id: str) -> bool:
    key = {"pipeline": pipeline, "batch_id": batch_id}
    row = connection.execute(queries("routes")["has_other_unclosed"], key).fetchone()
    return bool(row and row["has_other_unclosed"])


def keep_routed(connection: Connection, pipeline: str, tables: Mapping[str, str]) -> dict[str, str]:
    key = {"pipeline": pipeline, "tables": list(tables), "raw_names": list(tables.values())}
    if tables:
        connection.execute(queries("routes")["keep_routed"], key)
    return read_routed(connection, pipeline)


def read_listed(connection: Connection, pipeline: str) -> list[str]:
    rows = connection.execute(queries("routes")["listed"], {"pipeline": pipeline})
    return [row["table_name"] for row in rows]


def lately_routed(connection: Connection, pipeline: str, most: int) -> list[str]:
    key = {"pipeline": pipeline, "batches": LATELY, "most": most}
    rows = connection.execute(queries("routes")["lately_routed"], key)
    return [row["table_name"] for row in rows]


def evidence(connection: Connection, pipeline: str, table: str) -> RouteEvidence | None:
    refuse_while_recovering(connection, pipeline)
    return read_evidence(connection, pipeline, table)


def read_evidence(connection: Connection, pipeline: str, table: str) -> RouteEvidence | None:
    key = {"pipeline": pipeline, "table": table}
    row = connection.execute(queries("routes")["routed_topics"], key).fetchone()
    return read_evidences(connection, pipeline, {table: row["topics"]})[table] if row else None


def read_evidences(
    connection: Connection, pipeline: str, topics: Mapping[str, Collection[str]]
) -> dict[str, RouteEvidence]:
    """The evidence of routed tables, of which each has its *topics*."""
    sql = queries("routes")
    # Batches and dead letters before parts: the part that a batch gets when it is closed in between then counts as open.
    sources = [(source_of(row), row) for row in connection.execute(sql["sources"], {"pipeline": pipeline})]
    open_: dict[str, list[OffsetRange]] = {name: [] for name in topics}
    for row in connection.execute(sql["open_ranges"], {"pipeline": pipeline, "tables": list(topics)}):
        open_[row["table_name"]].append(range_of(row))
    letters = [OffsetRange(source, *ends) for source, row in sources for ends in row["letters_of_backfills"] or ()]
    # Most tables have the same topics.
    of_topics = {known: _known_of(sources, known, letters) for known in {frozenset(t) for t in topics.values()}}
    return {name: replace(of_topics[frozenset(topics[name])], open=tuple(ranges)) for name, ranges in open_.items()}


def _known_of(
    sources: Sequence[tuple[Source, dict[str, Any]]], topics: Collection[str], letters: Sequence[OffsetRange]
) -> RouteEvidence:
    taken = [(source, row) for source, row in sources if source.topic in topics]
    return RouteEvidence(
        starts={source: row["start_offset"] for source, row in taken},
        closed_to={source: row["closed_to"] for source, row in taken},
        letters_to={source: row["letters_to"] for source, row in taken},
        frontiers={source: row["frontier"] for source, row in taken},
        letters=tuple(r for r in letters if r.source.topic in topics),
    )


def read_ranges(connection: Connection, pipeline: str) -> list[RoutedRange]:
    ends = routed_progress(connection, pipeline).complete
    names = ("read_count", "filtered_count", "unroutable_count", "in_tables", "letters")
    rows = connection.execute(queries("routes")["routed_ranges"], {"pipeline": pipeline})
    found = (RoutedRange(range_of(row), *(row[name] for name in names)) for row in rows)
    return [r for r in found if r.range.end <= ends.get(r.range.source, 0)]


def routed_progress(connection: Connection, pipeline: str) -> RoutedProgress:
    refuse_while_recovering(connection, pipeline)
    return routed_progress_of(connection, pipeline)


def routed_progress_of(connection: Connection, pipeline: str) -> RoutedProgress:
    """As `progress`, also during a recovery."""
    sql, key = queries("routes"), {"pipeline": pipeline}
    # First: the parts that a batch gets when it is closed in between then count as open.
    sources = connection.execute(sql["decided"], key).fetchall()
    has_other_lanes = any(row["has_other_lanes"] for row in sources)
    backfilled = connection.execute(sql["before_starts"], key).fetchall() if has_other_lanes else []
    held_up = [range_of(row) for row in backfilled if row["is_held_up"]]
    open_: dict[str, OpenTable] = {}
    for row in connection.execute(sql["open_tables"], key):
        of_parts = OpenTable(tuple(united(map(range_of, row["ranges"]))), row["waits_s"])
        for table in row["tables"]:
            before = open_.get(table)
            open_[table] = of_parts if before is None else before.joined(of_parts)
    return RoutedProgress(
        {source_of(row): row["start_offset"] for row in sources},
        {source_of(row): row["decided_to"] for row in sources},
        dict(sorted(open_.items())),
        tuple(without(united(map(range_of, backfilled)), held_up)),
        tuple(without(united(range_of(row) for row in backfilled if row["is_for_all"]), held_up)),
    )


def marked_s_ago(connection: Connection, pipeline: str, table: str) -> float | None:
    row = connection.execute(queries("routes")["marked_s_ago"], {"pipeline": pipeline, "table": table}).fetchone()
    return row["ago_s"] if row else None


def surveyed(
    connection: Connection, pipeline: str, ends: Mapping[Source, int]
) -> tuple[Survey, dict[Source, int]] | None:
    columns = {
        "topic_ids": [s.topic_id for s in ends],
        "partitions": [s.partition for s in ends],
        "end_offsets": list(ends.values()),
    }
    row = connection.execute(queries("routes")["surveyed"], {"pipeline": pipeline, **columns}).fetchone()
    if row is None:
        return None
    newest = connection.execute(queries("routes")["newest_timestamps"], {"batch_no": row["batch_no"]})
    return Survey.of_json(row["survey"]), {source_of(r): r["newest_ms"] for r in newest}
