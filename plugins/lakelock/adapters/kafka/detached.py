"""Blocks without the messages of a client: for another process, or for longer than the client has the messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.adapters.kafka.block import Block, Original
from lakelock.records.headers import HEADERS
from lakelock.records.values import Values


@dataclass(frozen=True, slots=True)
class SentRecords:
    """`Messages` of a detached block: keys and headers are None if no record has one. *sent_types* are there for a block that
    was kept with them."""

    sent_keys: Values | None
    sent_values: Values
    sent_headers: pa.Array | None
    sent_types: pa.Array | None = None

    def original(self, index: int) -> Original:
        key = None if self.sent_keys is None else self.sent_keys[index]
        listed = (None if self.sent_headers is None else self.sent_headers[index].as_py()) or []
        headers = None if listed == [None] else tuple((h["key"], h["value"]) for h in listed)
        return Original(key, self.sent_values[index], headers)

    def keys(self, start: int, count: int) -> Values:
        return Values.of_none(count) if self.sent_keys is None else self.sent_keys[start : start + count]

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        if self.sent_types is None:
            raise NotImplementedError
        return self.sent_types.slice(start, count)

    def headers(self, start: int, count: int) -> pa.Array:
        return pa.nulls(count, HEADERS) if self.sent_headers is None else self.sent_headers.slice(start, count)

    def keys_and_headers(self, start: int, count: int) -> tuple[Values | None, pa.Array | None]:
        return (
            None if self.sent_keys is None else self.sent_keys[start : start + count],
            None if self.sent_headers is None else self.sent_headers.slice(start, count),
        )

    def take(self, indexes: npt.NDArray[np.int64], values: Values) -> SentRecords:
        """Those at *indexes*, which were sent with these *values*."""
        at = pa.array(indexes)
        return SentRecords(
            None if self.sent_keys is None else self.sent_keys.take(indexes),
            values,
            None if self.sent_headers is None else self.sent_headers.take(at),
            None if self.sent_types is None else self.sent_types.take(at),
        )


def detached(block: Block) -> Block:
    """*block* with the values as they were sent; pickle it before the next block is requested."""
    sent = block.sent_values.alone()
    keys, headers = block.messages.keys_and_headers(block.first, len(sent))
    return replace(block, messages=SentRecords(keys, sent, headers), values=sent, first=0, compressed=None)


def kept(block: Block, *, with_types: bool) -> Block:
    """*block* for longer than until the next block is requested; *with_types*: also with the types of its timestamps."""
    count = len(block.values)
    keys, headers = block.messages.keys_and_headers(block.first, count)
    types = block.messages.timestamp_types(block.first, count) if with_types else None
    return replace(block, messages=SentRecords(keys, block.sent_values, headers, types), first=0)


def handed(block: Block, *, with_types: bool) -> Block:
    """As `kept`, for another process that also needs the values as they are; pickle it before the next block is requested."""
    whole = kept(block, with_types=with_types)
    assert isinstance(whole.messages, SentRecords)
    values = whole.values.alone()
    compressed = None if whole.compressed is None else whole.compressed.alone()
    sent = values if compressed is None else compressed
    return replace(whole, messages=replace(whole.messages, sent_values=sent), values=values, compressed=compressed)


def taken(block: Block, indexes: npt.NDArray[np.int64]) -> Block:
    """The records of a `kept` block at *indexes*, in their order."""
    messages = block.messages
    assert isinstance(messages, SentRecords)
    assert not block.first
    if len(indexes) == len(block.values) and (np.diff(indexes) == 1).all():
        return block
    values = block.values.take(indexes)
    compressed = None if block.compressed is None else block.compressed.take(indexes)
    return replace(
        block,
        messages=messages.take(indexes, values if compressed is None else compressed),
        values=values,
        partitions=block.partitions[indexes],
        offsets=block.offsets[indexes],
        timestamps_ms=block.timestamps_ms[indexes],
        compressed=compressed,
    )


def alone(block: Block) -> Block:
    """A `kept` block in memory of its own: a selection of neighbours is a view, which keeps the block that it is of."""
    messages = block.messages
    assert isinstance(messages, SentRecords)
    values = block.values.copied()
    compressed = None if block.compressed is None else block.compressed.copied()
    keys = None if messages.sent_keys is None else messages.sent_keys.copied()
    sent = values if compressed is None else compressed
    return replace(
        block, messages=replace(messages, sent_keys=keys, sent_values=sent), values=values, compressed=compressed
    )


def sizes_beside(block: Block) -> npt.NDArray[np.int64]:
    """Bytes of the key of each record of a `kept` block, and of its headers on average."""
    messages = block.messages
    assert isinstance(messages, SentRecords)
    keys, headers = messages.sent_keys, messages.sent_headers
    sizes = np.zeros(len(block.values), np.int64)
    if keys is not None:
        sizes += np.diff(keys.bounds)
    if headers is not None:
        sizes += headers.nbytes // max(len(headers), 1)
    return sizes


def joined(blocks: Sequence[Block]) -> Block:
    """The records of `kept` blocks of one topic, or of sections of them, one after another; copied if there are several."""
    if len(blocks) == 1:
        return blocks[0]
    sent = [(block.messages, block.first, len(block.values)) for block in blocks]
    values = Values.joined([block.values for block in blocks])
    compressed = None
    if any(block.compressed is not None for block in blocks):
        compressed = Values.joined([block.sent_values for block in blocks])
    keys = headers = types = None
    of = [messages for messages, _, _ in sent if isinstance(messages, SentRecords)]
    assert len(of) == len(blocks)
    if any(s.sent_keys is not None for s in of):
        keys = Values.joined([messages.keys(first, count) for messages, first, count in sent])
    if any(s.sent_headers is not None for s in of):
        headers = pa.concat_arrays([messages.headers(first, count) for messages, first, count in sent])
    if all(s.sent_types is not None for s in of):
        types = pa.concat_arrays([messages.timestamp_types(first, count) for messages, first, count in sent])
    return replace(
        blocks[0],
        messages=SentRecords(keys, values if compressed is None else compressed, headers, types),
        values=values,
        partitions=np.concatenate([block.partitions for block in blocks]),
        offsets=np.concatenate([block.offsets for block in blocks]),
        timestamps_ms=np.concatenate([block.timestamps_ms for block in blocks]),
        first=0,
        compressed=compressed,
    )
