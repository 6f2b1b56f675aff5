"""The write-ahead log, composed of the parts that its users need."""

from __future__ import annotations

from typing import Protocol

from lakelock.ports.log_batches import CommitLog, PipelineLog, PlanLog, StageLog
from lakelock.ports.log_care import BooksLog, OperatorLog, RecoveryLog, WakeupLog


class Log(PipelineLog, PlanLog, StageLog, CommitLog, RecoveryLog, OperatorLog, BooksLog, WakeupLog, Protocol):
    """The write-ahead log. Each state change is one guarded statement; it raises Fenced if its guard does not hold.

    Raises Unreachable, AccessDenied, WalUnusable (a replica, an unknown schema version).
    """
