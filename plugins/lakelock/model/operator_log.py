"""Operators' decisions about offsets, as stored in the tables' ledgers.

Text form, a JSON array of decisions, oldest first: [what, at, who, why, about, {topic id: [topic, [partition, start, end],
…]}]. A range without an end never ends.
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

# The most ranges of one decision to show: dead letters may have thousands.
_SHOWN = 20


class What(Enum):
    """Kind of decision; the value is the command's name."""

    ACCEPT_LOSS = "accept-loss"
    APPLY = "apply"
    BACKFILL = "backfill"
    PAUSE = "pause"
    REBIND = "rebind"
    REDRIVE = "redrive"
    REPLACE = "replace"
    RESUME = "resume"
    RETIRE = "retire"


# Only the newest of these counts.
PAUSES = frozenset({What.PAUSE, What.RESUME})


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision in one table's ledger; *about* describes the part of it that ranges cannot express.

    *ranges* are by default offsets that will never be in the table. In a dead-letter table they are exactly the lost
    dead letters; of a backfill, the records to load; of a replace, the records that were read again. A redrive has
    none, because the coverage names the redriven dead letters; apply, pause and resume have none, either.
    """

    what: What
    at: datetime
    who: str
    why: str
    about: str = ""
    ranges: tuple[OffsetRange, ...] = ()

    @property
    def name(self) -> str:
        """Text that distinguishes this decision from others."""
        return f"{self.what.value} of {self.at:%Y-%m-%d %H:%M:%S} by {self.who}: {self.why}"

    def has(self, source: Source, offset: int) -> bool:
        return any(r.source == source and r.start <= offset < r.end for r in self.ranges)

    @property
    def line(self) -> str:
        """Text for people."""
        shown = ", ".join(map(shown_range, self.ranges[:_SHOWN]))
        shown += f" and {len(self.ranges) - _SHOWN} more" if len(self.ranges) > _SHOWN else ""
        subject = "; ".join(text for text in (self.about, shown) if text)
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.what.value} by {self.who}: {self.why}" + (
            f" ({subject})" if subject else ""
        )


def paused_by(decisions: Sequence[Decided]) -> Decided | None:
    """The pause in force among *decisions*, if any: no batch is then committed to the table."""
    newest = last_pause_of(decisions)
    return newest if newest is not None and newest.what is What.PAUSE else None


def last_pause_of(decisions: Sequence[Decided]) -> Decided | None:
    """The newest pause or resume."""
    return next((d for d in reversed(decisions) if d.what in PAUSES), None)


def shown_range(r: OffsetRange) -> str:
    return f"{r.source} from {r.start} on" if r.end == FOREVER else str(r)


def encode(decisions: Sequence[Decided]) -> str:
    rows = [
        [d.what.value, d.at.isoformat(timespec="seconds"), d.who, d.why, d.about, rows_of(d.ranges)] for d in decisions
    ]
    return json.dumps(rows, separators=(",", ":"))


def decode(text: str) -> tuple[Decided, ...]:
    """Inverse of `encode`; raises ValueError, KeyError or TypeError for any other text."""
    out = []
    for what, at, who, why, about, topics in json.loads(text):
        out.append(Decided(What(what), datetime.fromisoformat(at), who, why, about, ranges_of(topics)))
    return tuple(out)


def rows_of(ranges: Iterable[OffsetRange]) -> dict[str, list[object]]:
    """*ranges* by topic id, for JSON."""
    topics: dict[str, list[object]] = {}
    for r in sorted(ranges):
        numbers = [r.source.partition, r.start] + ([r.end] if r.end != FOREVER else [])
        topics.setdefault(r.source.topic_id, [r.source.topic]).append(numbers)
    return topics


def ranges_of(topics: Mapping[str, Any]) -> tuple[OffsetRange, ...]:
    """Inverse of `rows_of`; in order."""
    ranges = [
        OffsetRange(Source(topic, topic_id, partition), start, *(end or [FOREVER]))
        for topic_id, (topic, *rows) in topics.items()
        for partition, start, *end in rows
    ]
    return tuple(sorted(ranges))


def about(start: datetime, end: datetime) -> str:
    """Text of a decision about records of `[start, end)`."""
    return f"{_ABOUT}{start.isoformat()} to {end.isoformat()}"


def times(said: Decided) -> tuple[datetime, datetime]:
    """Inverse of `about`."""
    start, end = said.about.removeprefix(_ABOUT).split(" to ")
    return datetime.fromisoformat(start), datetime.fromisoformat(end)
