"""Decide which small data files are rewritten together, and whether the new files may replace them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lakelock.errors import BUG, BooksUnbalanced, CompactionTooSlow, State
from lakelock.model import table_files
from lakelock.model.table_files import LiveFile, size_in
from lakelock.upkeep.compact_bins import OPEN_FILE_BYTES, Bin, bins, landed_bins

# Iceberg's default for the table's property.
DEFAULT_TARGET_BYTES = 512 << 20
TARGET_PROPERTY = "write.target-file-size-bytes"
# Limits the growth of the table's metadata, to which each commit adds, however many partitions there are.
MOST_COMMITS = 10
# A group is one Spark job and one commit. Its files must be written long before a clean-up may take them for orphans.
MOST_FILES = 5_000
MOST_BYTES = 16 << 30
# In a group's job, because a task costs more than a small file.
MOST_TASKS = 100
# Takes the place of the attempt in a file's path.
ATTEMPT = "compact"
# A manifest's partition for files of a table without partitions.
UNPARTITIONED = "[]"


@dataclass(frozen=True, slots=True)
class When:
    """A group is due if *min_files* files smaller than *target_bytes* were added before *before_ms*.

    A file of the partitionings *landed* has no partition yet: it is due by its age alone. With *keeps_newest*, the newest of
    these stays, so that engines that clean up metadata do not remove its partitioning.
    """

    target_bytes: int
    min_files: int
    before_ms: int
    landed: frozenset[int] = frozenset()
    keeps_newest: bool = True


@dataclass(frozen=True, slots=True)
class FileGroup:
    """Files of one partition spec that are replaced in one commit; each bin, of one partition, becomes one file.

    If the files *landed* without partitions, each bin becomes a file or more for each of the table's partitions.
    """

    partitioning: int
    bins: tuple[Bin, ...]
    landed: bool = False

    @property
    def files(self) -> tuple[LiveFile, ...]:
        return tuple(f for one in self.bins for f in one)

    @property
    def partitions(self) -> frozenset[str]:
        return frozenset(one[0].partition for one in self.bins)

    @property
    def rows(self) -> int:
        return sum(f.rows for f in self.files)

    @property
    def size_bytes(self) -> int:
        return sum(f.size_bytes for f in self.files)

    @property
    def line(self) -> str:
        """Names the group in logs and previews."""
        return f"{len(self.files)} files of {_places(self.partitions)} (partition spec {self.partitioning})"


@dataclass(frozen=True, slots=True)
class CompactPlan:
    """*groups* run now, *later* in next runs; *left* counts unfit files by reason, *young* those not due yet."""

    groups: tuple[FileGroup, ...] = ()
    left: Mapping[str, int] = field(default_factory=dict)
    young: int = 0
    later: tuple[FileGroup, ...] = ()


def target_bytes(properties: Mapping[str, str]) -> int:
    """The target size of data files under these table properties; an invalid value counts as none."""
    return size_in(properties, TARGET_PROPERTY, DEFAULT_TARGET_BYTES)


def plan(
    files: Iterable[LiveFile], when: When, check: Callable[[Sequence[LiveFile]], Mapping[str, str]]
) -> CompactPlan:
    """Choose groups. *check* opens the chosen files and returns why some cannot be rewritten, by path."""
    small = _without_newest(
        [f for f in files if f.size_bytes < when.target_bytes or f.partitioning in when.landed], when
    )
    times = Counter(f.path for f in small)
    old = [f for f in small if (f.added_ms or 0) < when.before_ms]
    young = sum(f.size_bytes < when.target_bytes and (f.added_ms or 0) >= when.before_ms for f in small)
    small = old
    together = Counter((f.partitioning, f.partition) for f in small)
    small = [
        f for f in small if f.partitioning in when.landed or together[f.partitioning, f.partition] >= when.min_files
    ]
    small = [f if times[f.path] == 1 else replace(f, unfit="the table lists it more than once") for f in small]
    seen: set[str] = set()
    while True:
        found = groups([f for f in small if not f.unfit], when)
        now, later = found[:MOST_COMMITS], found[MOST_COMMITS:]
        unseen = [f for g in now for f in g.files if f.path not in seen]
        unfit = check(unseen) if unseen else {}
        if not unfit:
            left = dict(sorted(Counter(f.unfit for f in small if f.unfit).items()))
            return CompactPlan(tuple(now), left, young, tuple(later))
        seen.update(f.path for f in unseen)
        small = [replace(f, unfit=unfit[f.path]) if f.path in unfit else f for f in small]


def groups(small: Sequence[LiveFile], when: When) -> list[FileGroup]:
    """All groups that are due, the most worthwhile first; the order of *small* does not matter."""
    by_partition: dict[tuple[int, str], list[LiveFile]] = {}
    for file in small:
        by_partition.setdefault((file.partitioning, file.partition), []).append(file)
    due: list[Bin] = []
    for (partitioning, _), of_it in by_partition.items():
        if partitioning in when.landed:
            due += landed_bins(of_it)
        elif len(of_it) >= when.min_files:
            due += bins(of_it, when.target_bytes)
    by_spec: dict[int, list[Bin]] = {}
    for one in sorted(due, key=lambda b: (-_worth(b), b[0].partition, b[0].path)):
        by_spec.setdefault(one[0].partitioning, []).append(one)
    out = [
        FileGroup(partitioning, some, landed=partitioning in when.landed)
        for partitioning, of_spec in sorted(by_spec.items())
        for some in _bounded(of_spec)
    ]
    return sorted(out, key=lambda g: (not g.landed, len(g.bins) - len(g.files)))


def _without_newest(files: list[LiveFile], when: When) -> list[LiveFile]:
    landed = [f for f in files if f.partitioning in when.landed]
    if not landed or not when.keeps_newest:
        return files
    newest = max(landed, key=lambda f: (f.sequence_number, f.path))
    return [f for f in files if f.path != newest.path]


def _worth(one: Bin) -> float:
    """Files that readers no longer open, per cost of the rewrite."""
    return (len(one) - 1) / sum(max(f.size_bytes, OPEN_FILE_BYTES) for f in one)


def _bounded(of_spec: Sequence[Bin]) -> Iterator[tuple[Bin, ...]]:
    """Split bins, in order, into as many as one commit takes."""
    some: list[Bin] = []
    files = size_bytes = 0
    for one in of_spec:
        of_one = sum(f.size_bytes for f in one)
        if some and (files + len(one) > MOST_FILES or size_bytes + of_one > MOST_BYTES):
            yield tuple(some)
            some, files, size_bytes = [], 0, 0
        some.append(one)
        files += len(one)
        size_bytes += of_one
    if some:
        yield tuple(some)


def postponed(later: Sequence[FileGroup]) -> str:
    """A phrase for the groups left for the next run; empty if there are none."""
    if not later:
        return ""
    files = sum(len(g.files) for g in later)
    return f"{files} files of {_places({p for g in later for p in g.partitions})} left for the next run"


def _places(partitions: Collection[str]) -> str:
    if len(partitions) > 1:
        return f"{len(partitions)} partitions"
    (partition,) = partitions
    return f"partition {partition}" if partition != UNPARTITIONED else "no partition"


@dataclass(frozen=True, slots=True)
class FilesNow:
    """The live ones of a group's old and new files, with the table's current generation.

    *misfit* is the reason why the table no longer takes files of the layout that the new ones have, if it does not.
    """

    live: tuple[LiveFile, ...]
    generation: int
    misfit: str = ""


def landed(outputs: Sequence[str], now: FilesNow) -> bool:
    """Whether a commit with an unknown outcome is in the table."""
    live = {f.path for f in now.live}
    return bool(outputs) and live.issuperset(outputs)


def overtaken(files: Iterable[LiveFile], generation: int, now: FilesNow, read_at: int | None = None) -> str:
    """Why the files must stay; empty if new ones, begun at *generation*, may replace them.

    *read_at* is the sequence number of the new files. Equality deletes with a higher one apply to these as well
    (Iceberg specification, scan planning). A position delete names a file, and applies to no other.
    """
    return _moved(generation, now) or _changed(files, _by_path(now), read_at)


@dataclass(frozen=True, slots=True)
class Judged:
    """Bins of a group, by number: those whose new file is in the table, and why others must stay."""

    landed: frozenset[int] = frozenset()
    left: Mapping[int, str] = field(default_factory=dict)


def judged(
    group: FileGroup, outputs: Sequence[Collection[str]], generation: int, now: FilesNow, read_at: int | None
) -> Judged:
    """Judge each bin; *outputs* has the paths of its new files, none if there are no rows. For the others see `overtaken`."""
    live = _by_path(now)
    there = frozenset(n for n, paths in enumerate(outputs) if any(path in live for path in paths))
    moved = _moved(generation, now)
    left = {
        n: why for n, one in enumerate(group.bins) if n not in there and (why := moved or _changed(one, live, read_at))
    }
    return Judged(there, left)


def _moved(generation: int, now: FilesNow) -> str:
    if now.misfit:
        return now.misfit
    if now.generation != generation:
        # A try with an unknown outcome may have landed before the rollback. Expiry then deletes the new files with it.
        return "the table was rolled back during the compaction"
    return ""


def _by_path(now: FilesNow) -> dict[str, list[LiveFile]]:
    live: dict[str, list[LiveFile]] = {}
    for file in now.live:
        live.setdefault(file.path, []).append(file)
    return live


def _changed(files: Iterable[LiveFile], live: Mapping[str, Sequence[LiveFile]], read_at: int | None) -> str:
    for file in files:
        named = live.get(file.path, ())
        if not named:
            return f"{file.path} is no longer in the table"
        if len(named) > 1:
            return f"the table lists {file.path} more than once"
        (there,) = named
        applies_still = read_at is not None and there.deleted_at is not None and there.deleted_at > read_at
        if there.unfit and not applies_still:
            return f"{file.path}: {there.unfit}"
        if (there.partitioning, there.partition, there.rows) != (file.partitioning, file.partition, file.rows):
            return f"the table now has other metadata for {file.path}"
    return ""


def check_books(table: str, group: FileGroup, made: int, rows: int) -> None:
    """Raise BooksUnbalanced unless each bin has a result and the new files have exactly the group's rows."""
    if (made, rows) != (len(group.bins), group.rows):
        raise BooksUnbalanced(
            f"table {table}: {group.line}, in {len(group.bins)} bins, have {group.rows} rows, but {made} were written, "
            f"with {rows} rows.",
            State.FILES_KEPT,
            BUG,
        )


def check_in_time(table: str, group: FileGroup, began_ms: int, now_ms: int) -> None:
    """Raises CompactionTooSlow, as `table_files.check_in_time` says."""
    work = f"to rewrite {group.line}, {group.size_bytes} bytes,"
    remedy = "Run it again. If it is too slow again, give Spark more cores."
    table_files.check_in_time(CompactionTooSlow, table, work, began_ms, now_ms, remedy)
