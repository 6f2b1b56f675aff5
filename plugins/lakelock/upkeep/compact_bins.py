"""Deal data files into bins, each of which one task rewrites."""

from __future__ import annotations

from collections.abc import Sequence

from lakelock.model.table_files import LiveFile

# One task reads all files of a bin, one after the other.
MOST_FILES_A_BIN = 1_000
# Of files that landed without partitions. Its task sets the rows aside on its local disk, decompressed, partition by partition.
LANDED_BYTES_A_BIN = 512 << 20
# Opening a file costs as much as reading so many bytes, as in Iceberg's default of `read.split.open-file-cost`.
OPEN_FILE_BYTES = 4 << 20
# Files of similar size go together, in the order in which they were added, so that a row is copied only a few times.
_SIZE_CLASS_BITS = 2
_DWARFS = 2

Bin = tuple[LiveFile, ...]


def bins(files: Sequence[LiveFile], target_bytes: int) -> list[Bin]:
    """Group files into bins of two or more, each within the target size.

    A file that dwarfs the others is left for later. Copied data then grows by half each time, so a row is copied a
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


def landed_bins(files: Sequence[LiveFile]) -> list[Bin]:
    """Bins of about the size that one task takes, in the order in which the files were added."""
    out: list[list[LiveFile]] = []
    size_bytes = 0
    for file in sorted(files, key=lambda f: (f.sequence_number, f.path)):
        if not out or size_bytes + file.size_bytes > LANDED_BYTES_A_BIN or len(out[-1]) == MOST_FILES_A_BIN:
            out.append([])
            size_bytes = 0
        out[-1].append(file)
        size_bytes += file.size_bytes
    return [tuple(one) for one in out]


def _without_dwarfing(files: Sequence[LiveFile]) -> Bin:
    kept, size_bytes = list(files), sum(f.size_bytes for f in files)
    while kept:
        largest = max(kept, key=lambda f: (f.size_bytes, f.path))
        if largest.size_bytes <= _DWARFS * (size_bytes - largest.size_bytes):
            break
        kept.remove(largest)
        size_bytes -= largest.size_bytes
    return tuple(kept)


def dealt(bins: Sequence[Bin], tasks: int) -> tuple[Bin, ...]:
    """*bins* in an order whose *tasks* consecutive runs have about equal numbers and about equal bytes to copy."""
    largest_first = sorted(bins, key=lambda b: (-sum(max(f.size_bytes, OPEN_FILE_BYTES) for f in b), b[0].path))
    return tuple(one for n in range(tasks) for one in largest_first[n::tasks])
