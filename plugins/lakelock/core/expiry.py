"""Which snapshots of a branch a commit may expire on its way: the oldest plain appends, never what anything needs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Past:
    """A snapshot in a branch's history."""

    snapshot_id: int
    is_append: bool


def expirable(history: Sequence[Past], keep_snapshots: int, protected: Collection[int]) -> list[int]:
    """Snapshot ids to expire, oldest first; *history* is newest first and includes the snapshot about to be committed.

    Nothing until the history is 10 % longer than *keep_snapshots*, so that one commit in many pays for it. An append
    holds every file of its parent, so expiring its parent strands none; a snapshot that removed files ends the run, and
    so does its parent, which alone still names those files for whoever cleans them up.
    """
    keep = max(keep_snapshots, 1)
    if len(history) <= keep + max(keep // 10, 1):
        return []
    out: list[int] = []
    for i in range(len(history) - 1, keep - 1, -1):
        if not (history[i].is_append and history[i - 1].is_append):
            break
        if history[i].snapshot_id not in protected:
            out.append(history[i].snapshot_id)
    return out
