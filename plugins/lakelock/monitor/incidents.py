"""Incidents of a pipeline: each recipient is notified once when one begins and once when it is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.sightings import WELL_WITHIN
from lakelock.model.units import format_duration

_SHOWN = 5


class IncidentKind(StrEnum):
    """The subject of an incident; a pipeline has at most one of each kind at a time."""

    FILE = "file"
    UNREADABLE = "unreadable"
    STOPPED = "stopped"
    MISSING = "missing"
    RETENTION = "retention"
    LAG = "lag"
    FAILED = "failed"
    WAITING = "waiting"
    DROPPED = "dropped"
    HANGING = "hanging"
    PAUSED = "paused"
    SCHEMA = "schema"
    # Only on the page: the watch cannot report that it does not run.
    UNWATCHED = "unwatched"


class IncidentSource(Protocol):
    """The status of one source; see `monitor.status.SourceStatus`."""

    @property
    def source(self) -> Source: ...

    @property
    def retention_left_s(self) -> float | None: ...

    @property
    def retention_unknown(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Incident:
    """*line* is text for people. One that may pass by itself (*may_pass*) is reported once a second look finds it."""

    kind: IncidentKind
    line: str
    may_pass: bool = False


@dataclass(frozen=True, slots=True)
class Open:
    """An incident from its beginning until each recipient that was *notified* of it knows that it is *over*.

    *since* is ISO 8601. One that is not *due* yet is not reported.
    """

    line: str
    since: str
    due: bool
    over: bool = False
    notified: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def of_json(given: Mapping[str, Any]) -> Open:
        return Open(**{**given, "notified": tuple(given["notified"])})

    def to_notify(self, recipients: Sequence[str]) -> list[str]:
        """Recipients to notify that it began, or, once it is over, that it ended."""
        return [r for r in recipients if self.due and (r in self.notified) == self.over]

    def has_reached(self, recipients: Sequence[str]) -> bool:
        """Whether all *recipients* were notified that it began."""
        return not self.over and set(recipients) <= set(self.notified)

    def notifying(self, recipient: str) -> Open:
        """The incident after *recipient* was notified."""
        others = tuple(r for r in self.notified if r != recipient)
        return replace(self, notified=others if self.over else (*others, recipient))


def judge(
    standings: Sequence[IncidentSource],
    retention_left_s: float | None,
    stopped: str,
    before: Mapping[IncidentKind, Open],
    missing: Sequence[Source] = (),
    behind: Mapping[str, Sequence[OffsetRange]] = MappingProxyType({}),
) -> list[Incident]:
    """Incidents that only Kafka shows, beside `monitor.alerts`; *stopped* says why the next run stops, if it does.

    Less than *retention_left_s* until Kafka deletes unread records is an incident; None for never. *missing* are
    sources that were read and that Kafka does not show, so their state is unknown. An unknown state neither begins nor
    ends an incident. Tables that are *behind* the consistent cut are named if they lack records of the source.
    """
    found = [Incident(IncidentKind.STOPPED, stopped)] if stopped else []
    is_open = {kind for kind, was in before.items() if not was.over}
    if missing:
        found.append(Incident(IncidentKind.MISSING, missing_line(missing)))
    if retention_left_s is not None:
        least = retention_left_s / (WELL_WITHIN if IncidentKind.RETENTION in is_open else 1)
        left = [(s.retention_left_s, s.source) for s in standings if s.retention_left_s is not None]
        if left and min(left)[0] < least:
            left_s, source = min(left)
            when = f"in {_duration(left_s)}" if left_s > 0 else "at any time"
            names = [table for table, ranges in behind.items() if any(r.source == source for r in ranges)]
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            who = f"; behind: {', '.join(names[:_SHOWN])}{more}" if names else ""
            line = f"Kafka will delete uncommitted records of {source} {when}{who}"
            found.append(Incident(IncidentKind.RETENTION, line))
        elif IncidentKind.RETENTION in is_open and (missing or any(s.retention_unknown for s in standings)):
            found.append(Incident(IncidentKind.RETENTION, before[IncidentKind.RETENTION].line))
    return found


def missing_line(sources: Sequence[Source]) -> str:
    """The consequence of Kafka not showing *sources*, and the action to take."""
    topics = list(dict.fromkeys(s.topic for s in sources))
    more = f" and {len(topics) - _SHOWN} more" if len(topics) > _SHOWN else ""
    names, each = ", ".join(topics[:_SHOWN]) + more, " for each" if len(topics) > 1 else ""
    return (
        f"Kafka no longer shows {names}, which was read before: nothing of it is read, and its lag is unknown. The tables keep "
        "its records. If the login lost its rights, grant it Describe and Read on the topic; if the topic was deleted "
        f"permanently, run `bin/lakelock retire FILE --topic {topics[0]} --why TEXT`{each}, or remove it from the pipeline file"
    )


def blind(incident: Incident | None, before: Mapping[IncidentKind, Open]) -> list[Incident]:
    """Incidents of a pipeline that cannot be looked at because of *incident*: open ones stay open and unchanged."""
    kept = [Incident(k, o.line, not o.due) for k, o in before.items() if not o.over and k not in _OF_WATCHING]
    return [*([incident] if incident else []), *kept]


_OF_WATCHING = (IncidentKind.UNREADABLE, IncidentKind.FILE)
# Kinds whose line names all of its subjects and changes only with them.
_NAMED = (
    IncidentKind.MISSING,
    IncidentKind.DROPPED,
    IncidentKind.HANGING,
    IncidentKind.PAUSED,
    IncidentKind.SCHEMA,
)
# Kinds that report something that happened. Nothing ends with them.
_MOMENTARY = (IncidentKind.SCHEMA,)


def after(before: Mapping[IncidentKind, Open], now: Sequence[Incident], at: str) -> dict[IncidentKind, Open]:
    """Open incidents after a look at *at* (ISO 8601) that found *now*; lines and times are those of the beginning."""
    out: dict[IncidentKind, Open] = {}
    for incident in now:
        known = before.get(incident.kind)
        if known is None:
            out[incident.kind] = Open(incident.line, at, due=not incident.may_pass)
        elif known.over or (incident.kind in _NAMED and incident.line != known.line):
            # Recipients that were not notified of the end take this one for the same. Another topic or table is news
            # to all.
            reported = known.notified if known.over else ()
            out[incident.kind] = Open(incident.line, at if known.over else known.since, due=True, notified=reported)
        else:
            out[incident.kind] = replace(known, due=True)
    for kind, known in before.items():
        if kind not in out and known.notified and kind not in _MOMENTARY:
            out[kind] = replace(known, over=True)
    return out


def _duration(seconds: float) -> str:
    return format_duration(timedelta(seconds=max(1, round(seconds))))
