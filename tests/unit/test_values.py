"""Values in one buffer are the list that they were made of, whatever is asked of them."""

from __future__ import annotations

import time
import timeit
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.records.decoding import NONE
from lakelock.records.json.block_parser import WHITE, _not_an_object, not_objects
from lakelock.records.values import Values

HOSTILE = [
    None, b"", b" ", b"\n", b"{", b"}", b"{}", b" {} ", b"{}\n", b"\r\n{\n}\t", b"{\n}\n{\n}", b"[]", b"null", b"\xc3", b"\xa4{}", b"{}\xc3",
    "{ä}".encode(), b'{"a":"\xff"}', b"\x00", b"{\x00}", b"\xef\xbb\xbf{}", b"\x0b{}", "\u00a0{}".encode(), b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b'{"a":"' + b"x" * 300 + b'"}',
]  # fmt: skip
values = st.lists(
    st.one_of(
        st.sampled_from(HOSTILE),
        st.binary(max_size=6),
        st.text(max_size=4).map(lambda t: t.encode("utf-8", "surrogatepass")),
        st.binary(max_size=4).map(lambda inner: b"{" + inner + b"}"),
    ),
    max_size=12,
)


def both(given_values: Sequence[bytes | None], data: st.DataObject) -> tuple[list[bytes | None], Values]:
    """A list and the same values in a buffer: one made of the list, a part of a larger one, or a selection of one."""
    kept = list(given_values)
    match data.draw(st.sampled_from(["whole", "part", "taken"])):
        case "part":
            before, behind = data.draw(values), data.draw(values)
            larger = Values.from_list([*before, *kept, *behind])
            return kept, larger[len(before) : len(before) + len(kept)]
        case "taken":
            order = data.draw(st.permutations(range(len(kept))))
            return [kept[i] for i in order], Values.from_list(kept).take(order)
    return kept, Values.from_list(kept)


@given(values, st.data())
def test_a_buffer_is_read_as_its_list(covered: list[bytes | None], data: st.DataObject) -> None:
    kept, buffer = both(covered, data)
    assert list(buffer) == kept
    assert [buffer[i] for i in range(len(buffer))] == kept
    assert [buffer[i - len(kept)] for i in range(len(kept))] == kept
    assert buffer.size_bytes == sum(len(v or b"") for v in kept)
    assert buffer.absent.tolist() == [v is None for v in kept]
    assert buffer.text.to_pybytes() == b"".join((v or b"") + b"\n" for v in kept)
    with pytest.raises(IndexError):
        buffer[len(kept)]


@given(values, st.data())
def test_parts_and_selections_are_the_lists(covered: list[bytes | None], data: st.DataObject) -> None:
    kept, buffer = both(covered, data)
    start, stop = data.draw(st.integers(-15, 15)), data.draw(st.integers(-15, 15))
    assert list(buffer[start:stop]) == kept[start:stop]
    indexes = data.draw(st.lists(st.integers(0, max(len(kept) - 1, 0)), max_size=15 if kept else 0))
    for chosen in (indexes, sorted(set(indexes)), range(len(kept))):
        assert list(buffer.take(chosen)) == [kept[i] for i in chosen]
        assert buffer.take(chosen).text.to_pybytes() == b"".join((kept[i] or b"") + b"\n" for i in chosen)


@given(values, st.data(), st.one_of(st.sampled_from([b"", b"\n", b"{", b"}\n", b"\n{"]), st.binary(max_size=3)))
def test_values_with_a_text_in_them_are_found(covered: list[bytes | None], data: st.DataObject, text: bytes) -> None:
    kept, buffer = both(covered, data)
    most = data.draw(st.integers(1, 12))
    assert buffer.holding(text, most) == [i for i, value in enumerate(kept) if text in (value or b"")][:most]


@given(values, st.data())
def test_what_looks_like_no_object_is_found_as_by_looking_at_each(
    covered: list[bytes | None], data: st.DataObject
) -> None:
    kept, buffer = both(covered, data)
    assert [(b.index, b.reason) for b in not_objects(buffer, NONE)] == [
        (i, why) for i, value in enumerate(kept) if (why := _not_an_object(value))
    ]


@given(values, st.data())
def test_what_looks_like_an_object_looks_so_to_arrow_also(covered: list[bytes | None], data: st.DataObject) -> None:
    """Its words for white space are those of the proof, value by value."""
    kept, buffer = both(covered, data)
    bad = {b.index for b in not_objects(buffer, NONE)}
    fine = [v for i, v in enumerate(kept) if i not in bad]
    trimmed = pc.utf8_trim(pa.array(fine, pa.binary()).cast(pa.string()), WHITE)
    assert pc.all(pc.and_(pc.starts_with(trimmed, "{"), pc.ends_with(trimmed, "}")), min_count=0).as_py()
    assert len(fine) == len(trimmed)


@given(values, st.data())
def test_text_beyond_ascii_is_found(covered: list[bytes | None], data: st.DataObject) -> None:
    kept, buffer = both(covered, data)
    assert buffer.beyond_ascii().tolist() == [i for i, v in enumerate(kept) if v and not v.isascii()]
    try:
        pa.array(kept, pa.binary()).cast(pa.string())
        is_utf8 = True
    except pa.ArrowInvalid:
        is_utf8 = False
    assert buffer.is_utf8() == is_utf8


def test_neighbours_are_taken_without_a_copy() -> None:
    buffer = Values.from_list([b"a", None, b"bc", b"d"])
    assert np.shares_memory(np.frombuffer(buffer.take([1, 2]).text, np.uint8), np.frombuffer(buffer.text, np.uint8))
    assert np.shares_memory(np.frombuffer(buffer[1:3].text, np.uint8), np.frombuffer(buffer.text, np.uint8))


def test_text_that_is_all_beyond_ascii_is_found_about_as_fast_as_text_that_is_not() -> None:
    def fastest(character: str) -> float:
        buffer = Values.from_list([(character * 600).encode()] * 1_000)
        return min(timeit.repeat(buffer.beyond_ascii, timer=time.thread_time, number=1, repeat=7)) / buffer.size_bytes

    assert fastest("漢") < 5 * fastest("x")
