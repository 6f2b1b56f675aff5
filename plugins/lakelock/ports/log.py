"""The write-ahead log, put together from the parts that its users need."""

from __future__ import annotations

from typing import Protocol

from lakelock.ports.log_batches import CommitLog, PipelineLog, PlanLog, StageLog
from lakelock.ports.log_care import BooksLog, OperatorLog, RecoveryLog, WakeupLog


class Log(PipelineLog, PlanLog, StageLog, CommitLog, RecoveryLog, OperatorLog, BooksLog, WakeupLog, Protocol):
    """The write-ahead log. Every state change is one guarded statement; a guard that does not hold raises Fenced.

    Raises Unreachable, AccessDenied, WalUnusable (a replica, an unknown schema version).
    """
