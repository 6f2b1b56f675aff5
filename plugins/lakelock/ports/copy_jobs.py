"""Spark jobs that copy rows between data files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from lakelock.model.batches import DataFile
from lakelock.model.table_files import RowsOf
from lakelock.ports.write_jobs import Target


@dataclass(frozen=True, slots=True)
class CopySlice:
    """Files to merge into one, as (path, rows), all of the partition *partition*.

    If that is None, the rows go to the partitions that the target's layout has for them, whichever their files have.
    """

    partition: str | None
    files: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CopyOrder:
    """Files to copy under the target's spec.

    There are *tasks* tasks with about as many slices each; None is one task per slice. Rows of *without* are not
    copied.
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
    """Result of one slice; it has no `files` if it has no rows.

    Nor if a file of the slice cannot be copied: `unfit` is then its path and the reason.
    """

    slice_no: int
    files: tuple[DataFile, ...]
    unfit: tuple[str, str] | None = None


class Copier(Protocol):
    """Copies rows into new files on Spark, exactly those requested. Only the winning task's file is returned.

    Raises Unreachable, AccessDenied, TableUnfit, BooksUnbalanced.
    """

    def run(self, order: CopyOrder, ended: Callable[[int], None] = ...) -> list[CopyOutput]:
        """Run *order*; *ended* gets the number of finished tasks from time to time, if Spark reports it."""
        ...
