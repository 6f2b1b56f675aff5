"""The split in machine code equals a slow reading of the same text, sign by sign, on any text."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.csv_records import OPTIONS, drawn, of_python, slow, written
from lakelock.adapters.csv.splitter import splitter
from lakelock.records.csv.options import CsvOptions
from lakelock.records.csv.record import RecordReader
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

SEEDS = st.integers(0, 2**64)
Row = list[str | None]


def split(values: Values, options: CsvOptions, fields: int, passed: list[bool] | None = None) -> list[Row | None]:
    """By record its row, None for one that is none."""
    found = splitter(options, fields)(values, np.array(passed or [False] * len(values), np.bool_))
    rows = zip(*(found.texts(k).to_pylist() for k in range(fields)), strict=True)
    return [None if faulty else list(next(rows)) for faulty in found.faults.tolist()]


def expected(text: str, options: CsvOptions, fields: int) -> Row | None:
    row = slow(text, options)
    return row if row is not None and len(row) == fields else None


@given(SEEDS)
@settings(max_examples=300)
def test_it_equals_a_slow_reading(seed: int) -> None:
    random = Random(seed)
    options, fields = random.choice(OPTIONS), random.choice((1, 1, 2, 3, 7))
    texts = [drawn(random, options) for _ in range(random.choice((1, 20)))]
    wanted = [expected(text, options, fields) for text in texts]
    values = Values.from_list([text.encode() for text in texts])
    assert split(values, options, fields) == wanted, texts
    for text in texts:
        try:
            read: Row | None = RecordReader(options).row(text, ["f"] * fields)
        except Unfit:
            read = None
        assert read == expected(text, options, fields), text


@given(SEEDS)
@settings(max_examples=100)
def test_a_record_is_read_alike_wherever_it_is(seed: int) -> None:
    random = Random(seed)
    options, fields = random.choice(OPTIONS), random.choice((1, 2, 3))
    texts = [drawn(random, options) for _ in range(20)]
    passed = [random.random() < 0.2 for _ in texts]
    wanted = [None if out else expected(text, options, fields) for text, out in zip(texts, passed, strict=True)]
    values = Values.from_list([text.encode() for text in texts])
    assert split(values, options, fields, passed) == wanted
    start, end = sorted(random.choices(range(len(texts) + 1), k=2))
    assert split(values[start:end], options, fields, passed[start:end]) == wanted[start:end]
    chosen = random.sample(range(len(texts)), 7)
    assert split(values.take(chosen), options, fields, [passed[i] for i in chosen]) == [wanted[i] for i in chosen]


@given(SEEDS)
@settings(max_examples=150)
def test_what_producers_write_is_read_as_it_was(seed: int) -> None:
    random = Random(seed)
    options = random.choice(OPTIONS)
    alphabet = ["a", "N", "é", "😀", " ", "-", "text", "\0"]
    if options.quote is not None or options.escape is not None:
        alphabet += [options.delimiter, options.quote or "'", options.escape or "\\", "\n", "\r", "\r\n"]
    rows: list[Row] = []
    for _ in range(random.choice((1, 10))):
        row: Row = []
        for _ in range(3):
            text = "".join(random.choice(alphabet) for _ in range(random.randrange(6)))
            bare_null = options.quote is None and (text == options.null_text)
            row.append(None if random.random() < 0.2 or bare_null else text)
        rows.append(row)
    texts = [written(row, options, random) for row in rows]
    assert split(Values.from_list([t.encode() for t in texts]), options, 3) == rows, texts


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8"), max_size=5), min_size=2, max_size=2), max_size=10))
def test_what_pythons_csv_module_writes_is_read_as_it_was(rows: list[list[str]]) -> None:
    options = CsvOptions(null_text="\ue000")
    rows = [["".join(text.split("\ue000")) for text in row] for row in rows]
    texts = [of_python(row, options).encode() for row in rows]
    assert split(Values.from_list(list(texts)), options, 2) == rows


def test_no_records_and_none_with_a_value() -> None:
    assert split(Values.from_list([]), CsvOptions(), 2) == []
    assert split(Values.from_list([None, b"", None]), CsvOptions(), 1, [True, False, True]) == [None, [None], None]


def test_a_record_of_many_and_of_long_fields() -> None:
    long = "x" * 10_000_000
    assert split(Values.from_list([f'"{long}",{long}\n'.encode()]), CsvOptions(), 2) == [[long, long]]
    many = [str(n) for n in range(2000)]
    wide = Values.from_list([",".join(many).encode(), b"," * 1999, b"," * 1998, b"," * 2000])
    assert split(wide, CsvOptions(), 2000) == [many, [None] * 2000, None, None]


CANARY = 0xA5


@pytest.fixture
def fenced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Arrays that the splitter makes have canaries on both sides, which are checked at the end."""
    whole: list[np.ndarray[Any, Any]] = []

    def made(shape: Any, dtype: Any) -> np.ndarray[Any, Any]:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        array = np.frombuffer(bytearray([CANARY]) * (size + 128), np.uint8)
        whole.append(array)
        inner: np.ndarray[Any, Any] = array[64 : 64 + size].view(dtype).reshape(shape)
        inner[...] = 0
        return inner

    def copied(of: Any, dtype: Any) -> np.ndarray[Any, Any]:
        inner = made(len(of), dtype)
        inner[...] = of
        return inner

    monkeypatch.setattr("lakelock.adapters.csv.splitter.np.zeros", made)
    monkeypatch.setattr("lakelock.adapters.csv.splitter.np.empty", made)
    monkeypatch.setattr("lakelock.adapters.csv.splitter.np.array", copied)
    yield
    monkeypatch.undo()
    assert whole
    for array in whole:
        assert (array[:64] == CANARY).all()
        assert (array[-64:] == CANARY).all()


@pytest.mark.usefixtures("fenced")
def test_nothing_is_written_outside_of_what_is_given() -> None:
    random = Random(5)
    for _ in range(200):
        options, fields = random.choice(OPTIONS), random.choice((1, 2, 3, 7, 50))
        texts = [drawn(random, options) for _ in range(random.randrange(1, 8))]
        made = splitter(options, fields)(Values.from_list([t.encode() for t in texts]), [False] * len(texts))  # type: ignore[arg-type]
        for field in range(fields):
            made.texts(field)


def test_nothing_is_read_behind_the_last_value() -> None:
    """The text ends with its page, and the next one may not be read."""
    page = mmap.PAGESIZE
    area = mmap.mmap(-1, 2 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + page), page, 0) == 0
    whole = np.frombuffer(memoryview((ctypes.c_ubyte * page).from_address(start)), np.uint8)
    random = Random(6)
    for _ in range(300):
        options, fields = random.choice(OPTIONS), random.choice((1, 2, 3))
        text = drawn(random, options).encode()
        # Without the line break, which may not be read either.
        whole[page - len(text) :] = np.frombuffer(text, np.uint8)
        values = Values(whole, np.array([page - len(text), page + 1]))
        assert split(values, options, fields) == split(Values.from_list([text]), options, fields)
