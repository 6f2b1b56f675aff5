"""Which small data files of a table are rewritten together, and whether what was rewritten may still take their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lakelock.errors import BUG, BooksUnbalanced, CompactionTooSlow, State
from lakelock.model import table_files
from lakelock.model.table_files import LiveFile, size_in

# What Iceberg takes where the table's property says nothing.
DEFAULT_TARGET_BYTES = 512 << 20
TARGET_PROPERTY = "write.target-file-size-bytes"
# Each commit adds to what a table's metadata is: a run makes no more of them, however many partitions there are.
MOST_COMMITS = 10
# A group is one Spark job and one commit: its files must be written long before a clean-up may take them for orphans.
MOST_FILES = 5_000
MOST_BYTES = 16 << 30
# One task reads all files of a bin, one after the other.
MOST_FILES_A_BIN = 1_000
# Of a group's job: a task costs more than a small file.
MOST_TASKS = 100
# To open a file is as much work as to read so many bytes: as Iceberg's `read.split.open-file-cost` has it by default.
OPEN_FILE_BYTES = 4 << 20
# Files of about one size lie together, in the order in which they were added: so each row is copied a few times only.
_SIZE_CLASS_BITS = 2
_DWARFS = 2
# In the place of an attempt in the path of a file.
ATTEMPT = "compact"
# What a manifest says of a file of a table without partitions.
UNPARTITIONED = "[]"


@dataclass(frozen=True, slots=True)
class When:
    """A group is due with *min_files* files smaller than *target_bytes* that were added before *before_ms*."""

    target_bytes: int
    min_files: int
    before_ms: int


Bin = tuple[LiveFile, ...]


@dataclass(frozen=True, slots=True)
class FileGroup:
    """Files of one partition spec that are replaced in one commit; of each bin's files, all of one partition, one is made."""

    spec_id: int
    bins: tuple[Bin, ...]

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
        """What a person reads."""
        return f"{len(self.files)} files of {_places(self.partitions)} (spec {self.spec_id})"


@dataclass(frozen=True, slots=True)
class CompactPlan:
    """*groups* are those of this run, *later* those of the runs after it. *left* counts, by reason, files that would be rewritten
    if they could; *young* are small files that are not due yet."""

    groups: tuple[FileGroup, ...] = ()
    left: Mapping[str, int] = field(default_factory=dict)
    young: int = 0
    later: tuple[FileGroup, ...] = ()


def target_bytes(properties: Mapping[str, str]) -> int:
    """The size that files of a table with these properties are to have."""
    return size_in(properties, TARGET_PROPERTY, DEFAULT_TARGET_BYTES)


def plan(files: Iterable[LiveFile], when: When, look: Callable[[Sequence[LiveFile]], Mapping[str, str]]) -> CompactPlan:
    """*look* opens files and tells of those that cannot be rewritten why; it is asked only about those that would be."""
    small = [f for f in files if f.size_bytes < when.target_bytes]
    times = Counter(f.path for f in small)
    old = [f for f in small if (f.added_ms or 0) < when.before_ms]
    young, small = len(small) - len(old), old
    together = Counter((f.spec_id, f.partition) for f in small)
    small = [f for f in small if together[f.spec_id, f.partition] >= when.min_files]
    small = [f if times[f.path] == 1 else replace(f, unfit="the table names it more than once") for f in small]
    seen: set[str] = set()
    while True:
        found = groups([f for f in small if not f.unfit], when)
        now, later = found[:MOST_COMMITS], found[MOST_COMMITS:]
        unseen = [f for g in now for f in g.files if f.path not in seen]
        unfit = look(unseen) if unseen else {}
        if not unfit:
            left = dict(sorted(Counter(f.unfit for f in small if f.unfit).items()))
            return CompactPlan(tuple(now), left, young, tuple(later))
        seen.update(f.path for f in unseen)
        small = [replace(f, unfit=unfit[f.path]) if f.path in unfit else f for f in small]


def groups(small: Sequence[LiveFile], when: When) -> list[FileGroup]:
    """All that are due, the most worthwhile first, in an order that does not depend on that of *small*."""
    by_partition: dict[tuple[int, str], list[LiveFile]] = {}
    for file in small:
        by_partition.setdefault((file.spec_id, file.partition), []).append(file)
    due = [
        one for of_it in by_partition.values() if len(of_it) >= when.min_files for one in bins(of_it, when.target_bytes)
    ]
    by_spec: dict[int, list[Bin]] = {}
    for one in sorted(due, key=lambda b: (-_worth(b), b[0].partition, b[0].path)):
        by_spec.setdefault(one[0].spec_id, []).append(one)
    out = [FileGroup(spec_id, some) for spec_id, of_spec in sorted(by_spec.items()) for some in _bounded(of_spec)]
    return sorted(out, key=lambda g: len(g.bins) - len(g.files))


def _worth(one: Bin) -> float:
    """Files that readers no longer open, by what it costs to rewrite them."""
    return (len(one) - 1) / sum(max(f.size_bytes, OPEN_FILE_BYTES) for f in one)


def _bounded(of_spec: Sequence[Bin]) -> Iterator[tuple[Bin, ...]]:
    """In their order, as many together as one commit takes."""
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


def dealt(bins: Sequence[Bin], tasks: int) -> tuple[Bin, ...]:
    """*bins* in an order in which *tasks* runs of about as many of them have about as much to copy each."""
    largest_first = sorted(bins, key=lambda b: (-sum(max(f.size_bytes, OPEN_FILE_BYTES) for f in b), b[0].path))
    return tuple(one for n in range(tasks) for one in largest_first[n::tasks])


def postponed(later: Sequence[FileGroup]) -> str:
    """What is left for the next run; empty where nothing is."""
    if not later:
        return ""
    files = sum(len(g.files) for g in later)
    return f"{files} files of {_places({p for g in later for p in g.partitions})} left for the next run"


def _places(partitions: Collection[str]) -> str:
    if len(partitions) > 1:
        return f"{len(partitions)} partitions"
    (partition,) = partitions
    return f"partition {partition}" if partition != UNPARTITIONED else "no partition"


def bins(files: Sequence[LiveFile], target_bytes: int) -> list[Bin]:
    """Files to make one of, each two or more, and none of them larger than the target together.

    One that dwarfs the others is left for later: what is copied grows by half each time, so a row is copied a
    logarithmic number of times in a table's life.
    """
    out: list[list[LiveFile]] = [[]]
    size_bytes = 0
    for file in sorted(files, key=lambda f: (f.size_bytes.bit_length() // _SIZE_CLASS_BITS, f.sequence_number, f.path)):
        if out[-1] and (size_bytes + file.size_bytes > target_bytes or len(out[-1]) == MOST_FILES_A_BIN):
            out.append([])
            size_bytes = 0
        out[-1].append(file)
        size_bytes += file.size_bytes
    return [kept for one in out if len(kept := _without_dwarfing(one)) > 1]


def _without_dwarfing(files: Sequence[LiveFile]) -> Bin:
    kept, size_bytes = list(files), sum(f.size_bytes for f in files)
    while kept:
        largest = max(kept, key=lambda f: (f.size_bytes, f.path))
        if largest.size_bytes <= _DWARFS * (size_bytes - largest.size_bytes):
            break
        kept.remove(largest)
        size_bytes -= largest.size_bytes
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class FilesNow:
    """What of a group's files, and of those made of them, the table has now; the schema and the generation it has."""

    live: tuple[LiveFile, ...]
    schema_id: int
    generation: int


def landed(outputs: Sequence[str], now: FilesNow) -> bool:
    """Whether a commit whose answer was lost is in the table."""
    live = {f.path for f in now.live}
    return bool(outputs) and live.issuperset(outputs)


def overtaken(
    files: Iterable[LiveFile], schema_id: int, generation: int, now: FilesNow, read_at: int | None = None
) -> str:
    """Why the files must be left as they are; empty where what was written under *schema_id*, begun at *generation*, may take
    their place.

    With *read_at*, the sequence number that the new files are to have, equality deletes of a higher one apply to these, too
    (Iceberg specification, scan planning); a position delete names a file, and applies to no other.
    """
    return _moved(schema_id, generation, now) or _changed(files, _by_path(now), read_at)


@dataclass(frozen=True, slots=True)
class Judged:
    """Of a group's bins, by number: those whose new file is in the table, and why others must be left as they are."""

    landed: frozenset[int] = frozenset()
    left: Mapping[int, str] = field(default_factory=dict)


def judged(
    group: FileGroup, outputs: Sequence[str | None], schema_id: int, generation: int, now: FilesNow, read_at: int
) -> Judged:
    """*outputs* has the new file of each bin, None where its files have no rows; the rest is as for `overtaken`."""
    live = _by_path(now)
    there = frozenset(n for n, path in enumerate(outputs) if path in live)
    moved = _moved(schema_id, generation, now)
    left = {
        n: why for n, one in enumerate(group.bins) if n not in there and (why := moved or _changed(one, live, read_at))
    }
    return Judged(there, left)


def _moved(schema_id: int, generation: int, now: FilesNow) -> str:
    if now.schema_id != schema_id:
        return f"the table has schema {now.schema_id} now, the files were written under {schema_id}"
    if now.generation != generation:
        # A try whose answer was lost may have landed before the rollback: then expiry deletes the new files with it.
        return "the table was rolled back meanwhile"
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
            return f"{file.path} is not in the table any more"
        if len(named) > 1:
            return f"the table names {file.path} more than once"
        (there,) = named
        applies_still = read_at is not None and there.deleted_at is not None and there.deleted_at > read_at
        if there.unfit and not applies_still:
            return f"{file.path}: {there.unfit}"
        if (there.spec_id, there.partition, there.rows) != (file.spec_id, file.partition, file.rows):
            return f"the table now says something else of {file.path}"
    return ""


def check_books(table: str, group: FileGroup, made: int, rows: int) -> None:
    """Raises BooksUnbalanced unless there is a result of each bin, and their files together have the rows of the group's."""
    if (made, rows) != (len(group.bins), group.rows):
        raise BooksUnbalanced(
            f"table {table}: {group.line} have {group.rows} rows and make {len(group.bins)} files. {made} were made, "
            f"with {rows} rows.",
            State.FILES_KEPT,
            BUG,
        )


def check_in_time(table: str, group: FileGroup, began_ms: int, now_ms: int) -> None:
    """Raises CompactionTooSlow, as `table_files.check_in_time` says."""
    work = f"to rewrite {group.line}, {group.size_bytes} bytes,"
    remedy = "Run again. If it is too slow again, give Spark more cores."
    table_files.check_in_time(CompactionTooSlow, table, work, began_ms, now_ms, remedy)
