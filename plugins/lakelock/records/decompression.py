"""Decompress values that the producer compressed, up to a size limit; values beyond it are refused with a reason."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import zstandard

from lakelock.model.units import format_size
from lakelock.records import reasons
from lakelock.records.reasons import Reason, Unfit

if TYPE_CHECKING:
    # Airflow's DAG processor reads pipeline files, which have a `Compression`, without numpy and Arrow.
    from lakelock.records.values import Values

# zlib's window of 32 KiB, with the header of RFC 1952.
_GZIP_WBITS = 31
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_BYTES_A_CALL = 16 << 10
# For frames that do not declare their size. In a bomb a few bytes expand to 128 KiB, so this many expand to some 8 MiB.
_ZSTD_BYTES_A_CALL = 256


@dataclass(frozen=True, slots=True)
class Compression:
    """*codec* is `gzip` (RFC 1952) or `zstd` (RFC 8878); values beyond *max_bytes* when decompressed are refused."""

    codec: str
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive values, from index *start*; unreadable ones are None, and *unfit* has reasons by index here."""

    start: int
    values: Values
    unfit: Mapping[int, Reason] = field(default_factory=dict)


def parts(values: Values, compression: Compression | None, part_bytes: int) -> Iterator[Part]:
    """Split *values* into parts that end once they reach *part_bytes*; a single part without *compression*."""
    if compression is None:
        yield Part(0, values)
        return
    from lakelock.records.values import Values

    read = _CODECS[compression.codec]()
    start = size_bytes = 0
    out: list[bytes | None] = []
    unfit: dict[int, Reason] = {}
    for value in values:
        plain: bytes | None = None
        if value is not None:
            try:
                plain = read(value, compression.max_bytes)
                size_bytes += len(plain)
            except Unfit as fault:
                unfit[len(out)] = fault.reason
        out.append(plain)
        if size_bytes >= part_bytes:
            yield Part(start, Values.from_list(out), unfit)
            start, size_bytes, out, unfit = start + len(out), 0, [], {}
    if out:
        yield Part(start, Values.from_list(out), unfit)


def first_part(values: Sequence[bytes | None], compression: Compression | None, part_bytes: int) -> Part:
    """The first part that `parts` yields."""
    from lakelock.records.values import Values

    covered = Values.from_list(values)
    return next(parts(covered, compression, part_bytes), Part(0, covered))


class Beginning(NamedTuple):
    """*codec* is None for a value that was not compressed; *is_whole* if this is the whole value."""

    value: bytes
    is_whole: bool
    codec: str | None = None


def beginning(value: bytes, size_bytes: int, most_bytes: int) -> Beginning:
    """Decompressed start of a value of *size_bytes* that begins with *value*; the codec is detected by its magic bytes.

    A value that cannot be decompressed is returned as it is.
    """
    for codec, magic, begin in _BEGINNINGS:
        if value.startswith(magic):
            with contextlib.suppress(zlib.error, zstandard.ZstdError):
                plain, is_at_end = begin(value, most_bytes)
                if plain or is_at_end:
                    return Beginning(plain[:most_bytes], is_at_end and len(plain) <= most_bytes, codec)
    return Beginning(value[:most_bytes], size_bytes <= most_bytes)


def _gunzipped_beginning(value: bytes, most_bytes: int) -> tuple[bytes, bool]:
    member = zlib.decompressobj(_GZIP_WBITS)
    out = member.decompress(value, most_bytes + 1)
    return out, member.eof and not member.unused_data


def _unzstd_beginning(value: bytes, most_bytes: int) -> tuple[bytes, bool]:
    frame = zstandard.ZstdDecompressor().decompressobj()
    out = b""
    for at in range(0, len(value), _ZSTD_BYTES_A_CALL):
        out += frame.decompress(value[at : at + _ZSTD_BYTES_A_CALL])
        if frame.eof or len(out) > most_bytes:
            return out, frame.eof and not frame.unused_data and at + _ZSTD_BYTES_A_CALL >= len(value)
    return out, False


_BEGINNINGS = (("gzip", _GZIP_MAGIC, _gunzipped_beginning), ("zstd", zstandard.FRAME_HEADER, _unzstd_beginning))


def _gunzipped(value: bytes, max_bytes: int) -> bytes:
    """Decompress all members of a value and join them."""
    out: list[bytes] = []
    left, at = max_bytes, 0
    while at < len(value) or not out:
        if not value.startswith(_GZIP_MAGIC, at):
            raise _not_compressed("gzip", value, at)
        member = zlib.decompressobj(_GZIP_WBITS)
        while not member.eof:
            if at >= len(value):
                raise _cut_off("gzip")
            # Input left after the end of a member is copied, so pieces are small.
            piece = value[at : at + _GZIP_BYTES_A_CALL]
            try:
                # Allow one byte more than the limit, to detect a value beyond it.
                out.append(member.decompress(piece, left + 1))
            except zlib.error as fault:
                raise Unfit(f"not gzip: {fault}", reasons.NOT_COMPRESSED) from fault
            left -= len(out[-1])
            if left < 0:
                raise _too_large(max_bytes)
            at += len(piece) - len(member.unused_data)
    return out[0] if len(out) == 1 else b"".join(out)


class _Unzstd:
    """Not thread-safe."""

    def __init__(self) -> None:
        self._decompressor = zstandard.ZstdDecompressor()

    def __call__(self, value: bytes, max_bytes: int) -> bytes:
        """Decompress all frames of a value and join them."""
        try:
            # After an empty frame the library does not look for another one.
            if 0 < zstandard.frame_content_size(value) <= max_bytes:
                return self._decompressor.decompress(value, allow_extra_data=False)
        except zstandard.ZstdError:
            # Several frames, or a fault: the loop below handles both.
            pass
        out: list[bytes] = []
        left, at = max_bytes, 0
        while at < len(value) or not out:
            frame = self._decompressor.decompressobj()
            began = at
            while not frame.eof:
                if at >= len(value):
                    raise _cut_off("zstd") if at > began else _not_compressed("zstd", value, began)
                piece = value[at : at + _ZSTD_BYTES_A_CALL]
                try:
                    out.append(frame.decompress(piece))
                except zstandard.ZstdError as fault:
                    if at == began:
                        raise _not_compressed("zstd", value, began) from fault
                    raise Unfit(f"not zstd: {fault}", reasons.NOT_COMPRESSED) from fault
                at += len(piece) - len(frame.unused_data)
                left -= len(out[-1])
                if left < 0:
                    raise _too_large(max_bytes)
        return b"".join(out)


_CODECS: dict[str, Callable[[], Callable[[bytes, int], bytes]]] = {"gzip": lambda: _gunzipped, "zstd": _Unzstd}


def _not_compressed(codec: str, value: bytes, at: int) -> Unfit:
    if not value:
        return Unfit("the value is empty", reasons.EMPTY_VALUE)
    where = "begins with" if not at else f"byte {at} begins with"
    return Unfit(f"not {codec}: {where} {value[at : at + 4].hex(' ')}", reasons.NOT_COMPRESSED)


def _cut_off(codec: str) -> Unfit:
    return Unfit(f"not {codec}: cut off before its end", reasons.NOT_COMPRESSED)


def _too_large(max_bytes: int) -> Unfit:
    return Unfit(
        f"larger than value.max_decompressed_bytes ({format_size(max_bytes)}) once decompressed", reasons.TOO_LARGE
    )
