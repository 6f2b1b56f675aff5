"""Share routed tables among commit tasks: which tables one task commits now, and in which order."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from lakelock.ingest.commit_decision import due_in_s
from lakelock.model.log_state import StagedTable

# A table that is due for longer is committed by any task: its own may wait for a worker slot, or may have been killed.
HELP_AFTER_S = 10.0
# Of these only a few at once: their own task may commit them before this one comes to them.
HELP_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class CommitShare:
    """One of *of* shares of the routed tables, counted from 0. A name alone decides its share."""

    number: int = 0
    of: int = 1

    def distance(self, table: str) -> int:
        """0 for a table of this share; otherwise, how many shares further it is."""
        return (zlib.crc32(table.encode()) % self.of - self.number) % self.of


def to_commit(
    staged: Mapping[str, StagedTable],
    share: CommitShare,
    *,
    min_bytes: int,
    max_latency_s: float,
    unsettled: Collection[str] = (),
    now: Callable[[str], bool] = lambda table: False,
    passed_over: Collection[str] = (),
) -> list[str]:
    """Tables to commit now: due ones of this share, largest first, then overdue ones of others.

    Of those of others only some: smallest first, and those of the next share before any further, as their own task works from
    the other end. If two tasks meet at a table, both commits are safe, and the later one finds nothing to do. *unsettled* tables
    need a look even if nothing is staged for them. Tables that are *passed_over* are left out.
    """

    def is_due(table: str, since_s: float) -> bool:
        s = staged[table]
        if s.age_s < since_s or table in passed_over:
            return False
        at_once = s.is_first or now(table)
        return due_in_s(s.size_bytes, s.age_s - since_s, s.has_records, min_bytes, max_latency_s, at_once) <= 0

    own = [t for t in staged if share.distance(t) == 0 and is_due(t, 0.0)]
    looked_at = [t for t in unsettled if share.distance(t) == 0 and t not in own and t not in passed_over]
    others = [t for t in staged if share.distance(t) > 0 and is_due(t, HELP_AFTER_S)]
    return [
        *looked_at,
        *sorted(own, key=lambda t: (-staged[t].size_bytes, t)),
        *sorted(others, key=lambda t: (share.distance(t), staged[t].size_bytes, t))[:HELP_AT_ONCE],
    ]
