"""Decide which manifests to rewrite so that a reader opens few: many small ones, and overlapping ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lakelock.errors import BooksUnbalanced, State
from lakelock.model.table_files import Manifest, size_in

# Iceberg's default for the table's property.
DEFAULT_TARGET_BYTES = 8 << 20
TARGET_PROPERTY = "commit.manifest.target-size-bytes"
MERGE_PROPERTY = "commit.manifest-merge.enabled"
# A manifest of half these files, or of half the target's bytes, is full: commits no longer merge it.
MERGE_FILES = 4_000
# A spec is rewritten if it has more small manifests than this, or more full ones whose bounds share a partition value.
MOST_SMALL = 20
MOST_OVERLAPPING = 4
# Limits of one commit, so that it is quick beside others and its entries fit into memory. It takes three manifests in
# any case, of which it makes at most two that overlap at any value.
MOST_FILES = 16_000
MOST_BYTES = 8 << 20
LEAST_MANIFESTS = 3

# Nulls come before all values, NaN behind them.
NULL: tuple[Any, ...] = (0,)
NAN: tuple[Any, ...] = (2,)


@dataclass(frozen=True, slots=True)
class ManifestGroup:
    """Manifests of one partition spec that are due, ordered by their partition values."""

    manifests: tuple[Manifest, ...]

    @property
    def part(self) -> tuple[Manifest, ...]:
        """The first manifests, as many as one commit takes."""
        files = size_bytes = 0
        for n, manifest in enumerate(self.manifests):
            files, size_bytes = files + manifest.files, size_bytes + manifest.size_bytes
            if n >= LEAST_MANIFESTS and (files > MOST_FILES or size_bytes > MOST_BYTES):
                return self.manifests[:n]
        return self.manifests


@dataclass(frozen=True, slots=True)
class Entries:
    """Numbers of data files that manifests name, and of their rows."""

    files: int
    rows: int


def placed(value: Any) -> tuple[Any, ...]:
    """The sort key of a partition value among others of its field."""
    if value is None:
        return NULL
    return NAN if value != value else (1, value)  # noqa: PLR0124


def target_bytes(properties: Mapping[str, str]) -> int:
    """The target size of manifests under these table properties; an invalid value counts as none."""
    return size_in(properties, TARGET_PROPERTY, DEFAULT_TARGET_BYTES)


def merges(properties: Mapping[str, str]) -> bool:
    """Whether commits merge small manifests."""
    return properties.get(MERGE_PROPERTY, "true").lower() != "false"


def due(manifests: Iterable[Manifest], target_bytes: int) -> list[ManifestGroup]:
    """At most one group per spec; none if a rewrite would reproduce the current manifests."""
    by_spec: dict[int, list[Manifest]] = {}
    for manifest in sorted(manifests, key=lambda m: (m.partitioning, m.low, m.high, m.path)):
        by_spec.setdefault(manifest.partitioning, []).append(manifest)
    found: list[ManifestGroup] = []
    for of_spec in by_spec.values():
        small = [m for m in of_spec if m.files < MERGE_FILES // 2 and m.size_bytes < target_bytes // 2]
        if len(small) > MOST_SMALL:
            found.append(ManifestGroup(tuple(small)))
            continue
        # A few small ones cost a reader the same wherever their files are.
        crowd = overlapping([m for m in of_spec if m not in small])
        if len(crowd) > MOST_OVERLAPPING:
            found.append(ManifestGroup(tuple(crowd)))
    return found


def overlapping(manifests: Sequence[Manifest]) -> list[Manifest]:
    """The manifests that a filter on one partition value opens, for the value that opens most.

    *manifests* are in order. Looks at the first field in which they differ, which also orders them. A manifest with a
    single value of it does not count, because its files could be nowhere else.
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
    """Raise BooksUnbalanced unless the new manifests name as many files and rows as the old ones, by each count."""
    for count in before:
        if count != after:
            raise BooksUnbalanced(
                f"{table}: manifests that list {count.files} data files with {count.rows} rows would be replaced by some that "
                f"list {after.files} with {after.rows} rows.",
                State.NOTHING_CHANGED,
            )
