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
from lakelock.model.offsets import Source, offsets_in
from lakelock.model.operator_log import shown_range
from lakelock.model.overview import BatchView, Note, PipelineView, TableChoice, TableView
from lakelock.monitor.alerts import Alert, Runs, alerts
from lakelock.monitor.incidents import missing_line
from lakelock.page.json_values import answer, fields
from lakelock.page.logs import LOG_SILENT, Opened

if TYPE_CHECKING:
    from lakelock.adapters.wal import PostgresLog
    from lakelock.config import Pipeline
    from lakelock.monitor.cut_status import TableBehind
    from lakelock.monitor.status import PipelineStatus, SourceStatus
    from lakelock.page.access import DagFacts

BATCHES_SHOWN = 300
ABSENT_SHOWN = 50
# Tables in one answer: at first, and on request; and those of all pipelines together.
TABLES_SHOWN, MOST_TABLES, OVERVIEW_TABLES = 50, 200, 2_000
DECISIONS_SHOWN = 20
TABLES_BEHIND = 20


def of_overview(find: str, pipelines: int) -> TableChoice:
    """The tables of the overview: the more pipelines there are, the fewer of each."""
    most = max(1, min(TABLES_SHOWN, OVERVIEW_TABLES // max(1, pipelines)))
    return TableChoice(find, in_pipelines=True, most=most)


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
    planned = opened.pipeline
    return answer(
        {
            "at": datetime.now(UTC),
            **_pipeline(opened.view, opened.runs),
            "config": _config(planned) if planned else None,
            # Arrays, not objects, because there may be ten thousand.
            "sources": [
                [s.source.topic, s.source.partition, s.start_offset, s.next_offset, reached.get(s.source)]
                for reached in [_reached(planned, log, name)]
                for s in streams
                if not s.retired
            ],
            "retired": sum(s.retired for s in streams),
            "fences": opened.reader.fences(name),
            "decisions": [{"table": t, "line": line} for t, line in opened.reader.decisions(name, DECISIONS_SHOWN)],
            "dags": dags,
            "spark_ui": spark_ui,
            **tables_of(planned),
        }
    )


def tables(opened: Opened) -> Response:
    """Some tables of one pipeline, as `pipeline` has them, and how many there are."""
    return answer({"at": datetime.now(UTC), **_tables(opened.view, alerts(opened.view, opened.runs))})


def tables_of(planned: Pipeline | None) -> dict[str, Any]:
    """Tables that the file names, and those that a maintenance run can be limited to; *routed*: there may be others."""
    if planned is None:
        return {"named": [], "maintained": [], "routed": False}
    named = [t.name for t in planned.entries]
    return {
        "named": named,
        "maintained": [*named, planned.dead_letter_table],
        "routed": planned.route is not None,
    }


def _reached(planned: Pipeline | None, log: PostgresLog, name: str) -> Mapping[Source, int]:
    """The offset of each source that every table has passed."""
    if planned is not None and planned.route is not None:
        # A log that is being rebuilt does not know.
        return {} if log.recovering(name) is not None else log.routed_progress(name).complete
    ledgers = log.ledgers(name)
    names = [t.name for t in planned.tables] if planned else list(ledgers)
    return positions({t: ledgers[t].coverage for t in names if t in ledgers})


def dags(found: Sequence[DagFacts]) -> Response:
    return answer({"dags": found})


def lag(opened: Opened, status: PipelineStatus, log: PostgresLog, planned: Pipeline) -> Response:
    """Kafka's current state: per partition, and the lag of the tables that are shown."""
    names = [t.table for t in opened.view.tables if planned.has_table(t.table)]
    ledgers = log.ledgers(planned.name, [t for t in names if not planned.is_routed(t)])
    opened_offsets = {t.table: t.open_offsets for t in opened.view.tables}
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
            "cut": status.cut
            and {"line": status.cut.line, "behind": list(map(_behind, status.cut.behind[:TABLES_BEHIND]))},
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
                t.name: sum(
                    max(0, s.end_offset - s.frontier) for s in status.sources if planned.takes(t, s.source.topic)
                )
                + opened_offsets.get(t.name, 0)
                if planned.is_routed(t.name)
                else table_lag(
                    ledgers[t.name].coverage if t.name in ledgers else None,
                    {s: end for s, end in ends.items() if planned.takes(t, s.topic)},
                    starts,
                )
                for t in map(planned.table, names)
            },
        }
    )


def _behind(t: TableBehind) -> list[Any]:
    first = t.ranges[0]
    return [t.table, offsets_in(t.ranges), f"{first.source} {first.start}", t.lag_s, t.retention_left_s]


def not_known(sources: Sequence[SourceStatus]) -> tuple[int, int]:
    """The numbers of lagging sources without an age, and without a retention time: unknown, or kept for ever."""
    behind = [s for s in sources if s.lag_offsets]
    return sum(s.lag_s is None for s in behind), sum(s.retention_left_s is None for s in behind)


def table(opened: Opened, name: str, log: PostgresLog, planned: Pipeline) -> Response:
    """One table by the log alone: recent commits, and the ledger as of the last commit."""
    view = view_of(opened, name)
    ledger = log.ledgers(opened.view.pipeline, [name]).get(name)
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
            **tables_of(planned),
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
        **_tables(view, found),
        "batches": [{**fields(b), "state": b.state, "ranges": _ranges(b)} for b in view.batches],
    }


def _ranges(batch: BatchView) -> list[str]:
    shown = [shown_range(r) for r in batch.ranges]
    return shown if offsets_in(batch.ranges) == batch.offsets else [*shown, "…"]


def _tables(view: PipelineView, found: Sequence[Alert]) -> dict[str, Any]:
    return {
        "tables": [_table(t, found) for t in view.tables],
        "table_count": view.table_count,
        "behind": view.behind,
        "found": view.found,
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
