"""What the watch saw of a pipeline, kept between its looks, so that each of them knows since when something is so.

Moments are seconds since 1970 by the clock of the write-ahead log.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from lakelock.model.offsets import Source

# An incident is over when its figure is well inside the limit, or one that lies close to it would begin again and again.
WELL_INSIDE = 0.75
# Kafka ends a transaction that is open for longer (transaction.max.timeout.ms, by default), if its coordinator knows of it.
HANGING_S = 900.0

# The page reads what is kept with each refresh. Those that stand longest, or have the oldest records, come first.
MOST_SOURCES = 300
MOST_ENDS = 32
# A promise has room for a few batches that fail, and for a scheduler that is slow.
RHYTHMS, AT_LEAST_S = 5.0, 60.0


class WatchedSource(Protocol):
    """Where one source stands: see `monitor.status.SourceStatus`."""

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
    """What of one source is not in every table, from *offset* on; *record_s* is the time of the first record, if known.

    *ends* are end offsets in ascending order, each with the moment at which a look found it first.
    """

    offset: int
    record_s: float | None
    ends: tuple[tuple[int, float], ...]

    def first_seen_s(self, offset: int) -> float | None:
        """When a look first saw a record at *offset*; None if none did."""
        return next((at_s for end, at_s in self.ends if end > offset), None)


@dataclass(frozen=True, slots=True)
class HangingTransaction:
    """A last stable offset below the high watermark, where it is since *since_s*."""

    offset: int
    since_s: float


@dataclass(frozen=True, slots=True)
class Gone:
    """A table that is no longer the one that was written to; *line* says what to do."""

    line: str
    since_s: float


@dataclass(frozen=True, slots=True)
class LatenessLimits:
    """*promise_s*: how long a record may take by the pipeline's own settings; *lag_s*: how old it may be by its alerts, if
    they say so. *look_every_s*: how often the watch looks."""

    promise_s: float
    lag_s: float | None
    look_every_s: float


@dataclass(frozen=True, slots=True)
class Sights:
    """After a look at *at_s*.

    *running_since_s* is of the first look that found the pipeline not paused, None while it is paused. *tables* are those of
    the pipeline file. *is_late*: it was late before this look, so a figure close to the limit does not end that.
    """

    at_s: float
    limits: LatenessLimits
    running_since_s: float | None
    tables: tuple[str, ...] = ()
    is_late: bool = False
    unread: Mapping[Source, Unread] = field(default_factory=dict)
    held: Mapping[Source, HangingTransaction] = field(default_factory=dict)
    gone: Mapping[str, Gone] = field(default_factory=dict)


def promise_s(max_latency_s: float, usual_s: float, longest_s: float) -> float:
    """How long it may take from the first sight of a record until it is in its tables. *usual_s* is between two batches, and
    *longest_s* once among them, as over a weekend."""
    return max_latency_s + max(longest_s + (RHYTHMS - 1) * usual_s, AT_LEAST_S)


def look(
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
) -> Sights:
    """*gone* has a line for each table that is not there, and None for each of which that is not known just now.

    Of *missing* sources Kafka shows nothing: what is not known ends nothing. *is_paused* is None where that is not known.
    """
    known = before or Sights(at_s, limits, None)
    if is_paused is None:
        is_paused = before is not None and before.running_since_s is None
    since_s = None if is_paused else at_s if known.running_since_s is None else known.running_since_s
    unread: dict[Source, Unread] = {}
    # While it is paused nothing is late by fault, and what comes meanwhile is first seen when it runs again.
    if not is_paused or limits.lag_s is not None:
        unread = {
            s.source: _unread(known.unread.get(s.source), s, at_s) for s in standings if s.committed < s.end_offset
        }
        if is_late:
            unread |= {source: known.unread[source] for source in missing if source in known.unread}
    held = {s.source: _held(known.held.get(s.source), s, at_s) for s in standings if s.end_offset < s.high_offset}
    return Sights(
        at_s,
        limits,
        since_s,
        tuple(tables),
        is_late,
        dict(sorted(unread.items(), key=lambda u: _longest(u[1]))[:MOST_SOURCES]),
        held,
        {table: found for table, line in gone.items() if (found := _gone(known.gone.get(table), line, at_s))},
    )


def _unread(was: Unread | None, now: WatchedSource, at_s: float) -> Unread:
    ends = tuple(e for e in was.ends if e[0] > now.committed) if was else ()
    if not ends or ends[-1][0] < now.end_offset:
        if len(ends) >= MOST_ENDS:
            # Every second one: records count as seen later than they were, never earlier, and the oldest sight stays.
            ends = (ends[0], *ends[2::2])
        ends = (*ends, (now.end_offset, at_s))
    record_s = None if now.lag_s is None else at_s - now.lag_s
    if was and was.offset == now.committed and was.record_s is not None:
        record_s = was.record_s
    elif now.lag_s == 0:
        # A record from the future: it grows old from its first sight on.
        record_s = ends[0][1]
    return Unread(now.committed, record_s, ends)


def _longest(unread: Unread) -> tuple[float, float]:
    """A source that moves on is seen anew, and must not push out one that stands with an older record."""
    record_s = float("inf") if unread.record_s is None else unread.record_s
    return min(unread.ends[0][1], record_s), record_s


def _held(was: HangingTransaction | None, now: WatchedSource, at_s: float) -> HangingTransaction:
    return was if was and was.offset == now.end_offset else HangingTransaction(now.end_offset, at_s)


def _gone(was: Gone | None, line: str | None, at_s: float) -> Gone | None:
    if line is None:
        return was
    # The line may tell of a file that storage shows now and not a moment later: recipients hear of the table once.
    return was or Gone(line, at_s)


def encode(sights: Sights) -> str:
    """Compact JSON."""
    plain = {
        "at_s": sights.at_s,
        "limits": asdict(sights.limits),
        "running_since_s": sights.running_since_s,
        "tables": sights.tables,
        "is_late": sights.is_late,
        "unread": [[*_key(s), u.offset, u.record_s, u.ends] for s, u in sights.unread.items()],
        "held": [[*_key(s), h.offset, h.since_s] for s, h in sights.held.items()],
        "gone": [[table, g.line, g.since_s] for table, g in sights.gone.items()],
    }
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def decode(plain: Mapping[str, Any]) -> Sights:
    """Of what `encode` made, as a JSON parser reads it."""
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
    )


def _key(source: Source) -> tuple[str, str, int]:
    return source.topic, source.topic_id, source.partition


def needs_positions(sights: Sights, now_s: float) -> bool:
    """Whether `alerts` may need to know how far the tables are by now."""
    limits = sights.limits
    least_s = WELL_INSIDE * (limits.promise_s if limits.lag_s is None else limits.lag_s)
    begun = [u.ends[0][1] if limits.lag_s is None else u.record_s for u in sights.unread.values()]
    is_old = any(s is not None and now_s - s > least_s for s in begun)
    return is_old or any(now_s - h.since_s > HANGING_S for h in sights.held.values())
