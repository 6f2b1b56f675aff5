"""A decoder whose columns may change: each record is a row or bad, or there is news of what the columns should be."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.csv.splitter import splitter
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.json.scanner import scanner
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.model.column_changes import changed
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.records.decoding import Decoded, Decoder, RowShape
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.json.format import JSON
from lakelock.records.json.observed_blocks import _has_many_names
from lakelock.records.observed_fields import MOST_FIELDS
from lakelock.records.values import Values

TABLES: dict[str, tuple[Column, ...]] = {
    "plain": (Column("id", parse_type("long")), Column("n", parse_type("int"))),
    "nested": (
        Column("id", parse_type("long")),
        Column("o", parse_type("struct<a: long, d: decimal(4, 2)>")),
        Column("l", parse_type("list<struct<a: float>>")),
        Column("m", parse_type("map<string, int>")),
    ),
}
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 2**31, 2**40, 2**63, 1.5, 1e40, 123456.5, "a", "2026-11-28T05:00:00Z"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("abx"), inner, max_size=2)),
    max_leaves=5,
)
RECORDS = st.lists(st.dictionaries(st.sampled_from(["id", "n", "o", "l", "m", "x"]), VALUES, max_size=3), max_size=6)


# With a column of 6,000 numbers for each of 6,000 names, Arrow takes five times as much.
MOST_ARROW_BYTES = 64 << 20


def decode(columns: tuple[Column, ...], values: list[bytes], *blocks: int, evolves: bool = True) -> list[Decoded]:
    decoder = decoder_of(columns, evolves=evolves)
    ends = [0, *sorted(blocks), len(values)]
    return [decoder.decode(Values.from_list(values[a:b])) for a, b in pairwise(ends)]


def decoder_of(columns: tuple[Column, ...], *, evolves: bool) -> Decoder:
    evolving = Evolving(columns, True, True) if evolves else None
    shape = RowShape(
        columns,
        arrow_schema(schema_from(columns)),
        scanner,
        splitter,
        zones={},
        skip=frozenset(),
        unknown_fields="evolve",
        readings={},
        rest=None,
        dropped=(),
        check=lambda rows: None,
        evolving=evolving,
    )
    return JSON.decoder(shape)


@pytest.mark.parametrize("news", [(), (5,), (0, 5), tuple(range(20))])
def test_records_that_are_filtered_ask_for_nothing(news: tuple[int, ...]) -> None:
    """Also the first ones of a block, which are looked at before it is decoded."""
    records = [{"id": n, **({"x": n} if n in news or n in (0, 19) else {})} for n in range(20)]
    values = Values.from_list([json.dumps(r).encode() for r in records])
    filtered = np.array(sorted({0, 19, *news}), np.int64)
    found = decoder_of(TABLES["plain"], evolves=True).decode(values, filtered)
    assert found.news is None
    assert found.table["id"].to_pylist() == [n for n in range(20) if n not in filtered]
    asking = decoder_of(TABLES["plain"], evolves=True).decode(values, np.array([0], np.int64))
    assert asking.news is not None
    assert asking.news.first == min({19, *news} - {0})


def decoded_alone(values: list[bytes]) -> tuple[Decoded, int]:
    """And the most memory that Arrow had, in a process of its own."""
    (found,) = decode(TABLES["nested"], values)
    return found, pa.default_memory_pool().max_memory()


def is_whole(decoded: Decoded, count: int) -> bool:
    return bool(decoded.table.num_rows + len(decoded.bad) == count)


@pytest.mark.parametrize("table", TABLES)
@given(records=RECORDS, cut=st.integers(0, 6))
def test_each_record_is_a_row_or_bad_or_there_is_news(table: str, records: list[dict[str, Any]], cut: int) -> None:
    columns, values = TABLES[table], [json.dumps(r).encode() for r in records]
    cut = min(cut, len(values))
    found = decode(columns, values, cut)
    news = [d.news for d in found if d.news is not None]
    if not news:
        assert all(is_whole(d, n) for d, n in zip(found, (cut, len(values) - cut), strict=True))
        return
    seen = news[0].observed
    for more in news[1:]:
        seen.add_all(more.observed)
    changes = Evolution(Evolving(columns, True, True)).changes(seen)
    assert changes
    after = changed(columns, changes)
    for decoded, count in zip(decode(after, values, cut, evolves=False), (cut, len(values) - cut), strict=True):
        assert is_whole(decoded, count)


STUCK: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "an empty list, an empty list, an object": ("plain", [{"o": []}, {"o": []}, {"o": {"a": 1}}]),
    "empty objects and a text": ("plain", [*[{"o": {}}] * 5, {"o": "a"}]),
    "lists of nulls and a text": ("plain", [*[{"o": [None]}] * 5, {"o": "a"}]),
    "within an object": ("nested", [*[{"o": {"b": []}}] * 3, {"o": {"b": {"c": 1}}}]),
    "a large integer and a fraction": ("plain", [{"n": 2**40}, {"n": 1.5}]),
    "an integer beyond 64 bits": ("plain", [{"n": 2**63}, {"n": 1}]),
    "one number that no decimal holds": ("nested", [{"o": {"d": 123456.5}}, {"o": {"d": 1e40}}]),
    # A few of these ask for columns, and all together for none.
    "ids as names": ("plain", [{f"k{n}": 1} for n in range(MOST_FIELDS + 1)]),
    "more fields than a table has columns": ("plain", [{f"{o}": {f"k{n}": 1 for n in range(4_000)}} for o in "abc"]),
}


@pytest.mark.parametrize("case", STUCK)
def test_records_of_several_kinds_do_not_stop_a_table(case: str) -> None:
    table, records = STUCK[case]
    values = [json.dumps(r).encode() for r in records]
    (found,) = decode(TABLES[table], values)
    assert found.news is not None or is_whole(found, len(values))


def test_many_names_are_observed_record_by_record() -> None:
    """Ids as names: in Arrow, each is a column as long as the block."""
    records = [{"id": n, "m": {f"k{n}": 1}, **({"x": 1} if n == 4_000 else {})} for n in range(6_000)]
    values = [json.dumps(r).encode() for r in records]
    assert _has_many_names(Values.from_list(values))
    assert not _has_many_names(
        Values.from_list([json.dumps({"id": n, "m": {"k": n % 7}}).encode() for n in range(6_000)])
    )
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        found, arrow_bytes = pool.submit(decoded_alone, values).result()
    assert arrow_bytes < MOST_ARROW_BYTES
    assert found.news is not None
    assert found.news.first == 4_000
    assert set(found.news.observed.children) == {"id", "m", "x"}
