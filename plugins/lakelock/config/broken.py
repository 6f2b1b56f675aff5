"""A rule of a pipeline file that does not hold."""

from __future__ import annotations

from dataclasses import dataclass

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that does not hold: where to look, and every path it was decided on (any position stands for all)."""

    path: Path
    message: str
    decided_on: tuple[Path, ...] = ()
