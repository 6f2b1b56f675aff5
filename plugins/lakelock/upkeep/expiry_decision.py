"""Which snapshots may expire: on a commit's way only the oldest plain appends, in maintenance whatever nothing needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from lakelock.model.table_files import KeptSnapshot, Lineage


@dataclass(frozen=True, slots=True)
class ExpiryLimits:
    """What must stay: the newest *keep* snapshots, as `reach` counts them, and all that the branch showed within *age_ms*.

    *age_ms* is at least the time for which a rollback must stay possible.
    """

    age_ms: int
    keep: int = 1


def reach(replaces: Iterable[bool], keep: int) -> int:
    """How many of the newest snapshots have *keep* among them that are no `replace`; all of a history that has fewer.

    A `replace`, as compactions are, shows the rows of the one before: a rollback to it is one to that. It stays beside those
    that are kept to go back to, and pushes none of them out.
    """
    counted = place = 0
    for is_replace in replaces:
        if counted >= keep:
            break
        place += 1
        counted += not is_replace
    return place


def needed(lineage: Lineage, limits: ExpiryLimits, now_ms: int) -> int:
    """How many of the newest snapshots of the history must stay.

    Those within the limits, with the one that the branch showed when they began. Then as many more as it takes until a
    walk from the oldest of them meets a snapshot of each pipeline, which tells what it had in the table then; where it
    meets none, only the table's very first snapshot proves that the pipeline began later, and all stay. And a pipeline
    finds its own tag by walking back from the head.
    """
    history = lineage.history
    since = now_ms - max(limits.age_ms, lineage.min_age_ms)
    young = max((n + 1 for n, s in enumerate(history) if s.timestamp_ms >= since), default=0)
    kept = reach((s.is_replace for s in history), limits.keep)
    base = min(max(young + 1, kept, lineage.min_keep, 1), len(history))
    ends = [base]
    for owner in lineage.owners if history else ():
        ends.append(next((n + 1 for n in range(base - 1, len(history)) if history[n].pipeline == owner), len(history)))
    ends += [n + 1 for n, s in enumerate(history) if s.snapshot_id in lineage.others_tags]
    return max(ends)


def expired(lineage: Lineage, limits: ExpiryLimits, pipeline: str, now_ms: int) -> list[int]:
    """Snapshot ids that maintenance expires, oldest first: the end of the history, and what a rollback left behind.

    The commit that expires them is a snapshot, too, and counts: there is room made for it, and a table that nobody writes to
    has nothing to expire for the second time.
    """
    since = now_ms - max(limits.age_ms, lineage.min_age_ms)
    gone: list[KeptSnapshot] = []
    if any(s.snapshot_id not in lineage.named for s in lineage.history[needed(lineage, limits, now_ms) :]):
        keep = needed(lineage, ExpiryLimits(limits.age_ms, limits.keep - 1), now_ms)
        gone = [s for s in lineage.history[keep:] if s.snapshot_id not in lineage.named]
    gone += [
        s
        for s in lineage.aside
        if s.timestamp_ms < since
        and s.pipeline in {None, pipeline}
        and not s.promised
        and s.snapshot_id not in lineage.named
    ]
    return [s.snapshot_id for s in sorted(gone, key=lambda s: (s.timestamp_ms, s.snapshot_id))]


@dataclass(frozen=True, slots=True)
class Past:
    """A snapshot in a branch's history."""

    snapshot_id: int
    is_append: bool
    is_replace: bool = False


def expirable(history: Sequence[Past], keep: int, protected: Collection[int]) -> list[int]:
    """Snapshot ids to expire, oldest first; *history* is newest first and includes the snapshot about to be committed.

    The newest *keep* stay. Nothing goes until the history is 10 % longer, so that one commit in many pays for it. An append
    holds every file of its parent, so expiring its parent strands none; a snapshot that removed files ends the run, and
    so does its parent, which alone still names those files for whoever cleans them up.
    """
    keep = max(keep, 1)
    if len(history) <= keep + max(keep // 10, 1):
        return []
    out: list[int] = []
    for i in range(len(history) - 1, keep - 1, -1):
        if not (history[i].is_append and history[i - 1].is_append):
            break
        if history[i].snapshot_id not in protected:
            out.append(history[i].snapshot_id)
    return out
