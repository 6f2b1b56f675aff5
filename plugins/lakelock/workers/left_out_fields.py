"""Fields whose columns were dropped: how many rows would have had a value of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from lakelock.model.column_changes import ColumnPath
from lakelock.model.column_types import Column, Text
from lakelock.records.casts import Reading
from lakelock.records.decoding import Decoded


class LeftOutFields:
    """Has a decoder read the fields at *paths* as columns of their own, whatever they hold, and counts those with a value.

    *counts* are values of rows, by dotted path. *taken* are the names of other columns.
    """

    def __init__(self, paths: Sequence[ColumnPath], taken: Sequence[str]) -> None:
        mark = "left out"
        while any(name.startswith(mark) for name in taken):
            mark = f"({mark})"
        self._paths = {f"{mark} {number}": path for number, path in enumerate(paths)}
        self.readings = {name: Reading(path, ("json",)) for name, path in self._paths.items()}
        self.columns = tuple(Column(name, Text()) for name in self._paths)
        self.fields = [pa.field(name, pa.large_string()) for name in self._paths]
        self.counts: Counter[str] = Counter()

    def counted(self, decoded: Decoded) -> Decoded:
        """The rows without these columns."""
        table = decoded.table
        for name, path in self._paths.items():
            if there := table.num_rows - table.column(name).null_count:
                self.counts[".".join(path)] += there
        return replace(decoded, table=table.drop_columns(list(self._paths)))
