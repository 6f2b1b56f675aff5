"""Pieces of several parts: all of them come back, at addresses that arrays can have."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lakelock.workers.framing import framed, parts_in
from lakelock.workers.shuffled_records import dumped, loaded


@given(st.lists(st.lists(st.binary(max_size=20), max_size=3), max_size=5))
def test_parts_come_back_and_begin_at_multiples_of_8(parts: list[list[bytes]]) -> None:
    piece = memoryview(b"".join(framed(parts)))
    found = parts_in(piece)
    assert [bytes(part) for part in found] == [b"".join(part) for part in parts]
    starts = [np.frombuffer(part, np.uint8).ctypes.data for part in found if part]
    begin = np.frombuffer(piece, np.uint8).ctypes.data
    assert {(start - begin) % 8 for start in starts} <= {0}


def test_arrays_of_a_shuffled_piece_are_aligned() -> None:
    arrays = np.arange(3, dtype=np.uint8), np.arange(5, dtype=np.int64)
    bytes_, numbers = loaded(memoryview(dumped(arrays)))
    assert (bytes_.tolist(), numbers.tolist()) == ([0, 1, 2], [0, 1, 2, 3, 4])
    assert numbers.flags.aligned
