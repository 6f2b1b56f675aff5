"""A block without its messages, so that another process can take it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

from lakelock.adapters.kafka.block import Block, Original
from lakelock.records.values import Values


@dataclass(frozen=True, slots=True)
class SentRecords:
    """`Messages` of a detached block, which has been decoded: only originals can be requested."""

    sent_keys: Values | None
    sent_values: Values
    sent_headers: pa.Array | None

    def original(self, index: int) -> Original:
        key = None if self.sent_keys is None else self.sent_keys[index]
        listed = (None if self.sent_headers is None else self.sent_headers[index].as_py()) or []
        headers = None if listed == [None] else tuple((h["key"], h["value"]) for h in listed)
        return Original(key, self.sent_values[index], headers)

    def keys(self, start: int, count: int) -> Values:
        raise NotImplementedError

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        raise NotImplementedError

    def headers(self, start: int, count: int) -> pa.Array:
        raise NotImplementedError

    def keys_and_headers(self, start: int, count: int) -> tuple[Values | None, pa.Array | None]:
        raise NotImplementedError


def detached(block: Block) -> Block:
    """*block* with the values as they were sent; pickle it before the next block is requested."""
    sent = block.sent_values.alone()
    keys, headers = block.messages.keys_and_headers(block.first, len(sent))
    return replace(block, messages=SentRecords(keys, sent, headers), values=sent, first=0, compressed=None)
