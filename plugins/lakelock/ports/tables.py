"""Tables of a catalog: load, create, commit, count."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lakelock.model.batches import Books, DataFile, TableIdentity
from lakelock.model.column_changes import ColumnPath
from lakelock.model.column_types import Column
from lakelock.model.counts import Counted, DeadLetterCounts
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.layouts import Layout
from lakelock.model.ledger import Ledger
from lakelock.model.ledger_facts import LedgerMarks
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.versions import OwnVersion, PastVersion, Version
from lakelock.ports.edits import Edit, Evolve, Expire, LedgerOnly
from lakelock.ports.table_capabilities import TableCapabilities
from lakelock.records.reasons import CountedCause


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """A table to create: its columns, partition and sort expressions, identifier columns.

    *created_by* is the pipeline whose records it is for; it becomes the property CREATED_BY.
    """

    columns: Sequence[Column]
    partition_by: tuple[str, ...] = ()
    sort_by: tuple[str, ...] = ()
    identifier_columns: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    location: str | None = None
    created_by: str | None = None


@dataclass(frozen=True, slots=True)
class PastColumns:
    """Columns of earlier layouts, by paths that the table's columns do not have now: *dropped*, or *renamed* to others.

    Paths that *several* columns had are among them, too.
    """

    dropped: frozenset[ColumnPath] = frozenset()
    renamed: Mapping[ColumnPath, ColumnPath] = field(default_factory=dict)
    several: frozenset[ColumnPath] = frozenset()

    @property
    def paths(self) -> frozenset[ColumnPath]:
        return self.dropped | self.renamed.keys()

    @property
    def of_whole_columns(self) -> dict[str, str]:
        """Of whole columns, the present name by each earlier one that no other column had."""
        return {
            old[0]: now[0] for old, now in self.renamed.items() if len(old) == len(now) == 1 and old not in self.several
        }


@dataclass(frozen=True, slots=True)
class TableState:
    """One load of a table. A commit decides on this state alone, and succeeds only if it is still current.

    *layout* is that of files which are written now. If a compaction partitions them later, *partitioned* is its layout.
    *partition_by* and *sort_by* are the table's expressions, as in pipeline files.
    *head* is the branch's newest version, `ledger_version` that of the pipeline's newest commit. If the latter is not in
    the branch's history, the table is *detached*. *owners* are the installations of all pipelines that write to the table.
    `shares_files` says why other tables may use its files; empty if none does.
    """

    name: str
    uuid: str
    location: str
    layout: Layout
    columns: tuple[Column, ...]
    properties: Mapping[str, str]
    head: Version | None
    ledger: Ledger | None
    handle: object = field(repr=False)
    marks: LedgerMarks
    owners: Mapping[str, str] = field(default_factory=dict)
    detached: bool = False
    ledger_version: Version | None = None
    identifier_columns: tuple[str, ...] = ()
    partition_by: tuple[str, ...] = ()
    sort_by: tuple[str, ...] = ()
    shares_files: str = ""
    partitioned: Layout | None = None

    @property
    def head_id(self) -> int | None:
        return None if self.head is None else self.head.id

    @property
    def head_sequence(self) -> int:
        """That of the head; 0 for a table without versions."""
        return 0 if self.head is None else self.head.sequence

    @property
    def identity(self) -> TableIdentity:
        return TableIdentity(self.uuid, self.ledger.generation if self.ledger else 0, self.layout.token)


@dataclass(frozen=True, slots=True)
class Change:
    """One own version: the *edit*, and the ledger after it.

    *config* is None if the table has it already. `keep_snapshots` limits the branch's history, but versions younger than
    `keep_younger_ms` are always kept; unless the edit is an expiry or a rollback, the oldest may be removed.
    *properties* are recorded with the version.
    """

    ledger: Ledger
    config: Mapping[str, object] | None
    edit: Edit = field(default_factory=LedgerOnly)
    batch_ids: tuple[str, ...] = ()
    books: tuple[Books, ...] = ()
    keep_snapshots: int = field(kw_only=True)
    keep_younger_ms: int = field(kw_only=True)
    properties: Mapping[str, str] = field(default_factory=dict)


class Tables(Protocol):
    """A catalog's tables, for one pipeline and branch. Raises Unreachable, AccessDenied, TableMissing, Ledger…"""

    def load(self, name: str, *, detached: bool = False) -> TableState:
        """Load a table. *detached* accepts a ledger whose version is not in the branch's history: see `TableState`."""
        ...

    def owner(self, name: str) -> str | None:
        """The installation that owns the table; None if it was never adopted."""
        ...

    def way_back(self, name: str, uuid: str | None, data_files: Sequence[str], known: Collection[str]) -> str:
        """Two sentences for a message: a dropped table's newest metadata file, and a command to register it as *name*.

        With *uuid* None, of the last table with that name. *data_files* are known files of the table, from which its
        location follows. If the table only has another name now, which is none of *known* tables, how to rename it back.
        """
        ...

    def table_capabilities(self) -> TableCapabilities: ...

    def history(self, state: TableState) -> list[PastVersion]:
        """The branch's history, newest first, as far as it is retained."""
        ...

    def ledger_at(self, state: TableState, version_id: int) -> Ledger | None:
        """The ledger at a version of the table's history; None before the pipeline's first commit.

        Raises LedgerDetached if expired versions leave it unknown.
        """
        ...

    def own_since(self, state: TableState, version_id: int) -> list[OwnVersion] | None:
        """Versions with a ledger of the pipeline that follow *version_id* in the branch's history, oldest first.

        None if not all of them can still be read.
        """
        ...

    def create(self, name: str, definition: TableDefinition) -> None:
        """Create the table and missing namespaces; no error if another creator was first. Raises BadTableDefinition."""
        ...

    def commit(self, state: TableState, change: Change) -> int:
        """One strict compare-and-swap of all that *state* says, also of the layout; returns the version's id.

        The first change of a pipeline on a table (no ledger yet) also makes the pipeline one of its *owners*. Raises
        CommitConflict only if nothing can have landed, and OutcomeUnknown for any other failure.
        """
        ...

    def refusal(self, state: TableState, edit: Evolve | Expire) -> str:
        """Why the table or its catalog cannot take *edit*; empty if it can, as far as is known before it is committed."""
        ...

    def landing_layout(self, state: TableState) -> Layout | None:
        """The layout of files without partitions, which a later `commit` takes; None if the table takes none."""
        ...

    def misfits(self, state: TableState, layouts: Collection[str]) -> Mapping[str, str]:
        """Those *layouts* (tokens) whose files must not be committed to the table as it is, with reasons."""
        ...

    def past_columns(self, state: TableState) -> PastColumns:
        """Of layouts that the table's metadata still has."""
        ...

    def columns_changed(self, state: TableState, *, since_commit: bool = False) -> list[ColumnsChanged]:
        """Changes of columns that the pipeline's batches made, oldest first, as far as their versions are retained.

        Those that a rollback removed from the branch's history are among them: a rollback keeps the columns.
        *since_commit* asks for those after the pipeline's last commit of batches, whether that is in the history or not.
        """
        ...

    def find_commit(self, state: TableState, commit_id: str) -> int | None:
        """The version of an own commit in the branch's history, as far as it is retained."""
        ...

    def others(self, state: TableState) -> Mapping[str, Coverage]:
        """Coverage of other pipelines that write to this table, by pipeline name."""
        ...

    def dead_letters(
        self, state: TableState, target: str, ranges: Sequence[OffsetRange]
    ) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of *target*'s dead letters in *ranges*; *state* is the dead-letter table's.

        Raises TableUnfit if a file is gone.
        """
        ...

    def count_rows(
        self,
        state: TableState,
        columns: tuple[str, str],
        covered: Mapping[int, SourceCoverage],
    ) -> dict[int | None, Counted] | None:
        """Count live rows per value of the first of *columns* (partition, offset), by an engine other than the writer.

        Key None is for rows without partition or offset; the result is None if delete files hide rows. Raises
        TableUnfit if a data file is gone.
        """
        ...

    def count_dead_letters(
        self, state: TableState, target: str, covered: Mapping[Source, SourceCoverage]
    ) -> dict[Source, DeadLetterCounts] | None:
        """Count *target*'s live dead letters by source, within *covered*'s data intervals; otherwise as `count_rows`."""
        ...

    def dead_letter_causes(
        self, state: TableState, target: str, topic_ids: Collection[str], most: int
    ) -> list[CountedCause]:
        """The commonest causes of *target*'s dead letters of these topics; *state* is the dead-letter table's.

        Empty if delete files hide rows. Raises TableUnfit if a file is gone.
        """
        ...

    def storage(self, state: TableState) -> Mapping[str, str]:
        """FileIO properties for the table's files, with credentials that the catalog issued for it."""
        ...

    def missing_files(self, state: TableState, files: Sequence[DataFile]) -> list[str]:
        """Paths that do not exist in storage with the recorded size."""
        ...
