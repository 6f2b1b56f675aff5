"""Observing blocks with Arrow finds the same as reading each record, and leads to the same columns."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.json.observed_blocks import observed_block
from lakelock.records.observed_fields import ObservedField, observed
from lakelock.records.values import Values

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([0, 2**24, 2**24 + 1, 2**31, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        ["", "a", "2026-11-28", "2026-11-28T05:00:00Z", "2026-11-28 05:00:00+01:00", "2026-11-28T05:00:00"]
    ),
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abA"), inner, max_size=3)),
    max_leaves=6,
)  # fmt: skip
RECORDS = st.lists(st.dictionaries(st.sampled_from("abcA"), VALUES, max_size=4), min_size=1, max_size=8)
COLUMNS = (
    Column("a", parse_type("int"), required=True),
    Column("b", parse_type("struct<a: float, b: list<decimal(9, 2)>>")),
)


def asked(found: ObservedField) -> object:
    return Evolution(Evolving(COLUMNS, True, True)).changes(found)


@given(RECORDS)
def test_a_block_asks_for_the_changes_that_its_records_ask_for(records: list[dict[str, Any]]) -> None:
    values = [json.dumps(r).encode() for r in records]
    block = observed_block(Values.from_list(values), range(len(values)))
    assert asked(block) == asked(observed(values))


@given(RECORDS, RECORDS)
def test_observations_of_two_blocks_add_up(one: list[dict[str, Any]], two: list[dict[str, Any]]) -> None:
    values = [[json.dumps(r).encode() for r in records] for records in (one, two)]
    found = observed(values[0])
    found.add_all(observed(values[1]))
    assert found == observed([*values[0], *values[1]])
