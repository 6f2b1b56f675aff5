"""What operators decided about offsets, as the tables' ledgers keep it.

Text form, a JSON array of decisions, oldest first: [what, at, who, why, about, {topic id: [topic, [partition, start, end],
…]}]. An end that is left out means for good.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from lakelock.model.offsets import FOREVER, OffsetRange, Source

_ABOUT = "records of "

# A person reads that many ranges of one decision: of dead letters there may be thousands.
_SHOWN = 20


class What(Enum):
    """The value is the command's name."""

    ACCEPT_LOSS = "accept-loss"
    BACKFILL = "backfill"
    PAUSE = "pause"
    REBIND = "rebind"
    REDRIVE = "redrive"
    REPLACE = "replace"
    RESUME = "resume"
    RETIRE = "retire"


# Of these only the newest counts.
PAUSES = frozenset({What.PAUSE, What.RESUME})


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision as one table has it. *ranges* will never be in it; *about* says what no range can.

    In a dead-letter table they are exactly the dead letters that are lost. Of a backfill: the records that it must load. Of a
    replace: those that were read again in place of the rows that were there. A redrive has none, for the coverage names the
    dead letters that became rows; nor have pause and resume.
    """

    what: What
    at: datetime
    who: str
    why: str
    about: str = ""
    ranges: tuple[OffsetRange, ...] = ()

    @property
    def name(self) -> str:
        """What a person tells it from others by."""
        return f"{self.what.value} of {self.at:%Y-%m-%d %H:%M:%S} by {self.who}: {self.why}"

    def has(self, source: Source, offset: int) -> bool:
        return any(r.source == source and r.start <= offset < r.end for r in self.ranges)

    @property
    def line(self) -> str:
        """What a person reads."""
        shown = ", ".join(map(shown_range, self.ranges[:_SHOWN]))
        shown += f" and {len(self.ranges) - _SHOWN} more" if len(self.ranges) > _SHOWN else ""
        subject = "; ".join(text for text in (self.about, shown) if text)
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.what.value} by {self.who}: {self.why}" + (
            f" ({subject})" if subject else ""
        )


def paused_by(decisions: Sequence[Decided]) -> Decided | None:
    """The decision under which no batch is committed to a table that has *decisions*."""
    newest = next((d for d in reversed(decisions) if d.what in PAUSES), None)
    return newest if newest is not None and newest.what is What.PAUSE else None


def shown_range(r: OffsetRange) -> str:
    return f"{r.source} from {r.start} on" if r.end == FOREVER else str(r)


def encode(decisions: Sequence[Decided]) -> str:
    rows = [
        [d.what.value, d.at.isoformat(timespec="seconds"), d.who, d.why, d.about, rows_of(d.ranges)] for d in decisions
    ]
    return json.dumps(rows, separators=(",", ":"))


def decode(text: str) -> tuple[Decided, ...]:
    """Raises ValueError, KeyError or TypeError for what `encode` does not write."""
    out = []
    for what, at, who, why, about, topics in json.loads(text):
        out.append(Decided(What(what), datetime.fromisoformat(at), who, why, about, ranges_of(topics)))
    return tuple(out)


def rows_of(ranges: Iterable[OffsetRange]) -> dict[str, list[object]]:
    """By topic id, for JSON."""
    topics: dict[str, list[object]] = {}
    for r in sorted(ranges):
        numbers = [r.source.partition, r.start] + ([r.end] if r.end != FOREVER else [])
        topics.setdefault(r.source.topic_id, [r.source.topic]).append(numbers)
    return topics


def ranges_of(topics: Mapping[str, Any]) -> tuple[OffsetRange, ...]:
    """What `rows_of` wrote, in order."""
    ranges = [
        OffsetRange(Source(topic, topic_id, partition), start, *(end or [FOREVER]))
        for topic_id, (topic, *rows) in topics.items()
        for partition, start, *end in rows
    ]
    return tuple(sorted(ranges))


def about(start: datetime, end: datetime) -> str:
    """What a decision to bring records of `[start, end)` says."""
    return f"{_ABOUT}{start.isoformat()} to {end.isoformat()}"


def times(said: Decided) -> tuple[datetime, datetime]:
    """What `about` made its text of."""
    start, end = said.about.removeprefix(_ABOUT).split(" to ")
    return datetime.fromisoformat(start), datetime.fromisoformat(end)
