"""What rows get after their values are decoded, in any format: constants, and masks over texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyarrow as pa

from lakelock.adapters.hashing.sha256 import digests
from lakelock.ports import Target
from lakelock.records.constants import constant_array
from lakelock.records.decoding import Decoded
from lakelock.records.masks import discreet, masked, unfit_mask
from lakelock.records.reasons import Unfit


class FilledColumns:
    """The constants and masks of a target; *schema* has all of its columns.

    Raises Unfit if a column cannot have its constant or its mask; *check* does for rows that the table cannot hold.
    """

    def __init__(self, target: Target, schema: pa.Schema, check: Callable[[pa.Table], None]) -> None:
        self._target = target
        columns = {c.name: c for c in target.columns}
        for name in (*target.constants, *target.masks):
            if name not in columns:
                raise Unfit(f"column {name!r}: the file names it, and the table does not have it")
        self._constants = {
            name: constant_array(columns[name], schema.field(name), text, target.zones)
            for name, text in target.constants.items()
        }
        if self._constants:
            known = [self._constants.get(field.name, pa.nulls(1, field.type)) for field in schema]
            check(pa.Table.from_arrays(known, schema.names))
        for name, mask in target.masks.items():
            if why := unfit_mask(columns[name].type, mask):
                raise Unfit(f"column {name!r}: {why}")
            if mask.key_id is not None and not target.mask_keys.get(mask.key_id):
                raise Unfit(f"column {name!r}: the key of its mask is not known")

    def fill(self, decoded: Decoded) -> Decoded:
        """The rows with constants and masks; reasons of bad records do not quote what a mask hides."""
        target, table = self._target, decoded.table
        for name, constant in self._constants.items():
            at = table.schema.get_field_index(name)
            values = _repeated(constant, table.num_rows)
            table = table.set_column(at, table.schema.field(at), values)
        for name, mask in target.masks.items():
            at = table.schema.get_field_index(name)
            key = target.mask_keys[mask.key_id].encode() if mask.key_id is not None else None
            column = table.column(at)
            hidden = [masked(chunk, mask, key, digests) for chunk in column.chunks]
            table = table.set_column(at, table.schema.field(at), pa.chunked_array(hidden, column.type))
        if not target.masks:
            return replace(decoded, table=table)
        bad = [
            replace(b, reason=discreet(b.reason, target.masks, target.readings, target.renamed)) for b in decoded.bad
        ]
        return replace(decoded, table=table, bad=bad)


def _repeated(constant: pa.Array, count: int) -> pa.Array:
    if pa.types.is_nested(constant.type):
        return constant.take(pa.array(np.zeros(count, np.int64)))
    return pa.repeat(constant[0], count)
