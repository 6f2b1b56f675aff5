"""The page's queries of the log: a fixed number of statements, for any number of pipelines and tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lakelock.adapters.wal import routed_names
from lakelock.adapters.wal.chosen_tables import choice_key
from lakelock.adapters.wal.logged_files import now
from lakelock.adapters.wal.page_rows import CommittedBatch, batch_view, committed_batch
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.redrive import still_dead
from lakelock.adapters.wal.row_reading import read_newest_config
from lakelock.adapters.wal.server import Connection, Server
from lakelock.adapters.wal.session import Session
from lakelock.ingest.commit_decision import due_in_s
from lakelock.model import coverage_text, operator_log
from lakelock.model.batches import NO_TABLE
from lakelock.model.coverage import Coverage
from lakelock.model.lag import positions
from lakelock.model.ledger import rollback_of
from lakelock.model.offsets import Source
from lakelock.model.overview import (
    ALL_TABLES,
    IDLE_S,
    BatchView,
    Fence,
    LandedInTime,
    OpenParts,
    PipelineView,
    TableChoice,
    TableView,
    idle,
)
from lakelock.model.sightings import Sights, decode, needs_positions
from lakelock.model.units import parse_duration

WINDOW_S, BUCKETS = 3600, 12
# Per pipeline, so that the open batches of one do not hide those of another.
MAX_OPEN_BATCHES = 500
# Of one batch: there may be thousands of partitions.
MAX_RANGES = 4
# A reader waits for the page: report a server that does not answer instead of waiting for it.
PATIENCE_S, TIMEOUT_MS = 1.0, 5_000
_NOTHING = OpenParts()


@dataclass(frozen=True, slots=True)
class PartAt:
    """A part whose batch contains the requested offset."""

    batch_id: str
    state: str
    run: str | None
    version_id: int | None
    topic_id: str
    start_offset: int
    end_offset: int


class LogReader:
    """Reader of one log on a connection of its own, opened at first use. Thread-safe."""

    def __init__(self, dsn: str, turn_s: float = -1) -> None:
        """*turn_s* is as in `Session`: how long a thread waits for others."""
        server = Server(
            dsn,
            application_name="lakelock page",
            connect_timeout_s=3,
            lock_timeout_ms=TIMEOUT_MS,
            statement_timeout_ms=TIMEOUT_MS,
        )
        self._session = Session(server, PATIENCE_S, turn_s)

    def close(self) -> None:
        self._session.close()

    def overview(
        self, pipelines: Sequence[str], choice: TableChoice = ALL_TABLES
    ) -> tuple[datetime, list[PipelineView]]:
        """Those of *pipelines* that the log knows, by name, and the time of the look by Postgres' clock."""
        return self._session.run("the page", lambda c: read_views(c, pipelines, choice), snapshot=True)

    def config(self, pipeline: str) -> dict[str, Any] | None:
        """The resolved configuration of the newest batch; None before the first."""
        return self._session.run("the page", lambda c: read_newest_config(c, pipeline), snapshot=True)

    def fences(self, pipeline: str, limit: int = 10) -> list[Fence]:
        """Fenced attempts, newest first."""

        def work(connection: Connection) -> list[Fence]:
            rows = connection.execute(queries("page")["fences"], {"pipeline": pipeline, "limit": limit})
            return [Fence(r["batch_id"], r["run"], r["ended_at"], r["next_run"]) for r in rows]

        return self._session.run("the page", work, snapshot=True)

    def decisions(self, pipeline: str, limit: int) -> list[tuple[str, str]]:
        """The newest decisions of all tables: each table, and the line about it."""

        def work(connection: Connection) -> list[tuple[str, str]]:
            rows = connection.execute(queries("page")["decisions"], {"pipeline": pipeline})
            found = [(d.at, r["table_name"], d.line) for r in rows for d in operator_log.decode(r["decisions"])]
            return [(table, line) for _, table, line in sorted(found, reverse=True)[:limit]]

        return self._session.run("the page", work, snapshot=True)

    def batches(self, pipeline: str, table: str, limit: int) -> list[CommittedBatch]:
        """The table's last batches whose detail is still kept, newest first."""

        def work(connection: Connection) -> list[CommittedBatch]:
            key = {"pipeline": pipeline, "table": table, "limit": limit}
            return [committed_batch(r) for r in connection.execute(queries("page")["table_batches"], key)]

        return self._session.run("the page", work, snapshot=True)

    def parts_at(self, pipeline: str, table: str, topic: str, partition: int, offset: int) -> list[PartAt]:
        """Parts with this offset, newest batch first, as far as their detail is kept."""

        def work(connection: Connection) -> list[PartAt]:
            key = {"pipeline": pipeline, "table": table, "topic": topic, "partition": partition, "offset": offset}
            return [
                PartAt(
                    r["batch_id"],
                    r["state"],
                    r["run"] or r["holder_run"],
                    r["version_id"],
                    r["topic_id"],
                    r["start_offset"],
                    r["end_offset"],
                )
                for r in connection.execute(queries("page")["parts_with_offset"], key)
            ]

        return self._session.run("the page", work, snapshot=True)


def read_views(
    connection: Connection, pipelines: Sequence[str], choice: TableChoice = ALL_TABLES
) -> tuple[datetime, list[PipelineView]]:
    """See `LogReader.overview`. Consistent only in one snapshot."""
    sql, key = queries("page"), {"pipelines": list(pipelines)}
    at = now(connection)
    sights = read_sights(connection, pipelines)

    def rows(name: str, **more: object) -> list[dict[str, Any]]:
        return connection.execute(sql[name], {**key, **more}).fetchall()

    about = {r["pipeline"]: r for r in rows("pipelines")}
    settings = {r["pipeline"]: r for r in rows("settings")}
    chosen = {r["pipeline"]: r for r in rows("chosen", **choice_key(choice, pipelines, settings, sights))}
    key["tables"] = sorted({table for r in chosen.values() for table in r["tables"] or ()})
    opened: dict[tuple[str, str, str], OpenParts] = {
        (r["pipeline"], r["table_name"], r["state"]): OpenParts(
            r["parts"], r["row_count"], r["size_bytes"], r["offsets"], r["since_s"], r["age_s"], r["has_records"]
        )
        for r in rows("open_parts")
    }
    last = {(r["pipeline"], r["table_name"]): r for r in rows("last_parts")}
    hour = _Hour(rows("last_hour", window_s=WINDOW_S, bucket_s=WINDOW_S / BUCKETS))
    hour.dead = still_dead(connection, hour.dead, WINDOW_S)
    staged_s: dict[str, dict[str, float]] = defaultdict(dict)
    for r in rows("last_staged", within_s=IDLE_S):
        staged_s[r["pipeline"]][r["kind"]] = r["staged_s"]
    batches: dict[str, list[BatchView]] = defaultdict(list)
    for r in rows("open_batches", limit=MAX_OPEN_BATCHES, ranges=MAX_RANGES):
        batches[r["pipeline"]].append(batch_view(r))
    tables: dict[str, list[TableView]] = defaultdict(list)
    known = {(r["pipeline"], r["table_name"]): r for r in rows("tables")}
    for name in [(pipeline, table) for pipeline, c in chosen.items() for table in c["tables"] or ()]:
        r = known[name]
        newest = last.get(name, {})
        rollback = r["rollback"]
        staged = opened.get((*name, "staged"), _NOTHING)
        tables[r["pipeline"]].append(
            TableView(
                table=r["table_name"],
                is_dead_letter_table=r["is_dead_letter_table"],
                bound=r["bound_at"] is not None,
                generation=r["generation"],
                is_unsettled=r["is_unsettled"],
                committed_at=r["ledger_at"],
                newest_record_ms=newest.get("newest_ms"),
                version_id=newest.get("version_id"),
                planned=opened.get((*name, "planned"), _NOTHING),
                staged=staged,
                landed=hour.landed(*name),
                dead_letters=hour.dead.get(name, 0),
                rollback=rollback_of(rollback).line if rollback else None,
                last_pause=operator_log.last_pause_of(operator_log.decode(r["decisions"])) if r["decisions"] else None,
                # Dead letters are committed with the rows of their batches.
                due_in_s=None
                if r["is_dead_letter_table"]
                else _due_in_s(staged, settings.get(r["pipeline"]), r["ledger_at"]),
            )
        )
    paused = {(pipeline, t.table) for pipeline, of in tables.items() for t in of if t.paused}
    # A log that is being rebuilt does not know how far routed tables are.
    looked = {
        p: s
        for p, s in sights.items()
        if needs_positions(s, at.timestamp()) and not (s.is_routed and about.get(p, {}).get("recovery_of"))
    }
    reached = _reached(connection, looked, paused)
    views = [
        PipelineView(
            pipeline=name,
            topics=about[name]["topics"] if name in about else 0,
            partitions=about[name]["partitions"] if name in about else 0,
            planned_at=settings[name]["planned_at"] if name in settings else None,
            recovered_by=about[name]["recovery_of"] if name in about else None,
            tables=tuple(tables[name]),
            batches=tuple(batches[name]),
            idle=idle(batches[name], staged_s[name]),
            at=at,
            **{
                field: chosen[name][field] for field in ("begun_at", "table_count", "behind", "found") if name in chosen
            },
            sights=sights.get(name),
            reached=reached.get(name, {}),
            without_table=hour.dead.get((name, NO_TABLE), 0),
        )
        for name in sorted({*about, *chosen})
    ]
    return at, views


def read_sights(connection: Connection, pipelines: Sequence[str]) -> dict[str, Sights]:
    rows = connection.execute(queries("sights")["last"], {"pipelines": list(pipelines)})
    return {row["pipeline"]: decode(row["seen"]) for row in rows}


def _reached(
    connection: Connection, sights: Mapping[str, Sights], paused: Collection[tuple[str, str]]
) -> dict[str, dict[Source, int]]:
    """Per pipeline, the offset of each source that all tables of its file have passed, except for *paused* ones.

    Decoding takes time.
    """
    if not sights:
        return {}
    # Coverage of routed tables does not show how far they are.
    routed = {
        name: routed_names.routed_progress_of(connection, name).complete_but_for({t for p, t in paused if p == name})
        for name, sight in sights.items()
        if sight.is_routed
    }
    coverages: dict[str, dict[str, Coverage]] = defaultdict(dict)
    for row in connection.execute(
        queries("sights")["coverages"], {"pipelines": [p for p in sights if p not in routed]}
    ):
        pipeline, table = row["pipeline"], row["table_name"]
        if table in sights[pipeline].tables and (pipeline, table) not in paused:
            coverages[pipeline][table] = coverage_text.decode(row["coverage"])
    return routed | {pipeline: positions(tables) for pipeline, tables in coverages.items()}


def _due_in_s(staged: OpenParts, settings: Mapping[str, Any] | None, ledger_at: datetime | None) -> float | None:
    if not staged.parts or settings is None or settings["max_latency"] is None or settings["min_bytes"] is None:
        return None
    latency_s = parse_duration(settings["max_latency"]).total_seconds()
    # A table's first commit does not wait.
    is_first = ledger_at is None
    return due_in_s(staged.size_bytes, staged.age_s, staged.has_records, settings["min_bytes"], latency_s, is_first)


class _Hour:
    """Totals committed in the last hour, by table and time span, and the number of dead letters of each table."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._landed: dict[tuple[str, str], dict[int, LandedInTime]] = defaultdict(dict)
        self.dead: dict[tuple[str, str], int] = defaultdict(int)
        for r in rows:
            table = (r["pipeline"], r["table_name"])
            at = min(max(r["buckets_ago"], 0), BUCKETS - 1)
            known = self._landed[table].get(at, LandedInTime())
            self._landed[table][at] = LandedInTime(known.rows + r["row_count"], known.size_bytes + r["size_bytes"])
            if r["target"] is not None:
                self.dead[r["pipeline"], r["target"]] += r["row_count"]

    def landed(self, pipeline: str, table: str) -> tuple[LandedInTime, ...]:
        spans = self._landed.get((pipeline, table), {})
        return tuple(spans.get(ago, LandedInTime()) for ago in reversed(range(BUCKETS)))
