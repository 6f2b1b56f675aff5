"""Decide a rollback: the target snapshot, the ranges that it removes, and the ledger after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from lakelock.errors import RollbackRefused, State
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, uncovered
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.offsets import OffsetRange, Source, missing, overlap, united, without
from lakelock.model.operator_log import What
from lakelock.model.units import shown
from lakelock.model.versions import OwnVersion, PastVersion

_LAST = re.compile(r"last:(\d+)")


def choose(to: str, history: Sequence[PastVersion], pipeline: str, table: str) -> PastVersion:
    """The snapshot that *to* names: its id, `last:<n>` (before the last n commits of the pipeline), or a time with zone.

    *history* is newest first, as far as it is retained. Raises RollbackRefused.
    """
    if to.isdigit():
        found = next((s for s in history if s.id == int(to)), None)
        wanted = f"snapshot {to}"
    elif match := _LAST.fullmatch(to):
        commits = [i for i, s in enumerate(history) if s.pipeline == pipeline and s.has_data]
        count = int(match[1])
        before = commits[count - 1] + 1 if 0 < count <= len(commits) else len(history)
        found = history[before] if before < len(history) else None
        wanted = f"the state before the last {count} commits (of {pipeline!r} there are {len(commits)})"
    else:
        at_ms = _moment_ms(to)
        found = next((s for s in history if s.at_ms <= at_ms), None)
        wanted = f"the state at {to}"
    if found is None:
        if not history:
            raise RollbackRefused(f"table {table} has no snapshot to roll back to.", State.NOTHING_CHANGED)
        raise RollbackRefused(
            f"table {table}: {wanted} is not in the branch's history, which goes back to snapshot "
            f"{history[-1].id} of {shown(history[-1].at_ms)}.",
            State.NOTHING_CHANGED,
            "Name one of its snapshots.",
        )
    if found.id == history[0].id:
        raise RollbackRefused(f"table {table}: {wanted} is the current state of the table.", State.NOTHING_CHANGED)
    return found


def check_others(to: PastVersion, history: Sequence[PastVersion], pipeline: str, table: str) -> int:
    """The number of snapshots of other writers that a rollback removes.

    Raises RollbackRefused if one of them carries another pipeline's ledger.
    """
    gone = history[: history.index(to)]
    others = sorted({s.pipeline for s in gone if s.pipeline not in {None, pipeline}}, key=str)
    if others:
        raise RollbackRefused(
            f"table {table}: commits of pipeline {', '.join(map(repr, others))} follow snapshot {to.id} and would be "
            "removed with yours.",
            State.NOTHING_CHANGED,
            "Roll back to a later snapshot, or correct the rows with another engine.",
        )
    return sum(s.pipeline is None for s in gone)


def taken_out(head: Coverage, target: Coverage) -> tuple[OffsetRange, ...]:
    """Ranges of data, per source, that the table holds at *head* but not at *target*, where they may be gaps."""
    out = []
    for source, covered in sorted(head.items()):
        before = target.data.get(source) or SourceCoverage(covered.start_offset)
        out += [OffsetRange(source, a, b) for i in covered.data for a, b in before.missing(i.start, i.end)]
    return tuple(out)


def filled_since(at: Coverage, versions: Sequence[OwnVersion]) -> list[OffsetRange]:
    """Ranges that *versions*, oldest first, added to the coverage *at* their parent without a part: none has records."""
    out: list[OffsetRange] = []
    for version in versions:
        out += without(taken_out(version.coverage, at), version.ranges)
        at = version.coverage
    return united(out)


def rolled_back(
    head: Ledger,
    at: Ledger | None,
    record: Rollback,
    commit_id: str,
    shown: Coverage | None = None,
    filled: Sequence[OffsetRange] | None = None,
    backfilled: Sequence[OffsetRange] = (),
) -> Ledger:
    """The ledger after a rollback to a snapshot whose ledger was *at* (None: before the pipeline's first).

    Ranges that an earlier rollback skipped stay skipped. Mode skip leaves out only ranges that *shown* has (None:
    all): later commits were not approved, and land again. Ranges that a backfill supplied or was to supply are
    requested again. A routed table keeps the ranges that were *filled* since (None: it is not routed), because no record of
    them is removed, and it owes all others until they are back: nothing fills them. *backfilled* are ranges that backfills of all
    routed tables have requested.
    """
    generation = head.generation + 1
    coverage = (at.coverage if at else Coverage()).starting({s: h.start_offset for s, h in head.coverage.items()})
    seen = head.coverage if shown is None else shown
    out: dict[Source, SourceCoverage] = {}
    for source, covered in head.coverage.items():
        there, grown = seen.get(source), coverage[source]
        for i in covered.intervals:
            for start, end in grown.missing(i.start, i.end):
                if i.kind is not Kind.DATA:
                    grown = grown.with_interval(Interval(start, end, generation, i.kind))
                    continue
                kept = overlap([OffsetRange(source, start, end)], filled or ())
                for r in kept:
                    grown = grown.with_interval(Interval(r.start, r.end, generation))
                if record.mode is Mode.SKIP and there:
                    shown_now = missing(start, end, there.missing(start, end))
                    for a, b in uncovered(shown_now, [(r.start, r.end) for r in kept]):
                        grown = grown.with_interval(Interval(a, b, generation, Kind.SKIPPED))
        out[source] = grown
    coverage = Coverage({**coverage, **out})
    if filled is not None:
        gone = united([*head.coverage.owed, *taken_out(head.coverage, Coverage())])
        coverage = coverage.owing(without(gone, coverage.ranges))
    coverage = coverage.requesting(
        _requested_again(head, coverage, seen if record.mode is Mode.SKIP else Coverage(), backfilled), {}
    )
    after = head.decided(commit_id, coverage, head.decisions)
    return replace(after, generation=generation, rollback=record)


def _requested_again(
    head: Ledger, after: Coverage, left_out: Coverage, backfilled: Sequence[OffsetRange]
) -> list[OffsetRange]:
    """Ranges of backfills, done or pending, that *after* has not as records, except those to be *left_out*."""
    requested = united([*backfilled, *(r for d in head.decisions if d.what is What.BACKFILL for r in d.ranges)])
    loaded = without(overlap(requested, head.coverage.data.ranges), left_out.data.ranges)
    return without([*loaded, *head.coverage.requested], [*after.data.ranges, *after.requested])


def same(one: Rollback, other: Rollback) -> bool:
    """Whether both are one person's request to roll back, no matter what landed in between."""
    return (one.to_version_id, one.mode, one.who, one.why) == (other.to_version_id, other.mode, other.who, other.why)


def _moment_ms(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise RollbackRefused(
            f"{text!r} is neither a snapshot id, nor last:<n>, nor a time like 2026-01-31T12:00:00Z.",
            State.NOTHING_CHANGED,
        ) from None
    if moment.tzinfo is None:
        raise RollbackRefused(f"{text!r} has no time zone.", State.NOTHING_CHANGED, f"Write {text}Z for UTC.")
    return int(moment.timestamp() * 1000)
