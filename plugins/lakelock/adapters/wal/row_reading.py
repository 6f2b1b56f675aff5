"""Read rows of the log as values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from lakelock.adapters.wal import packing
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.model import consistent_cut, coverage_text, registry_text
from lakelock.model import operator_log as decisions
from lakelock.model.batches import (
    Batch,
    Books,
    DataFile,
    PartResult,
    PartSummary,
    PlannedRange,
    StagedPart,
    StreamState,
    TableIdentity,
)
from lakelock.model.counts import Accounts
from lakelock.model.ledger import Ledger, rollback_of
from lakelock.model.log_state import Pace
from lakelock.model.offsets import OffsetRange, Source


def source_of(row: dict[str, Any]) -> Source:
    return Source(row["topic"], row["topic_id"], row["partition"])


def range_of(row: dict[str, Any]) -> OffsetRange:
    return OffsetRange(source_of(row), row["start_offset"], row["end_offset"])


def read_newest_config(connection: Connection, pipeline: str) -> dict[str, Any] | None:
    """The resolved configuration of the newest live batch, else of the newest other batch; None before the first."""
    row = connection.execute(queries("read")["newest_config"], {"pipeline": pipeline}).fetchone()
    return row["config"] if row else None


def read_streams(connection: Connection, pipeline: str, lane: str) -> list[StreamState]:
    rows = connection.execute(queries("read")["streams"], {"pipeline": pipeline, "lane": lane})
    return [StreamState(source_of(row), row["start_offset"], row["next_offset"]) for row in rows]


def read_paces(connection: Connection, pipeline: str) -> list[Pace]:
    rows = connection.execute(queries("read")["paces"], {"pipeline": pipeline})
    return [Pace(row["offsets"], row["seconds"]) for row in rows]


def has_begun(connection: Connection, pipeline: str) -> bool:
    row = connection.execute(queries("read")["has_begun"], {"pipeline": pipeline}).fetchone()
    return bool(row and row["has_begun"])


def has_ledger(connection: Connection, pipeline: str, table: str) -> bool:
    row = connection.execute(queries("read")["has_ledger"], {"pipeline": pipeline, "table": table}).fetchone()
    return bool(row and row["has_ledger"])


def read_planned(connection: Connection, pipeline: str) -> list[Batch]:
    rows = connection.execute(queries("read")["planned_batches"], {"pipeline": pipeline})
    return read_batches(connection, [row["batch_no"] for row in rows])


def read_batches(connection: Connection, batch_nos: Sequence[int]) -> list[Batch]:
    """Batches in planning order."""
    if not batch_nos:
        return []
    sql, key = queries("read"), {"batch_nos": list(batch_nos)}
    ranges: dict[int, list[PlannedRange]] = defaultdict(list)
    for row in connection.execute(sql["ranges"], key):
        ranges[row["batch_no"]].append(PlannedRange(range_of(row), row["leader_epoch"]))
    return [
        Batch(
            batch_id=str(row["batch_id"]),
            pipeline=row["pipeline"],
            lane=row["lane"],
            config=row["config"],
            config_digest=row["config_digest"],
            ranges=tuple(ranges[row["batch_no"]]),
            planned_tables=tuple(row["planned_tables"]),
            attempt=row["attempt"],
            closed=row["is_closed"],
            has_survey=row["has_survey"],
        )
        for row in connection.execute(sql["batches"], key)
    ]


def read_files(connection: Connection, part_ids: Sequence[int]) -> dict[int, list[DataFile]]:
    files: dict[int, list[DataFile]] = defaultdict(list)
    for row in connection.execute(queries("read")["files"], {"part_ids": list(part_ids)}):
        files[row["part_id"]].append(DataFile(row["path"], row["row_count"], row["size_bytes"], b""))
    return dict(files)


def read_staged(connection: Connection, pipeline: str, tables: Sequence[str] | None) -> list[StagedPart]:
    """Of *tables*, all if that is None."""
    sql = queries("read")
    key = {"pipeline": pipeline, "tables": None if tables is None else list(tables)}
    parts = connection.execute(sql["staged_parts"], key).fetchall()
    key = {"part_ids": [row["part_id"] for row in parts]}
    books: dict[int, list[Books]] = defaultdict(list)
    files: dict[int, list[DataFile]] = defaultdict(list)
    if parts:
        for row in connection.execute(sql["books"], key):
            books[row["part_id"]].append(_books(row))
        detail_of = {row["part_id"]: iter(packing.unpack(row["file_details"])) for row in parts}
        for row in connection.execute(sql["files"], key):
            detail = next(detail_of[row["part_id"]])
            files[row["part_id"]].append(DataFile(row["path"], row["row_count"], row["size_bytes"], detail))
    return [
        StagedPart(
            batch_id=str(row["batch_id"]),
            sequence=row["batch_no"],
            lane=row["lane"],
            attempt=row["attempt"],
            config_digest=row["config_digest"],
            staged_at=row["staged_at"],
            age_s=row["age_s"],
            result=PartResult(
                table=row["table_name"],
                identity=TableIdentity(row["table_uuid"], row["generation"], row["layout"]),
                files=tuple(files[row["part_id"]]),
                books=tuple(books[row["part_id"]]),
                target=row["target"],
            ),
            restaged=row["restaged"],
            part_id=row["part_id"],
        )
        for row in parts
    ]


def _books(row: dict[str, Any]) -> Books:
    return Books(
        range=range_of(row),
        read=row["read_count"],
        written=row["written_count"],
        dead=row["dead_count"],
        filtered=row["filtered_count"],
        min_timestamp_ms=row["min_timestamp_ms"],
        max_timestamp_ms=row["max_timestamp_ms"],
    )


def read_starts(connection: Connection, pipeline: str, lane: str, table: str) -> dict[Source, int]:
    rows = connection.execute(queries("read")["declared_starts"], {"pipeline": pipeline, "lane": lane, "table": table})
    return {source_of(row): row["start_offset"] for row in rows}


def read_dead_letter_tables(connection: Connection, pipeline: str) -> list[str]:
    return [
        row["table_name"] for row in connection.execute(queries("read")["dead_letter_tables"], {"pipeline": pipeline})
    ]


def read_ledgers(connection: Connection, pipeline: str, tables: Sequence[str] | None = None) -> dict[str, Ledger]:
    """Of *tables*, all if that is None."""
    key = {"pipeline": pipeline, "tables": None if tables is None else list(tables)}
    rows = connection.execute(queries("read")["ledgers"], key)
    return {row["table_name"]: _ledger(row) for row in rows}


def read_first_ledger(connection: Connection, pipeline: str, table: str) -> Ledger | None:
    row = connection.execute(queries("read")["first_ledger"], {"pipeline": pipeline, "table": table}).fetchone()
    return _ledger(row) if row else None


def _ledger(row: dict[str, Any]) -> Ledger:
    kept = row["ledger"]
    rollback, mark = kept.get("rollback"), kept.get("mark")
    return Ledger(
        **{
            **kept,
            "coverage": coverage_text.decode(kept["coverage"]),
            "rollback": rollback_of(rollback) if rollback else None,
            "decisions": decisions.decode(kept.get("decisions") or "[]"),
            "mark": coverage_text.decode(mark) if mark is not None else None,
            "behind": consistent_cut.decode(kept.get("behind") or "{}"),
            "registry": registry_text.decode(row["registry"]) if row["registry"] is not None else None,
        }
    )


def read_accounts(connection: Connection, pipeline: str, lane: str) -> Accounts:
    """Consistent only in one snapshot."""
    sql = queries("read")
    ranges: dict[tuple[str, Source], list[OffsetRange]] = defaultdict(list)
    unwritten: dict[OffsetRange, None] = {}
    # Thousands of parts may have the same ranges, which are those of their batch.
    parts = connection.execute(sql["open_parts"], {"pipeline": pipeline}).fetchall()
    of_batch: dict[int, list[OffsetRange]] = defaultdict(list)
    for row in connection.execute(sql["ranges"], {"batch_nos": sorted({p["batch_no"] for p in parts})}):
        of_batch[row["batch_no"]].append(range_of(row))
    for part in parts:
        table, topics = part["table_name"], part["topics"]
        of_part = [r for r in of_batch[part["batch_no"]] if r.source.topic in topics]
        for r in of_part:
            ranges[table, r.source].append(r)
        if part["state"] == "planned":
            unwritten |= dict.fromkeys(of_part)
    for several in ranges.values():
        several.sort()
    unwritten |= dict.fromkeys(read_unclosed(connection, pipeline))
    streams = {s.source: s for s in read_streams(connection, pipeline, lane)}
    return Accounts(streams, ranges, tuple(unwritten), read_ledgers(connection, pipeline))


def read_unclosed(connection: Connection, pipeline: str, *, with_backfills: bool = True) -> list[OffsetRange]:
    """Ranges of batches that are not closed. Those of backfills lie before all others."""
    key = {"pipeline": pipeline, "with_backfills": with_backfills}
    return [range_of(row) for row in connection.execute(queries("read")["unclosed_ranges"], key)]


def read_recent(connection: Connection, pipeline: str, limit: int) -> list[PartSummary]:
    sql = queries("read")
    parts = connection.execute(sql["recent"], {"pipeline": pipeline, "limit": limit}).fetchall()
    ranges: dict[int, list[OffsetRange]] = defaultdict(list)
    for row in connection.execute(sql["ranges"], {"batch_nos": sorted({p["batch_no"] for p in parts})}):
        ranges[row["batch_no"]].append(range_of(row))
    named: dict[int, list[OffsetRange]] = defaultdict(list)
    for row in connection.execute(sql["books"], {"part_ids": [p["part_id"] for p in parts if p["target"]]}):
        named[row["part_id"]].append(range_of(row))
    return [
        PartSummary(
            batch_id=str(part["batch_id"]),
            table=part["table_name"],
            state=part["state"],
            ranges=tuple(
                named[part["part_id"]]
                if part["target"]
                else [r for r in ranges[part["batch_no"]] if r.source.topic in part["topics"]]
            ),
            rows=part["row_count"],
            files=part["file_count"],
            size_bytes=part["size_bytes"],
            version_id=part["version_id"],
            at=part["at"],
        )
        for part in parts
    ]
