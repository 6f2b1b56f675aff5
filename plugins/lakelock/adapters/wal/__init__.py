"""The write-ahead log in Postgres: `PostgresLog` implements `lakelock.ports.Log`, `migrate` creates its schema.

All transactions take locks in the same order, so that they cannot deadlock: configuration, streams (by topic id and
partition), batches (by batch_no), everything that belongs to a batch, tables.
"""

from __future__ import annotations

from lakelock.adapters.wal.log import PostgresLog
from lakelock.adapters.wal.migrations import migrate

__all__ = ["PostgresLog", "migrate"]
