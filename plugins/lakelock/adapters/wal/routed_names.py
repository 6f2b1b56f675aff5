"""Routed tables, and what the log knows about offsets for which they have no part."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lakelock.adapters.wal.planning import refuse_while_recovering
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.row_reading import range_of, source_of
from lakelock.adapters.wal.server import Connection
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.route_evidence import RouteEvidence

# Closed live batches whose tables the next batch will most likely have records for.
LATELY = 20


def read_routed(connection: Connection, pipeline: str, tables: Collection[str] | None = None) -> dict[str, str]:
    key = {"pipeline": pipeline, "tables": None if tables is None else list(tables)}
    row = connection.execute(queries("routes")["routed"], key).fetchone()
    return dict(row["raw_names"] or {}) if row else {}


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
    # Batches before parts: the part that a batch gets when it is closed in between is then still counted as open.
    sources = [(source_of(row), row) for row in connection.execute(sql["sources"], {"pipeline": pipeline})]
    open_: dict[str, list[OffsetRange]] = {name: [] for name in topics}
    for row in connection.execute(sql["open_ranges"], {"pipeline": pipeline, "tables": list(topics)}):
        open_[row["table_name"]].append(range_of(row))
    # Most tables have the same topics.
    of_topics = {frozenset(known): _known_of(sources, known) for known in {frozenset(t) for t in topics.values()}}
    return {name: replace(of_topics[frozenset(topics[name])], open=tuple(ranges)) for name, ranges in open_.items()}


def _known_of(sources: Sequence[tuple[Source, dict[str, Any]]], topics: Collection[str]) -> RouteEvidence:
    taken = [(source, row) for source, row in sources if source.topic in topics]
    return RouteEvidence(
        starts={source: row["start_offset"] for source, row in taken},
        closed_to={source: row["closed_to"] for source, row in taken},
        letters_to={source: row["letters_to"] for source, row in taken},
        frontiers={source: row["frontier"] for source, row in taken},
    )


def complete(connection: Connection, pipeline: str) -> dict[Source, int]:
    refuse_while_recovering(connection, pipeline)
    rows = connection.execute(queries("routes")["complete"], {"pipeline": pipeline})
    return {source_of(row): row["complete_to"] for row in rows}
