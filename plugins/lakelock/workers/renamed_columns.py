"""Columns that were renamed in the table, while records still have their fields by the old names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from lakelock.model.column_types import Column
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded, refused_rows
from lakelock.records.reasons import Reason


class RenamedColumns:
    """Has a decoder read *renamed* columns, by old name, as columns of their own; then each row has one value for both names.

    *schema* has the table's columns, and maybe others. *check* raises Unfit for rows that the table cannot hold.
    """

    def __init__(
        self,
        columns: tuple[Column, ...],
        schema: pa.Schema,
        renamed: Mapping[str, str],
        check: Callable[[pa.Table], None],
    ) -> None:
        by_name = {column.name: column for column in columns}
        self._renamed = {old: new for old, new in renamed.items() if new in by_name}
        now = set(self._renamed.values())
        self._required = [c.name for c in columns if c.required and c.name in now]
        self._own, self._check = schema, check
        # A record has one of the names, so the decoder must not miss the other.
        self.columns = tuple(replace(c, required=False) if c.name in now else c for c in columns)
        self.also = tuple(Column(old, by_name[new].type) for old, new in self._renamed.items())
        fields = [field.with_nullable(True) if field.name in now else field for field in schema]
        self.schema = pa.schema(
            [*fields, *(pa.field(old, schema.field(new).type) for old, new in self._renamed.items())]
        )

    def follow(self, decoded: Decoded) -> Decoded:
        """The rows without these columns. A record that has a value by two names is a dead letter."""
        table = decoded.table
        bad: dict[int, Reason] = {}
        is_followed = False
        for old, new in self._renamed.items():
            at = table.schema.get_field_index(new)
            by_old, by_new = (np.asarray(table.column(name).is_valid()) for name in (old, new))
            for row in np.flatnonzero(by_old & by_new).tolist():
                message = f"field {old!r}: its column was renamed to {new!r}, and the record has both"
                bad[row] = Reason(reasons.FIELD_TWICE, message, old)
            if by_old.any():
                is_followed = True
                both = pa.chunked_array([*table.column(new).chunks, *table.column(old).chunks])
                rows = np.arange(table.num_rows)
                chosen = both.take(pa.array(np.where(by_old, rows + table.num_rows, rows)))
                table = table.set_column(at, table.schema.field(at), chosen)
        table = table.drop_columns(list(self._renamed))
        for name in self._required:
            reason = Reason(
                reasons.REQUIRED_NULL, f"column {name!r} is required, but the record has no value for it", name
            )
            bad |= dict.fromkeys(np.flatnonzero(np.asarray(table.column(name).is_null())).tolist(), reason)
        if is_followed:
            bad = refused_rows(self._check, table) | bad
        good = range(table.num_rows) if decoded.good is None else decoded.good
        found = [BadRecord(good[row], "convert", why) for row, why in bad.items()]
        rest = replace(decoded, table=table).without(frozenset(b.index for b in found))
        rows = pa.Table.from_arrays(rest.table.columns, schema=self._own)
        return replace(rest, table=rows, bad=sorted([*rest.bad, *found], key=lambda b: b.index))
