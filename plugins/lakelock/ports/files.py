"""Files of a table: live ones, lakelock's own ones, and deletion."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lakelock.model.layouts import Layout
from lakelock.model.table_files import Compared, LiveFile, Manifest, OfTime, OwnFile, RowsOf
from lakelock.model.versions import ColumnSet, Lineage
from lakelock.ports.tables import TableState


@dataclass(frozen=True, slots=True)
class Stranded:
    """Files that nothing references any longer, and their total size as far as it is recorded."""

    paths: tuple[str, ...] = ()
    size_bytes: int = 0


class Storage(Protocol):
    """A table's referenced files, and the files in its folders. Raises Unreachable, AccessDenied, TableUnfit."""

    def lineage(self, state: TableState) -> Lineage: ...

    def column_sets(self, state: TableState, staged: Collection[str]) -> Sequence[ColumnSet]:
        """All that the table's metadata has; *staged* are the layouts (tokens) of files that may still be committed."""
        ...

    def stranded(
        self,
        before: TableState,
        version_ids: Sequence[int],
        now: TableState | None = None,
        besides: Collection[str] = (),
    ) -> Stranded:
        """Files that only the versions *version_ids* of *before* reference.

        They are not referenced by the table as it is *now*, or if None by the other versions. Names in *besides* are
        excluded.
        """
        ...

    def live_files(self, state: TableState) -> Iterable[LiveFile]:
        """Data files of the branch's head."""
        ...

    def live_among(self, state: TableState, paths: Collection[str], read: dict[str, Any]) -> Iterable[LiveFile]:
        """Live files among *paths*. *read*, empty at first, caches manifest contents for the next call.

        A path added to *paths* later must not have been referenced by earlier commits.
        """
        ...

    def unfit(self, state: TableState, files: Sequence[LiveFile]) -> Mapping[str, str]:
        """Those *files* that cannot be rewritten according to their footers: path to reason."""
        ...

    def candidates(self, state: TableState, rows: RowsOf) -> Iterable[LiveFile]:
        """Live data files, except those whose manifest entries rule out all of *rows*."""
        ...

    def rows_within(self, state: TableState, rows: RowsOf, paths: Sequence[str]) -> Mapping[str, int]:
        """Number of *rows* in each file that has any. Raises TableUnfit if a file is gone."""
        ...

    def of_time(
        self, state: TableState, rows: RowsOf, moment: str | None, between_ms: tuple[int, int]
    ) -> Mapping[int, OfTime]:
        """The *rows* that are, or may be, within a time interval, by partition.

        The value of column *moment* is in `[from, to)` of *between_ms* or null, or there is no such column. Rows that
        delete files hide are counted. Raises TableUnfit if a file is gone, unless its manifest entry rules out all of
        *rows*.
        """
        ...

    def compared(
        self, state: TableState, rows: RowsOf, old: Sequence[str], new: Collection[str]
    ) -> Mapping[int, Compared]:
        """Compare offsets of *rows* in the *old* and *new* files, by partition, with an engine other than the writer.

        Raises TableUnfit if a file is gone.
        """
        ...

    def layout(self, state: TableState, partitioning: int) -> Layout:
        """The table's layout, but with another *partitioning* of the table."""
        ...

    def landed(self, state: TableState) -> frozenset[int]:
        """Partitionings of the table without partitions, if files that are written now have some."""
        ...

    def manifests(self, state: TableState) -> Iterable[Manifest]:
        """Data manifests of the branch's head, from its manifest list."""
        ...

    def own_files(self, state: TableState) -> Iterable[OwnFile]:
        """All files in the table's folders that lakelock wrote for this table, referenced or not."""
        ...

    def named(self, state: TableState) -> set[str]:
        """Names (not paths) of all files that any version of the table needs, on any branch."""
        ...

    def delete(self, state: TableState, paths: Sequence[str]) -> int:
        """Delete *paths* and return how many were deleted; files that cannot be deleted now are logged and stay."""
        ...
