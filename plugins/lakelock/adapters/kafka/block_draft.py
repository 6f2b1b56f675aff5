"""A block while messages come for it: their columns, their values in one buffer, and the messages themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.adapters.kafka.block import LAST_TIMESTAMP_MS, Block, Original
from lakelock.adapters.kafka.header_loops import read_headers
from lakelock.adapters.kafka.librdkafka import Message, library
from lakelock.adapters.kafka.loops import loops
from lakelock.adapters.kafka.read_accounting import Codes, Flags, Offsets, Partitions
from lakelock.records.metadata import TIMESTAMP_TYPES
from lakelock.records.values import Values

_VALUE, _KEY = Message.payload.offset, Message.key.offset
# Of a buffer that has not grown; what is not used of it takes no memory.
ROOM_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class Arrived:
    """What a call delivered, in order; views, which the next call fills again."""

    codes: Codes
    partitions: Partitions
    offsets: Offsets


class BlockDraft:
    """Up to *most* messages, which are ended by `release` and not before: only values are copied at once, keys and
    headers when they are requested.

    Messages hold the memory that they were fetched into, so a draft takes about twice the bytes of its values; with aborted
    records between them, more (`progress.is_full`). With *notes_originals* it notes while messages arrive, and so are in the
    processor's cache, whether any has a key or headers: for `keys_and_headers`.
    """

    def __init__(
        self, most: int, room_bytes: int, original: Callable[[int], Original], *, notes_originals: bool = False
    ) -> None:
        self._original = original
        self._notes = np.zeros(most, np.int64) if notes_originals else None
        self._has_keys = self._has_headers = not notes_originals
        self._library, self._loops = library(), loops()
        self._messages = np.zeros(most, np.uint64)
        self._buffer = np.empty(min(room_bytes, ROOM_BYTES) + most, np.uint8)
        self._bounds = np.zeros(most + 1, np.int64)
        self._codes, self._partitions = np.zeros(most, np.int32), np.zeros(most, np.int32)
        self._offsets, self._timestamps_ms = np.zeros(most, np.int64), np.zeros(most, np.int64)
        self._sizes = np.zeros(most, np.int64)
        self.records = 0

    @property
    def place(self) -> int:
        """The address for the addresses of the next messages."""
        return self._at(self._messages, self.records)

    @property
    def size_bytes(self) -> int:
        """Of the values."""
        return int(self._bounds[self.records]) - self.records

    def arrived(self, count: int) -> Arrived:
        """So many were put at `place`; `keep` says which of them stay."""
        columns = (self._codes, self._partitions, self._offsets, self._timestamps_ms)
        places = [self._at(column, self.records) for column in columns]
        self._loops.look(self.place, count, self._library.message_timestamp, *places)
        new = slice(self.records, self.records + count)
        return Arrived(self._codes[new], self._partitions[new], self._offsets[new])

    def message(self, index: int) -> int:
        """The address of one of those that arrived."""
        return int(self._messages[self.records + index])

    def keep(self, kept: Flags) -> None:
        """Takes the records that *kept* names of those that arrived, and ends the other messages."""
        start, end = self.records, self.records + len(kept)
        count = len(kept)
        if not kept.all():
            count = int(kept.sum())
            new = self._messages[start:end]
            # Each message has a place at any time: those that are not kept come last, and are ended there.
            new[:] = np.concatenate((new[kept], new[~kept]))
            self._end(start + count, end)
            for column in (self._partitions, self._offsets, self._timestamps_ms):
                column[start : start + count] = column[start:end][kept]
        stamps = self._timestamps_ms[start : start + count]
        stamps[stamps > LAST_TIMESTAMP_MS] = -1
        at = int(self._bounds[start])
        self._loops.measure(self.place, count, _VALUE, self._at(self._sizes, start))
        self._bounds[start + 1 : start + count + 1] = at + _ends(self._sizes[start : start + count])
        self._make_room(at, int(self._bounds[start + count]))
        self._loops.copy(self.place, count, _VALUE, self._at(self._buffer, 0), self._at(self._bounds, start))
        if self._notes is not None:
            self._note(self._notes, count)
        self.records = start + count

    def block(self, topic: str) -> Block:
        """Its originals are there until `release`."""
        count = self.records
        return Block(
            topic,
            self,
            Values(self._buffer, self._bounds[: count + 1], self._sizes[:count] < 0),
            self._partitions[:count],
            self._offsets[:count],
            self._timestamps_ms[:count],
        )

    def original(self, index: int) -> Original:
        return self._original(self._kept(index))

    def keys(self, start: int, count: int) -> Values:
        place, sizes, bounds = self._run(start, count), np.zeros(count, np.int64), np.zeros(count + 1, np.int64)
        self._loops.measure(place, count, _KEY, self._at(sizes, 0))
        bounds[1:] = _ends(sizes)
        buffer = np.empty(int(bounds[-1]), np.uint8)
        self._loops.copy(place, count, _KEY, self._at(buffer, 0), self._at(bounds, 0))
        return Values(buffer, bounds, sizes < 0)

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        place, types = self._run(start, count), np.zeros(count, np.int32)
        self._loops.type_timestamps(place, count, self._library.message_timestamp, self._at(types, 0))
        numbers = pa.array(types - 1, mask=types == 0)
        return pa.DictionaryArray.from_arrays(numbers, pa.array(TIMESTAMP_TYPES)).dictionary_decode()

    def headers(self, start: int, count: int) -> pa.Array:
        return read_headers(self._library, self._loops, self._run(start, count), count)

    def keys_and_headers(self, start: int, count: int) -> tuple[Values | None, pa.Array | None]:
        keys = self.keys(start, count) if self._has_keys else None
        headers = self.headers(start, count) if self._has_headers else None
        return (
            None if keys is None or keys.absent.all() else keys,
            None if headers is None or headers.null_count == len(headers) else headers,
        )

    def _note(self, found: npt.NDArray[np.int64], count: int) -> None:
        """Whether any of the *count* messages at `place` has a key or headers; *found* is room for a number of each."""
        if not self._has_keys:
            self._loops.measure(self.place, count, _KEY, self._at(found, 0))
            self._has_keys = bool((found[:count] >= 0).any())
        if not self._has_headers:
            functions, sizes = (self._library.message_headers, self._library.header_get_all), np.zeros(2, np.int64)
            self._loops.count_headers(self.place, count, *functions, self._at(found, 0), self._at(sizes, 0))
            self._has_headers = bool(found[:count].any())

    def _run(self, start: int, count: int) -> int:
        """The place of the first of these messages, each of which is a record of the block."""
        for index in (start, start + count - 1) if count else ():
            self._kept(index)
        return self._at(self._messages, start)

    def _kept(self, index: int) -> int:
        """The address of a message that is a record of the block."""
        message = int(self._messages[index]) if index < self.records else 0
        if not message:
            raise RuntimeError("records of a block are requested after the next block")
        return message

    def release(self) -> None:
        """Ends all messages, also those that a call was interrupted with."""
        self._end(0, len(self._messages))

    def _end(self, start: int, end: int) -> None:
        self._loops.release(self._at(self._messages, start), end - start, self._library.message_destroy)

    def _make_room(self, used: int, needed: int) -> None:
        if needed > len(self._buffer):
            larger = np.empty(max(needed, 2 * len(self._buffer)), np.uint8)
            larger[:used] = self._buffer[:used]
            self._buffer = larger

    @staticmethod
    def _at(column: np.ndarray[tuple[int], np.dtype[np.generic]], index: int) -> int:
        return int(column.ctypes.data) + index * column.itemsize


def _ends(sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Where each of these ends, with a line break behind each; absent ones have a negative size."""
    ends: npt.NDArray[np.int64] = np.cumsum(np.maximum(sizes, 0) + 1)
    return ends
