"""Decide a replace: new rows of an interval take the place of exactly its old rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from lakelock.errors import OF_A_BATCH, LakelockError, ReplaceRefused, ReplaceUnfinished, State
from lakelock.model import table_files
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, Source, offsets_in, overlap, united, without
from lakelock.model.operator_log import Decided, What, about
from lakelock.model.operator_log import times as times_of
from lakelock.model.table_files import Compared, LiveFile

# Takes the place of the attempt in a file's path.
ATTEMPT = "replace"
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FilesOfInterval:
    """Live files with rows of an interval; *within* counts these rows by path.

    `whole` files have no other rows. The other rows of `cut` files are copied.
    """

    files: tuple[LiveFile, ...] = ()
    within: Mapping[str, int] | None = None

    @property
    def rows(self) -> int:
        return sum((self.within or {}).values())

    @property
    def whole(self) -> tuple[LiveFile, ...]:
        return tuple(f for f in self.files if self._within(f) == f.rows)

    @property
    def cut(self) -> tuple[LiveFile, ...]:
        return tuple(f for f in self.files if self._within(f) != f.rows)

    @property
    def kept(self) -> int:
        """Number of rows in the files that are outside the interval."""
        return sum(f.rows - self._within(f) for f in self.files)

    def _within(self, file: LiveFile) -> int:
        return (self.within or {})[file.path]


def of_interval(candidates: Iterable[LiveFile], rows_within: Mapping[str, int]) -> FilesOfInterval:
    """The *candidates* that have rows of the interval."""
    files = tuple(sorted((f for f in candidates if rows_within.get(f.path)), key=lambda f: f.path))
    return FilesOfInterval(files, {f.path: rows_within[f.path] for f in files})


def differing(compared: Mapping[int, Compared], ranges: Sequence[OffsetRange]) -> list[str]:
    """Differences between new and old rows, a sentence each; empty if both come from the same records.

    Offsets are compared one by one. Equal counts could hide a record that is gone behind one that is new.
    """
    out = []
    for source in sorted({r.source for r in ranges}):
        found = compared.get(source.partition, Compared())
        for count, first, what in (
            (found.twice, found.first_twice, "have more than one row"),
            (found.lost, found.first_lost, "have a row now, but their records in Kafka would make none"),
            (found.more, found.first_more, "have no row now, but would get one"),
        ):
            if count:
                out.append(f"{source}: {count} offsets {what}, first {first}")
    return out


def fit(
    table: str, ranges: Sequence[OffsetRange], compared: Mapping[int, Compared], dead: Mapping[Source, int]
) -> None:
    """Raise ReplaceRefused unless the new rows have exactly the offsets of the old ones, each once.

    *dead* counts records that would become dead letters.
    """
    reasons = [f"{source}: {count} records do not fit the table's columns" for source, count in dead.items() if count]
    reasons += differing(compared, ranges)
    if reasons:
        raise ReplaceRefused(
            f"table {table}: the records in Kafka do not match the rows in the table: {'; '.join(reasons)}.",
            State.ORPHANED,
            "If records no longer fit, fix the columns first, or `metadata_columns` in the pipeline file. If Kafka's "
            "compaction removed records, or another writer added rows to the table, exclude that time.",
        )


def wanted(coverage: Coverage, feeds: Iterable[OffsetRange]) -> list[OffsetRange]:
    """Ranges of an interval that the table has as records."""
    return united(overlap(feeds, coverage.data.ranges))


def why_left(files: Iterable[LiveFile], unfit: Mapping[str, str]) -> list[str]:
    """Why files with rows of the interval cannot be rewritten, a sentence for each kind of fault.

    *unfit* has faults that were found in the files themselves, by path.
    """
    times = Counter(f.path for f in files)
    found: dict[str, list[str]] = {}
    for file in sorted(files, key=lambda f: f.path):
        why = file.unfit or unfit.get(file.path, "")
        if times[file.path] > 1:
            why = "the table lists it more than once"
        if why:
            found.setdefault(why, []).append(file.path)
    return [
        f"{len(paths)} files with rows of this time cannot be rewritten: {why}, first {paths[0]}"
        for why, paths in found.items()
    ]


def check_copies(table: str, before: FilesOfInterval, copied: int) -> None:
    """Raise ReplaceRefused unless the copies have exactly the old files' rows outside the interval."""
    if copied != before.kept:
        raise ReplaceRefused(
            f"table {table}: {len(before.cut)} files have {before.kept} rows besides those that are read again, but "
            f"{copied} were copied.",
            State.NOTHING_CHANGED,
            "Check the table with `bin/lakelock audit FILE`.",
        )


def check_in_time(table: str, ranges: Sequence[OffsetRange], began_ms: int, now_ms: int) -> None:
    """Raises ReplaceUnfinished, as `table_files.check_in_time` says."""
    work = f"to read {offsets_in(ranges)} offsets again"
    remedy = "Use a shorter time range, or give Spark more cores."
    table_files.check_in_time(ReplaceUnfinished, table, work, began_ms, now_ms, remedy)


def decided(before: Sequence[Decided], said: Decided) -> tuple[Decided, ...]:
    """*before* with the decision *said*; earlier replaces no longer list its ranges.

    It is merged with an adjacent one of the same person and reason and keeps that one's moment, because each run is a
    decision and every snapshot repeats them all. Person, reason and moment identify a decision, so each gets a moment
    of its own.
    """
    kept = [
        d if d.what is not What.REPLACE else replace(d, ranges=tuple(without(d.ranges, said.ranges))) for d in before
    ]
    kept = [d for d in kept if d.what is not What.REPLACE or d.ranges]
    newest = max((d.at for d in before if d.what is What.REPLACE), default=None)
    if newest is not None and said.at <= newest:
        said = replace(said, at=newest + timedelta(seconds=1))
    for other in [d for d in kept if (d.what, d.who, d.why) == (said.what, said.who, said.why)]:
        (first, last), (start, end) = times_of(other), times_of(said)
        if last == start or end == first:
            kept.remove(other)
            ranges = tuple(united([*other.ranges, *said.ranges]))
            # Merge on one side only: otherwise records would get the moment of the other decision.
            return (*kept, replace(said, at=other.at, about=about(min(first, start), max(last, end)), ranges=ranges))
    return (*kept, said)


def said(at: datetime, who: str, why: str, start: datetime, end: datetime, ranges: Sequence[OffsetRange]) -> Decided:
    return Decided(What.REPLACE, at, who, why, about(start, end), tuple(ranges))


def of_no_batch(fault: LakelockError) -> LakelockError:
    """*fault* without the state of a planned batch, because a replace has no batch."""
    return fault.keeping(State.ROWS_KEPT) if fault.state in OF_A_BATCH else fault


def listed_reasons(reasons: Sequence[str]) -> str:
    more = f"; and {len(reasons) - _SHOWN} more" if len(reasons) > _SHOWN else ""
    return "; ".join(reasons[:_SHOWN]) + more
