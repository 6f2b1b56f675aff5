"""replace: rows of an interval that are read again take the place of those that are there, and of nothing else."""

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

# In the place of an attempt in the path of a file.
ATTEMPT = "replace"
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FilesOfInterval:
    """The live files with rows of an interval: *inside* counts them by path.

    `whole` have no other rows. Of those that are `cut` the others are copied.
    """

    files: tuple[LiveFile, ...] = ()
    inside: Mapping[str, int] | None = None

    @property
    def rows(self) -> int:
        return sum((self.inside or {}).values())

    @property
    def whole(self) -> tuple[LiveFile, ...]:
        return tuple(f for f in self.files if self._inside(f) == f.rows)

    @property
    def cut(self) -> tuple[LiveFile, ...]:
        return tuple(f for f in self.files if self._inside(f) != f.rows)

    @property
    def kept(self) -> int:
        """Rows of its files that are not of the interval."""
        return sum(f.rows - self._inside(f) for f in self.files)

    def _inside(self, file: LiveFile) -> int:
        return (self.inside or {})[file.path]


def held(candidates: Iterable[LiveFile], inside: Mapping[str, int]) -> FilesOfInterval:
    """Of *candidates* those that have rows of the interval at all."""
    files = tuple(sorted((f for f in candidates if inside.get(f.path)), key=lambda f: f.path))
    return FilesOfInterval(files, {f.path: inside[f.path] for f in files})


def differing(compared: Mapping[int, Compared], ranges: Sequence[OffsetRange]) -> list[str]:
    """Why the new rows are not those of the same records, a sentence each; none where they are.

    Offsets are compared one by one, not counted: under the same count a record that became one could hide another that is gone.
    """
    out = []
    for source in sorted({r.source for r in ranges}):
        found = compared.get(source.partition, Compared())
        for count, first, what in (
            (found.twice, found.first_twice, "have more than one row"),
            (found.lost, found.first_lost, "have a row now, and what Kafka holds of them makes none"),
            (found.more, found.first_more, "have no row now, and would have one"),
        ):
            if count:
                out.append(f"{source}: {count} offsets {what}, first {first}")
    return out


def fit(
    table: str, ranges: Sequence[OffsetRange], compared: Mapping[int, Compared], dead: Mapping[Source, int]
) -> None:
    """Raises ReplaceRefused unless the new rows are of the very offsets that have rows now, each once.

    *dead* counts records that would become dead letters.
    """
    reasons = [f"{source}: {count} records do not fit the table's columns" for source, count in dead.items() if count]
    reasons += differing(compared, ranges)
    if reasons:
        raise ReplaceRefused(
            f"table {table}: what was read again is not what the table has: {'; '.join(reasons)}.",
            State.ORPHANED,
            "If records no longer fit, fix the columns first. If Kafka's compaction removed records, or another "
            "writer put rows into the table, leave that time out.",
        )


def wanted(coverage: Coverage, feeds: Iterable[OffsetRange]) -> list[OffsetRange]:
    """What of an interval the table has as records."""
    return united(overlap(feeds, coverage.data.ranges))


def why_left(files: Iterable[LiveFile], unfit: Mapping[str, str]) -> list[str]:
    """Why files that have rows of the interval cannot give them up, a sentence for each kind of fault.

    *unfit* has, by path, what was found in the files themselves.
    """
    times = Counter(f.path for f in files)
    found: dict[str, list[str]] = {}
    for file in sorted(files, key=lambda f: f.path):
        why = file.unfit or unfit.get(file.path, "")
        if times[file.path] > 1:
            why = "the table names it more than once"
        if why:
            found.setdefault(why, []).append(file.path)
    return [
        f"{len(paths)} files with rows of it cannot be rewritten: {why}, first {paths[0]}"
        for why, paths in found.items()
    ]


def check_copies(table: str, before: FilesOfInterval, copied: int) -> None:
    """Raises ReplaceRefused unless the copies have just the rows that the old files have beside the interval's."""
    if copied != before.kept:
        raise ReplaceRefused(
            f"table {table}: {len(before.cut)} files have {before.kept} rows besides those that are read again, and "
            f"{copied} were copied.",
            State.NOTHING_CHANGED,
            "Look at the table with `bin/lakelock audit FILE`.",
        )


def check_in_time(table: str, ranges: Sequence[OffsetRange], began_ms: int, now_ms: int) -> None:
    """Raises ReplaceUnfinished, as `table_files.check_in_time` says."""
    work = f"to read {offsets_in(ranges)} offsets again"
    remedy = "Replace a shorter time at once, or give Spark more cores."
    table_files.check_in_time(ReplaceUnfinished, table, work, began_ms, now_ms, remedy)


def decided(before: Sequence[Decided], said: Decided) -> tuple[Decided, ...]:
    """*before* with one that was *said* now, of which alone the records are then that it names.

    It is one with those of the same person and reason that are next to it in time, and keeps the moment of the first: runs that
    replace square by square are a decision each, and every snapshot repeats them. By person, reason and moment a decision is
    told from any other, so what was replaced once more is no more the earlier one's.
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
            # Not with one on either side: records of the one would be told as replaced at the moment of the other.
            return (*kept, replace(said, at=other.at, about=about(min(first, start), max(last, end)), ranges=ranges))
    return (*kept, said)


def said(at: datetime, who: str, why: str, start: datetime, end: datetime, ranges: Sequence[OffsetRange]) -> Decided:
    return Decided(What.REPLACE, at, who, why, about(start, end), tuple(ranges))


def of_no_batch(fault: LakelockError) -> LakelockError:
    """*fault* of reading and writing without the batch that it would leave planned: a replace has none."""
    return fault.keeping(State.ROWS_KEPT) if fault.state in OF_A_BATCH else fault


def listed_reasons(reasons: Sequence[str]) -> str:
    more = f"; and {len(reasons) - _SHOWN} more" if len(reasons) > _SHOWN else ""
    return "; ".join(reasons[:_SHOWN]) + more
