"""The end of a command: its errors, its exit code, and the hint to repeat a preview with --yes."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from typing import Protocol

from lakelock.errors import LATER, LakelockError


def report_faults(faults: Mapping[str, LakelockError]) -> int:
    """Print *faults*, by pipeline or table, and return their exit code."""
    for name, problem in faults.items():
        print(f"lakelock: {name}: {problem}", file=sys.stderr)
    return exit_code(faults.values())


def exit_code(faults: Collection[LakelockError]) -> int:
    """0 without faults; 3 if a later try may succeed without a fix, else 1."""
    if not faults:
        return 0
    return 3 if all(isinstance(fault, LATER) for fault in faults) else 1


class Preview(Protocol):
    """The preview of a command."""

    @property
    def lines(self) -> list[str]: ...

    @property
    def nothing(self) -> bool: ...


def previewed(planned: Preview, *, yes: bool, more: str = "") -> bool:
    """Print the preview; whether to continue: with *yes*, if there is anything to do. *more* are other flags."""
    print("\n".join(planned.lines), flush=True)
    if not yes:
        suggest_yes(not planned.nothing, more)
    return yes and not planned.nothing


def suggest_yes(due: bool, more: str = "") -> None:
    """Print how to repeat the command with --yes, if there is anything to do (*due*)."""
    if due:
        print(f"Nothing was changed. Repeat with{more} --yes to run it.")
