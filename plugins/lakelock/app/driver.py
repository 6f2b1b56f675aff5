"""Entry point of a driver that spark-submit started: runs one job of the registry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from lakelock.adapters.airflow.connections import Connection
from lakelock.app.jobs import Backfill, Compact, Job, Replace, Write, WriteWindow, run_and_pack
from lakelock.app.redrive import Redrive
from lakelock.app.runtime import Runtime
from lakelock.config import Pipeline

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JOBS: dict[str, type[Job[Any]]] = {
    job.__name__: job for job in (Write, WriteWindow, Backfill, Replace, Redrive, Compact)
}


def from_hand_off(given: dict[str, Any]) -> Job[Any]:
    """Inverse of `jobs.hand_off`."""
    job: Job[Any] = TypeAdapter(JOBS[given["name"]]).validate_python(given["fields"])
    return job


def run_submitted(hand_off: Mapping[str, Any], session: SparkSession) -> str:
    """Run the job; its outcomes as JSON, which `Runtime.run` reads."""
    known = {conn_id: Connection(**fields) for conn_id, fields in hand_off["connections"].items()}
    pipeline = Pipeline.from_resolved(hand_off["pipeline"])
    with closing(Runtime(pipeline, known.__getitem__, session=session)) as runtime:
        return json.dumps(run_and_pack(from_hand_off(hand_off["job"]), runtime))
