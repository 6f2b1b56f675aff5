"""Values of many records in one buffer, so that a block travels from Kafka to Arrow's parser without an object for each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Bytes = npt.NDArray[np.uint8]
Bounds = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Values(Sequence[bytes | None]):
    """*bounds* has one more entry than there are values: value `i` is `buffer[bounds[i] : bounds[i + 1] - 1]`.

    The byte behind each value is a line break, so what lies between two bounds is text as Arrow's JSON parser reads it.
    *absent* names tombstones, which take no byte but their line break; None: there are none.
    """

    __slots__ = ("_absent", "_arrow", "_bounds", "_buffer")

    def __init__(self, buffer: Bytes, bounds: Bounds, absent: Flags | None = None) -> None:
        self._buffer, self._bounds = buffer, bounds
        self._absent = absent if absent is not None and absent.any() else None
        self._arrow: pa.Array = None

    def __reduce__(self) -> tuple[type[Values], tuple[Bytes, Bounds, Flags | None]]:
        own = self.alone()
        return Values, (own._buffer, own._bounds, own._absent)

    @classmethod
    def from_list(cls, values: Sequence[bytes | None]) -> Values:
        """Copies each value once."""
        absent = np.fromiter((v is None for v in values), np.bool_, len(values))
        present = [v or b"" for v in values]
        bounds = np.zeros(len(present) + 1, np.int64)
        np.cumsum([len(v) + 1 for v in present], out=bounds[1:])
        joined = np.frombuffer(b"\n".join([*present, b""]), np.uint8)
        return cls(joined, bounds, absent)

    @classmethod
    def from_texts(cls, texts: pa.Array) -> Values:
        """Of large strings; null for a tombstone."""
        absent = texts.is_null().to_numpy(zero_copy_only=False)
        ended = pc.binary_join_element_wise(
            pc.fill_null(texts, ""), *(pa.scalar(s, pa.large_string()) for s in ("\n", ""))
        )
        _, bounds, text = ended.buffers()
        return cls(np.frombuffer(text, np.uint8), np.frombuffer(bounds, np.int64)[: len(texts) + 1], absent)

    @classmethod
    def of_none(cls, count: int) -> Values:
        """So many tombstones."""
        return cls(np.full(count, 10, np.uint8), np.arange(count + 1), np.ones(count, np.bool_))

    def __len__(self) -> int:
        return len(self._bounds) - 1

    @overload
    def __getitem__(self, at: int) -> bytes | None: ...
    @overload
    def __getitem__(self, at: slice) -> Values: ...
    def __getitem__(self, at: int | slice) -> bytes | Values | None:
        """A slice is a view of the same buffer; its step is 1."""
        if isinstance(at, slice):
            start, stop, _ = at.indices(len(self))
            stop = max(start, stop)
            return Values(
                self._buffer, self._bounds[start : stop + 1], None if self._absent is None else self._absent[start:stop]
            )
        i = range(len(self))[at]
        if self._absent is not None and self._absent[i]:
            return None
        # A scalar or a slice of an array takes longer than the bytes.
        return self._buffer.data[self._bounds.item(i) : self._bounds.item(i + 1) - 1].tobytes()

    def __iter__(self) -> Iterator[bytes | None]:
        text = self._buffer.data
        absent: Iterable[bool] = [False] * len(self) if self._absent is None else self._absent.tolist()
        for (start, end), is_absent in zip(pairwise(self._bounds.tolist()), absent, strict=True):
            yield None if is_absent else text[start : end - 1].tobytes()

    @property
    def buffer(self) -> Bytes:
        return self._buffer

    @property
    def bounds(self) -> Bounds:
        """In `buffer`; one more than there are values, which each end with a line break."""
        return self._bounds

    @property
    def size_bytes(self) -> int:
        """Of the values alone."""
        return int(self._bounds[-1] - self._bounds[0]) - len(self)

    @property
    def text(self) -> pa.Buffer:
        """All values, each followed by a line break; a view."""
        return pa.py_buffer(self._buffer[self._bounds[0] : self._bounds[-1]])

    @property
    def absent(self) -> Flags:
        return np.zeros(len(self), np.bool_) if self._absent is None else self._absent

    @property
    def firsts(self) -> Bytes:
        """The first byte of each value; a line break for an empty one."""
        return self._buffer[self._bounds[:-1]]

    @property
    def lasts(self) -> Bytes:
        """The last byte of each value; a line break for an empty one."""
        return self._buffer[np.maximum(self._bounds[1:] - 2, self._bounds[:-1])]

    def alone(self) -> Values:
        """The same, as a view of the part of the buffer that is theirs."""
        start, end = self._bounds[0], self._bounds[-1]
        return Values(self._buffer[start:end], self._bounds - start, self._absent)

    def take(self, indexes: Sequence[int] | npt.NDArray[np.int64]) -> Values:
        """Those at *indexes*, in their order. A run of neighbours is a view, others are copied by one gather."""
        at = np.asarray(indexes, np.int64)
        if len(at) and at[-1] - at[0] + 1 == len(at) and (np.diff(at) == 1).all():
            return self[int(at[0]) : int(at[-1]) + 1]
        absent = None if self._absent is None else self._absent[at]
        _, bounds, text = self._as_arrow().take(pa.array(at)).buffers()
        if not len(at):
            return Values(self._buffer[:0], np.zeros(1, np.int64))
        return Values(np.frombuffer(text, np.uint8), np.frombuffer(bounds, np.int64)[: len(at) + 1], absent)

    def holding(self, text: bytes, most: int) -> list[int]:
        """The first indexes of values with *text* in them, in order."""
        whole, bounds = self.text.to_pybytes(), (self._bounds - self._bounds[0]).tolist()
        found: list[int] = []
        at = whole.find(text)
        while 0 <= at < len(whole) and len(found) < most:
            i = bisect_right(bounds, at) - 1
            is_within = at + len(text) < bounds[i + 1]
            if is_within:
                found.append(i)
            at = whole.find(text, bounds[i + 1] if is_within else at + 1)
        return found

    def is_utf8(self) -> bool:
        """Whether each value is; a line break ends every character, so none borrows from the next value."""
        whole = np.array([self._bounds[0], self._bounds[-1]], np.int64)
        try:
            _binary(self._buffer, whole).cast(pa.large_string())
        except pa.ArrowInvalid:
            return False
        return True

    def beyond_ascii(self) -> npt.NDArray[np.int64]:
        """Indexes of the values with a byte that is not ASCII, in order."""
        start, end = self._bounds[0], self._bounds[-1]
        # No value is empty here, because of its line break.
        bits = np.bitwise_or.reduceat(self._buffer[start:end], self._bounds[:-1] - start)
        return np.flatnonzero(bits & 0x80)

    def trimmed(self, white: str) -> pa.Array:
        """As Arrow's text without *white* space at both ends; tombstones are empty. Raises ArrowInvalid unless `is_utf8`."""
        return pc.utf8_trim(self._as_arrow().cast(pa.large_string()), white)

    def binary(self) -> pa.Array:
        """The values alone, null for tombstones."""
        alone = pc.binary_slice(self._as_arrow(), 0, -1)
        return alone if self._absent is None else pc.if_else(pa.array(self._absent), None, alone)

    def strings(self) -> pa.Array:
        """As `binary`, for values that are UTF-8; raises ArrowInvalid for others."""
        return self.binary().cast(pa.large_string())

    def _as_arrow(self) -> pa.Array:
        """With the line breaks."""
        if self._arrow is None:
            self._arrow = _binary(self._buffer, self._bounds)
        return self._arrow


def _binary(buffer: Bytes, bounds: Bounds) -> pa.Array:
    parts = [None, pa.py_buffer(np.ascontiguousarray(bounds)), pa.py_buffer(buffer)]
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(bounds) - 1, parts)
