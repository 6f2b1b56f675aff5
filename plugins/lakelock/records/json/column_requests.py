"""Find out for which columns records ask, in place of decoding them, as soon as one asks for a change.

A slice whose records ask for changes is decoded again after the table has changed. Until its end, only the fields of such
records matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lakelock.records import reasons
from lakelock.records.decoding import NONE, Decoded, Decoder, Indexes, News, RowShape, no_rows
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.json.block_parser import not_objects
from lakelock.records.json.observed_blocks import observed_block
from lakelock.records.observed_fields import observed
from lakelock.records.values import Values

# Kinds of reasons that a change of columns may remove.
_CURABLE = frozenset(
    {
        reasons.UNKNOWN_FIELD,
        reasons.OUT_OF_RANGE,
        reasons.NOT_EXACT,
        reasons.REQUIRED_MISSING,
        reasons.REQUIRED_NULL,
    }
)
# If all records of a block are of a new kind, a few of them show it before each one is diagnosed.
_PROBES = 16
# Records among which the first one that asks is looked for.
_PIECE = 64


def requesting(shape: RowShape, own: Decoder) -> Decoder:
    """*own*, which decodes what *shape* can take, with news of what it cannot take if its columns may change."""
    return own if shape.evolving is None else _RequestingDecoder(shape, shape.evolving, own)


class _RequestingDecoder:
    def __init__(self, shape: RowShape, evolving: Evolving, own: Decoder) -> None:
        self._schema, self._own = shape.schema, own
        # A format may have readings of its own.
        self._evolution = Evolution(replace(evolving, readings=shape.readings))
        self._observes = False

    @property
    def unknown_fields(self) -> set[str]:
        return self._own.unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        decoded: Decoded | None = None
        suspects: Sequence[int] = np.setdiff1d(_spread(len(values)), filtered).tolist()
        if not self._observes and not self._asks(values, suspects):
            decoded = self._own.decode(values, filtered)
            suspects = [b.index for b in decoded.bad if b.reason.kind in _CURABLE]
            if not self._asks(values, suspects):
                return decoded
        bad = [b.index for b in not_objects(values, filtered)]
        there = np.setdiff1d(np.arange(len(values)), np.union1d(filtered, np.array(bad, np.int64))).tolist()
        found = observed_block(values, there)
        asks = bool(self._evolution.changes(found))
        if not self._observes and not asks:
            # What a few ask for, all together may not.
            return self._own.decode(values, filtered) if decoded is None else decoded
        first = 0 if self._observes or not asks else self._first(values, there, suspects)
        self._observes = True
        return Decoded(no_rows(self._schema), [], [], News(found, first) if asks else None)

    def _asks(self, values: Values, indexes: Sequence[int]) -> bool:
        return bool(indexes) and bool(self._evolution.changes(observed(values[i] for i in indexes)))

    def _first(self, values: Values, there: Sequence[int], suspects: Sequence[int]) -> int:
        """The first record that asks for a change by itself, or one of *suspects* if only several together do."""
        for start in range(0, len(there), _PIECE):
            piece = there[start : start + _PIECE]
            if self._asks(values, piece):
                return next((i for i in piece if self._asks(values, [i])), piece[0])
        return suspects[0] if len(suspects) else there[0]


def _spread(count: int) -> Sequence[int]:
    return range(0, count, max(1, count // _PROBES))
