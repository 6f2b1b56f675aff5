"""In-memory implementations of the ports: write-ahead log, tables, Kafka and Spark with every guard and no server.

They are for tests of code that extends lakelock. The project's model tests run the same random histories against these
and the real adapters, and compare each answer.
"""

from __future__ import annotations

from lakelock.testing.catalog import MemoryCatalog
from lakelock.testing.kafka import BAD, GOOD, NEW, NONE, OLD, TOMBSTONE, Kafka, MemoryCopier, MemoryWriter
from lakelock.testing.log import MemoryLog
from lakelock.testing.table_files import MemoryStorage
from lakelock.testing.tables import MemoryTables

__all__ = [
    "BAD",
    "GOOD",
    "NEW",
    "NONE",
    "OLD",
    "TOMBSTONE",
    "Kafka",
    "MemoryCatalog",
    "MemoryCopier",
    "MemoryLog",
    "MemoryStorage",
    "MemoryTables",
    "MemoryWriter",
]
