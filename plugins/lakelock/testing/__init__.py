"""The ports in memory: a write-ahead log, tables, Kafka and Spark that keep every guard and need no server.

For tests of code that extends lakelock. The project's own model tests run the same random histories against these and the
real adapters and compare each answer.
"""

from __future__ import annotations

from lakelock.testing.catalog import Catalog
from lakelock.testing.kafka import BAD, GOOD, NEW, NONE, OLD, Kafka, MemoryCopier, MemoryRedriver, MemoryWriter
from lakelock.testing.log import MemoryLog
from lakelock.testing.table_files import MemoryLetters, MemoryStorage
from lakelock.testing.tables import MemoryTables

__all__ = [
    "BAD",
    "GOOD",
    "NEW",
    "NONE",
    "OLD",
    "Catalog",
    "Kafka",
    "MemoryCopier",
    "MemoryLetters",
    "MemoryLog",
    "MemoryRedriver",
    "MemoryStorage",
    "MemoryTables",
    "MemoryWriter",
]
