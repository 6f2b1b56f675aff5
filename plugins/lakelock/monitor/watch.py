"""Watch one pipeline: look at it, remember since when each state lasts, and find incidents."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from lakelock.config import Pipeline
from lakelock.config.planned_dags import rhythm
from lakelock.errors import LATER, LakelockError, TableMissing, TableReplaced
from lakelock.ingest.bind import load
from lakelock.model import evolutions
from lakelock.model import sightings as sights
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.offsets import OffsetRange
from lakelock.model.overview import PipelineView
from lakelock.model.sightings import LatenessLimits
from lakelock.monitor import incidents
from lakelock.monitor.alerts import Runs, alerts, incidents_of, long_paused, schema_changes
from lakelock.monitor.incidents import Incident, IncidentKind, Open
from lakelock.monitor.status import PipelineStatus
from lakelock.ports import Log, Tables

logger = logging.getLogger(__name__)

# Tables that one look loads from the catalog. A commit finds out by itself that its table is gone.
LOOKED_UP = 200


@dataclass(frozen=True, slots=True)
class WatchResult:
    """The status from Kafka and the log, and the log's own view after it remembered this look."""

    status: PipelineStatus
    view: PipelineView


def see(
    pipeline: Pipeline,
    log: Log,
    read: Callable[[], PipelineStatus],
    tables: Callable[[], Tables],
    *,
    watch_every_s: float,
    is_paused: bool | None,
    is_late: bool,
    reported_changes: str = "",
) -> WatchResult | None:
    """Look at a pipeline; None if the log does not know it: it never began, or this is another log.

    *reported_changes* is the line of the last `schema` incident, if all recipients were notified of it.
    """
    if not log.begun(pipeline.name):
        return None
    status, before, at_s = read(), log.sights(pipeline.name), log.now().timestamp()
    bound = log.bound(pipeline.name)
    named = [name for t in pipeline.tables if (name := t.name) in bound]
    chosen = in_turn(named, before.gone if before else (), int(at_s / max(watch_every_s, 1.0)))
    dead_letters = [pipeline.dead_letter_table] if pipeline.dead_letter_table in bound else []
    gone, changed = _looked_up(pipeline, log, tables, [*chosen, *dead_letters])
    now = sights.sighted(
        before,
        at_s,
        limits_of(pipeline, watch_every_s),
        [s.unpaused for s in status.sources],
        status.missing,
        gone,
        tables=[t.name for t in pipeline.tables]
        if pipeline.route is None
        else [t.table for t in status.tables if t.paused],
        is_paused=is_paused,
        is_late=is_late,
        is_routed=pipeline.route is not None,
    )
    if pipeline.alerts.schema_changes:
        now = replace(now, changes=evolutions.seen(before.changes if before else None, changed, reported_changes))
    log.saw(pipeline.name, now)
    view = log.view(pipeline.name)
    return None if view is None else WatchResult(status, view)


def limits_of(pipeline: Pipeline, watch_every_s: float) -> LatenessLimits:
    lag = pipeline.alerts.lag
    usual, longest = rhythm(pipeline)
    promise_s = sights.promise_s(pipeline.commit.max_latency_s, usual.total_seconds(), longest.total_seconds())
    return LatenessLimits(promise_s, lag.total_seconds() if lag else None, watch_every_s)


def in_turn(names: Sequence[str], gone: Collection[str], turn: int) -> list[str]:
    """All of a few names; of many, LOOKED_UP others in each turn, and those that were *gone* before."""
    if len(names) <= LOOKED_UP:
        return list(names)
    ordered, start = sorted(names), turn * LOOKED_UP % len(names)
    chosen = (ordered * 2)[start : start + LOOKED_UP]
    return [*chosen, *(name for name in ordered if name in gone and name not in chosen)]


def _looked_up(
    pipeline: Pipeline, log: Log, tables: Callable[[], Tables], names: Sequence[str]
) -> tuple[dict[str, str | None], dict[str, list[ColumnsChanged]]]:
    """Of the tables of these *names*, those that are missing or that could not be looked up (None), as for
    `model.sightings.sighted`; and the changes of columns of the others.
    """
    out, changed = dict[str, str | None](), dict[str, list[ColumnsChanged]]()
    for table in names:
        try:
            state = load(log, tables(), pipeline.name, table)
            changed[table] = tables().columns_changed(state) if pipeline.alerts.schema_changes else []
        except (TableMissing, TableReplaced) as fault:
            out[table] = str(fault)
        except LATER as fault:
            logger.warning("cannot check whether table %s exists: %s", table, fault)
            out[table] = None
        except LakelockError as fault:
            # The table exists; its next commit reports the error.
            logger.warning("%s", fault)
    return out, changed


def watch(
    pipeline: Pipeline, read: Callable[[], WatchResult | None], runs: Runs | None, before: Mapping[IncidentKind, Open]
) -> tuple[list[Incident], PipelineStatus | None]:
    """The pipeline's incidents, and its status if it could be read.

    *read* is `see` on this pipeline's servers. *runs* come from Airflow and need none of them; None if unknown.
    """
    failed, others = _failed(pipeline, runs, before), dict(before)
    others.pop(IncidentKind.FAILED, None)
    try:
        found = read()
    except LakelockError as fault:
        line = f"{type(fault).__name__}: {fault}"
        blind = incidents.blind(Incident(IncidentKind.UNREADABLE, line, isinstance(fault, LATER)), others)
        return [*failed, *blind], None
    except Exception as fault:
        # Any error concerns this pipeline alone, and the others are still looked at. Its text may contain anything.
        logger.exception("%s", pipeline.name)
        line = f"{type(fault).__name__}: see the log of lakelock_watch"
        return [*failed, *incidents.blind(Incident(IncidentKind.UNREADABLE, line), others)], None
    if found is None:
        return [*failed, *incidents.blind(None, others)], None
    status, left = found.status, pipeline.alerts.retention_left
    left_s = left.total_seconds() if left else None
    only_here = [*long_paused(found.view), *schema_changes(found.view)]
    judged = incidents.judge(status.sources, left_s, status.stopped, before, status.missing, _behind(status))
    return [*failed, *judged, *incidents_of([*alerts(found.view, Runs()), *only_here])], status


def _behind(status: PipelineStatus) -> Mapping[str, Sequence[OffsetRange]]:
    return {t.table: t.ranges for t in status.cut.behind} if status.cut else {}


def _failed(pipeline: Pipeline, runs: Runs | None, before: Mapping[IncidentKind, Open]) -> list[Incident]:
    if runs is not None:
        return incidents_of(alerts(PipelineView.unplanned(pipeline.name), runs))
    return incidents.blind(None, {kind: was for kind, was in before.items() if kind is IncidentKind.FAILED})
