"""Versions of a table: the states that it had, and can show again while it keeps them."""

from __future__ import annotations

from dataclasses import dataclass

from lakelock.model.column_changes import ColumnPath
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange


@dataclass(frozen=True, slots=True)
class Version:
    """A state of a table; in Iceberg a snapshot.

    *id* names it, and says nothing else. *sequence* grows with every version that is committed to the table.
    """

    id: int
    sequence: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class PastVersion:
    """A version of a branch's history. *pipeline* created it (None: not lakelock); `has_data` marks commits of batches.

    *operation* is the table format's term, empty if the version has none. `rows` and `files` are the table's totals after
    it, if it records them.
    """

    id: int
    at_ms: int
    pipeline: str | None = None
    has_data: bool = False
    rows: int | None = None
    files: int | None = None
    operation: str = ""
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class OwnVersion:
    """A version with a ledger of the pipeline: the coverage after it, and the *ranges* of the parts that it added."""

    coverage: Coverage
    ranges: tuple[OffsetRange, ...]


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """A version that a table still has; *pipeline* created it (None: not lakelock). *promised*: it is staged for
    publishing, though no branch has it yet. *is_replace*: it shows the same rows as the one before it.
    """

    id: int
    at_ms: int
    pipeline: str | None = None
    promised: bool = False
    is_replace: bool = False


@dataclass(frozen=True, slots=True)
class Lineage:
    """All versions of a table from one pipeline's view.

    `history` is the branch's, newest first, as far as it is known; `aside` are all others. `named` are those that a name or
    another branch needs; `owners` the pipelines with a ledger in the table, unless it is on another branch;
    `others_ledgers` the versions with the newest ledgers of all other pipelines.
    """

    history: tuple[KeptVersion, ...]
    aside: tuple[KeptVersion, ...] = ()
    named: frozenset[int] = frozenset()
    owners: frozenset[str] = frozenset()
    others_ledgers: frozenset[int] = frozenset()
    min_keep: int = 0
    min_age_ms: int = 0


@dataclass(frozen=True, slots=True)
class ColumnSet:
    """The columns that a table has or had, each by path and identity; one that was made later has a higher *number*.

    *versions* are read with these columns. *is_staged*: files that may still be committed were written for them.
    """

    number: int
    columns: frozenset[tuple[ColumnPath, int]]
    versions: frozenset[int] = frozenset()
    is_current: bool = False
    is_staged: bool = False
