"""The last line of a campaign: what it ran, of how much, and what it found; `campaigns.long` reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

COUNTS = ("lost", "doubled", "violated", "unseen")
_LINE = re.compile(r"^in all: ([\d,]+)(?: of ([\d,]+))? (.+?)(?:; ((?:[a-z]+ \d+(?:, )?)+))?$", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """*ran* of *of*, which is None where there is no end of them; *counts* has those of `COUNTS` that the campaign knows."""

    ran: int
    of: int | None
    what: str
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float | None:
        return self.ran / self.of if self.of else None

    @property
    def line(self) -> str:
        of = "" if self.of is None else f" of {self.of:,}"
        counts = ", ".join(f"{name} {self.counts[name]}" for name in COUNTS if name in self.counts)
        return f"in all: {self.ran:,}{of} {self.what}" + (f"; {counts}" if counts else "")


def read(text: str) -> Result | None:
    """The last that *text* has."""
    found = list(_LINE.finditer(text))
    if not found:
        return None
    ran, of, what, counts = found[-1].groups()
    pairs = (pair.split() for pair in counts.split(", ")) if counts else ()
    return Result(_number(ran), _number(of) if of else None, what, {name: int(n) for name, n in pairs})


def _number(text: str) -> int:
    return int(text.replace(",", ""))
