"""Complete hours as asset events, and Airflow's memory of those already reported.

Airflow records the events of a task in the transaction that marks it successful. So the events are the only exact
record of reported hours; anything beside them is written before or after. A run that dies before its `hours` task
succeeds has reported nothing, and the next run reports it; a successful one is never repeated. The variable is a copy,
updated at the next look at the events. It spares `plan` a look at each table's events, and survives the clean-up of
old events.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from airflow.sdk import Asset, Variable

from lakelock.app.runtime import Runtime
from lakelock.ingest.complete_hours import CompleteHours
from lakelock.ingest.hours_decision import MAX_HOURS, hour_of, key_of

logger = logging.getLogger(__name__)


def may_be_due(runtime: Runtime) -> bool:
    """Whether a task that looks for complete hours may find one."""
    if runtime.file.publish.max_lateness is None:
        return False
    try:
        return bool(runtime.waiting_for_hours(_kept(runtime)))
    except Exception:
        # Reading continues without the hours; their own task reports the error.
        logger.exception("cannot determine whether an hour is complete")
        return True


def recorded(context: Any, runtime: Runtime, assets: Mapping[str, Asset]) -> dict[str, datetime | None]:
    """The last reported hour of each table, None if there is none."""
    kept = _kept(runtime)
    out = dict(kept)
    for table in runtime.waiting_for_hours(kept):
        out[table] = max(filter(None, (kept.get(table), _last_event(context, assets[table]))), default=None)
    if out != kept:
        known = {table: key_of(hour) for table, hour in out.items() if hour is not None and table in assets}
        Variable.set(_variable(runtime), known, serialize_json=True)
    return out


def record(context: Any, found: Mapping[str, CompleteHours], assets: Mapping[str, Asset]) -> None:
    """Add the hours to the task's outlet events, which Airflow sends if the task succeeds."""
    for table, complete in found.items():
        event = context["outlet_events"][assets[table]]
        event.extra = {
            "table": table,
            "valid_through": complete.valid_through.isoformat(),
            "snapshot_id": complete.version_id,
            "run": f"{context['ti'].dag_id}/{context['ti'].run_id}",
        }
        event.add_partitions([key_of(hour) for hour in complete.hours])
    # Airflow sends an event without a partition for each outlet to which the task adds nothing.
    context["task"].outlets = [assets[table] for table in found]


def _last_event(context: Any, asset: Asset) -> datetime | None:
    # Events of one run are in any order, and no run sends more. Users may send others by hand.
    newest = context["inlet_events"][asset].ascending(False).limit(2 * MAX_HOURS)
    own = [hour_of(event.partition_key) for event in newest if event.source_dag_id == context["ti"].dag_id]
    return max(filter(None, own), default=None)


def _kept(runtime: Runtime) -> dict[str, datetime | None]:
    """The copy in the variable, without invalid entries: users may edit it, and the events have the same."""
    try:
        kept = Variable.get(_variable(runtime), default={}, deserialize_json=True)
    except ValueError:
        kept = {}
    known = kept.items() if isinstance(kept, Mapping) else ()
    return {table: hour_of(key) for table, key in known if isinstance(key, str)}


def _variable(runtime: Runtime) -> str:
    return f"lakelock_hours__{runtime.pipeline.name}"
