"""Parses the DAG folder as the DAG processor does, in a process of its own, and prints what came out as JSON."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import airflow.sdk  # noqa: F401  the DAG processor has it imported before it parses
from airflow.dag_processing.dagbag import DagBag
from airflow.sdk.exceptions import ParamValidationError
from airflow.serialization.serialized_objects import DagSerialization
from airflow.task.priority_strategy import validate_and_load_priority_weight_strategy
from airflow.timetables.base import TimeRestriction
from pendulum import instance as coerce_datetime


def edges(dag: Any) -> dict[str, list[str]]:
    return {t.task_id: sorted(t.downstream_task_ids) for t in dag.tasks}


def unfit_defaults(dag: Any) -> list[str]:
    """Params whose default is none, or not what their own schema allows."""
    found = []
    for name in dag.params:
        try:
            dag.params.get_param(name).resolve()
        except ParamValidationError as fault:
            found.append(f"{name}: {fault}")
    return found


def squares(dag: Any) -> dict[str, Any]:
    """What Airflow's scheduler and its backfills make of a DAG that it has read from its database."""
    day = datetime(2026, 3, 1, tzinfo=UTC)

    def starts(earliest: datetime, latest: datetime) -> list[str]:
        infos = dag.iter_dagrun_infos_between(earliest, latest)
        return [f"{i.data_interval.start.isoformat()} {i.data_interval.end.isoformat()}" for i in infos]

    last = dag.timetable.next_dagrun_info(
        last_automated_data_interval=None, restriction=TimeRestriction(coerce_datetime(day), None, catchup=True)
    )
    return {
        "periodic": dag.timetable.periodic,
        "scheduled": [dag.next_dagrun_info(last_automated_run_info=info) for info in (None, last)],
        "two hours": starts(day, day + timedelta(hours=2)),
        "part of an hour": starts(day + timedelta(minutes=59), day + timedelta(minutes=59)),
        "elsewhere": starts(day.astimezone(ZoneInfo("Asia/Kolkata")), day + timedelta(minutes=1)),
        "long ago": starts(datetime(1999, 1, 1, tzinfo=UTC), datetime(1999, 1, 1, tzinfo=UTC)),
    }


def described(dag: Any) -> dict[str, Any]:
    serialized = DagSerialization.to_dict(dag)
    again = DagSerialization.from_dict(json.loads(json.dumps(serialized)))
    return {
        "edges": edges(dag),
        "rules": {t.task_id: t.trigger_rule.value for t in dag.tasks},
        "pools": {t.task_id: t.pool for t in dag.tasks},
        "retries": {t.task_id: t.retries for t in dag.tasks},
        # As the scheduler orders tasks that wait for a slot.
        "priorities": {
            t.task_id: validate_and_load_priority_weight_strategy(t.weight_rule).get_weight(SimpleNamespace(task=t))
            for t in again.tasks
        },
        "hours_at_most": {
            t.task_id: t.execution_timeout.total_seconds() / 3600 for t in dag.tasks if t.execution_timeout
        },
        "timetable": serialized["dag"]["timetable"],
        "catchup": dag.catchup,
        "max_active_runs": dag.max_active_runs,
        "run_types": sorted(t.value for t in dag.allowed_run_types or ()),
        "owner": dag.owner,
        "description": dag.description,
        "unfit_defaults": unfit_defaults(dag),
        "tags": sorted(dag.tags),
        "doc": dag.doc_md,
        "params": {
            name: {
                "value": dag.params.get_param(name).dump()["value"],
                "description": dag.params.get_param(name).description,
                **dag.params.get_param(name).schema,
            }
            for name in dag.params
        },
        "label": getattr(dag.task_dict.get("commit"), "partial_kwargs", {}).get("map_index_template"),
        "groups": getattr(dag.task_dict.get("commit"), "op_kwargs_expand_input", None)
        and dag.task_dict["commit"].op_kwargs_expand_input.value["tables"],
        "serialized": serialized,
        "at_once": {t.task_id: t.max_active_tis_per_dag for t in dag.tasks},
        "squares": squares(again) if "backfill" in dag.tags else None,
        "round_trip": edges(again) == edges(dag)
        and {n: again.params.get_param(n).dump()["value"] for n in again.params}
        == {n: dag.params.get_param(n).dump()["value"] for n in dag.params},
    }


def main() -> None:
    before = set(sys.modules)
    began = time.process_time()
    bag = DagBag(sys.argv[1])
    seconds = time.process_time() - began
    found = {
        "processor_seconds": seconds,
        "modules": sorted(set(sys.modules) - before),
        "import_errors": bag.import_errors,
        "dags": sorted(bag.dags)
        if "--names" in sys.argv
        else {n: described(dag) for n, dag in sorted(bag.dags.items())},
    }
    print("RESULT " + json.dumps(found, default=str))


if __name__ == "__main__":
    main()
