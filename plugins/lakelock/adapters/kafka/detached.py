"""Blocks without the messages of a client: for another process, or for longer than the client has the messages."""

from __future__ import annotations

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
        headers = self.sent_headers
        if headers is not None and count < len(headers):
            # A slice that is pickled takes all of them along.
            headers = headers.take(pa.array(np.arange(start, start + count)))
        return None if self.sent_keys is None else self.sent_keys[start : start + count], headers

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
