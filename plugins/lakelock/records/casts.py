"""Readings of a column that its pipeline file names: which field it takes, and in which forms values come.

Without a cast a value goes in exactly as its type says. *Forms* replace that rule, *additions* widen it, and *losses* are
what a person accepts to lose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal as Number

from lakelock.model.column_types import Boolean, ColumnType, Date, Decimal, Floating, Integer, Text, Time, Timestamp
from lakelock.model.type_notation import type_text
from lakelock.records.time_patterns import DATE_FIELDS, TIME_FIELDS, TimePattern

EPOCHS_US = {
    "epoch_s": Number(1_000_000),
    "epoch_ms": Number(1_000),
    "epoch_us": Number(1),
    "epoch_ns": Number("0.001"),
    "epoch_days": Number(86_400_000_000),
}
PATTERN = "pattern:"
# With the scale: decimals as Kafka Connect writes them, base64 text of the unscaled number's bytes.
UNSCALED = "unscaled:"
TIMES_US = {"time_ms": 1_000, "time_us": 1}
# The path of a record's whole value, which `$` names in a pipeline file.
WHOLE = ()
# By cast: the types of columns that take it.
_TIMES = (Date, Time, Timestamp)
_NUMBERS = (Integer, Floating, Decimal)
CASTS: dict[str, tuple[type, ...]] = {
    "json": (Text,),
    "stringify": (Text,),
    "rfc3339": _TIMES,
    **dict.fromkeys(EPOCHS_US, (Date, Timestamp)),
    "epoch_days": (Date,),
    "text": (*_NUMBERS, Boolean, Date, Timestamp),
    "integral": (Integer,),
    "round": _NUMBERS,
    "clamp": _NUMBERS,
    **dict.fromkeys(TIMES_US, (Time,)),
    "truncate_time": _TIMES,
    "null": (Text, Boolean, *_NUMBERS, *_TIMES),
}
FORMS = ("rfc3339", *EPOCHS_US, *TIMES_US)


@dataclass(frozen=True, slots=True)
class Reading:
    """*path* names the field, outer names first; *whole* takes the value itself. *casts* are those of `CASTS` and patterns.

    With *numbers*, unscaled decimals may be JSON numbers as well, which are the decimals themselves.
    """

    path: tuple[str, ...]
    casts: tuple[str, ...] = ()
    whole: bool = False
    numbers: bool = False

    @property
    def is_json(self) -> bool:
        return "json" in self.casts

    @property
    def scale(self) -> int | None:
        """That of unscaled decimals; None for values that are not."""
        return next((int(c.removeprefix(UNSCALED)) for c in self.casts if c.startswith(UNSCALED)), None)

    @property
    def forms(self) -> tuple[str, ...]:
        """In the order in which they are tried."""
        return tuple(c for c in self.casts if c in FORMS or c.startswith(PATTERN))


def _unfit_cast(kind: ColumnType, cast: str, casts: Sequence[str]) -> str | None:
    if cast.startswith(UNSCALED):
        return None if isinstance(kind, Decimal) else f"cast {cast!r} is for decimal, not for {type_text(kind)}"
    if not cast.startswith(PATTERN):
        return None if isinstance(kind, CASTS[cast]) else f"cast {cast!r} is not for {type_text(kind)}"
    return _unfit_pattern(kind, cast, casts)


def unfit_reading(kind: ColumnType, reading: Reading, zone: str | None) -> str | None:
    """Why a column of type *kind* cannot have this reading, as the end of a sentence; None if it can."""
    casts = reading.casts
    if reading.whole:
        fits = isinstance(kind, Text) and casts in ((), ("json",))
        return None if fits else "field '$' is the whole value, which only a string or json without other casts takes"
    for cast in casts:
        if why := _unfit_cast(kind, cast, casts):
            return why
    if len(casts) > 1 and any(c == "json" or c.startswith(UNSCALED) for c in casts):
        return "each of the casts json and unscaled stands alone"
    if kind == Timestamp(zoned=False) and zone is None and any(c in EPOCHS_US for c in casts):
        return "an epoch is an instant, so a column of type timestamp needs a zone for it (or make it timestamptz)"
    if "text" in casts and isinstance(kind, _TIMES) and not any(c in EPOCHS_US for c in casts):
        return "cast 'text' is for numbers, and there is no epoch among the casts"
    return None


def _unfit_pattern(kind: ColumnType, cast: str, casts: Sequence[str]) -> str | None:
    if not isinstance(kind, _TIMES):
        return f"cast {cast!r} is for date, time, timestamp and timestamptz, not for {type_text(kind)}"
    pattern = TimePattern.parse(cast.removeprefix(PATTERN))
    if isinstance(kind, Date | Timestamp) and not pattern.has_date:
        return f"cast {cast!r} has no year, month and day"
    if isinstance(kind, Time | Timestamp) and not pattern.has_time:
        return f"cast {cast!r} has no hour"
    if isinstance(kind, Time) and not pattern.fields <= TIME_FIELDS:
        return f"cast {cast!r} has a date or an offset, which a time cannot hold"
    if isinstance(kind, Date) and not pattern.fields <= DATE_FIELDS and "truncate_time" not in casts:
        return f"cast {cast!r} has more than a date, which only cast 'truncate_time' drops"
    return None
