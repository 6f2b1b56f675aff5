"""How a command ends: its faults, its exit code, and how to repeat one that only showed what it would do."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping

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


def suggest_yes(due: bool, more: str = "") -> None:
    """*due* is whether there is anything to do."""
    if due:
        print(f"Nothing was changed. Repeat with{more} --yes to do it.")
