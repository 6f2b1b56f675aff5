"""Spark jobs that copy rows of data files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from lakelock.model.batches import DataFile
from lakelock.model.table_files import RowsOf
from lakelock.ports.write_jobs import Target


@dataclass(frozen=True, slots=True)
class CopySlice:
    """Files to make one of, (path, rows) of each, all of the partition *partition*."""

    partition: str
    files: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CopyOrder:
    """Files under the target's spec, to be copied in *tasks* tasks of about as many slices each; None is one of each.

    What they have of the rows *without* is left out.
    """

    group_id: str
    target: Target
    slices: tuple[CopySlice, ...]
    without: RowsOf | None = None
    tasks: int | None = None

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]:
        return (self.target.storage,)


@dataclass(frozen=True, slots=True)
class CopyOutput:
    """What one slice produced; `file` is None where there was no row, or where a file of the slice, `unfit`, cannot be copied:
    its path and why."""

    slice_no: int
    file: DataFile | None
    unfit: tuple[str, str] | None = None


class Copier(Protocol):
    """Copies rows into new files on Spark; they are exactly those of the old ones that are asked for. Only the winning task's
    file is returned.

    Raises Unreachable, AccessDenied, TableUnfit, BooksUnbalanced.
    """

    def run(self, order: CopyOrder, ended: Callable[[int], None] = ...) -> list[CopyOutput]:
        """Calls *ended* with the number of tasks that have ended, now and then, if Spark reports it."""
        ...
