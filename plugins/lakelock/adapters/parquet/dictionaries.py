"""Which columns of a data file get a dictionary: not those whose values do not repeat.

Parquet writers begin each column with one. For values that do not repeat it takes as much time as all other encoding, and
makes the file larger: the dictionary is in the order of the values, and each row has an index as well. All engines read
columns without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

# Of fewer rows it is not known.
LEAST_ROWS = 1_000
# Neighbours, and one row in so many of all.
NEIGHBOURS, ONE_IN = 1_000, 31


def with_dictionary(rows: pa.Table, paths: Iterable[str], sequences: Collection[str]) -> list[str]:
    """Those of *paths* that get a dictionary in a file that begins with *rows*; *sequences* never repeat for long."""
    without = {*sequences, *(name for name in rows.column_names if _is_unique(rows.column(name)))}
    return [path for path in paths if path not in without]


def _is_unique(column: pa.ChunkedArray) -> bool:
    """Whether no value was found twice in a sample; nested values are not looked at."""
    if pa.types.is_nested(column.type) or len(column) - column.null_count < LEAST_ROWS:
        return False
    sample = column.take(pa.array(np.union1d(np.arange(NEIGHBOURS), np.arange(0, len(column), ONE_IN))))
    if isinstance(column.type, pa.BaseExtensionType):
        sample = pa.chunked_array([chunk.storage for chunk in sample.chunks], column.type.storage_type)
    found = len(sample) - sample.null_count
    # Most of its values may be null.
    return found * ONE_IN >= LEAST_ROWS and bool(pc.count_distinct(sample, mode="only_valid").as_py() == found)
