"""Decode blocks for one table, and leave out what is no row by itself: skipped tombstones and lines of headers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from lakelock.ports import Target
from lakelock.records.csv.format import header_lines
from lakelock.records.csv.options import SKIP
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Indexes
from lakelock.records.masks import discreet
from lakelock.records.reasons import Reason
from lakelock.records.values import Values
from lakelock.workers.table_rows import Metadata, TableRows, tombstones

NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A block's rows and bad records for *table*; its expressions are still to be evaluated.

    *filtered* are left out. *decided* are dead letters already, which stay as they are, and *lost* those whose
    dead letter was declared lost.
    """

    table: str
    decoded: Decoded
    filtered: Indexes
    decided: frozenset[int] = NOTHING
    lost: frozenset[int] = NOTHING

    def between(self, start: int, end: int, table: str, *, copies: bool) -> TableBlock | None:
        """Those of the records from *start* to *end* for *table*; None if one of them is bad or asks for columns. Without
        *copies*, the rows keep all others in memory."""
        decoded = self.decoded
        first = bisect_left(decoded.bad, start, key=lambda b: b.index)
        if decoded.news is not None or (first < len(decoded.bad) and decoded.bad[first].index < end):
            return None
        if decoded.good is None:
            rows, good = decoded.table.slice(start, end - start), None
        else:
            at, stop = bisect_left(decoded.good, start), bisect_left(decoded.good, end)
            rows, good = decoded.table.slice(at, stop - at), [i - start for i in decoded.good[at:stop]]
        low, high = np.searchsorted(self.filtered, [start, end])
        filtered = self.filtered[low:high] - start
        return TableBlock(table, Decoded(copied(rows) if copies else rows, good, ()), filtered)


class TableBlocks:
    """Decodes for *target*; *schema* is its Arrow schema with all columns."""

    def __init__(self, target: Target, schema: pa.Schema, *, skips_tombstones: bool) -> None:
        self.table = target.table
        self.rows = TableRows(target, schema)
        self._target = target
        self._skips_tombstones = skips_tombstones

    def of(
        self,
        values: Values,
        metadata: Metadata,
        unfit: Mapping[int, Reason],
        decided: frozenset[int] = NOTHING,
        lost: frozenset[int] = NOTHING,
    ) -> TableBlock:
        """*unfit* has the decompression faults of values that are None."""
        target = self._target
        filtered = tombstones(values, {*unfit, *decided, *lost}) if self._skips_tombstones else NONE
        # A record that stays a dead letter must not ask for other columns either.
        out = np.union1d(filtered, np.array(list(decided), np.int64)) if decided else filtered
        decoded = self.rows.decode(values, metadata, out)
        if target.options is not None and target.options.header == SKIP:
            headers = header_lines(decoded, lost)
            decoded, filtered = decoded.without(frozenset(headers.tolist())), np.union1d(filtered, headers)
        if unfit:
            decoded = _explained(decoded, unfit, target)
        return TableBlock(target.table, decoded, filtered, decided, lost)


def copied(rows: pa.Table) -> pa.Table:
    """*rows* in memory of their own: a slice keeps all rows of its table in memory."""
    batches = [pa.ipc.read_record_batch(batch.serialize(), rows.schema) for batch in rows.to_batches()]
    return pa.Table.from_batches(batches, rows.schema)


def _explained(decoded: Decoded, unfit: Mapping[int, Reason], target: Target) -> Decoded:
    """*decoded* with the decompression faults as reasons for these values."""
    why = {i: discreet(reason, target.masks, target.readings, target.renamed) for i, reason in unfit.items()}
    bad = [BadRecord(b.index, "decompress", why[b.index]) if b.index in why else b for b in decoded.bad]
    return replace(decoded, bad=bad)
