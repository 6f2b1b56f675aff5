"""Which manifests of a table are written anew, so that a reader opens few of them: many small ones, and those that overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lakelock.errors import BooksUnbalanced, State
from lakelock.model.table_files import Manifest, size_in

# What Iceberg takes where the table's property says nothing.
DEFAULT_TARGET_BYTES = 8 << 20
TARGET_PROPERTY = "commit.manifest.target-size-bytes"
MERGE_PROPERTY = "commit.manifest-merge.enabled"
# A manifest of half the files, or of half the target's bytes, is full: commits merge it with no other.
MERGE_FILES = 4_000
# More small ones of a spec than this, or more full ones whose bounds have one partition value, are written anew.
MOST_SMALL = 20
MOST_OVERLAPPING = 4
# One commit takes at most this much, so that it is quick enough beside others, and its entries fit into memory; but three
# manifests, of which it makes at most two that overlap at any value.
MOST_FILES = 16_000
MOST_BYTES = 8 << 20
LEAST_MANIFESTS = 3

# Nulls come before all values, NaN behind them.
NULL: tuple[Any, ...] = (0,)
NAN: tuple[Any, ...] = (2,)


@dataclass(frozen=True, slots=True)
class ManifestGroup:
    """Manifests of one partition spec that are due, in order of their partition values."""

    manifests: tuple[Manifest, ...]

    @property
    def part(self) -> tuple[Manifest, ...]:
        """As many as one commit takes, from the first on."""
        files = size_bytes = 0
        for n, manifest in enumerate(self.manifests):
            files, size_bytes = files + manifest.files, size_bytes + manifest.size_bytes
            if n >= LEAST_MANIFESTS and (files > MOST_FILES or size_bytes > MOST_BYTES):
                return self.manifests[:n]
        return self.manifests


@dataclass(frozen=True, slots=True)
class Entries:
    """How many data files manifests name, and how many rows these have."""

    files: int
    rows: int


def placed(value: Any) -> tuple[Any, ...]:
    """A partition value as it is ordered among others of its field."""
    if value is None:
        return NULL
    return NAN if value != value else (1, value)  # noqa: PLR0124


def target_bytes(properties: Mapping[str, str]) -> int:
    """The size that manifests of a table with these properties are to have."""
    return size_in(properties, TARGET_PROPERTY, DEFAULT_TARGET_BYTES)


def merges(properties: Mapping[str, str]) -> bool:
    """Whether commits merge small manifests on their way."""
    return properties.get(MERGE_PROPERTY, "true").lower() != "false"


def due(manifests: Iterable[Manifest], target_bytes: int) -> list[ManifestGroup]:
    """Of each spec at most one group; none where what would be written looked as what is there."""
    by_spec: dict[int, list[Manifest]] = {}
    for manifest in sorted(manifests, key=lambda m: (m.spec_id, m.low, m.high, m.path)):
        by_spec.setdefault(manifest.spec_id, []).append(manifest)
    found: list[ManifestGroup] = []
    for of_spec in by_spec.values():
        small = [m for m in of_spec if m.files < MERGE_FILES // 2 and m.size_bytes < target_bytes // 2]
        if len(small) > MOST_SMALL:
            found.append(ManifestGroup(tuple(small)))
            continue
        # A few small ones are as cheap for a reader wherever their files lie.
        crowd = overlapping([m for m in of_spec if m not in small])
        if len(crowd) > MOST_OVERLAPPING:
            found.append(ManifestGroup(tuple(crowd)))
    return found


def overlapping(manifests: Sequence[Manifest]) -> list[Manifest]:
    """Those that a filter on one partition value opens, for the value where they are most. *manifests* are in order.

    By the first field in which they differ, which is what they are ordered by. One that has a single value of it is not
    counted: its files could be nowhere else.
    """
    most: list[Manifest] = []
    fields = range(len(manifests[0].low) if manifests else 0)
    lead = next((i for i in fields if min(m.low[i] for m in manifests) != max(m.high[i] for m in manifests)), None)
    if lead is None:
        return most
    opened: list[Manifest] = []
    for manifest in manifests:
        if manifest.low[lead] < manifest.high[lead]:
            opened = [*(m for m in opened if m.high[lead] >= manifest.low[lead]), manifest]
            most = max(most, opened, key=len)
    return most


def check_books(table: str, before: Sequence[Entries], after: Entries) -> None:
    """Raises BooksUnbalanced unless the new manifests name as many files and rows as the old ones do, by each account."""
    for count in before:
        if count != after:
            raise BooksUnbalanced(
                f"{table}: manifests that name {count.files} data files of {count.rows} rows were to give way to some that name "
                f"{after.files} of {after.rows} rows.",
                State.NOTHING_CHANGED,
            )
