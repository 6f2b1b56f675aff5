"""Decide what expires: the oldest plain appends in a commit; in maintenance all unneeded snapshots and earlier columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from lakelock.model.versions import ColumnSet, KeptVersion, Lineage


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


def unneeded_columns(
    sets: Sequence[ColumnSet], lineage: Lineage, gone: Collection[int], limits: ExpiryLimits, now_ms: int
) -> list[int]:
    """Numbers of the column sets that expire together with the versions *gone*. These stay:

    * The current one, those of other versions, and those that staged files were written for.
    * All from the last one on that a version shows when the limits began: other logs may have staged files for them.
      So the highest number stays, and no number is given twice.
    * For each column that the current one does not have by that path, the newest with it. `evolve` does not add a name
      again that was dropped, and follows one that was renamed.
    * Beside one that lacks a current column, the newest of those before it that have the column: it was dropped, and is
      there again. Files that were written in between must not be committed.
    """
    since = now_ms - max(limits.age_ms, lineage.min_age_ms)
    old = {s.id for s in (*lineage.history, *lineage.aside) if s.at_ms < since}
    superseded_below = max((one.number for one in sets if one.versions & old), default=0)
    newest_first = sorted(sets, key=lambda one: one.number, reverse=True)
    stays = {
        one.number
        for one in sets
        if one.is_current or one.is_staged or one.versions.difference(gone) or one.number >= superseded_below
    }
    current = next((one.columns for one in sets if one.is_current), frozenset())
    known = set(current)
    for one in newest_first:
        if not one.columns <= known:
            stays.add(one.number)
            known |= one.columns
    ids = {one.number: frozenset(i for _, i in one.columns) for one in sets}
    for place, one in enumerate(newest_first):
        lacking = {i for _, i in current} - ids[one.number] if one.number in stays else set()
        for earlier in newest_first[place + 1 :]:
            if not lacking:
                break
            if lacking & ids[earlier.number]:
                stays.add(earlier.number)
                lacking -= ids[earlier.number]
    return sorted(one.number for one in sets if one.number not in stays)


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
