"""What a commit does to a table, besides recording the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lakelock.model.batches import DataFile
from lakelock.model.column_changes import ColumnChange


@dataclass(frozen=True, slots=True)
class LedgerOnly:
    """Only the ledger changes."""


@dataclass(frozen=True, slots=True)
class Append:
    """Add the rows of *files*."""

    files: tuple[DataFile, ...]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Replace live data files, whose paths are *gone*, by *files* with the same rows.

    Deletes of later versions than *as_of* (a sequence number of the table) apply to the new files too.
    """

    gone: tuple[str, ...]
    files: tuple[DataFile, ...]
    as_of: int | None = None


@dataclass(frozen=True, slots=True)
class Overwrite:
    """Replace live data files, whose paths are *gone*, by *files* with as many rows, which are of the same records."""

    gone: tuple[str, ...]
    files: tuple[DataFile, ...]


@dataclass(frozen=True, slots=True)
class Restore:
    """Show the contents of an earlier *version* again: a rollback."""

    version: int


@dataclass(frozen=True, slots=True)
class Expire:
    """Remove *versions* from the history, and earlier *column_sets* by number.

    Files of the versions stay, until the caller deletes them.
    """

    versions: tuple[int, ...]
    column_sets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reorganise:
    """Write the table's lists of files at the paths *manifests* again, sorted by partition; no file changes."""

    manifests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evolve:
    """Change the table's columns and how it is arranged; no file changes, and files of earlier layouts may still be added.

    *partition_by* and *sort_by* are expressions as in pipeline files; None leaves them as they are. *properties* are set beside
    the table's others.
    """

    changes: tuple[ColumnChange, ...] = ()
    partition_by: tuple[str, ...] | None = None
    sort_by: tuple[str, ...] | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


Edit = LedgerOnly | Append | Rewrite | Overwrite | Restore | Expire | Reorganise | Evolve


def new_files(edit: Edit) -> tuple[DataFile, ...]:
    return edit.files if isinstance(edit, Append | Rewrite | Overwrite) else ()


def replaced_files(edit: Edit) -> tuple[str, ...]:
    """Paths."""
    return edit.gone if isinstance(edit, Rewrite | Overwrite) else ()
