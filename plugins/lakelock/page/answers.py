"""Answers from the logs and Kafka, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fastapi import HTTPException
from fastapi.responses import Response

from lakelock.model.batches import LIVE
from lakelock.model.coverage import Coverage
from lakelock.model.lag import positions, table_lag
from lakelock.model.operator_log import shown_range
from lakelock.model.overview import Note, PipelineView, TableView
from lakelock.monitor.alerts import Alert, Runs, alerts
from lakelock.monitor.incidents import missing_line
from lakelock.page.json_values import answer, fields
from lakelock.page.logs import LOG_SILENT, Opened

if TYPE_CHECKING:
    from lakelock.adapters.wal import PostgresLog
    from lakelock.config import Pipeline
    from lakelock.monitor.status import PipelineStatus, SourceStatus
    from lakelock.page.access import DagFacts

BATCHES_SHOWN = 300
ABSENT_SHOWN = 50


def overview(
    names: Sequence[str], views: Sequence[PipelineView], complete: bool, runs: Mapping[str, Runs], broken: set[str]
) -> Response:
    """All pipelines; *names* are those that the user may see.

    If all logs answered (*complete*), those without a look have planned nothing yet. The files of *broken* ones have
    faults.
    """
    known = {view.pipeline for view in views}
    if complete:
        # A pipeline that failed before it planned anything is shown as well.
        failed = [n for n in names if n not in known and n not in broken and runs.get(n, Runs()).failed]
        views = sorted([*views, *(PipelineView.unplanned(n) for n in failed)], key=lambda view: view.pipeline)
        known |= set(failed)
    return answer(
        {
            "at": datetime.now(UTC),
            "pipelines": [_pipeline(view, runs.get(view.pipeline, Runs())) for view in views],
            "unknown": [n for n in names if n not in known and n not in broken],
            "broken": sorted(broken),
            "faults": [] if complete else [LOG_SILENT],
        }
    )


def pipeline(opened: Opened, dags: Sequence[DagFacts], log: PostgresLog, spark_ui: str) -> Response:
    """One pipeline, with each partition's frontier and the offset that every table has passed."""
    name = opened.view.pipeline
    streams = log.streams(name, LIVE)
    ledgers = log.ledgers(name)
    planned = opened.pipeline
    tables = [t.name for t in planned.tables] if planned else list(ledgers)
    reached = positions({t: ledgers[t].coverage for t in tables if t in ledgers})
    decisions = sorted((d.at, t, d.line) for t, led in ledgers.items() for d in led.decisions)
    return answer(
        {
            "at": datetime.now(UTC),
            **_pipeline(opened.view, opened.runs),
            "config": _config(planned) if planned else None,
            # Arrays, not objects, because there may be ten thousand.
            "sources": [
                [s.source.topic, s.source.partition, s.start_offset, s.next_offset, reached.get(s.source)]
                for s in streams
                if not s.retired
            ],
            "retired": sum(s.retired for s in streams),
            "fences": opened.reader.fences(name),
            "decisions": [{"table": t, "line": line} for _, t, line in decisions[::-1][:20]],
            "dags": dags,
            "spark_ui": spark_ui,
            **tables_of(opened),
        }
    )


def tables_of(opened: Opened) -> dict[str, list[str]]:
    """Tables that the file names, and those that a maintenance run can be limited to."""
    planned = opened.pipeline
    named = [t.name for t in planned.tables] if planned else []
    return {"named": named, "maintained": [*named, planned.dead_letter_table] if planned else []}


def dags(found: Sequence[DagFacts]) -> Response:
    return answer({"dags": found})


def lag(opened: Opened, status: PipelineStatus, log: PostgresLog) -> Response:
    """Kafka's current state: per partition, and per table its lag."""
    planned = opened.planned()
    ledgers = log.ledgers(planned.name)
    no_age, no_retention = not_known(status.sources)
    left = [s.retention_left_s for s in status.sources if s.retention_left_s is not None]
    behind = [s.lag_s for s in status.sources if s.lag_s is not None]
    ends = {s.source: s.end_offset for s in status.sources}
    starts = {s.source: s.low_offset for s in status.sources}
    gone = missing_line(status.missing) if status.missing else ""
    return answer(
        {
            "at": status.at,
            "stopped": "; ".join(filter(None, (status.stopped, gone))),
            "lag_offsets": status.lag_offsets,
            "lag_s": max(behind, default=None),
            "retention_left_s": min(left, default=None),
            "without_age": no_age,
            "without_retention": no_retention,
            "sources": [
                [
                    s.source.topic,
                    s.source.partition,
                    s.low_offset,
                    s.end_offset,
                    s.committed,
                    s.lag_offsets,
                    s.lag_s,
                    s.retention_left_s,
                ]
                for s in status.sources
            ],
            "tables": {
                t.name: table_lag(
                    ledgers[t.name].coverage if t.name in ledgers else None,
                    {s: end for s, end in ends.items() if planned.takes(t, s.topic)},
                    starts,
                )
                for t in planned.tables
            },
        }
    )


def not_known(sources: Sequence[SourceStatus]) -> tuple[int, int]:
    """The numbers of lagging sources without an age, and without a retention time: unknown, or kept for ever."""
    behind = [s for s in sources if s.lag_offsets]
    return sum(s.lag_s is None for s in behind), sum(s.retention_left_s is None for s in behind)


def table(opened: Opened, name: str, log: PostgresLog) -> Response:
    """One table by the log alone: recent commits, and the ledger as of the last commit."""
    view = view_of(opened, name)
    ledger = log.ledgers(opened.view.pipeline, name).get(name)
    coverage = ledger.coverage if ledger else Coverage()
    absent = [(r, "requested") for r in coverage.requested] + [
        (r, kind.name.lower()) for r, kind in reversed(coverage.gaps)
    ]
    return answer(
        {
            "at": datetime.now(UTC),
            "pipeline": opened.view.pipeline,
            **_table(view, alerts(opened.view, opened.runs)),
            "generation": view.generation,
            "valid_through_ms": ledger.valid_through_ms if ledger else None,
            # Without a ledger the log does not know that nothing was written, either.
            **(coverage.sums if ledger else dict.fromkeys(coverage.sums)),
            "absent": [{"range": shown_range(r), "why": why} for r, why in absent[:ABSENT_SHOWN]],
            "absent_count": len(absent),
            "decisions": [d.line for d in reversed(ledger.decisions)] if ledger else [],
            "batches": opened.reader.batches(opened.view.pipeline, name, BATCHES_SHOWN),
            **tables_of(opened),
        }
    )


def _config(pipeline: Pipeline) -> Mapping[str, Any]:
    """The settings of a configuration that the page shows."""
    return {
        "owner": pipeline.owner,
        "topics": list(pipeline.source.topics),
        "topics_regex": pipeline.source.topics_regex,
        "dead_letter_table": pipeline.dead_letter_table,
        "max_latency_s": pipeline.commit.max_latency_s,
        "keep_snapshots": pipeline.commit.keep_snapshots,
        "catalog": pipeline.catalog.conn_id,
        "branch": pipeline.catalog.branch,
        "digest": pipeline.digest,
    }


def _pipeline(view: PipelineView, runs: Runs) -> dict[str, Any]:
    found = alerts(view, runs)
    return {
        "pipeline": view.pipeline,
        "paused": runs.is_paused,
        "topics": view.topics,
        "partitions": view.partitions,
        "planned_at": view.planned_at,
        "notes": [*_notes(found, None), *view.notes],
        "tables": [_table(t, found) for t in view.tables],
        "batches": [{**fields(b), "state": b.state} for b in view.batches],
    }


def _notes(found: Sequence[Alert], table: str | None) -> list[Note]:
    return [alert.note for alert in found if alert.table == table]


def _table(view: TableView, found: Sequence[Alert]) -> dict[str, Any]:
    return {
        "table": view.table,
        "is_dead_letter_table": view.is_dead_letter_table,
        "bound": view.bound,
        "committed_at": view.committed_at,
        "newest_record_ms": view.newest_record_ms,
        "version_id": view.version_id,
        "open_offsets": view.open_offsets,
        "planned": view.planned,
        "staged": view.staged,
        "due_in_s": view.due_in_s,
        "landed": [[s.rows, s.size_bytes] for s in view.landed],
        "dead_letters": view.dead_letters,
        "rollback": view.rollback,
        "notes": [*_notes(found, view.table), *view.notes],
    }


def view_of(opened: Opened, name: str) -> TableView:
    """The log's view of the pipeline's table; 404 for any other table of the catalog."""
    found = next((t for t in opened.view.tables if t.table == name), None)
    if found is None:
        raise HTTPException(404, f"pipeline {opened.view.pipeline!r} has no table {name!r}")
    return found
