"""What the log knows about several tables for their next commits, read in one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

from lakelock.adapters.wal.planning import refuse_while_recovering
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.routed_names import read_evidences
from lakelock.adapters.wal.row_reading import read_staged, read_starts
from lakelock.adapters.wal.server import Connection
from lakelock.model.batches import LIVE, StagedPart
from lakelock.model.commit_view import CommitView

# Staged files whose manifest entries are held for tables that come later.
MOST_FILES = 2_000


def read_commit_views(connection: Connection, pipeline: str, tables: Sequence[str]) -> dict[str, CommitView]:
    sql = queries("read")
    names = _first(connection, pipeline, tables)
    key = {"pipeline": pipeline, "tables": names}
    rows = {row["table_name"]: row for row in connection.execute(sql["tables_to_commit"], key)}
    parts: dict[str, list[StagedPart]] = defaultdict(list)
    for part in read_staged(connection, pipeline, names):
        parts[part.result.table].append(part)
    routed = {name: row["topics"] for name, row in rows.items() if row["is_routed"] and name in parts}
    if routed:
        refuse_while_recovering(connection, pipeline)
    evidence = read_evidences(connection, pipeline, routed) if routed else {}
    views = {name: CommitView() for name in names}
    for name, row in rows.items():
        known = evidence.get(name)
        starts = {} if name not in parts else known.starts if known else read_starts(connection, pipeline, LIVE, name)
        views[name] = CommitView(
            row["table_uuid"],
            row["generation"],
            row["is_unsettled"],
            row["has_ledger"],
            starts,
            known,
            tuple(parts.get(name, ())),
        )
    return views


def _first(connection: Connection, pipeline: str, tables: Sequence[str]) -> list[str]:
    """The first of *tables*, and those after it as long as they have few staged files together."""
    key = {"pipeline": pipeline, "tables": list(tables)}
    counts = connection.execute(queries("read")["staged_file_counts"], key).fetchall() if len(tables) > 1 else []
    files = {row["table_name"]: row["file_count"] for row in counts}
    held = list(accumulate(files.get(name, 0) for name in tables))
    return [name for n, name in enumerate(tables) if n == 0 or held[n] <= MOST_FILES]
