"""The consistent cut of a pipeline with routes as asset events: one when it moved since the event before."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from airflow.sdk import Asset, AssetAlias

from lakelock.model.valid_through import text
from lakelock.monitor.cut_status import CutStatus

logger = logging.getLogger(__name__)

# Extras of asset events are rows in Airflow's database. Tables behind are at most 100, each with its first ranges.
MAX_OFFSETS = 1000
MAX_RANGES = 20
# Events that are read of those before.
NEWEST = 10


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
    last = last_of(context["inlet_events"][asset].ascending(False).limit(NEWEST), context["ti"].dag_id)
    return None if last is None else _key(last.extra)


def last_of(newest: Iterable[Any], dag_id: str) -> Any:
    """The last event that this DAG sent, None without one; users may send others by hand.

    Airflow orders events by the clocks of its api-servers, which may differ. The runs of this DAG follow one another, so
    that the ids of their events rise.
    """
    return max((e for e in newest if e.source_dag_id == dag_id), key=lambda e: e.id, default=None)


def _key(extra: Any) -> object:
    """Another one for each cut that says more, or names other tables as behind."""
    return extra.get("total"), sorted(extra.get("behind") or ()), extra.get("valid_through")
