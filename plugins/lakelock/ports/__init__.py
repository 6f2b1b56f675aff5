"""Protocols that adapters implement, and the values they exchange. Steps know nothing else of adapters."""

from __future__ import annotations

from lakelock.ports.broker import Broker, Watermarks
from lakelock.ports.clock import Clock
from lakelock.ports.copy_jobs import Copier, CopyOrder, CopyOutput, CopySlice
from lakelock.ports.files import Storage, Stranded
from lakelock.ports.log import Log
from lakelock.ports.log_batches import CommitLog, PipelineLog, PlanLog, StageLog
from lakelock.ports.log_care import BooksLog, OperatorLog, RecoveryLog, WakeupLog
from lakelock.ports.redrive_jobs import LetterBox, LetterFiles, OpenLetters, RedriveOrder, RedriveOutput, Redriver
from lakelock.ports.tables import Change, TableDefinition, Tables, TableState
from lakelock.ports.write_jobs import SliceOutput, TableOutput, Target, WriteOrder, Writer

__all__ = [
    "BooksLog",
    "Broker",
    "Change",
    "Clock",
    "CommitLog",
    "Copier",
    "CopyOrder",
    "CopyOutput",
    "CopySlice",
    "LetterBox",
    "LetterFiles",
    "Log",
    "OpenLetters",
    "OperatorLog",
    "PipelineLog",
    "PlanLog",
    "RecoveryLog",
    "RedriveOrder",
    "RedriveOutput",
    "Redriver",
    "SliceOutput",
    "StageLog",
    "Storage",
    "Stranded",
    "TableDefinition",
    "TableOutput",
    "TableState",
    "Tables",
    "Target",
    "WakeupLog",
    "Watermarks",
    "WriteOrder",
    "Writer",
]
