"""Compressed values are read whole, or refused with a reason, and never made larger than allowed."""

from __future__ import annotations

import gzip
import json
import random
import time
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from lakelock.records import reasons
from lakelock.records.decompression import Compression, Part, beginning, first_part, parts
from lakelock.records.values import Values

MOST = 1 << 20


def zstd(value: bytes, *, declared: bool = True, level: int = 3) -> bytes:
    """A frame that says how large its content is, or one that does not, as streaming producers write it."""
    if declared:
        return zstandard.ZstdCompressor(level=level).compress(value)
    writer = zstandard.ZstdCompressor(level=level, write_content_size=False).compressobj()
    return writer.compress(value) + writer.flush()


PACK: dict[str, list[Callable[[bytes], bytes]]] = {
    "gzip": [gzip.compress, lambda value: zlib.compress(value, wbits=31)],
    "zstd": [zstd, lambda value: zstd(value, declared=False)],
}
CODECS = sorted(PACK)


def read(codec: str, *values: bytes | None, max_bytes: int = MOST) -> Part:
    (part,) = parts(Values.from_list(values), Compression(codec, max_bytes), 1 << 40)
    return part


def reason(codec: str, value: bytes, max_bytes: int = MOST) -> tuple[str, str]:
    part = read(codec, b"", value, max_bytes=max_bytes)
    assert list(part.values) == [None, None]
    return part.unfit[1].kind, part.unfit[1].message


@pytest.mark.parametrize("codec", CODECS)
@given(members=st.lists(st.binary(max_size=5000), min_size=1, max_size=3), seed=st.integers(0, 2**32))
def test_what_was_compressed_is_read_also_in_several_pieces(codec: str, members: list[bytes], seed: int) -> None:
    choose = random.Random(seed)
    value = b"".join(choose.choice(PACK[codec])(member) for member in members)
    assert list(read(codec, value, None).values) == [b"".join(members), None]


@pytest.mark.parametrize("codec", CODECS)
def test_what_comes_behind_an_empty_piece_is_read(codec: str) -> None:
    for pack in PACK[codec]:
        assert list(read(codec, pack(b"") + pack(b"a") + pack(b"")).values) == [b"a"]


@pytest.mark.parametrize("pack", [pack for codec in CODECS for pack in PACK[codec]])
def test_a_value_that_is_cut_off_anywhere_is_refused(pack: Callable[[bytes], bytes]) -> None:
    codec = next(c for c in CODECS if pack in PACK[c])
    value = pack(bytes(random.Random(1).randbytes(300)))
    for end in range(1, len(value)):
        assert reason(codec, value[:end])[0] == reasons.NOT_COMPRESSED, end
    assert not read(codec, value).unfit


@pytest.mark.parametrize("codec", CODECS)
def test_what_follows_the_last_piece_is_refused(codec: str) -> None:
    value = PACK[codec][0](b'{"id": 1}')
    kind, message = reason(codec, value + b"{}")
    assert kind == reasons.NOT_COMPRESSED
    assert message == f"not {codec}: byte {len(value)} begins with 7b 7d"


@pytest.mark.parametrize("codec", CODECS)
def test_a_value_that_is_not_compressed_says_how_it_begins(codec: str) -> None:
    assert reason(codec, b'{"id": 1}') == (reasons.NOT_COMPRESSED, f"not {codec}: begins with 7b 22 69 64")
    assert reason(codec, b"") == (reasons.EMPTY_VALUE, "the value is empty")


@pytest.mark.parametrize("pack", [pack for codec in CODECS for pack in PACK[codec]])
def test_the_limit_is_a_byte_more_than_allowed(pack: Callable[[bytes], bytes]) -> None:
    codec = next(c for c in CODECS if pack in PACK[c])
    text = bytes(random.Random(2).randbytes(5000))
    assert list(read(codec, pack(text), max_bytes=5000).values) == [text]
    assert reason(codec, pack(text), max_bytes=4999)[0] == reasons.TOO_LARGE
    assert reason(codec, pack(text[:2500]) * 2, max_bytes=4999)[0] == reasons.TOO_LARGE


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("pack", [0, 1])
def test_a_bomb_is_refused_before_it_takes_memory(codec: str, pack: int) -> None:
    bomb = PACK[codec][pack](bytes(96 << 20))
    tracemalloc.start()
    try:
        assert reason(codec, bomb)[0] == reasons.TOO_LARGE
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak_bytes < 40 << 20


def test_many_empty_members_take_no_longer_than_their_bytes() -> None:
    """A megabyte of them took seconds when each was cut off the rest."""
    member = gzip.compress(b"")
    began = time.process_time()
    assert list(read("gzip", member * 10_000).values) == [b""]
    few_s = time.process_time() - began
    began = time.process_time()
    assert list(read("gzip", member * 80_000).values) == [b""]
    assert time.process_time() - began < 24 * max(few_s, 0.01)


def test_parts_hold_all_values_in_order_and_end_behind_their_bytes() -> None:
    values = [gzip.compress(bytes([65 + n]) * 400) if n % 3 else None for n in range(20)] + [b"plain"]
    found = list(parts(Values.from_list(values), Compression("gzip", MOST), 1000))
    assert [p.start for p in found] == [sum(len(q.values) for q in found[:n]) for n in range(len(found))]
    assert sum(len(p.values) for p in found) == len(values)
    assert all(sum(map(len, filter(None, p.values))) < 1400 for p in found)
    assert [v for p in found for v in p.values][1] == b"B" * 400
    assert list(found[-1].unfit) == [len(found[-1].values) - 1]
    first = first_part(values, Compression("gzip", MOST), 1000)
    assert (first.start, list(first.values), first.unfit) == (0, list(found[0].values), found[0].unfit)
    assert not len(first_part([], Compression("gzip", MOST), 1000).values)


def test_without_compression_values_are_as_they_were() -> None:
    values = Values.from_list([b"a", None, b"\x1f\x8b"])
    (part,) = parts(values, None, 1)
    assert part.values is values


@pytest.mark.parametrize("codec", CODECS)
def test_a_page_shows_how_a_compressed_value_begins(codec: str) -> None:
    text = json.dumps({"id": 1, "note": "n" * 2000}).encode()
    noise = random.Random(1).randbytes(100_000)
    for pack in PACK[codec]:
        short, long, part = pack(b'{"id": 1}'), pack(text), pack(text + noise)
        assert beginning(short, len(short), 400) == (b'{"id": 1}', True, codec)
        assert beginning(long, len(long), 400) == (text[:400], False, codec)
        # A block of zstd that was not read to its end says nothing.
        cut = (text[:400], False, codec) if codec == "gzip" else (part[:400], False, None)
        assert beginning(part[: 64 << 10], len(part), 400) == cut
        assert beginning(pack(bytes(1 << 26)), 1 << 16, 400) == (bytes(400), False, codec)
        assert beginning(short + short, 2 * len(short), 400) == (b'{"id": 1}', False, codec)


@pytest.mark.parametrize("value", [b'{"id": 1}', b"\x1f\x8bno gzip", zstandard.FRAME_HEADER + b"none", b""])
def test_a_value_that_was_not_compressed_is_shown_as_it_is(value: bytes) -> None:
    assert beginning(value, len(value), 400) == (value, True, None)
    assert beginning(value, 1000, 400) == (value, False, None)
    assert beginning(value, len(value), 4) == (value[:4], len(value) <= 4, None)
