"""Tables that are alike are decoded at once; each gets what it would get alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import Reason
from lakelock.workers.table_blocks import TableBlock

ROWS = pa.table({"id": [0, 1, 3, 4, 6]})
BAD = [BadRecord(5, "decode", Reason("k", "why"))]
WHOLE = TableBlock("all", Decoded(ROWS, [0, 1, 3, 4, 6], BAD), np.array([2]))


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize(
    ("start", "end", "ids", "good", "filtered"),
    [(0, 2, [0, 1], [0, 1], []), (1, 5, [1, 3, 4], [0, 2, 3], [1]), (6, 7, [6], [0], []), (2, 3, [], [], [0])],
)
def test_a_section_has_its_own_rows(
    start: int, end: int, ids: list[int], good: list[int], filtered: list[int], copies: bool
) -> None:
    part = WHOLE.between(start, end, "one", copies=copies)
    assert part is not None
    assert part.table == "one"
    assert part.decoded.table.column("id").to_pylist() == ids
    assert (part.decoded.good, part.filtered.tolist()) == (good, filtered)


def test_a_copied_section_keeps_no_other_rows_in_memory() -> None:
    rows = pa.table({"id": np.arange(10_000)})
    part = TableBlock("all", Decoded(rows, None, ()), np.array([], np.int64)).between(10, 20, "one", copies=True)
    assert part is not None
    assert part.decoded.table.column("id").to_pylist() == list(range(10, 20))
    (chunk,) = part.decoded.table.column("id").chunks
    assert chunk.get_total_buffer_size() < 10 * 8 + 1_000


def test_a_section_with_a_bad_record_is_decoded_alone() -> None:
    assert WHOLE.between(5, 7, "one", copies=True) is None
    assert replace(WHOLE, decoded=replace(WHOLE.decoded, bad=())).between(5, 7, "one", copies=True) is not None
