"""The preview of a decision about offsets that will not be read, by table, which a person approves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.model.coverage import Kind
from lakelock.model.offsets import FOREVER, OffsetRange, Source, without
from lakelock.model.operator_log import What, ranges_of, rows_of, shown_range
from lakelock.model.units import counted


@dataclass(frozen=True, slots=True)
class Which:
    """Selects the decision and its sources: all topics and partitions if none is named."""

    what: What
    topic: str | None = None
    partition: int | None = None
    start: int | None = None
    end: int | None = None

    def takes(self, source: Source) -> bool:
        return self.topic in {None, source.topic} and self.partition in {None, source.partition}

    @property
    def kind(self) -> Kind:
        """What the offsets become in coverage."""
        return Kind.RETIRED if self.what is What.RETIRE else Kind.ACCEPTED_LOSS

    @property
    def fault(self) -> str | None:
        """Why the selection is not valid, or None."""
        if (self.start is None) != (self.end is None):
            return "use --from and --to together"
        if self.start is not None and (self.topic is None or self.partition is None):
            return "--from and --to need --topic and --partition"
        if self.partition is not None and self.what is What.REBIND:
            return "a topic is rebound as a whole: omit --partition"
        if self.start is not None and self.end is not None and self.start >= self.end:
            return "--from must be before --to"
        return "--partition needs --topic" if self.partition is not None and self.topic is None else None

    @property
    def about(self) -> str:
        if self.topic is None:
            return "all topics"
        return self.topic if self.partition is None else f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class TableGaps:
    """Offsets that one table will never get; *left_out* says why nothing is decided about the table.

    *cut* planned batches are given up: they cannot be read as they are, even if the table lacks nothing. *unreadable*
    are their offsets that can no longer be read.
    """

    table: str
    gaps: tuple[tuple[OffsetRange, Kind], ...] = ()
    cut: int = 0
    unreadable: tuple[OffsetRange, ...] = ()
    left_out: str = ""

    @property
    def ranges(self) -> list[OffsetRange]:
        return [r for r, _ in self.gaps]

    @property
    def lines(self) -> list[str]:
        if self.left_out:
            return [f"{self.table}: left out: {self.left_out}"]
        out = []
        for r, kind in self.gaps:
            becomes = "is lost" if kind is Kind.ACCEPTED_LOSS else "is no longer read"
            out.append(f"{self.table}: {shown_range(r)} {becomes}")
        if self.cut:
            out.append(f"{self.table}: {_given_up(self.cut)}")
        return out


@dataclass(frozen=True, slots=True)
class ApprovedGaps:
    """The approved decision, which nothing declared exceeds.

    *gaps* by table, *moving* are ranges that frontiers skip, *onto* is the topic id to continue with.
    """

    gaps: Mapping[str, Sequence[OffsetRange]] = field(default_factory=dict)
    moving: Sequence[OffsetRange] = ()
    onto: str = ""

    @property
    def text(self) -> str:
        gaps = {table: rows_of(ranges) for table, ranges in self.gaps.items()}
        return json.dumps({"gaps": gaps, "moving": rows_of(self.moving), "onto": self.onto})

    @classmethod
    def of(cls, text: str) -> ApprovedGaps:
        found = json.loads(text)
        gaps = {table: ranges_of(rows) for table, rows in found["gaps"].items()}
        return cls(gaps, ranges_of(found["moving"]), found["onto"])

    def beyond(self, now: ApprovedGaps) -> list[str]:
        """The parts of *now* that exceed this approval."""
        more = [
            f"{table}: {shown_range(r)}"
            for table, ranges in now.gaps.items()
            for r in without(ranges, self.gaps.get(table, ()))
        ]
        if not more:
            more = [shown_range(r) for r in without(now.moving, self.moving)]
        return more if self.onto == now.onto else [*more, f"the topic of id {now.onto}"]


@dataclass(frozen=True, slots=True)
class GapPlan:
    """The preview of a decision. *gaps* are ranges that frontiers skip, *moving* the frontiers that move.

    *onto* is the id of the topic to continue with. Batches of a route that are *undecided* are given up.
    """

    which: Which
    gaps: tuple[OffsetRange, ...]
    moving: tuple[tuple[Source, int, int], ...]
    tables: tuple[TableGaps, ...]
    notes: tuple[str, ...] = ()
    onto: str = ""
    undecided: int = 0

    @property
    def idle(self) -> bool:
        """Whether nothing can be done now; tables that were left out may still need the decision."""
        return not self.moving and not self.undecided and not any(t.gaps or t.cut for t in self.tables)

    @property
    def nothing(self) -> bool:
        return self.idle and not any(t.left_out for t in self.tables)

    @property
    def shown(self) -> ApprovedGaps:
        gaps = {t.table: t.ranges for t in self.tables if t.gaps}
        return ApprovedGaps(gaps, [OffsetRange(*moving) for moving in self.moving], self.onto)

    @property
    def lines(self) -> list[str]:
        """The preview that a person approves."""
        done = (
            ": nothing is left to decide" if self.nothing else ": nothing more can be decided now" if self.idle else ""
        )
        out = [f"{self.which.what.value} {self.which.about}{done}", *self.notes]
        out += [line for t in self.tables for line in t.lines]
        if self.undecided:
            out.append(f"routes: {_given_up(self.undecided)}")
        for source, before, after in self.moving:
            place = "is no longer read" if after == FOREVER else f"continues at {after}"
            out.append(f"{source}: was read up to {before}, {place}")
        return out


def _given_up(batches: int) -> str:
    return f"gives up {counted(batches, 'planned batch', 'planned batches')}, and plans the other offsets again"
