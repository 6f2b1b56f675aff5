"""The write-ahead log, composed of its two halves."""

from __future__ import annotations

from lakelock.adapters.wal.log_batches import BatchLog
from lakelock.adapters.wal.log_care import CareLog


class PostgresLog(BatchLog, CareLog):
    """`lakelock.ports.Log` on Postgres (14 or later)."""
