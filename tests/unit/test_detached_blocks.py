"""Blocks of records that another process takes have the same originals there."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.kafka.block import Block, Original, PartitionShare
from lakelock.adapters.kafka.detached import detached, handed, kept, taken
from lakelock.records.headers import HEADERS
from lakelock.records.values import Values

ORIGINALS = [
    Original(b"k0", b"v0", (("a", b"1"), ("a", b"2"))),
    Original(None, b"v1", ()),
    Original(b"", None, (("", b""),)),
    Original(b"k\n3", b"v\n3", None),
    Original(b"\xff", b"", (("é", None), ("b", b"\x00"))),
    Original(b"k5", b"v5", ()),
]
BARE = [Original(None, b"v%d" % n, ()) for n in range(4)]
TOMBSTONES = [Original(b"k", None, ())] * 3


class Sent:
    """Messages of a client, which are gone with its block: it cannot be pickled."""

    def __init__(self, originals: Sequence[Original]) -> None:
        self._originals = originals

    def __reduce__(self) -> tuple[object]:
        raise TypeError("messages of a client")

    def original(self, index: int) -> Original:
        return self._originals[index]

    def keys(self, start: int, count: int) -> Values:
        return Values.from_list([o.key for o in self._originals[start : start + count]])

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        return pa.nulls(count, pa.string())

    def headers(self, start: int, count: int) -> pa.Array:
        listed = [
            [None] if o.headers is None else [{"key": k, "value": v} for k, v in o.headers] or None
            for o in self._originals[start : start + count]
        ]
        return pa.array(listed, HEADERS)

    def keys_and_headers(self, start: int, count: int) -> tuple[Values | None, pa.Array | None]:
        keys, headers = self.keys(start, count), self.headers(start, count)
        return None if keys.absent.all() else keys, None if headers.null_count == count else headers


def block_of(originals: Sequence[Original]) -> Block:
    count = len(originals)
    return Block(
        "t",
        Sent(originals),
        Values.from_list([o.value for o in originals]),
        np.arange(count, dtype=np.int32) % 2,
        np.arange(count, dtype=np.int64) + 100,
        np.array([n * 1000 - 1 for n in range(count)], np.int64),
    )


def sent_on(block: Block) -> Block:
    found: Block = pickle.loads(pickle.dumps(detached(block), protocol=pickle.HIGHEST_PROTOCOL))
    return found


def check(taken: Block, block: Block, originals: Sequence[Original]) -> None:
    assert [taken.original(i) for i in range(len(originals))] == list(originals)
    assert list(taken.values) == [o.value for o in originals]
    assert taken.topic == block.topic
    for name in ("partitions", "offsets", "timestamps_ms"):
        assert getattr(taken, name).tolist() == getattr(block, name).tolist()
    assert taken.shares() == block.shares()
    for key in ("partition", "offset", "topic", "timestamp"):
        assert taken.metadata(key).equals(block.metadata(key))


@pytest.mark.parametrize("originals", [ORIGINALS, BARE, TOMBSTONES, ORIGINALS[3:4]])
def test_a_block_has_the_same_originals_elsewhere(originals: list[Original]) -> None:
    block = block_of(originals)
    check(sent_on(block), block, originals)


@pytest.mark.parametrize(("start", "end"), [(0, 6), (0, 1), (1, 2), (2, 5), (3, 6), (5, 6)])
@pytest.mark.parametrize("is_compressed", [False, True])
def test_a_part_of_a_block_has_its_own_originals(start: int, end: int, is_compressed: bool) -> None:
    block = block_of(ORIGINALS)
    plain = Values.from_list([b"plain"] * (end - start)) if is_compressed else block.values[start:end]
    part = block.part(start, plain)
    check(sent_on(part), part, ORIGINALS[start:end])
    # Of what the part does not have nothing travels.
    assert len(sent_on(part).values.buffer) == sum(len(o.value or b"") + 1 for o in ORIGINALS[start:end])


def test_types_of_timestamps_are_kept_only_when_wanted() -> None:
    with pytest.raises(NotImplementedError):
        detached(block_of(ORIGINALS)).messages.timestamp_types(0, 1)
    whole = kept(block_of(ORIGINALS), with_types=True)
    assert whole.messages.timestamp_types(0, 6).null_count == 6


@pytest.mark.parametrize("originals", [ORIGINALS, BARE, TOMBSTONES])
@pytest.mark.parametrize("is_compressed", [False, True])
def test_records_of_kept_blocks_in_another_order_are_the_same(originals: list[Original], is_compressed: bool) -> None:
    block = block_of(originals)
    if is_compressed:
        block = block.part(0, Values.from_list([b"plain"] * len(originals)))
    whole = kept(block, with_types=True)
    order = np.array([*range(len(originals) - 1, 0, -2), 0, 2])
    some = taken(whole, order)
    for start, end in ((0, len(order)), (1, 3), (2, 2)):
        section, at = some.between(start, end), order[start:end]
        assert [section.original(i) for i in range(len(at))] == [originals[n] for n in at]
        assert list(section.values) == [whole.values[int(n)] for n in at]
        assert list(section.sent_values) == [originals[n].value for n in at]
        assert section.metadata("key").to_pylist() == [originals[n].key for n in at]
        assert section.metadata("headers").to_pylist() == whole.metadata("headers").take(pa.array(at)).to_pylist()
        assert section.metadata("offset").to_pylist() == whole.offsets[at].tolist()
        if len(at):
            assert [sent_on(section).original(i) for i in range(len(at))] == [originals[n] for n in at]


LISTS: list[list[bytes | None]] = [
    [], [b""], [None], [b"a", b"b\n", None, b"", b"\xff\x00"], [None, None], [b"x" * 100, None, b"y"],
]  # fmt: skip


@pytest.mark.parametrize("values", LISTS, ids=str)
def test_values_are_the_same_when_pickled_and_alone(values: list[bytes | None]) -> None:
    whole = Values.from_list([b"before", None, *values, b"after"])
    part = whole[2 : 2 + len(values)]
    for found in (part.alone(), pickle.loads(pickle.dumps(part)), pickle.loads(pickle.dumps(part.alone()))):
        assert list(found) == values
        assert [found[i] for i in range(len(found))] == values
        assert found.size_bytes == part.size_bytes
        assert found.absent.tolist() == [v is None for v in values]
        assert found.binary().to_pylist() == values
    assert len(part.alone().buffer) == sum(len(v or b"") + 1 for v in values)
    assert np.shares_memory(part.alone().buffer, whole.buffer) == bool(values)


def test_a_block_for_another_process_has_its_values_and_those_that_were_sent() -> None:
    block = block_of(ORIGINALS)
    part = block.part(1, Values.from_list([b"plain1", None, b"plain3"]))
    there = pickle.loads(pickle.dumps(handed(part, with_types=True)))
    assert list(there.values) == [b"plain1", None, b"plain3"]
    assert [there.original(n) for n in range(3)] == ORIGINALS[1:4]
    assert there.metadata("timestamp_type").null_count == 3
    assert there.offsets.tolist() == [101, 102, 103]
    whole = pickle.loads(pickle.dumps(handed(block, with_types=False)))
    assert [whole.original(n) for n in range(6)] == ORIGINALS
    assert list(whole.values) == [o.value for o in ORIGINALS]


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-1, 0, 5, 9])), min_size=1, max_size=12))
def test_shares_are_those_of_each_partition(records: list[tuple[int, int]]) -> None:
    block = block_of([Original(None, b"v", ())] * len(records))
    block.partitions = np.array([partition for partition, _ in records], np.int32)
    block.timestamps_ms = np.array([stamp for _, stamp in records], np.int64)
    expected = []
    for partition in sorted({partition for partition, _ in records}):
        stamps = [stamp for of, stamp in records if of == partition]
        known = [stamp for stamp in stamps if stamp >= 0]
        expected.append(PartitionShare(partition, len(stamps), min(known, default=None), max(known, default=None)))
    assert block.shares() == expected
