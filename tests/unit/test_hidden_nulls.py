"""Required fields of structs that are null: written as Parquet, and read back as they were."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.records.hidden_nulls import without_hidden

LEAVES = [pa.int64(), pa.bool_(), pa.string(), pa.binary(2), pa.decimal128(20, 3), pa.date32(), pa.timestamp("us", "UTC"), pa.uuid()]  # fmt: skip


def struct(kind: pa.DataType) -> pa.DataType:
    return pa.struct([pa.field("x", kind, nullable=False), pa.field("y", pa.int32())])


def read_back(array: pa.Array) -> list[Any]:
    out = io.BytesIO()
    field = pa.field("c", array.type)
    with pq.ParquetWriter(out, pa.schema([field])) as writer:
        writer.write_table(pa.Table.from_arrays([without_hidden(array)], schema=pa.schema([field])))
    out.seek(0)
    found: list[Any] = pq.read_table(out)["c"].to_pylist()
    return found


def of(kind: pa.DataType) -> st.SearchStrategy[Any]:
    """Values of a type, null where it may be."""
    if pa.types.is_struct(kind):
        fields = {f.name: st.none() | of(f.type) if f.nullable else of(f.type) for f in kind}
        return st.fixed_dictionaries(fields)
    if pa.types.is_map(kind):
        return st.dictionaries(st.text("ab", max_size=2), st.none() | of(kind.item_type), max_size=2).map(
            lambda d: list(d.items())
        )
    if pa.types.is_list(kind):
        return st.lists(st.none() | of(kind.value_type), max_size=3)
    return st.integers(0, 9) if pa.types.is_integer(kind) else st.text("ab", max_size=2)


INNER = struct(pa.int64())
KINDS = [
    INNER,
    struct(pa.string()),
    struct(INNER),
    struct(pa.list_(INNER)),
    struct(pa.map_(pa.string(), INNER)),
    pa.list_(INNER),
    pa.map_(pa.string(), struct(INNER)),
    pa.struct([("a", pa.list_(struct(struct(pa.string()))))]),
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@given(data=st.data())
def test_values_are_as_they_were_at_any_depth_and_in_any_slice(kind: pa.DataType, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.none() | of(kind), min_size=1, max_size=6))
    array = pa.array(values, kind)
    start = data.draw(st.integers(0, len(values) - 1))
    assert read_back(array) == array.to_pylist()
    assert read_back(array[start:]) == array[start:].to_pylist()


@pytest.mark.parametrize("leaf", LEAVES, ids=str)
def test_each_type_may_lie_under_a_null(leaf: pa.DataType) -> None:
    children = [pa.nulls(2, leaf), pa.nulls(2, pa.int32())]
    nulls = pa.StructArray.from_arrays(children, fields=list(struct(leaf)), mask=pa.array([True, True]))
    assert read_back(nulls) == [None, None]


def test_a_null_of_its_own_is_for_the_writer_to_refuse() -> None:
    with pytest.raises(pa.ArrowInvalid, match="non-nullable"):
        read_back(pa.array([{"x": None, "y": 1}, None], INNER))
