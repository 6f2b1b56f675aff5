"""Report commits: metrics at once; asset events and lineage when the task succeeds.

Airflow sends nothing for a task that fails. Commits that landed in it are kept for its retry or, without one, for a
later task that calls `report_left`. A killed worker keeps nothing; complete hours (`hour_events`) withstand that too.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from airflow.sdk import AssetAlias

from lakelock.app.runtime import Runtime
from lakelock.errors import Terminal
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.offsets import merged
from lakelock.orchestration import metrics, openlineage
from lakelock.orchestration.dag_builder import table_asset

logger = logging.getLogger(__name__)

# Extras of asset events are rows in Airflow's database: a table with thousands of partitions lists only the first.
MAX_RANGES_IN_EVENT = 100
MAX_CHANGES_IN_EVENT = 100
UNREPORTED = "unreported"


class Landed:
    """Commits that landed in a task and in earlier tries of it."""

    def __init__(self, resolved: Mapping[str, Any]) -> None:
        self.outcomes: list[CommitOutcome] = []
        self._resolved = resolved

    def __call__(self, outcome: CommitOutcome) -> None:
        """Log the outcome, and count it if it has a snapshot."""
        logger.info("%s", outcome.line)
        if outcome.version_id is not None:
            self.outcomes.append(outcome)
            metrics.count(self._resolved, "rows_committed", outcome.rows, table=outcome.table)
            metrics.count(self._resolved, "commits", 1, table=outcome.table)


@contextmanager
def landing(context: Any, resolved: Mapping[str, Any], runtime: Runtime, alias: AssetAlias) -> Iterator[Landed]:
    """Collect outcomes; report them if the block succeeds, and keep them if it fails."""
    landed = Landed(resolved)
    try:
        yield landed
        kept = _kept(context)
        landed.outcomes = [*kept, *landed.outcomes]
        _report(context, runtime, landed.outcomes, alias)
        # A task that is cleared later must not report them again.
        if kept:
            context["task_state_store"].delete(UNREPORTED)
    except BaseException as fault:
        _keep(context, landed.outcomes, is_last=isinstance(fault, Terminal))
        raise


def report_left(context: Any, runtime: Runtime, alias: AssetAlias, *task_ids: str) -> bool:
    """Report commits that landed in the last try of failed tasks; False if there are none."""
    left = [
        fields for kept in context["ti"].xcom_pull(task_ids=task_ids, key=UNREPORTED) or [] for fields in kept or []
    ]
    _report(context, runtime, [CommitOutcome.of(fields) for fields in left], alias)
    return bool(left)


def event_extra(outcomes: Sequence[CommitOutcome], run: str) -> dict[str, Any]:
    """One event for all commits of a table in a run: the last snapshot, and the rows and offset ranges of all.

    A replace that is repeated because another table failed replaces the same offsets again. Their rows count once.
    """
    outcomes = list({o.ranges: o for o in outcomes}.values())
    by_source: dict[Any, list[tuple[int, int]]] = {}
    for r in (r for outcome in outcomes for r in outcome.ranges):
        by_source.setdefault(r.source, []).append((r.start, r.end))
    ranges = [
        {"topic": source.topic, "partition": source.partition, "start": start, "end": end}
        for source, intervals in sorted(by_source.items())
        for start, end in merged(intervals)
    ]
    return {
        "table": outcomes[-1].table,
        "snapshot_id": outcomes[-1].version_id,
        "rows": sum(o.rows for o in outcomes),
        "ranges": ranges[:MAX_RANGES_IN_EVENT],
        "ranges_omitted": max(0, len(ranges) - MAX_RANGES_IN_EVENT),
        "schema_changes": _schema_changes([c for o in outcomes for c in o.columns_changed]),
        "run": run,
    }


def _schema_changes(changes: Sequence[ColumnsChanged]) -> list[dict[str, Any]]:
    """Each snapshot that changed columns once, and the first of its changes."""
    return [
        {
            "snapshot_id": changed.version_id,
            "changes": list(changed.changes[:MAX_CHANGES_IN_EVENT]),
            "changes_omitted": max(0, len(changed.changes) - MAX_CHANGES_IN_EVENT),
            "record": changed.record,
        }
        for changed in {c.version_id: c for c in changes}.values()
    ]


def _report(context: Any, runtime: Runtime, landed: Sequence[CommitOutcome], alias: AssetAlias) -> None:
    run = f"{context['ti'].dag_id}/{context['ti'].run_id}"
    by_table: dict[str, list[CommitOutcome]] = {}
    for outcome in landed:
        by_table.setdefault(outcome.table, []).append(outcome)
    for table, outcomes in by_table.items():
        context["outlet_events"][alias].add(table_asset(runtime.file, table), extra=event_extra(outcomes, run))
    openlineage.report(context, runtime, landed)


def _keep(context: Any, outcomes: Sequence[CommitOutcome], *, is_last: bool) -> None:
    """Keep outcomes for the next try of the task or, if *is_last* or no try is left, for a later task.

    An error here must not hide the one that the task ends with, so lost events are only logged.
    """
    ti, store = context["ti"], context["task_state_store"]
    try:
        before = _kept(context)
        kept = [o.fields for o in dict.fromkeys([*before, *outcomes])]
        if not kept:
            return
        if not is_last and ti.try_number <= ti.max_tries:
            store.set(UNREPORTED, kept)
            return
        ti.xcom_push(key=UNREPORTED, value=kept)
        if before:
            store.delete(UNREPORTED)
    except Exception:
        logger.exception("commits are not reported as asset events: %s", ", ".join(o.table for o in outcomes))


def _kept(context: Any) -> list[CommitOutcome]:
    """Outcomes that earlier tries kept."""
    if context["ti"].try_number == 1:
        return []
    return [CommitOutcome.of(fields) for fields in context["task_state_store"].get(UNREPORTED) or []]
