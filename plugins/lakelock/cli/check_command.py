"""The command `check`: faults of each file and of its servers, then the forecast of the file."""

from __future__ import annotations

import json
from argparse import Namespace
from contextlib import closing
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

from lakelock.adapters.airflow import connections
from lakelock.app.runtime import Runtime
from lakelock.check import preflight
from lakelock.check import sample as records_sample
from lakelock.check.forecast import Foresight, foresee
from lakelock.check.forecast_text import dags_text, foresight_text, slots_text
from lakelock.check.preflight import Result
from lakelock.cli.exit_codes import exit_code
from lakelock.config import BrokenPipeline, Pipeline, load_pipeline, planned_dags
from lakelock.config.loading import refuse_twins
from lakelock.errors import ConfigFaults, LakelockError
from lakelock.model.units import format_duration


def check(a: Namespace) -> int:
    """Print a line per check. 0 if all hold, 3 if the only faults are servers that did not answer."""
    files, as_json = a.files, a.json
    faults: list[LakelockError] = []
    documents: list[dict[str, Any]] = []
    occupied = 0
    for n, file in enumerate(files):
        if len(files) > 1 and not as_json:
            print(f"{chr(10) if n else ''}{file}", flush=True)
        try:
            pipeline = load_pipeline(file)
            documents.append(_one(file, pipeline, a.sample, faults, as_json=as_json))
            occupied += planned_dags.window_slots(pipeline)
        except ConfigFaults as fault:
            faults.append(fault)
            broken = planned_dags.broken(BrokenPipeline(file.stem, file, str(fault)))
            documents.append({"file": str(file), "fault": str(fault), "dags": [_dag(broken)]})
            if not as_json:
                print(f"{Result('pipeline file', error=fault).line}\n\n{dags_text([broken])}", flush=True)
    if occupied and not as_json:
        print(f"\n{slots_text(occupied)}")
    if as_json:
        print(json.dumps({"pipelines": documents, "window_slots": occupied}, indent=2, default=_plain))
    return exit_code(faults)


def _one(
    file: Path, pipeline: Pipeline, sample: int | None, faults: list[LakelockError], *, as_json: bool
) -> dict[str, Any]:
    """Check one file, adding its errors to *faults*; prints nothing as JSON."""
    said: dict[str, Any] = {"file": str(file)}
    refuse_twins(file)
    with closing(Runtime(pipeline, connections.from_environment)) as runtime:
        results = preflight.run(runtime)
        faults += [r.error for r in results if r.error is not None]
        if not as_json:
            print("\n".join(r.line for r in results), flush=True)
        said["checks"] = [_check(r) for r in results]
        if sample is not None:
            try:
                found = records_sample.sample(runtime, sample, results, is_long=as_json)
                known = {str(fault) for fault in faults}
                by_text = {str(fault): fault for fault in found.faults}
                wrong = [Result("sample", error=f) for text, f in by_text.items() if text not in known]
                said["sample"] = found.text
                said["checks"] += [_check(r) for r in wrong]
                faults += [r.error for r in wrong if r.error is not None]
                if not as_json:
                    print("\n".join(["", found.text, *(r.line for r in wrong)]), flush=True)
            except LakelockError as fault:
                _reported(Result("sample", error=fault), faults, said, as_json=as_json)
        try:
            foresight = foresee(runtime, {r.name for r in results if r.of_use})
            said |= _foreseen(foresight)
            if not as_json:
                print(f"\n{foresight_text(foresight)}", flush=True)
        except LakelockError as fault:
            _reported(Result("forecast", error=fault), faults, said, as_json=as_json)
    return said


def _reported(result: Result, faults: list[LakelockError], said: dict[str, Any], *, as_json: bool) -> None:
    assert result.error is not None
    if not as_json:
        print(f"\n{result.line}", flush=True)
    said["fault"] = str(result.error)
    faults.append(result.error)


def _check(result: Result) -> dict[str, Any]:
    state = "not checked" if result.needs else "ok" if result.error is None else "failed"
    return {"name": result.name, "state": state, "detail": result.detail, "fault": result.fault, "needs": result.needs}


def _foreseen(foresight: Foresight) -> dict[str, Any]:
    cost = asdict(foresight.cost)
    cost["requests"], cost["slots_on_average"] = asdict(foresight.cost.requests), foresight.cost.slots_on_average
    return {
        "pipeline": foresight.pipeline,
        "dags": [_dag(d) for d in foresight.dags],
        "is_first": foresight.is_first,
        "effects": None if foresight.effects is None else [asdict(e) for e in foresight.effects],
        "a_day": cost,
    }


def _dag(dag: planned_dags.PlannedDag) -> dict[str, Any]:
    return {"dag_id": dag.dag_id, "schedule": dag.schedule, "purpose": dag.purpose}


def _plain(value: object) -> str:
    return format_duration(value) if isinstance(value, timedelta) else str(value)
