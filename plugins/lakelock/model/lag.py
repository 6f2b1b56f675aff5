"""How many offsets tables are behind, according to their ledgers."""

from __future__ import annotations

from collections.abc import Mapping

from lakelock.model.coverage import Coverage
from lakelock.model.offsets import Source


def positions(ledgers: Mapping[str, Coverage]) -> dict[Source, int]:
    """Per source, the offset that every table declaring it has passed."""
    reached: dict[Source, int] = {}
    for coverage in ledgers.values():
        for source, covered in coverage.items():
            reached[source] = min(reached.get(source, covered.prefix_end), covered.prefix_end)
    return reached


def table_lag(coverage: Coverage | None, ends: Mapping[Source, int], starts: Mapping[Source, int]) -> int:
    """Offsets up to *ends* that the table has not passed; undeclared sources count from *starts*."""
    behind = 0
    for source, end in ends.items():
        covered = coverage.get(source) if coverage is not None else None
        reached = covered.prefix_end if covered is not None else starts.get(source, 0)
        behind += max(0, end - reached)
    return behind
