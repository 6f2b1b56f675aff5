"""Records that are held come out once, in order, as those of their tables."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.detached import SentRecords
from lakelock.adapters.kafka.packed_records import PackedRun
from lakelock.records.headers import HEADERS
from lakelock.records.values import Values
from lakelock.workers import held_records
from lakelock.workers.held_records import HeldRecords, Sections

Place = tuple[int, int]


def block_of(first: int, values: Sequence[bytes | None], *, is_compressed: bool) -> Block:
    count, sent = len(values), Values.from_list(values)
    read = Values.from_list([v and v * 2 for v in values]) if is_compressed else sent
    keys = Values.from_list([b"k%d" % (first + n) for n in range(count)])
    headers = pa.array([[{"key": "h", "value": b"%d" % (first + n)}] for n in range(count)], HEADERS)
    offsets = np.arange(first, first + count, dtype=np.int64)
    block = Block("t", SentRecords(keys, sent, headers), read, np.zeros(count, np.int32), offsets, offsets * 1000)
    return replace(block, compressed=sent) if is_compressed else block


def taken_from(released: Sections, tables: list[list[int]], most_records: int, values: dict[int, bytes | None]) -> None:
    block, sections = released
    assert [s.start for s in sections] == [0, *(s.end for s in sections[:-1])]
    assert sections[-1].end == len(block.values)
    assert len(sections) > 1 or len(block.values) <= most_records
    for section in sections:
        for i in range(section.start, section.end):
            offset = int(block.offsets[i])
            original = block.original(i)
            assert (original.key, original.value) == (b"k%d" % offset, values[offset])
            assert original.headers == (("h", b"%d" % offset),)
            tables[section.number].append(offset)


@pytest.mark.parametrize("is_compressed", [False, True])
@pytest.mark.parametrize("count", [1, 3, 200, 1_000])
@pytest.mark.parametrize("limit", [1_000, 20_000, 1 << 30])
def test_each_record_is_released_once_for_each_of_its_tables(count: int, limit: int, is_compressed: bool) -> None:
    source = random.Random(count)
    held = HeldRecords(count, 50, 4_000, limit)
    wanted: list[list[int]] = [[] for _ in range(count)]
    found: list[list[int]] = [[] for _ in range(count)]
    values: dict[int, bytes | None] = {}
    first = 0
    for _ in range(30):
        here = [source.choice([None, b"", b"x" * source.randrange(60)]) for _ in range(source.randrange(1, 120))]
        values |= {first + n: value for n, value in enumerate(here)}
        pairs = [(n, source.choice([0, source.randrange(count)])) for n in range(len(here)) if source.random() < 0.9]
        pairs += [(n, count - 1) for n, table in pairs if table != count - 1 and source.random() < 0.1]
        for n, table in pairs:
            wanted[table].append(first + n)
        pairs.sort(key=lambda pair: pair[1] == count - 1)
        at = np.array(pairs, np.int64).reshape(-1, 2)
        held.add(block_of(first, here, is_compressed=is_compressed), at[:, 0], at[:, 1])
        first += len(here)
        if held.is_full:
            for released in held.most():
                taken_from(released, found, 50, values)
    ended: set[int] = set()
    for one in held.all():
        if isinstance(one, range):
            ended |= set(one)
        else:
            assert ended.isdisjoint(section.number for section in one[1])
            taken_from(one, found, 50, values)
    assert [sorted(offsets) for offsets in found] == [sorted(offsets) for offsets in wanted]
    assert ended in (set(), set(range(count)))
    assert not [*held.all()]


def test_what_waits_on_the_disk_has_no_bytes_of_other_records(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    dumped = held_records._dumped

    def measured(runs: Sequence[PackedRun]) -> list[Any]:
        parts = dumped(runs)
        sizes.append(sum(len(bytes(part)) for part in parts))
        return parts

    monkeypatch.setattr(held_records, "_dumped", measured)
    held = HeldRecords(64, 50, 4_000, 1)
    tables = np.repeat(np.arange(64), 20)
    held.add(block_of(0, [b"x" * 100] * len(tables), is_compressed=False), np.arange(len(tables)), tables)
    monkeypatch.setattr(held_records, "DIRECT_SHARE", 1e9)
    assert not [*held.most()]
    assert len(sizes) == 64
    assert max(sizes) < 20 * 100 + 5_000
    held.close()


def test_one_record_does_not_keep_its_block() -> None:
    held = HeldRecords(2, 20_000, 8 << 20)
    for n in range(100):
        held.add(block_of(n * 100, [b"x" * 10_000] * 100, is_compressed=False), np.array([50]), np.array([1]))
    assert sum(len(one.rows) for one in held._held) <= held._bytes < 2_000_000
    assert held._room._used <= held._bytes


def test_what_was_released_stays_as_it_is() -> None:
    """The memory of what was held is used again."""
    held, blocks = HeldRecords(1, 50, 4_000, 10_000), list[Block]()
    for n in range(20):
        held.add(block_of(n * 50, [b"%d" % n] * 50, is_compressed=False), np.arange(50), np.zeros(50, np.int64))
        if held.is_full:
            blocks += [block for block, _ in held.most()]
    blocks += [one[0] for one in held.all() if not isinstance(one, range)]
    assert len(blocks) == 20
    found = [block.original(i) for block in blocks for i in range(len(block.values))]
    assert found == [(b"k%d" % i, b"%d" % (i // 50), (("h", b"%d" % i),)) for i in range(1_000)]


def test_many_small_blocks_are_one_piece_and_more() -> None:
    """A call of the system takes 1,024 parts of a piece."""
    held = HeldRecords(2, 50, 4_000, 1)
    for n in range(2_500):
        held.add(block_of(n, [b"x"], is_compressed=False), np.array([0]), np.array([1]))
    held._limit_bytes = 1 << 30
    assert not [*held.most()]
    blocks = [one[0] for one in held.all() if not isinstance(one, range)]
    assert [offset for block in blocks for offset in block.offsets.tolist()] == list(range(2_500))


def test_keys_and_headers_count() -> None:
    held, count = HeldRecords(2, 20_000, 8 << 20), 2_000
    headers = pa.array([[{"key": "h", "value": b"y" * 4_000}]] * count, HEADERS)
    block = block_of(0, [b"{}"] * count, is_compressed=False)
    assert isinstance(block.messages, SentRecords)
    keys = Values.from_list([b"k" * 1_000] * count)
    block = replace(block, messages=replace(block.messages, sent_headers=headers, sent_keys=keys))
    held.add(block, np.arange(count), np.arange(count) % 2)
    assert held._bytes > 5_000 * count
