"""A pipeline's metrics in Airflow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from airflow.sdk.observability import stats

from lakelock.ingest.outcome import WriteOutcome


def count(resolved: Mapping[str, Any], name: str, number: int, **tags: str) -> None:
    stats.incr(f"lakelock.{name}", number, tags={"pipeline": str(resolved["name"]), **tags})


def gauge(resolved: Mapping[str, Any], name: str, value: float) -> None:
    stats.gauge(f"lakelock.{name}", value, tags={"pipeline": str(resolved["name"])})


def timing(resolved: Mapping[str, Any], step: str, milliseconds: float) -> None:
    stats.timing(f"lakelock.{step}.duration", milliseconds, tags={"pipeline": str(resolved["name"])})


def count_written(resolved: Mapping[str, Any], outcome: WriteOutcome) -> None:
    count(resolved, "batches_written", 1)
    count(resolved, "records_read", outcome.read)
    count(resolved, "rows_written", outcome.rows)
    count(resolved, "dead_letters", outcome.dead)
    count(resolved, "files_written", outcome.files)
    count(resolved, "bytes_written", outcome.size_bytes)
