"""How the table's own ledger accounts for the offsets of the demo's topic, with a row or without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lakelock.model.coverage import Coverage, Kind, SourceCoverage
from lakelock.model.offsets import merged, missing
from lakelock.model.units import counted

# Offsets [start, end) of each partition.
Spans = Mapping[int, tuple[int, int]]
# Ranges [start, end) of each partition, in order.
Ranges = Mapping[int, Sequence[tuple[int, int]]]


class WithoutRow(NamedTuple):
    """Committed offsets that are no rows: open dead letters, tombstones that the file skips, and offsets without a record."""

    dead: int = 0
    filtered: int = 0
    no_record: int = 0

    @property
    def offsets(self) -> int:
        return sum(self)

    def __str__(self) -> str:
        parts = {
            counted(self.dead, "open dead letter"): self.dead,
            counted(self.filtered, "skipped tombstone"): self.filtered,
            counted(self.no_record, "offset") + " without a record": self.no_record,
        }
        return ", ".join(text for text, number in parts.items() if number)


@dataclass(frozen=True, slots=True)
class Accounts:
    """The offsets of a topic by partition.

    * `spans` has all offsets: Kafka's, and those that Kafka has deleted and the table has.
    * `left_out` are ranges that must have no rows: left out by decision, before the table's start, or not loaded yet by
      a backfill; `requested` counts the last ones.
    * `without_row` counts others that have no row.
    * `to_come` counts offsets that are in none of these, and not rows yet.
    """

    spans: Spans
    left_out: Ranges = field(default_factory=dict)
    without_row: Mapping[int, WithoutRow] = field(default_factory=dict)
    to_come: int = 0
    requested: int = 0

    @property
    def offsets(self) -> int:
        return sum(end - start for start, end in self.spans.values())

    @property
    def offsets_left_out(self) -> int:
        """Those that wait for a backfill included."""
        return sum(end - start for ranges in self.left_out.values() for start, end in ranges)

    @property
    def all_without_row(self) -> WithoutRow:
        return WithoutRow(*(sum(column) for column in zip(*self.without_row.values(), strict=True)))

    @property
    def rows(self) -> int:
        """Number of rows of a complete table."""
        return self.offsets - self.offsets_left_out - self.all_without_row.offsets


def accounts(topic: str, kafka: Spans, coverage: Coverage) -> Accounts:
    """Account for *topic*, of which Kafka has the offsets *kafka*, by the table's *coverage*."""
    spans: dict[int, tuple[int, int]] = {}
    left_out: dict[int, list[tuple[int, int]]] = {}
    without_row: dict[int, WithoutRow] = {}
    to_come = requested = 0
    for partition, (low, end) in kafka.items():
        covered = _covered(topic, partition, coverage)
        if covered is None:
            spans[partition], to_come = (low, end), to_come + end - low
            continue
        start = min(low, covered.start_offset)
        data = [(i.start, i.end) for i in covered.data]
        gaps = [(i.start, i.end) for i in covered.intervals if i.kind is not Kind.DATA]
        before = missing(start, min(covered.start_offset, end), data)
        out = _within(start, end, [*gaps, *covered.requested, *before])
        spans[partition] = (start, end)
        requested += sum(b - a for a, b in _within(start, end, covered.requested))
        if out:
            left_out[partition] = out
        totals = covered.totals
        no_record = sum(b - a for a, b in data) - totals.read
        if any(none := WithoutRow(totals.dead, totals.filtered, no_record)):
            without_row[partition] = none
        to_come += sum(b - a for a, b in missing(start, end, [*data, *out]))
    return Accounts(spans, left_out, without_row, to_come, requested)


def _covered(topic: str, partition: int, coverage: Coverage) -> SourceCoverage | None:
    """The partition's coverage; of the newest topic if an earlier one of this name is retired."""
    found = [c for s, c in sorted(coverage.items()) if (s.topic, s.partition) == (topic, partition)]
    return next((c for c in found if not c.retired), found[-1] if found else None)


def _within(start: int, end: int, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(max(a, start), min(b, end)) for a, b in merged(ranges) if max(a, start) < min(b, end)]
