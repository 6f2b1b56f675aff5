"""Ports of redrives: open dead letters, and Spark jobs that turn them into rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lakelock.model.batches import DataFile
from lakelock.model.offsets import OffsetRange
from lakelock.model.table_files import FileView
from lakelock.ports.tables import TableState
from lakelock.ports.write_jobs import Target
from lakelock.records.decompression import Compression
from lakelock.records.routing.router import Router

# Columns of the dead-letter table that a redrive reads, by name, and those that it reads for a table's metadata columns.
REDRIVEN_COLUMNS = ("target_table", "topic_id", "partition", "offset", "timestamp", "value")
METADATA_COLUMNS = ("topic", "key", "headers")


@dataclass(frozen=True, slots=True)
class OpenDeadLetters:
    """Dead letters of one target as the fewest ranges of offsets; *causes* has the commonest ones with their counts."""

    ranges: tuple[OffsetRange, ...] = ()
    causes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeadLetterFiles:
    """Files of a dead-letter table that may hold a target's dead letters.

    *columns* are field ids by the table's own column names; *storage* is as in `Target`.
    """

    table: str
    files: tuple[FileView, ...]
    columns: Mapping[str, int]
    storage: Mapping[str, str] = field(repr=False)


class DeadLetterStore(Protocol):
    """Contents of dead-letter tables. Raises Unreachable, AccessDenied, and TableUnfit.

    TableUnfit means that a file is gone, or that the table has other columns.
    """

    def open(
        self, state: TableState, target: str, within: Sequence[OffsetRange], reason: str | None, most: int
    ) -> OpenDeadLetters | None:
        """Dead letters of *target* *within* ranges, whose reason contains the text *reason*.

        At most *most* + 1 ranges, the first ones. None if delete files hide rows.
        """
        ...

    def files(self, state: TableState, target: str) -> DeadLetterFiles: ...


@dataclass(frozen=True, slots=True)
class RedriveOrder:
    """Dead letters to turn into rows.

    *slices* are disjoint sets of offsets; *dead_letters* are the files that hold them, each offset at least once. A trial
    writes nothing.
    """

    redrive_id: str
    target: Target
    slices: tuple[tuple[OffsetRange, ...], ...]
    dead_letters: tuple[DeadLetterFiles, ...]
    block_bytes: int = 8 << 20
    target_file_bytes: int = 512 << 20
    compression: Compression | None = None
    is_trial: bool = False
    # Of which target the dead letters are: the table itself, or NO_TABLE.
    letters_of: str = ""

    @property
    def letters_target(self) -> str:
        return self.letters_of or self.target.table

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]:
        return (*self.target.secrets, *(x.storage for x in self.dead_letters))


@dataclass(frozen=True, slots=True)
class RedriveOutput:
    """Result of one slice: files with one row for each of *rows*; *unfit* counts, by reason, those that do not fit."""

    slice_no: int
    files: tuple[DataFile, ...]
    rows: tuple[OffsetRange, ...]
    unfit: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LettersToRoute:
    """Dead letters without a table in *ranges*, which *router* gives to tables; *dead_letters* are the files that hold them."""

    router: Router
    ranges: tuple[OffsetRange, ...]
    dead_letters: tuple[DeadLetterFiles, ...]
    compression: Compression | None = None
    block_bytes: int = 8 << 20


@dataclass(frozen=True, slots=True)
class RoutedTable:
    """Dead letters of one table, with values of some of them. *raw_name* is its name before corrections."""

    raw_name: str
    ranges: tuple[OffsetRange, ...]
    sample: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class RoutedLetters:
    """Tables by name, and counts of the others by cause."""

    tables: Mapping[str, RoutedTable] = field(default_factory=dict)
    unroutable: Mapping[str, int] = field(default_factory=dict)


class Redriver(Protocol):
    """Decodes dead letters again on Spark, and writes those that fit. Only the winning task's result is returned.

    Raises Unreachable, AccessDenied, TableUnfit, BooksUnbalanced.
    """

    @property
    def parallelism(self) -> int:
        """Number of slices that run at once."""
        ...

    def run(self, order: RedriveOrder) -> list[RedriveOutput]: ...
