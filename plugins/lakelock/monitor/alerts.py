"""List what needs attention in a pipeline by default: the page shows the list, and the watch reports it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from lakelock.model.offsets import Source
from lakelock.model.overview import Level, Note, PipelineView
from lakelock.model.sightings import HANGING_S, WELL_WITHIN, Sights
from lakelock.model.units import format_duration
from lakelock.monitor.incidents import Incident, IncidentKind

# Looks of the watch that may fail or be late before an alert.
MISSED_WATCHES = 3
NOT_WATCHED_S = 900.0
# A table that has been paused for longer may have been forgotten.
PAUSED_LONG_S = 86400.0
_SHOWN = 5

_LEVELS = {IncidentKind.DROPPED: Level.STOPPED, IncidentKind.HANGING: Level.STOPPED}


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A run of the pipeline's DAG that has ended."""

    run_id: str
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class Runs:
    """Airflow's view of a pipeline's runs. *failed* is the last one that ended, if it failed."""

    is_paused: bool = False
    failed: EndedRun | None = None


@dataclass(frozen=True, slots=True)
class Alert:
    """*line* says what happened, the state of things, and what to do. *table* is None for the whole pipeline."""

    kind: IncidentKind
    since: datetime
    line: str
    table: str | None = None

    @property
    def note(self) -> Note:
        return Note(_LEVELS.get(self.kind, Level.WARNING), self.line)


def alerts(view: PipelineView, runs: Runs) -> tuple[Alert, ...]:
    """Alerts from the log, from the last look of the watch, and from Airflow."""
    found = [*_failed(runs), *_unwatched(view, runs)]
    if view.sights is not None and view.at is not None:
        now_s = view.at.timestamp()
        found += _late(view, view.sights, now_s, runs)
        found += _waiting(view, view.sights, now_s, runs)
        found += _dropped(view, view.sights)
        found += _hanging(view, view.sights, now_s)
    return tuple(found)


def stops(view: PipelineView) -> list[str]:
    """Why the pipeline, or one of its tables, gets nothing until you act, as the page shows it."""
    found = [alert for alert in alerts(view, Runs()) if alert.note.level is Level.STOPPED]
    return [*(i.line for i in incidents_of(found)), *(n.text for n in view.notes if n.level is Level.STOPPED)]


def incidents_of(found: Sequence[Alert]) -> list[Incident]:
    """At most one incident per kind; its line begins with the first alert's."""
    out: dict[IncidentKind, list[Alert]] = {}
    for alert in found:
        out.setdefault(alert.kind, []).append(alert)
    return [Incident(kind, _together(of)) for kind, of in out.items()]


def _together(of: Sequence[Alert]) -> str:
    rest = [alert.line for alert in of[1:_SHOWN]]
    more = [f"and {len(of) - _SHOWN} more"] if len(of) > _SHOWN else []
    return "; ".join([of[0].line, *rest, *more])


def _failed(runs: Runs) -> Iterator[Alert]:
    # If the DAG was paused after the failure, the failure is known.
    if runs.failed is not None and not runs.is_paused:
        run_id, at = runs.failed.run_id, runs.failed.ended_at
        line = (
            f"the last run failed at {_moment(at)}: {run_id}. Committed data is kept, and the next run continues. "
            "See the log of its failed task"
        )
        yield Alert(IncidentKind.FAILED, at, line)


def _unwatched(view: PipelineView, runs: Runs) -> Iterator[Alert]:
    since, patience_s = view.begun_at, NOT_WATCHED_S
    if view.sights is not None:
        since = _at(view.sights.at_s)
        patience_s = max(patience_s, MISSED_WATCHES * view.sights.limits.watch_every_s)
    if runs.is_paused or since is None or view.at is None or (view.at - since).total_seconds() <= patience_s:
        return
    line = (
        f"lakelock_watch has not checked it since {_moment(since)}, so it may be late, a table may have been dropped, or a "
        "transaction may hang. Unpause the DAG lakelock_watch, or see the log of its last run"
    )
    yield Alert(IncidentKind.UNWATCHED, since, line)


def _late(view: PipelineView, sights: Sights, now_s: float, runs: Runs) -> Iterator[Alert]:
    """Alert for the source that has waited longest, or for batches that were planned and not written."""
    limits = sights.limits
    share = WELL_WITHIN if sights.is_late else 1.0
    if limits.lag_s is not None:
        begun = [(s, source) for source in sights.unread if (s := _record_s(view, sights, source)) is not None]
        if begun and now_s - min(begun)[0] > share * limits.lag_s:
            since_s, source = min(begun)
            age = format_duration(timedelta(seconds=max(1, round(now_s - since_s))))
            line = f"the oldest uncommitted record of {source} is {age} old"
            yield Alert(IncidentKind.LAG, _at(since_s), line)
        return
    if runs.is_paused or sights.running_since_s is None:
        return
    seen = [
        (at_s, source, at)
        for source in sights.unread
        if (found := _seen_s(view, sights, source))
        for at_s, at in [found]
    ]
    planned = [t.planned.since_s for t in view.tables if t.planned.since_s is not None]
    planned_s = max(sights.running_since_s, min(planned)) if planned else None
    promise = format_duration(timedelta(seconds=round(limits.promise_s)))
    first = min(seen) if seen else None
    if first is not None and now_s - first[0] > share * limits.promise_s:
        since_s, source, offset = first
        what = f"the record at offset {offset} of {source}, seen at {_moment(_at(since_s))}, is not committed"
    elif planned_s is not None and now_s - planned_s > share * limits.promise_s:
        since_s, what = planned_s, f"a batch that was planned at {_moment(_at(planned_s))} is not written"
    else:
        return
    line = (
        f"later than its promise of {promise}: {what}. Nothing is lost. See its open batches and the log of its last run; check "
        "that the scheduler runs, and that worker slots and Spark slots are free"
    )
    yield Alert(IncidentKind.LAG, _at(since_s), line)


def _record_s(view: PipelineView, sights: Sights, source: Source) -> float | None:
    """The time of the oldest uncommitted record, as far as known; None if the tables have it now."""
    unread = sights.unread[source]
    if view.reached.get(source, unread.offset) > unread.offset:
        return None
    # An unknown time neither begins nor ends an incident.
    return unread.first_seen_s(unread.offset) if unread.record_s is None and sights.is_late else unread.record_s


def _seen_s(view: PipelineView, sights: Sights, source: Source) -> tuple[float, int] | None:
    """The time from which the oldest record counts as late, and its offset.

    This is the later of the record's time and its first sight.
    """
    unread = sights.unread[source]
    offset = max(unread.offset, view.reached.get(source, 0))
    seen_s = unread.first_seen_s(offset)
    if seen_s is None:
        return None
    record_s = unread.record_s if offset == unread.offset else seen_s
    if record_s is None:
        # Control records and aborted ones are not read, and may be all there is. An unknown time begins no incident.
        if not sights.is_late:
            return None
        record_s = seen_s
    return max(seen_s, record_s), offset


def _waiting(view: PipelineView, sights: Sights, now_s: float, runs: Runs) -> Iterator[Alert]:
    if runs.is_paused or sights.running_since_s is None:
        return
    promise_s = sights.limits.promise_s
    for table in view.tables:
        since_s = table.staged.since_s
        if since_s is None or table.paused:
            continue
        resumed_s = table.last_pause.at.timestamp() if table.last_pause else since_s
        if now_s - max(since_s, sights.running_since_s, resumed_s) > promise_s:
            line = (
                f"files of {table.table} that were staged at {_moment(_at(since_s))} are not committed yet. They are kept. "
                "See the log of the last commit task"
            )
            yield Alert(IncidentKind.WAITING, _at(since_s), line, table.table)


def long_paused(view: PipelineView) -> Iterator[Alert]:
    """Alert for each table of the file that may have been paused and forgotten.

    The watch alone reports them: the page shows a paused table as such from the beginning.
    """
    if view.sights is None or view.at is None:
        return
    for table in view.tables:
        pause = table.paused
        if pause is None or table.table not in view.sights.tables:
            continue
        if (view.at - pause.at).total_seconds() > PAUSED_LONG_S:
            line = (
                f"{table.table} has been paused since {_moment(pause.at)} by {pause.who}: {pause.why}. Its files are staged "
                f"and kept, and none is committed. Run `bin/lakelock resume FILE --table {table.table} --why TEXT`"
            )
            yield Alert(IncidentKind.PAUSED, pause.at, line, table.table)


def schema_changes(view: PipelineView) -> Iterator[Alert]:
    """One alert for all changes of columns that are not reported yet. The watch alone reports them, if the file asks for it."""
    changes = view.sights.changes if view.sights is not None else None
    if changes is not None and changes.unreported:
        yield Alert(IncidentKind.SCHEMA, _at((changes.unreported[0].at_ms or 0) / 1000), changes.line)


def _dropped(view: PipelineView, sights: Sights) -> Iterator[Alert]:
    committed = {t.table: t.committed_at for t in view.tables}
    for table, gone in sights.gone.items():
        at = committed.get(table)
        # A later commit found the table.
        if at is None or at.timestamp() < sights.at_s:
            yield Alert(IncidentKind.DROPPED, _at(gone.since_s), gone.line, table)


def _hanging(view: PipelineView, sights: Sights, now_s: float) -> Iterator[Alert]:
    for source, hung in sights.hanging.items():
        if now_s - hung.since_s > HANGING_S and view.reached.get(source, 0) <= hung.offset:
            where = f"--topic {source.topic} --partition {source.partition}"
            line = (
                f"a hanging transaction blocks {source}: its last stable offset is {hung.offset}, below the high watermark, "
                f"since {_moment(_at(hung.since_s))}. Nothing after that offset is read, and nothing is lost. Inspect it with "
                f"`kafka-transactions.sh --bootstrap-server SERVERS find-hanging {where}`, and end it with "
                f"`kafka-transactions.sh --bootstrap-server SERVERS abort {where} --start-offset {hung.offset}`"
            )
            yield Alert(IncidentKind.HANGING, _at(hung.since_s), line)


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
