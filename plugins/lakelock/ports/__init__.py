"""Protocols that adapters implement, and the values they exchange. Steps know nothing else of adapters.

Ports of a single capability are imported from their own module.
"""

from __future__ import annotations

from lakelock.ports.broker import Broker, Watermarks
from lakelock.ports.clock import Clock
from lakelock.ports.copy_jobs import Copier, CopyOrder, CopyOutput, CopySlice
from lakelock.ports.files import Storage, Stranded
from lakelock.ports.log import Log
from lakelock.ports.table_capabilities import TableCapabilities
from lakelock.ports.tables import Change, TableDefinition, Tables, TableState
from lakelock.ports.write_jobs import (
    Pieces,
    RecordsInDoubt,
    RouteOutput,
    Sender,
    SentCount,
    SentPiece,
    Shuffle,
    SliceNews,
    SliceOutput,
    TableOutput,
    Target,
    UnknownTable,
    WriteOrder,
    Writer,
)

__all__ = [
    "Broker",
    "Change",
    "Clock",
    "Copier",
    "CopyOrder",
    "CopyOutput",
    "CopySlice",
    "Log",
    "Pieces",
    "RecordsInDoubt",
    "RouteOutput",
    "Sender",
    "SentCount",
    "SentPiece",
    "Shuffle",
    "SliceNews",
    "SliceOutput",
    "Storage",
    "Stranded",
    "TableCapabilities",
    "TableDefinition",
    "TableOutput",
    "TableState",
    "Tables",
    "Target",
    "UnknownTable",
    "Watermarks",
    "WriteOrder",
    "Writer",
]
