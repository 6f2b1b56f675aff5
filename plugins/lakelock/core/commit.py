"""What a commit does with the staged parts of one table: append, mark, wait, write again, or stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.core.batch import Books, DataFile, StagedPart, covered_range
from lakelock.core.coverage import Coverage
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import OffsetRange, Source


@dataclass(frozen=True, slots=True)
class Standing:
    """The table as loaded now: identity and ledger that every decision below is made on."""

    uuid: str
    schema_id: int
    spec_id: int
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Decision:
    """Disjoint outcomes for the staged parts of one table, each in planning order.

    *append* lands in one snapshot with `coverage`; *mark* is in the table already; *waiting* must not land yet, with
    the reason, and `hole` says what is missing before the first of them; *rewrite* was written for another schema or
    spec; *refused* overlaps what is there without being in it, or was staged under another generation, and needs a
    person; *replaced* was written for another table.
    """

    append: tuple[StagedPart, ...] = ()
    mark: tuple[StagedPart, ...] = ()
    waiting: tuple[tuple[StagedPart, str], ...] = ()
    rewrite: tuple[tuple[StagedPart, str], ...] = ()
    refused: tuple[tuple[StagedPart, str], ...] = ()
    replaced: tuple[StagedPart, ...] = ()
    hole: str | None = None
    coverage: Coverage = field(default_factory=Coverage)

    @property
    def files(self) -> tuple[DataFile, ...]:
        return tuple(f for part in self.append for f in part.result.files)

    @property
    def books(self) -> tuple[Books, ...]:
        return tuple(b for part in self.append for b in part.result.books)


def decide(
    parts: Sequence[StagedPart],
    standing: Standing,
    starts: Mapping[Source, int],
    dead_letters: Coverage,
) -> Decision:
    """Decides each part in planning order against the coverage that the parts before it leave.

    *starts* gives the declared start of sources the ledger does not know. *dead_letters* is what the dead-letter table
    covers. Parts of that table itself have no order to keep, because it holds only the ranges that have dead letters.
    """
    coverage = standing.ledger.coverage
    append: list[StagedPart] = []
    mark: list[StagedPart] = []
    waiting: list[tuple[StagedPart, str]] = []
    rewrite: list[tuple[StagedPart, str]] = []
    refused: list[tuple[StagedPart, str]] = []
    replaced: list[StagedPart] = []
    hole: str | None = None
    for part in sorted(parts, key=lambda p: p.sequence):
        identity = part.result.identity
        if identity.uuid != standing.uuid:
            replaced.append(part)
        elif all(coverage.contains(r) for r in part.ranges):
            mark.append(part)
        elif overlap := [r for r in part.ranges if coverage.touches(r)]:
            refused.append((part, f"{_listed(overlap)} is in the table only in part"))
        elif identity.generation != standing.ledger.generation:
            refused.append(
                (part, f"staged under generation {identity.generation}, the table is at {standing.ledger.generation}")
            )
        elif (identity.schema_id, identity.spec_id) != (standing.schema_id, standing.spec_id):
            rewrite.append(
                (
                    part,
                    f"written under schema {identity.schema_id} and partition spec {identity.spec_id}, the table now has "
                    f"{standing.schema_id} and {standing.spec_id}",
                )
            )
        elif not part.result.target and (gap := _gap(part, coverage, starts)):
            hole = hole if waiting else gap
            waiting.append((part, gap))
        elif not part.result.target and (owed := _owed(part, dead_letters)):
            waiting.append((part, f"the dead letters of {_listed(owed)} are not in the dead-letter table yet"))
        else:
            append.append(part)
            coverage = coverage.adding(part.ranges, starts, standing.ledger.generation)
    return Decision(
        tuple(append), tuple(mark), tuple(waiting), tuple(rewrite), tuple(refused), tuple(replaced), hole, coverage
    )


def _gap(part: StagedPart, coverage: Coverage, starts: Mapping[Source, int]) -> str | None:
    """Why the part would leave a hole: coverage is a prefix of each source, from its declared start."""
    for r in part.ranges:
        held = coverage.get(r.source)
        reached = held.prefix_end if held else starts.get(r.source, r.start)
        if reached < r.start:
            return f"{r.source} [{reached}, {r.start}) comes first and has not landed"
    return None


def _owed(part: StagedPart, dead_letters: Coverage) -> list[OffsetRange]:
    dead = [b.range for b in part.result.books if b.dead]
    return [r for r in dead if not dead_letters.contains(covered_range(r, part.result.table))]


def _listed(ranges: Sequence[OffsetRange]) -> str:
    shown = ", ".join(str(r) for r in ranges[:3])
    return shown if len(ranges) <= 3 else f"{shown} and {len(ranges) - 3} more"


def due(
    staged_bytes: int, oldest_age_s: float, has_rows: bool, min_bytes: int, max_latency_s: float, now: bool
) -> bool:
    """Whether staged parts are to be committed. Offsets without rows may wait longer: they only save re-reading."""
    patience_s = max_latency_s if has_rows else max(max_latency_s * 5, 300.0)
    return now or staged_bytes >= min_bytes or oldest_age_s >= patience_s
