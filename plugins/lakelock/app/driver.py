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
from lakelock.errors import ConnectionFault

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def run_submitted(hand_off: Mapping[str, Any], session: SparkSession) -> str:
    """Run the job; its outcomes as JSON, which `Runtime.run` reads."""
    known = {conn_id: Connection(**fields) for conn_id, fields in hand_off["connections"].items()}
    pipeline = Pipeline.from_resolved(hand_off["pipeline"])

    def resolve(conn_id: str) -> Connection:
        if conn_id not in known:
            raise ConnectionFault(
                f"connection {conn_id!r} is of a batch that was planned with another pipeline file, and the driver has those of "
                "the file as it is now.",
                do="Name it in the file again until that batch is written.",
            )
        return known[conn_id]

    with closing(Runtime(pipeline, resolve, session=session)) as runtime:
        return json.dumps(run_and_pack(from_hand_off(hand_off["job"]), runtime))
