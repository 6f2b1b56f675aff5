"""What a compaction says of files that stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from lakelock.errors import LakelockError, Retryable
from lakelock.model.units import counted, format_duration
from lakelock.upkeep import compact_decision as decisions
from lakelock.upkeep.compact_bins import Bin
from lakelock.upkeep.compact_decision import CompactPlan, FileGroup

# Most reasons that are listed one by one for a group's bins.
SHOWN = 5


def left_of(planned: CompactPlan, after_ms: int) -> tuple[str, ...]:
    left = [
        f"{counted(count, 'file')} {'stays' if count == 1 else 'stay'}: {why}" for why, count in planned.left.items()
    ]
    if planned.young:
        age = format_duration(timedelta(milliseconds=after_ms))
        left.append(f"{counted(planned.young, 'small file')} younger than maintenance.compact_after ({age})")
    return tuple(left)


def beyond(later: Sequence[FileGroup]) -> tuple[str, ...]:
    said = decisions.postponed(later)
    return (f"{said}: one run makes at most {decisions.MOST_COMMITS} commits",) if said else ()


def over(later: Sequence[FileGroup], within_ms: int) -> str:
    limit = format_duration(timedelta(milliseconds=within_ms))
    return f"{decisions.postponed(later)}: maintenance.compact_within ({limit}) has passed"


def staying(group: FileGroup, left: Mapping[int, str]) -> list[str]:
    """A line per reason. A reason with a file name differs for each bin, so only the first few are listed."""
    by_reason: dict[str, list[Bin]] = {}
    for n, why in left.items():
        by_reason.setdefault(why, []).append(group.bins[n])
    lines = [stay(replace(group, bins=tuple(some)), why) for why, some in by_reason.items()]
    if len(lines) <= SHOWN:
        return lines
    others = [one for some in list(by_reason.values())[SHOWN:] for one in some]
    return [*lines[:SHOWN], stay(replace(group, bins=tuple(others)), "for similar reasons")]


def stay(group: FileGroup, why: str) -> str:
    return f"{group.line} stay: {why}"


def reported_fault(table: str, faults: Sequence[tuple[FileGroup, LakelockError]], of: int) -> LakelockError:
    """One error for all groups, of a class that needs an operator if there is one."""
    first = next((f for _, f in faults if not isinstance(f, Retryable)), faults[0][1])
    said = "; ".join(f"{group.line}: {fault}" for group, fault in faults[:3])
    more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
    return type(first)(f"table {table}: {len(faults)} of {of} groups were not compacted: {said}{more}")
