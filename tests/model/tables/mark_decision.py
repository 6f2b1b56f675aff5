"""Decide the mark of a pipeline: the offsets that are complete in every table, except in those that it names as behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, overlap, without

from model.tables.fill_decision import adding


@dataclass(frozen=True, slots=True)
class Mark:
    """*behind* has, per table, the marked ranges that the table lacks."""

    complete: Coverage = field(default_factory=Coverage)
    behind: Mapping[str, tuple[OffsetRange, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LiveRange:
    """A range of a live batch in the log. *landed*: all dead letters of the batch are in the dead-letter table."""

    range: OffsetRange
    config_digest: str
    closed: bool
    landed: bool


def advanced(
    mark: Mark,
    planned: Iterable[LiveRange],
    open_parts: Mapping[str, Sequence[OffsetRange]],
    config_of: Callable[[OffsetRange], str | None],
) -> Mark:
    """The mark that may be written now. *config_of* gives the registered configuration of a range; *open_parts* are of all lanes.

    A source's mark ends at the first range that is not closed, whose dead letters have not landed, or whose configuration
    is not the registered one.
    """
    complete, ended = mark.complete, set()
    for live in sorted(planned, key=lambda p: p.range):
        source = live.range.source
        if source in ended or complete.contains(live.range):
            continue
        if live.closed and live.landed and config_of(live.range) == live.config_digest:
            complete = adding(complete, complete.lacking(live.range), 0)
        else:
            ended.add(source)
    behind = {table: tuple(overlap(ranges, complete.ranges)) for table, ranges in sorted(open_parts.items())}
    return Mark(complete, {table: ranges for table, ranges in behind.items() if ranges})


def implied(mark: Mark, table: str, is_registered: bool) -> tuple[OffsetRange, ...]:
    """Ranges in which the mark says that *table* is complete. It says so only of the table whose UUID is registered."""
    return tuple(without(mark.complete.ranges, mark.behind.get(table, ()))) if is_registered else ()


def effective(own: Coverage, says: Sequence[OffsetRange], owed: Sequence[OffsetRange], generation: int) -> Coverage:
    """The offsets in which a table is complete: its *own* coverage, and what the mark *says* of it, but for what it owes."""
    return adding(own, without(says, [*own.ranges, *owed]), generation)


def shrinks(before: Mark, after: Mark) -> bool:
    return bool(without(before.complete.ranges, after.complete.ranges))
