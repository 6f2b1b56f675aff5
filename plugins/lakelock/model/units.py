"""Durations, sizes and counts in human notation: `5m`, `1h30m`, `64MiB`, `1 row`, `2 rows`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_BYTES_BY_LOWER = {unit.lower(): factor for unit, factor in _BYTES.items()}
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]+)")


def parse_duration(text: str) -> timedelta:
    """Raises ValueError; a number without a unit is refused as ambiguous."""
    compact = text.replace(" ", "")
    parts = _DURATION_PART.findall(compact)
    if not parts or "".join(number + unit for number, unit in parts) != compact:
        raise ValueError(f"{text!r} is not a duration: write a number and ms, s, m, h or d, such as 30s, 5m or 1h30m")
    milliseconds = round(sum(float(number) * _SECONDS[unit] * 1000 for number, unit in parts))
    if milliseconds <= 0:
        raise ValueError(f"{text!r} is not a duration above zero")
    return timedelta(milliseconds=milliseconds)


def format_duration(duration: timedelta) -> str:
    """The shortest text that `parse_duration` reads as the same duration (whole milliseconds)."""
    rest = round(duration / timedelta(milliseconds=1))
    out = ""
    for unit in ("d", "h", "m", "s", "ms"):
        count, rest = divmod(rest, round(_SECONDS[unit] * 1000))
        if count:
            out += f"{count}{unit}"
    return out or "0s"


def parse_size_bytes(text: str) -> int:
    """Raises ValueError. Units of 1000 (kB, MB, GB) and of 1024 (KiB, MiB, GiB); letter case does not matter."""
    match = _SIZE.fullmatch(text.strip())
    factor = _BYTES_BY_LOWER.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise ValueError(f"{text!r} is not a size: write a number and {', '.join(_BYTES)}, such as 64MiB")
    return round(float(match[1]) * factor)


def counted(count: int, what: str, several: str = "") -> str:
    """*count* with its noun, as in `1 dead letter`; *several* is the plural if an s does not form it."""
    return f"{count} {what}" if count == 1 else f"{count} {several or what + 's'}"


def cut(text: str, characters: int) -> str:
    """*text* cut to at most so many *characters*; a cut text ends in `…`."""
    return text if len(text) <= characters else text[: characters - 1] + "…"


def format_size(size_bytes: int) -> str:
    """Exact: the largest unit of 1024 that divides the size, else plain bytes."""
    for unit in ("GiB", "MiB", "KiB"):
        if size_bytes and size_bytes % _BYTES[unit] == 0:
            return f"{size_bytes // _BYTES[unit]}{unit}"
    return f"{size_bytes}B"


def amount(size_bytes: int) -> str:
    """A size for people: `12 B`, `3.4 MiB`."""
    size = float(size_bytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def one_line(text: object) -> str:
    return " ".join(str(text).split())


def as_reason(fault: object) -> str:
    """The message of a library's error, to stand in the middle of a sentence: one line, without its full stop."""
    return one_line(fault)[:300].rstrip(". ")


def shown(timestamp_ms: int) -> str:
    return datetime.fromtimestamp(timestamp_ms / 1000, UTC).isoformat(timespec="seconds")


def as_row(first: str, *rest: object) -> str:
    return f"  {first:32}" + "".join(f"  {x!s:>11}" for x in rest)


def milliseconds(duration: timedelta) -> int:
    return round(duration / timedelta(milliseconds=1))
