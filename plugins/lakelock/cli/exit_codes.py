"""How a command ends: its faults, its exit code, and how to repeat one that only showed what it would do."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from typing import Protocol

from lakelock.errors import LATER, LakelockError


def report_faults(faults: Mapping[str, LakelockError]) -> int:
    """Their exit code; *faults* are by pipeline or by table."""
    for name, problem in faults.items():
        print(f"lakelock: {name}: {problem}", file=sys.stderr)
    return exit_code(faults.values())


def exit_code(faults: Collection[LakelockError]) -> int:
    """3 if a later try may succeed without a fix."""
    if not faults:
        return 0
    return 3 if all(isinstance(fault, LATER) for fault in faults) else 1


class Preview(Protocol):
    """What a command would do."""

    @property
    def lines(self) -> list[str]: ...

    @property
    def nothing(self) -> bool: ...


def previewed(planned: Preview, *, yes: bool, more: str = "") -> bool:
    """Prints the preview; whether the command goes on: with *yes*, if there is anything to do. *more* are its other flags."""
    print("\n".join(planned.lines), flush=True)
    if not yes:
        suggest_yes(not planned.nothing, more)
    return yes and not planned.nothing


def suggest_yes(due: bool, more: str = "") -> None:
    """*due* is whether there is anything to do."""
    if due:
        print(f"Nothing was changed. Repeat with{more} --yes to do it.")
