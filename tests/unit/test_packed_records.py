"""Records that were packed by table come back as they were, for each of their tables in order."""

from __future__ import annotations

import ctypes
import pickle
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lakelock.adapters.kafka import packed_records
from lakelock.adapters.kafka.block import Block, Original
from lakelock.adapters.kafka.detached import SentRecords, detached
from lakelock.adapters.kafka.packed_records import PackedRecords, PackedRun, joined_beside, packed, unpacked
from lakelock.records.headers import headers_array
from lakelock.records.values import Bytes, Values

Headers = tuple[tuple[str, bytes | None], ...]


class Record(NamedTuple):
    """*value* is what decompression made of *sent*."""

    tables: list[int]
    key: bytes | None
    value: bytes | None
    sent: bytes | None
    headers: Headers | None
    type: str | None


def block_of(records: Sequence[Record], first: int, *, is_compressed: bool, with_types: bool) -> Block:
    """A `kept` block, which is a part of a buffer."""
    values = Values.from_list([b"before", *(r.value for r in records), b"behind"])[1:-1]
    sent = Values.from_list([r.sent for r in records]) if is_compressed else values
    keys = Values.from_list([r.key for r in records])
    headers = headers_array([r.headers for r in records])
    types = pa.array([r.type for r in records], pa.string()) if with_types else None
    offsets = np.arange(first, first + len(records))
    return Block(
        "t",
        SentRecords(
            None if keys.absent.all() else keys, sent, None if headers.null_count == len(headers) else headers, types
        ),
        values,
        (offsets % 3).astype(np.int32),
        offsets,
        offsets * 10 - 1,
        compressed=sent if is_compressed else None,
    )


def packed_block(block: Block, records: Sequence[Record], tables: int) -> PackedRecords:
    at = [i for i, r in enumerate(records) for _ in r.tables]
    numbers = [n for r in records for n in r.tables]
    return packed(
        block, np.array(at, np.int64), np.array(numbers, np.int64), tables, lambda size: np.empty(size, np.uint8)
    )


def through_bytes(run: PackedRun) -> PackedRun:
    return PackedRun(np.frombuffer(run.rows.tobytes(), np.uint8), run.count, run.beside)


BYTES = st.none() | st.binary(max_size=20) | st.sampled_from([b"", b"\n", b"\xff\xfe", b"x" * 300])
RECORDS = st.builds(
    Record,
    st.lists(st.integers(0, 6), max_size=3, unique=True),
    BYTES,
    BYTES,
    BYTES,
    st.none() | st.lists(st.tuples(st.sampled_from(["h", "é", ""]), BYTES), max_size=2).map(tuple),
    st.sampled_from([None, "CreateTime"]),
)
BARE = Record([0, 3], None, b"v", b"v", (), None)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.tuples(st.lists(RECORDS, max_size=6), st.booleans()), min_size=1, max_size=4),
    st.booleans(),
    st.integers(0, 6),
    st.integers(1, 7),
)
@example(
    [([BARE], False), ([BARE._replace(headers=None)], True), ([], False), ([BARE._replace(key=b"")], False)],
    False,
    0,
    7,
)
@example([([BARE._replace(value=None, sent=b"\x1f")], True), ([BARE], False)], True, 0, 7)
@example([([BARE], False)], False, 1, 2)
def test_records_come_back_as_they_were(
    blocks: list[tuple[list[Record], bool]], with_types: bool, first: int, more: int
) -> None:
    end = min(first + more, 7)
    held, wanted, offset = list[PackedRecords](), list[list[tuple[int, Record]]]([[] for _ in range(7)]), 0
    for records, is_compressed in blocks:
        block = block_of(records, offset, is_compressed=is_compressed, with_types=with_types)
        held.append(packed_block(block, records, 7))
        for n, record in enumerate(records):
            for table in record.tables:
                wanted[table].append((offset + n, record if is_compressed else record._replace(sent=record.value)))
        offset += len(records)
    runs = [through_bytes(h.run(at, at + 1)) for h in held for at in range(first, end)]
    block, starts = unpacked("t", runs, first, end)
    assert np.diff(starts).tolist() == [len(of) for of in wanted[first:end]]
    every = [one for of in wanted[first:end] for one in of]
    assert block.offsets.tolist() == [offset for offset, _ in every]
    assert block.partitions.tolist() == [offset % 3 for offset, _ in every]
    assert block.timestamps_ms.tolist() == [offset * 10 - 1 for offset, _ in every]
    assert list(block.values) == [r.value for _, r in every]
    assert list(block.sent_values) == [r.sent for _, r in every]
    assert [block.original(i) for i in range(len(every))] == [Original(r.key, r.sent, r.headers) for _, r in every]
    assert block.metadata("key").to_pylist() == [r.key for _, r in every]
    if with_types:
        assert block.metadata("timestamp_type").to_pylist() == [r.type for _, r in every]
    joined = joined_beside(runs)
    assert joined is None or joined.num_rows == len(every)


def test_what_no_record_has_takes_no_memory() -> None:
    records = [BARE] * 3
    block = block_of(records, 0, is_compressed=False, with_types=False)
    found, _ = unpacked("t", [packed_block(block, records, 7).run(0, 7)], 0, 7)
    assert isinstance(found.messages, SentRecords)
    assert found.messages == SentRecords(None, found.values, None, None)
    assert found.compressed is None


def test_values_that_were_sent_as_they_are_join_others() -> None:
    """The bytes of a compressed value are kept once more, those of others are not."""
    plain, other = BARE._replace(value=b"x" * 1_000), BARE._replace(value=b"y", sent=b"z" * 1_000)
    sizes = []
    for is_compressed in (False, True):
        block = block_of([other if is_compressed else plain], 0, is_compressed=is_compressed, with_types=False)
        sizes.append(len(packed_block(block, [BARE], 7).run(0, 1).rows))
    assert sizes[1] == sizes[0] + 1


def test_rows_are_packed_where_there_is_room() -> None:
    taken: list[int] = []
    memory = np.full(10_000, 7, np.uint8)

    def room(size: int) -> Bytes:
        taken.append(size)
        return memory[:size]

    block = block_of([BARE] * 5, 0, is_compressed=False, with_types=False)
    found = packed(block, np.array([4, 0]), np.array([2, 2]), 3, room)
    assert np.shares_memory(found.rows, memory)
    assert taken == [len(found.rows)] == [2 * 49]
    assert (memory[98:] == 7).all()
    assert unpacked("t", [found.run(0, 3)], 0, 3)[0].offsets.tolist() == [4, 0]


def test_a_run_with_another_number_of_records_is_refused() -> None:
    block = block_of([BARE] * 5, 0, is_compressed=False, with_types=False)
    run = packed_block(block, [BARE] * 5, 7).run(0, 7)
    with pytest.raises(AssertionError):
        unpacked("t", [PackedRun(run.rows, run.count + 1, None)], 0, 7)


def test_a_part_of_what_was_unpacked_travels_without_the_rest() -> None:
    records = [BARE._replace(tables=[0], key=b"k" * 50, headers=(("h", b"x" * 500),), value=b"v" * 500)] * 200
    block = block_of(records, 0, is_compressed=False, with_types=False)
    whole, _ = unpacked("t", [packed_block(block, records, 1).run(0, 1)], 0, 1)
    part = detached(whole.between(10, 12))
    assert len(pickle.dumps(part)) < 5_000
    assert part.original(1) == Original(b"k" * 50, b"v" * 500, (("h", b"x" * 500),))


def test_structs_have_the_sizes_of_the_source() -> None:
    assert ctypes.sizeof(packed_records._Packing) == 8 * (3 + 12 + 4)
    assert ctypes.sizeof(packed_records._Unpacking) == 8 * (6 + 3 + 3 + 12 + 1)
