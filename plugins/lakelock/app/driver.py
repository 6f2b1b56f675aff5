"""Entry point of a driver that spark-submit started: runs one job."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from lakelock.adapters.airflow.connections import Connection
from lakelock.app.jobs import from_hand_off, run_and_pack
from lakelock.app.runtime import Runtime
from lakelock.config import Pipeline

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def run_submitted(hand_off: Mapping[str, Any], session: SparkSession) -> str:
    """Run the job; its outcomes as JSON, which `Runtime.run` reads."""
    known = {conn_id: Connection(**fields) for conn_id, fields in hand_off["connections"].items()}
    pipeline = Pipeline.from_resolved(hand_off["pipeline"])
    with closing(Runtime(pipeline, known.__getitem__, session=session)) as runtime:
        return json.dumps(run_and_pack(from_hand_off(hand_off["job"]), runtime))
