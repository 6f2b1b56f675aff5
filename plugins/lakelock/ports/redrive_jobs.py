"""Open dead letters, and Spark jobs that make them rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lakelock.model.batches import DataFile
from lakelock.model.offsets import OffsetRange
from lakelock.model.table_files import FileLook
from lakelock.ports.tables import TableState
from lakelock.ports.write_jobs import Target
from lakelock.records.decompression import Compression


@dataclass(frozen=True, slots=True)
class OpenLetters:
    """Dead letters of one target: their offsets, each once, as the fewest ranges; the commonest *causes* with their counts."""

    ranges: tuple[OffsetRange, ...] = ()
    causes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LetterFiles:
    """Files of a dead-letter table that may have some of a target's; *columns* are field ids by the table's own names.

    *storage* is as in `Target`.
    """

    table: str
    files: tuple[FileLook, ...]
    columns: Mapping[str, int]
    storage: Mapping[str, str] = field(repr=False)


class LetterBox(Protocol):
    """What lies in dead-letter tables. Raises Unreachable, AccessDenied; a file that is gone, or a table of other columns, is
    TableUnfit."""

    def open(
        self, state: TableState, target: str, within: Sequence[OffsetRange], reason: str | None, most: int
    ) -> OpenLetters | None:
        """*target*'s that are *within*, and whose reason has the text *reason*; *most* ranges and one more at most, the first.

        None where delete files hide rows.
        """
        ...

    def files(self, state: TableState, target: str) -> LetterFiles: ...


@dataclass(frozen=True, slots=True)
class RedriveOrder:
    """Dead letters to make rows of: *slices* name their offsets, no offset is in two of them; *letters* have them, each at
    least once."""

    redrive_id: str
    target: Target
    slices: tuple[tuple[OffsetRange, ...], ...]
    letters: tuple[LetterFiles, ...]
    block_bytes: int = 8 << 20
    target_file_bytes: int = 512 << 20
    compression: Compression | None = None

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]:
        return (self.target.storage, *(x.storage for x in self.letters))


@dataclass(frozen=True, slots=True)
class RedriveOutput:
    """What one slice produced: files with a row of each of *rows*; *unfit* counts those that still do not fit, by reason."""

    slice_no: int
    files: tuple[DataFile, ...]
    rows: tuple[OffsetRange, ...]
    unfit: Mapping[str, int] = field(default_factory=dict)


class Redriver(Protocol):
    """Decodes dead letters anew on Spark, and writes those that fit. Only the winning task's result of a slice is returned.

    Raises Unreachable, AccessDenied, TableUnfit, BooksUnbalanced.
    """

    @property
    def parallelism(self) -> int:
        """How many slices run at once."""
        ...

    def run(self, order: RedriveOrder) -> list[RedriveOutput]: ...
