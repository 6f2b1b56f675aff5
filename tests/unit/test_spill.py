"""Pieces on the local disk come back as they were added; a full disk is reported."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pyarrow as pa
import pytest
from lakelock.adapters.parquet.spill import Spill
from lakelock.errors import State, Unreachable


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_pieces_come_back_by_key_in_order() -> None:
    with closing(Spill()) as spill:
        spill.put("a", [b"one", memoryview(b"two"), b""])
        spill.put("b", [b"x" * 100_000])
        spill.put("a", [pa.py_buffer(b"three")])
        assert [bytes(piece) for piece in spill.pieces("a")] == [b"onetwo", b"three"]
        assert not [*spill.pieces("a")]
        assert [len(piece) for piece in spill.pieces("b")] == [100_000]


@pytest.mark.parametrize("second", [500, 10_000])
def test_a_piece_that_is_cut_off_by_a_full_disk_is_an_error(second: int) -> None:
    with closing(Spill(State.BATCH_PLANNED)) as spill, files_of_at_most(1_000):
        spill.put("a", [b"x" * 600])
        with pytest.raises(Unreachable, match="local disk") as fault:
            spill.put("b", [b"y" * second])
        assert fault.value.state is State.BATCH_PLANNED
        assert [len(piece) for piece in spill.pieces("a")] == [600]
        assert not [*spill.pieces("b")]
