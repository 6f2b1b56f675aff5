"""Files of a table: which are live, which are lakelock's own, and their removal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lakelock.model.table_files import Compared, Lineage, LiveFile, Manifest, OfTime, OwnFile, RowsOf
from lakelock.ports.tables import TableState


@dataclass(frozen=True, slots=True)
class Stranded:
    """Files that nothing names any more, with the bytes they take as far as somebody wrote that down."""

    paths: tuple[str, ...] = ()
    size_bytes: int = 0


class Storage(Protocol):
    """What a table's snapshots name and what lies in its folders. Raises Unreachable, AccessDenied, TableUnfit."""

    def lineage(self, state: TableState) -> Lineage: ...

    def stranded(
        self,
        before: TableState,
        snapshot_ids: Sequence[int],
        now: TableState | None = None,
        besides: Collection[str] = (),
    ) -> Stranded:
        """What only the snapshots *snapshot_ids* of *before* name, and nothing that the table has *now*, or without them.

        Files whose names are in *besides* are none of them.
        """
        ...

    def live_files(self, state: TableState) -> Iterable[LiveFile]:
        """The data files that the branch shows."""
        ...

    def live_among(self, state: TableState, paths: Collection[str], read: dict[str, Any]) -> Iterable[LiveFile]:
        """Those of *paths*. *read*, empty at first, keeps what was read of them for the next call.

        A path that comes to *paths* later must be one that no commit has named before.
        """
        ...

    def unfit(self, state: TableState, files: Sequence[LiveFile]) -> Mapping[str, str]:
        """Why some of *files*, by path, cannot be rewritten, as their own footers tell."""
        ...

    def candidates(self, state: TableState, rows: RowsOf) -> Iterable[LiveFile]:
        """The data files that the branch shows, without those that have none of *rows* by what manifests say."""
        ...

    def inside(self, state: TableState, rows: RowsOf, paths: Sequence[str]) -> Mapping[str, int]:
        """How many of *rows* each of the table's files has, where it has any. A file that is gone is TableUnfit."""
        ...

    def of_time(
        self, state: TableState, rows: RowsOf, moment: str | None, between_ms: tuple[int, int]
    ) -> Mapping[int, OfTime]:
        """Which of *rows* the table's files have that are of a time, or may be, by partition: their column *moment* lies in
        `[from, to)` of *between_ms*, or has nothing, or there is none. Rows that delete files hide are counted. A file that
        is gone is TableUnfit, where its manifest does not say that it has none.
        """
        ...

    def compared(
        self, state: TableState, rows: RowsOf, old: Sequence[str], new: Collection[str]
    ) -> Mapping[int, Compared]:
        """Offsets of *rows* in the *old* files and in the *new* ones, by partition; read by another engine than the writer. A
        file that is gone is TableUnfit."""
        ...

    def spec(self, state: TableState, spec_id: int) -> Mapping[str, object]:
        """A partition spec of the table in its JSON form."""
        ...

    def manifests(self, state: TableState) -> Iterable[Manifest]:
        """Those of data files that the branch shows, as its list of manifests tells."""
        ...

    def own_files(self, state: TableState) -> Iterable[OwnFile]:
        """All that lies in the table's folders and was written by lakelock for this very table, whatever names it."""
        ...

    def named(self, state: TableState) -> set[str]:
        """Names (not paths) of all files that any snapshot of the table needs, on whatever branch."""
        ...

    def delete(self, state: TableState, paths: Sequence[str]) -> int:
        """How many were deleted; what cannot be deleted now is told of and stays."""
        ...
