"""Routed tables, and what the log knows about offsets for which they have no part."""

from __future__ import annotations

from collections.abc import Mapping

from lakelock.adapters.wal.planning import refuse_while_recovering
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.row_reading import range_of, source_of
from lakelock.adapters.wal.server import Connection
from lakelock.model.counts import RoutedRange
from lakelock.model.cut import OpenTable, Progress
from lakelock.model.offsets import Source, united
from lakelock.model.registry import RegisteredTable
from lakelock.model.retirement import of_text
from lakelock.model.route_evidence import RouteEvidence
from lakelock.model.valid_through import Survey

# Closed live batches whose tables the next batch will most likely have records for.
LATELY = 20


def read_routed(connection: Connection, pipeline: str) -> dict[str, str]:
    rows = connection.execute(queries("routes")["routed"], {"pipeline": pipeline})
    return {row["table_name"]: row["raw_name"] for row in rows}


def read_retirements(connection: Connection, pipeline: str) -> dict[str, RegisteredTable]:
    rows = connection.execute(queries("routes")["retirements"], {"pipeline": pipeline})
    return {
        row["table_name"]: RegisteredTable(row["raw_name"], row["table_uuid"], of_text(row["retirement"]))
        for row in rows
    }


def is_routed(connection: Connection, pipeline: str, table: str) -> bool:
    key = {"pipeline": pipeline, "table": table}
    return connection.execute(queries("routes")["is_routed"], key).fetchone() is not None


def keep_routed(connection: Connection, pipeline: str, tables: Mapping[str, str]) -> dict[str, str]:
    key = {"pipeline": pipeline, "tables": list(tables), "raw_names": list(tables.values())}
    if tables:
        connection.execute(queries("routes")["keep_routed"], key)
    return read_routed(connection, pipeline)


def read_listed(connection: Connection, pipeline: str) -> list[str]:
    rows = connection.execute(queries("routes")["listed"], {"pipeline": pipeline})
    return [row["table_name"] for row in rows]


def lately_routed(connection: Connection, pipeline: str) -> list[str]:
    rows = connection.execute(queries("routes")["lately_routed"], {"pipeline": pipeline, "limit": LATELY})
    return [row["table_name"] for row in rows]


def evidence(connection: Connection, pipeline: str, table: str) -> RouteEvidence | None:
    refuse_while_recovering(connection, pipeline)
    return read_evidence(connection, pipeline, table)


def read_evidence(connection: Connection, pipeline: str, table: str) -> RouteEvidence | None:
    sql, key = queries("routes"), {"pipeline": pipeline, "table": table}
    if not is_routed(connection, pipeline, table):
        return None
    # Batches before parts: the part that a batch gets when it is closed in between is then still counted as open.
    sources = connection.execute(sql["sources"], key).fetchall()
    return RouteEvidence(
        starts={source_of(r): r["start_offset"] for r in sources},
        closed_to={source_of(r): r["closed_to"] for r in sources},
        letters_to={source_of(r): r["letters_to"] for r in sources},
        open=tuple(map(range_of, connection.execute(sql["open_ranges"], key))),
        frontiers={source_of(r): r["frontier"] for r in sources},
    )


def read_ranges(connection: Connection, pipeline: str) -> list[RoutedRange]:
    ends = progress(connection, pipeline).complete
    names = ("read_count", "filtered_count", "unroutable_count", "in_tables", "letters")
    rows = connection.execute(queries("routes")["routed_ranges"], {"pipeline": pipeline})
    found = (RoutedRange(range_of(row), *(row[name] for name in names)) for row in rows)
    return [r for r in found if r.range.end <= ends.get(r.range.source, 0)]


def progress(connection: Connection, pipeline: str) -> Progress:
    refuse_while_recovering(connection, pipeline)
    return progress_of(connection, pipeline)


def progress_of(connection: Connection, pipeline: str) -> Progress:
    """As `progress`, also during a recovery."""
    sql, key = queries("routes"), {"pipeline": pipeline}
    # First: the parts that a batch gets when it is closed in between then count as open.
    sources = connection.execute(sql["decided"], key).fetchall()
    open_: dict[str, OpenTable] = {}
    for row in connection.execute(sql["open_tables"], key):
        of_parts = OpenTable(tuple(united(map(range_of, row["ranges"]))), row["waits_s"])
        for table in row["tables"]:
            before = open_.get(table)
            open_[table] = of_parts if before is None else before.joined(of_parts)
    return Progress(
        {source_of(row): row["start_offset"] for row in sources},
        {source_of(row): row["decided_to"] for row in sources},
        dict(sorted(open_.items())),
    )


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
