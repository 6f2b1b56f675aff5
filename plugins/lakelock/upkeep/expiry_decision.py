"""Decide which snapshots expire: the oldest plain appends in a commit, all unneeded ones in maintenance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from lakelock.model.versions import KeptVersion, Lineage


@dataclass(frozen=True, slots=True)
class ExpiryLimits:
    """The snapshots to keep: the newest *keep*, by `reach`, and all that the branch showed within *age_ms*.

    *age_ms* is at least the time for which a rollback must stay possible.
    """

    age_ms: int
    keep: int = 1


def reach(replaces: Iterable[bool], keep: int) -> int:
    """How many of the newest snapshots include *keep* that are no `replace`; all if the history has fewer.

    A `replace`, such as a compaction, shows the same rows as its parent, so rolling back to either is the same. It
    does not count, and displaces no snapshot that is kept for rollbacks.
    """
    counted = place = 0
    for is_replace in replaces:
        if counted >= keep:
            break
        place += 1
        counted += not is_replace
    return place


def needed(lineage: Lineage, limits: ExpiryLimits, now_ms: int) -> int:
    """How many of the newest snapshots in the history must stay.

    * Those within the limits, with the one that the branch showed when they began.
    * Then as many as it takes until a walk from the oldest of them meets a snapshot of each pipeline, whose ledger
      holds its state at that time. If there is none, only the table's first snapshot proves that the pipeline began
      later: all stay.
    * All up to other pipelines' ledgers, because a pipeline looks for its own by walking back from the head.
    """
    history = lineage.history
    since = now_ms - max(limits.age_ms, lineage.min_age_ms)
    young = max((n + 1 for n, s in enumerate(history) if s.at_ms >= since), default=0)
    kept = reach((s.is_replace for s in history), limits.keep)
    base = min(max(young + 1, kept, lineage.min_keep, 1), len(history))
    ends = [base]
    for owner in lineage.owners if history else ():
        ends.append(next((n + 1 for n in range(base - 1, len(history)) if history[n].pipeline == owner), len(history)))
    ends += [n + 1 for n, s in enumerate(history) if s.id in lineage.others_ledgers]
    return max(ends)


def expired(lineage: Lineage, limits: ExpiryLimits, pipeline: str, now_ms: int) -> list[int]:
    """Ids of the versions that maintenance expires, oldest first: the end of the history, and leftovers of rollbacks.

    The commit that expires them is a snapshot too, so room is made for it. A table without writers then has nothing to
    expire the second time.
    """
    since = now_ms - max(limits.age_ms, lineage.min_age_ms)
    gone: list[KeptVersion] = []
    if any(s.id not in lineage.named for s in lineage.history[needed(lineage, limits, now_ms) :]):
        keep = needed(lineage, ExpiryLimits(limits.age_ms, limits.keep - 1), now_ms)
        gone = [s for s in lineage.history[keep:] if s.id not in lineage.named]
    gone += [
        s
        for s in lineage.aside
        if s.at_ms < since and s.pipeline in {None, pipeline} and not s.promised and s.id not in lineage.named
    ]
    return [s.id for s in sorted(gone, key=lambda s: (s.at_ms, s.id))]


@dataclass(frozen=True, slots=True)
class Past:
    """A snapshot in a branch's history."""

    id: int
    is_append: bool
    is_replace: bool = False


def expirable(history: Sequence[Past], keep: int, protected: Collection[int]) -> list[int]:
    """Ids of the versions to expire in a commit, oldest first; *history* is newest first and includes the new version.

    The newest *keep* stay. Nothing expires until the history is 10 % longer, so that few commits pay for it. An append
    holds every file of its parent, so expiring the parent strands none. A snapshot that removed files ends the run,
    and so does its parent: only the parent still names those files for a later clean-up.
    """
    keep = max(keep, 1)
    if len(history) <= keep + max(keep // 10, 1):
        return []
    out: list[int] = []
    for i in range(len(history) - 1, keep - 1, -1):
        if not (history[i].is_append and history[i - 1].is_append):
            break
        if history[i].id not in protected:
            out.append(history[i].id)
    return out
