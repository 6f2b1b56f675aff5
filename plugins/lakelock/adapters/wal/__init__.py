"""The write-ahead log in Postgres: `PostgresLog` satisfies `lakelock.ports.Log`, `migrate` makes its schema.

Order of locks, the same everywhere so that transactions cannot deadlock: configuration, streams (by topic id and
partition), batches (by batch_no), everything that belongs to a batch, tables.
"""

from __future__ import annotations

from lakelock.adapters.wal.log import PostgresLog
from lakelock.adapters.wal.migrations import migrate

__all__ = ["PostgresLog", "migrate"]
