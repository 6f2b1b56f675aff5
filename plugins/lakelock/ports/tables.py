"""Tables of a catalog: load, create, commit, count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lakelock.model.batches import Books, DataFile, TableIdentity
from lakelock.model.counts import Counted, Letters
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.table_files import PastSnapshot
from lakelock.records.reasons import CountedCause


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """A table to create: Iceberg schema JSON without ids, partition and sort expressions, identifier columns."""

    schema: Mapping[str, object]
    partition_by: tuple[str, ...] = ()
    sort_by: tuple[str, ...] = ()
    identifier_columns: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    location: str | None = None


@dataclass(frozen=True, slots=True)
class TableState:
    """One load of a table: every decision of a commit is made on this, and the commit holds only if it still stands.

    `schema` and `spec` are the Iceberg JSON forms of the current schema and default partition spec.
    """

    name: str
    uuid: str
    location: str
    schema_id: int
    spec_id: int
    schema: Mapping[str, object]
    spec: Mapping[str, object]
    sort_order: Mapping[str, object]
    properties: Mapping[str, str]
    head_snapshot_id: int | None
    head_timestamp_ms: int | None
    ledger: Ledger | None
    handle: object = field(repr=False)
    detached: bool = False
    tag_snapshot_id: int | None = None
    head_sequence_number: int = 0
    tag_sequence_number: int = 0

    @property
    def identity(self) -> TableIdentity:
        return TableIdentity(self.uuid, self.ledger.generation if self.ledger else 0, self.schema_id, self.spec_id)


@dataclass(frozen=True, slots=True)
class Change:
    """One own snapshot: the files of *parts*, the ledger after it. `keep_snapshots` bounds the branch's history.

    It stands on the branch's head, or on `onto_snapshot_id`: then it shows what that one showed (a rollback). *config* is
    None where the table has it already. Nothing younger than `keep_younger_ms` goes, however many there are. `expire` names
    snapshots that go with it, whose files stay; without, the oldest may. With *replaces*, paths of live data files, *files* have
    as many rows in place of these: the same ones, or, where it *overwrites*, other ones of the same records. With *manifests*,
    paths of live data manifests, these are written anew, sorted by partition; no file changes. With *sequence_number* the new
    files have this data sequence number instead of the snapshot's, so that deletes of a higher one apply to them. *properties*
    are in the snapshot's summary beside the ledger's.
    """

    ledger: Ledger
    config: Mapping[str, object] | None
    batch_ids: tuple[str, ...] = ()
    files: tuple[DataFile, ...] = ()
    books: tuple[Books, ...] = ()
    keep_snapshots: int = field(kw_only=True)
    keep_younger_ms: int = field(kw_only=True)
    onto_snapshot_id: int | None = None
    expire: tuple[int, ...] = ()
    replaces: tuple[str, ...] = ()
    overwrites: bool = False
    manifests: tuple[str, ...] = ()
    sequence_number: int | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


class Tables(Protocol):
    """A catalog's tables, for one pipeline and branch. Raises Unreachable, AccessDenied, TableMissing, Ledger…"""

    def load(self, name: str, *, detached: bool = False) -> TableState:
        """With *detached* also a table whose branch no longer has its tag behind it; `TableState.detached` then says so."""
        ...

    def owner(self, name: str) -> str | None:
        """The installation that the table belongs to, whichever that is; None for a table never adopted."""
        ...

    def way_back(self, name: str, uuid: str | None, data_files: Sequence[str]) -> str:
        """Two sentences for a message: a dropped table's newest metadata file, and the command that registers it under *name*.

        *uuid* None: of whatever table had the name last. *data_files* that are known of it tell where it was.
        """
        ...

    def history(self, state: TableState) -> list[PastSnapshot]:
        """The branch's history, newest first, as far as it is retained."""
        ...

    def ledger_at(self, state: TableState, snapshot_id: int) -> Ledger | None:
        """What the table held at a snapshot of its history; None before the pipeline's first.

        Raises LedgerDetached where snapshots that would tell have expired.
        """
        ...

    def create(self, name: str, definition: TableDefinition) -> None:
        """Creates table and missing namespaces; a race lost to another creator is fine. Raises BadTableDefinition."""
        ...

    def commit(self, state: TableState, change: Change) -> int:
        """One strict compare-and-swap of branch, tag, UUID, schema id and spec id; returns the snapshot id.

        The first change of a pipeline on a table (no ledger yet) also sets the owner property. Raises CommitConflict
        only when nothing can have landed; anything else that goes wrong on the way is OutcomeUnknown.
        """
        ...

    def find_commit(self, state: TableState, commit_id: str) -> int | None:
        """Snapshot id of an own commit in the branch's history, as far as it is retained."""
        ...

    def others(self, state: TableState) -> Mapping[str, Coverage]:
        """What other pipelines put into this table, by their names."""
        ...

    def dead_letters(
        self, state: TableState, target: str, ranges: Sequence[OffsetRange]
    ) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of *target*'s dead letters in *ranges*; *state* is the dead-letter table's. A file that
        is gone is TableUnfit."""
        ...

    def count_rows(
        self,
        state: TableState,
        columns: tuple[str, str],
        held: Mapping[int, SourceCoverage],
    ) -> dict[int | None, Counted] | None:
        """Live rows by the number in the first of *columns* (partition, offset), read by another engine than the writer.

        None is the key of rows without partition or offset, and the answer where delete files hide rows. A data file that
        is gone is TableUnfit.
        """
        ...

    def count_dead_letters(
        self, state: TableState, target: str, held: Mapping[Source, SourceCoverage]
    ) -> dict[Source, Letters] | None:
        """*target*'s live dead letters by source, within what *held* has as data; otherwise as above."""
        ...

    def letter_causes(self, state: TableState, target: str, most: int) -> list[CountedCause]:
        """The commonest causes of *target*'s dead letters; *state* is the dead-letter table's. Nothing where delete files hide
        rows. A file that is gone is TableUnfit."""
        ...

    def storage(self, state: TableState) -> Mapping[str, str]:
        """FileIO properties that reach the table's files, with credentials the catalog hands out for it."""
        ...

    def missing_files(self, state: TableState, files: Sequence[DataFile]) -> list[str]:
        """Paths that do not exist with their size in storage."""
        ...
