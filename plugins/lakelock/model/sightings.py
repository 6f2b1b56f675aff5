"""Observations of a pipeline that the watch keeps between its looks, to know how long a condition has lasted.

Times are seconds since 1970 by the clock of the write-ahead log.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from lakelock.model.evolutions import ChangesSeen
from lakelock.model.offsets import Source

# An incident ends when its value is well inside the limit; otherwise a value close to the limit would flap.
WELL_WITHIN = 0.75
# Kafka aborts a transaction open for longer (transaction.max.timeout.ms by default), if its coordinator knows of it.
HANGING_S = 900.0

# The page reads these with each refresh. Kept first: sources that have stood longest or have the oldest records.
MOST_SOURCES = 300
MOST_ENDS = 32
# A promise allows for a few failed batches and a slow scheduler.
RHYTHMS, AT_LEAST_S = 5.0, 60.0


class WatchedSource(Protocol):
    """Position of one source as the tables that are not paused see it: see `monitor.status.SourceStatus.unpaused`."""

    @property
    def source(self) -> Source: ...

    @property
    def end_offset(self) -> int: ...

    @property
    def high_offset(self) -> int: ...

    @property
    def committed(self) -> int: ...

    @property
    def lag_s(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Unread:
    """Offsets of one source, from *offset* on, that are not in every table, except for paused ones.

    *record_s* is the time of the first record, if known. *ends* are end offsets in ascending order, each with the time
    at which a look first found it.
    """

    offset: int
    record_s: float | None
    ends: tuple[tuple[int, float], ...]

    def first_seen_s(self, offset: int) -> float | None:
        """When a look first found a record at *offset*; None if none did."""
        return next((at_s for end, at_s in self.ends if end > offset), None)


@dataclass(frozen=True, slots=True)
class HangingTransaction:
    """A last stable offset below the high watermark, unchanged since *since_s*."""

    offset: int
    since_s: float


@dataclass(frozen=True, slots=True)
class Gone:
    """A table that is missing or was replaced by another one; *line* says what to do."""

    line: str
    since_s: float


@dataclass(frozen=True, slots=True)
class LatenessLimits:
    """*promise_s*: how long a record may take by the pipeline's own settings. *lag_s*: how old it may be by its alerts,
    if they have a limit. *watch_every_s*: how often the watch looks.
    """

    promise_s: float
    lag_s: float | None
    watch_every_s: float


@dataclass(frozen=True, slots=True)
class Sights:
    """State after a look at *at_s*.

    *running_since_s* is the first look that found the pipeline not paused, None while it is paused. *tables* are those
    of the pipeline file, and of a pipeline that *is_routed* those that are paused. *is_late*: it was late before this
    look, so a value just inside the limit does not end the incident. *changes* of columns are None unless they must
    be reported.
    """

    at_s: float
    limits: LatenessLimits
    running_since_s: float | None
    tables: tuple[str, ...] = ()
    is_late: bool = False
    unread: Mapping[Source, Unread] = field(default_factory=dict)
    hanging: Mapping[Source, HangingTransaction] = field(default_factory=dict)
    gone: Mapping[str, Gone] = field(default_factory=dict)
    changes: ChangesSeen | None = None
    is_routed: bool = False


def promise_s(max_latency_s: float, usual_s: float, longest_s: float) -> float:
    """Longest allowed time from the first look that sees a record until it is in its tables. *usual_s* is the time
    between two batches, *longest_s* the longest single pause, such as a weekend.
    """
    return max_latency_s + max(longest_s + (RHYTHMS - 1) * usual_s, AT_LEAST_S)


def sighted(
    before: Sights | None,
    at_s: float,
    limits: LatenessLimits,
    standings: Sequence[WatchedSource],
    missing: Collection[Source],
    gone: Mapping[str, str | None],
    *,
    tables: Sequence[str],
    is_paused: bool | None,
    is_late: bool,
    is_routed: bool = False,
) -> Sights:
    """State after a new look. *gone* has a line for each missing table, and None for each whose state is unknown.

    *missing* sources could not be read from Kafka: their incidents do not end. *is_paused* is None if unknown.
    """
    known = before or Sights(at_s, limits, None)
    if is_paused is None:
        is_paused = before is not None and before.running_since_s is None
    since_s = None if is_paused else at_s if known.running_since_s is None else known.running_since_s
    unread: dict[Source, Unread] = {}
    # While it is paused nothing is late by fault, and records that arrive count as first seen when it runs again.
    if not is_paused or limits.lag_s is not None:
        unread = {
            s.source: _unread(known.unread.get(s.source), s, at_s) for s in standings if s.committed < s.end_offset
        }
        if is_late:
            unread |= {source: known.unread[source] for source in missing if source in known.unread}
    hanging = {
        s.source: _hanging(known.hanging.get(s.source), s, at_s) for s in standings if s.end_offset < s.high_offset
    }
    return Sights(
        at_s,
        limits,
        since_s,
        tuple(tables),
        is_late,
        dict(sorted(unread.items(), key=lambda u: _longest(u[1]))[:MOST_SOURCES]),
        hanging,
        {table: found for table, line in gone.items() if (found := _gone(known.gone.get(table), line, at_s))},
        is_routed=is_routed,
    )


def _unread(was: Unread | None, now: WatchedSource, at_s: float) -> Unread:
    ends = tuple(e for e in was.ends if e[0] > now.committed) if was else ()
    if not ends or ends[-1][0] < now.end_offset:
        if len(ends) >= MOST_ENDS:
            # Drop every second one: records then count as seen later, never earlier, and the oldest entry stays.
            ends = (ends[0], *ends[2::2])
        ends = (*ends, (now.end_offset, at_s))
    record_s = None if now.lag_s is None else at_s - now.lag_s
    if was and was.offset == now.committed and was.record_s is not None:
        record_s = was.record_s
    elif now.lag_s == 0:
        # A record with a future timestamp: its age counts from its first sight.
        record_s = ends[0][1]
    return Unread(now.committed, record_s, ends)


def _longest(unread: Unread) -> tuple[float, float]:
    """Sort key: a source that progresses has new entries, and must not displace one that stands with older records."""
    record_s = float("inf") if unread.record_s is None else unread.record_s
    return min(unread.ends[0][1], record_s), record_s


def _hanging(was: HangingTransaction | None, now: WatchedSource, at_s: float) -> HangingTransaction:
    return was if was and was.offset == now.end_offset else HangingTransaction(now.end_offset, at_s)


def _gone(was: Gone | None, line: str | None, at_s: float) -> Gone | None:
    if line is None:
        return was
    # Keep the first line: it may mention a file that storage shows only briefly, and each table is reported once.
    return was or Gone(line, at_s)


def encode(sights: Sights) -> str:
    """*sights* as compact JSON."""
    plain = {
        "at_s": sights.at_s,
        "limits": asdict(sights.limits),
        "running_since_s": sights.running_since_s,
        "tables": sights.tables,
        "is_late": sights.is_late,
        "is_routed": sights.is_routed,
        "unread": [[*_key(s), u.offset, u.record_s, u.ends] for s, u in sights.unread.items()],
        "held": [[*_key(s), h.offset, h.since_s] for s, h in sights.hanging.items()],
        "gone": [[table, g.line, g.since_s] for table, g in sights.gone.items()],
    }
    if sights.changes is not None:
        plain["changes"] = sights.changes.json()
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def decode(plain: Mapping[str, Any]) -> Sights:
    """Inverse of `encode`, from parsed JSON."""
    return Sights(
        plain["at_s"],
        LatenessLimits(**plain["limits"]),
        plain["running_since_s"],
        tuple(plain["tables"]),
        plain["is_late"],
        {
            Source(*key): Unread(at, record_s, tuple((e, s) for e, s in ends))
            for *key, at, record_s, ends in plain["unread"]
        },
        {Source(*key): HangingTransaction(at, since_s) for *key, at, since_s in plain["held"]},
        {table: Gone(line, since_s) for table, line, since_s in plain["gone"]},
        ChangesSeen.of_json(plain["changes"]) if "changes" in plain else None,
        # Earlier releases did not write it.
        plain.get("is_routed", False),
    )


def _key(source: Source) -> tuple[str, str, int]:
    return source.topic, source.topic_id, source.partition


def needs_positions(sights: Sights, now_s: float) -> bool:
    """Whether `alerts` may need the tables' current positions."""
    limits = sights.limits
    least_s = WELL_WITHIN * (limits.promise_s if limits.lag_s is None else limits.lag_s)
    begun = [u.ends[0][1] if limits.lag_s is None else u.record_s for u in sights.unread.values()]
    is_old = any(s is not None and now_s - s > least_s for s in begun)
    return is_old or any(now_s - h.since_s > HANGING_S for h in sights.hanging.values())
