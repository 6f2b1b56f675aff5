"""What a slice has read, as events in order."""

from __future__ import annotations

import os
import resource
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.adapters.kafka.block import Block
from lakelock.errors import LakelockError
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Pieces, RouteOutput, SentCount
from lakelock.workers.table_blocks import TableBlock


@dataclass(frozen=True, slots=True)
class RangesOpened:
    """The ranges of one topic, which *tables* take."""

    ranges: Sequence[OffsetRange]
    tables: Collection[str]


@dataclass(frozen=True, slots=True)
class BlockRead:
    """A block, whose originals are there until the next event, and its rows for each table."""

    block: Block
    tables: Sequence[TableBlock]


@dataclass(frozen=True, slots=True)
class TablesEnded:
    """No block follows for *tables*."""

    tables: Sequence[str]


@dataclass(frozen=True, slots=True)
class ReadEnded:
    """The last event. *unread* begins where the time or bytes of the slice were used up. *unusable* are faults by table.

    *unknown_fields* are names by table, *left_out* counts values by table and field; of routed tables, only those with records
    are there. *routed* is what a router did, of whose dead letters *settled* are not written again. *sent* are the records that
    went to other tasks, by table, topic and partition. *memory_bytes* is the most that process *pid* had.
    """

    unread: Sequence[OffsetRange]
    taken_bytes: int
    seconds: Mapping[str, float]
    unusable: Mapping[str, LakelockError]
    unknown_fields: Mapping[str, Sequence[str]]
    left_out: Mapping[str, Mapping[str, int]]
    memory_bytes: int = field(default_factory=lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    pid: int = field(default_factory=os.getpid)
    routed: RouteOutput | None = None
    settled: int = 0
    sent: Mapping[tuple[str, str, int], SentCount] = field(default_factory=dict)


Event = RangesOpened | BlockRead | TablesEnded | Pieces | ReadEnded


def bare(fault: LakelockError) -> LakelockError:
    """*fault* without its traceback, whose frames would keep blocks of records alive until the slice ends."""
    fault.__cause__ = fault.__context__ = None
    return fault.with_traceback(None)
