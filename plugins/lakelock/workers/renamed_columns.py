"""Columns that were renamed in the table, while records still have their fields by the old names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from lakelock.model.column_types import Column
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import Reason


class RenamedColumns:
    """Has a decoder read *renamed* columns, by old name, as columns of their own; then each row has one value for both names."""

    def __init__(self, columns: tuple[Column, ...], renamed: Mapping[str, str]) -> None:
        by_name = {column.name: column for column in columns}
        self._renamed = {old: new for old, new in renamed.items() if new in by_name}
        self.columns = tuple(Column(old, by_name[new].type) for old, new in self._renamed.items())

    def fields(self, schema: pa.Schema) -> list[pa.Field]:
        """Of the columns that are read in addition, where *schema* has those of the table."""
        return [pa.field(old, schema.field(new).type) for old, new in self._renamed.items()]

    def follow(self, decoded: Decoded) -> Decoded:
        """The rows without these columns. A record that has a value by both names is a dead letter."""
        table = decoded.table
        twice: dict[int, Reason] = {}
        for old, new in self._renamed.items():
            at = table.schema.get_field_index(new)
            by_old, by_new = (np.asarray(table.column(name).is_valid()) for name in (old, new))
            for row in np.flatnonzero(by_old & by_new).tolist():
                message = f"field {old!r}: its column was renamed to {new!r}, and the record has both"
                twice[row] = Reason(reasons.FIELD_TWICE, message, old)
            if by_old.any():
                both = pa.chunked_array([*table.column(new).chunks, *table.column(old).chunks])
                rows = np.arange(table.num_rows)
                chosen = both.take(pa.array(np.where(by_old, rows + table.num_rows, rows)))
                table = table.set_column(at, table.schema.field(at), chosen)
        table = table.drop_columns(list(self._renamed))
        good = range(table.num_rows) if decoded.good is None else decoded.good
        found = [BadRecord(good[row], "convert", why) for row, why in twice.items()]
        rest = replace(decoded, table=table).without(frozenset(b.index for b in found))
        return replace(rest, bad=sorted([*rest.bad, *found], key=lambda b: b.index))
