"""Which columns of a data file get a dictionary: not those whose values do not repeat, nor rarely repeat in a small file.

Parquet writers begin each column with one. For values that do not repeat it takes as much time as all other encoding, and
makes the file larger: the dictionary is in the order of the values, and each row has an index as well. All engines read
columns without it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

# The sample has so many neighbours, and one row in so many of the others.
NEIGHBOURS, ONE_IN = 1_000, 31
# Fewer values say nothing.
LEAST_ROWS = 1_000
_FIRST = (64, 256)
# To look at the values of a small file takes a quarter of the time in which it is written, and of a large one next to none.
SMALL_ROWS = 20_000
FILES_A_LOOK = 16
# A sample of a large file has fewer values that repeat than the file; a small one is looked at whole. With a dictionary it
# takes longer to write from half of its values on, and is larger from three quarters on, as measured.
_MOSTLY = 2 / 3


def with_dictionary(rows: pa.Table, paths: Iterable[str], sequences: Collection[str]) -> list[str]:
    """Those of *paths* that get a dictionary in a file that begins with *rows*; *sequences* never repeat for long.

    Columns with nested values get one.
    """
    begin = min(NEIGHBOURS, rows.num_rows)
    if begin + len(range(begin, rows.num_rows, ONE_IN)) < LEAST_ROWS:
        return [path for path in paths if path not in sequences]
    is_distinct = _is_mostly_distinct if rows.num_rows <= SMALL_ROWS else _is_unique
    without = {*sequences}
    for field, column in zip(rows.schema, rows.columns, strict=True):
        if pa.types.is_nested(field.type) or field.name in without:
            continue
        if is_distinct(column):
            without.add(field.name)
    return [path for path in paths if path not in without]


class SharedChoices:
    """Choices for small files of tables that are alike: each is that of one file, for the next ones as well.

    A choice that does not fit a file makes it a little larger, and changes nothing that is in it.
    """

    def __init__(self) -> None:
        self._left: dict[Hashable, tuple[list[str], int]] = {}

    def of(self, alike: Hashable, rows: pa.Table, choose: Callable[[pa.Table], list[str]]) -> list[str]:
        """The choice for a file that begins with *rows*, of a table like all with an equal *alike*."""
        if rows.num_rows > SMALL_ROWS:
            return choose(rows)
        known = self._left.get(alike)
        if known is None and rows.num_rows < LEAST_ROWS:
            return choose(rows)
        chosen, left = known or (choose(rows), FILES_A_LOOK)
        if left > 1:
            self._left[alike] = chosen, left - 1
        else:
            self._left.pop(alike, None)
        return chosen


@lru_cache(maxsize=64)
def _sampled(rows: int) -> pa.Array:
    begin = min(NEIGHBOURS, rows)
    return pa.array(np.concatenate([np.arange(begin), np.arange(begin, rows, ONE_IN)]))


def _repeats(values: pa.ChunkedArray) -> bool:
    """Whether one of the values is there twice."""
    return _distinct(values) < len(values) - int(values.null_count)


def _is_unique(values: pa.ChunkedArray) -> bool:
    """Whether no value of a sample is there twice."""
    # Most values that repeat are found among few.
    if any(_repeats(values.slice(0, n)) for n in _FIRST):
        return False
    sample = values.take(_sampled(len(values)))
    found = len(sample) - int(sample.null_count)
    return found >= LEAST_ROWS and _distinct(sample) == found


def _is_mostly_distinct(values: pa.ChunkedArray) -> bool:
    found = len(values) - int(values.null_count)
    return found >= LEAST_ROWS and _distinct(values) > _MOSTLY * found


def _distinct(values: pa.ChunkedArray) -> int:
    """How many values there are but for null."""
    if isinstance(values.type, pa.BaseExtensionType):
        values = pa.chunked_array([chunk.storage for chunk in values.chunks], values.type.storage_type)
    return int(pc.count_distinct(values, mode="only_valid").as_py())
