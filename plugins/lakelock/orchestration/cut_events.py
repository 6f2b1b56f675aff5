"""The consistent cut of a pipeline with routes as asset events: one when it moved since the event before."""

from __future__ import annotations

import logging
from typing import Any

from airflow.sdk import Asset, AssetAlias

from lakelock.model.valid_through import text
from lakelock.monitor.cut_status import CutStatus

logger = logging.getLogger(__name__)

# Extras of asset events are rows in Airflow's database. Tables behind are at most 100, each with its first ranges.
MAX_OFFSETS = 1000
MAX_RANGES = 20


def record(context: Any, cut: CutStatus | None, asset: Asset, alias: AssetAlias) -> bool:
    """Add *cut* to the task's outlet events, if it moved; Airflow sends them if the task succeeds."""
    moved = cut is not None and _key(extra := extra_of(cut)) != _last_key(context, asset)
    # Airflow sends an event for each outlet that is an asset, also if the task adds nothing to it.
    context["task"].outlets = [alias, asset] if moved else [alias]
    if cut is not None and moved:
        context["outlet_events"][asset].extra = extra | {"run": f"{context['ti'].dag_id}/{context['ti'].run_id}"}
        logger.info("%s", cut.line)
    return moved


def extra_of(cut: CutStatus) -> dict[str, Any]:
    through_ms = cut.valid_through_ms
    return {
        "offsets": [
            {"topic": o.source.topic, "partition": o.source.partition, "end": o.offset}
            for o in cut.offsets[:MAX_OFFSETS]
        ],
        "offsets_omitted": max(0, len(cut.offsets) - MAX_OFFSETS),
        "total": cut.total,
        "valid_through": None if through_ms is None else text(through_ms),
        "behind": {
            t.table: [
                {"topic": r.source.topic, "partition": r.source.partition, "start": r.start, "end": r.end}
                for r in t.ranges[:MAX_RANGES]
            ]
            for t in sorted(cut.behind, key=lambda t: t.table)
        },
    }


def _last_key(context: Any, asset: Asset) -> object:
    """Of the newest event that this DAG sent; users may send others by hand."""
    newest = context["inlet_events"][asset].ascending(False).limit(10)
    return next((_key(e.extra) for e in newest if e.source_dag_id == context["ti"].dag_id), None)


def _key(extra: Any) -> object:
    """Another one for each cut that says more, or names other tables as behind."""
    return extra.get("total"), sorted(extra.get("behind") or ()), extra.get("valid_through")
