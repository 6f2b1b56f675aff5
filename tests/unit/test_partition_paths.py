"""Partition and sort values are those of the field that is named, however its name and its neighbours' are spelled."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.parquet.routes import PartitionRouter
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER, SortField, SortOrder
from pyiceberg.transforms import IdentityTransform
from pyiceberg.types import LongType, NestedField, StringType, StructType

# A field is a name, or a name with fields of its own.
Tree = tuple[tuple[str, Any], ...]
NAMES = st.text("a.b`$ é", min_size=1, max_size=4) | st.sampled_from(["a", "a.b", "b", "A", "a.b.c"])
LEAVES = st.just(None)
TREES = st.recursive(
    st.lists(st.tuples(NAMES, LEAVES), min_size=1, max_size=4, unique_by=lambda f: f[0]).map(tuple),
    lambda inner: st.lists(
        st.tuples(NAMES, LEAVES | inner), min_size=1, max_size=4, unique_by=lambda f: f[0]
    ).map(tuple),
    max_leaves=8,
)  # fmt: skip


class Numbered:
    """Iceberg's fields for a tree; `leaves` has each field's id and the steps that lead there."""

    def __init__(self, tree: Tree) -> None:
        self._next = 0
        self.leaves: list[tuple[int, tuple[str, ...]]] = []
        self.fields = self._of(tree, ())

    def _of(self, tree: Tree, above: tuple[str, ...]) -> list[NestedField]:
        found = []
        for name, inner in tree:
            self._next += 1
            number = self._next
            if inner is None:
                self.leaves.append((number, (*above, name)))
            kind = StringType() if inner is None else StructType(*self._of(inner, (*above, name)))
            found.append(NestedField(number, name, kind, required=False))
        return found


def row_of(fields: list[NestedField], n: int) -> dict[str, Any]:
    """Each leaf's value is its id and the row's number."""
    return {
        f.name: row_of(list(f.field_type.fields), n) if isinstance(f.field_type, StructType) else f"{f.field_id} {n}"
        for f in fields
    }


def arrow(fields: list[NestedField]) -> pa.DataType:
    return pa.struct(
        [
            (f.name, arrow(list(f.field_type.fields)) if isinstance(f.field_type, StructType) else pa.string())
            for f in fields
        ]
    )


def at(row: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        row = row[step]
    return row


def unnamed(fields: list[NestedField]) -> Schema | None:
    """None where PyIceberg itself takes two of the joined names for one."""
    try:
        schema = Schema(*fields)
        assert schema.as_struct()
        schema.find_field(1)
    except ValueError:
        return None
    return schema


@given(TREES, st.data())
def test_a_field_is_found_by_its_id(tree: Tree, data: st.DataObject) -> None:
    numbered = Numbered(tree)
    schema = unnamed(numbered.fields)
    if schema is None:
        return
    number, path = data.draw(st.sampled_from(numbered.leaves))
    rows = [row_of(numbered.fields, n % 2) for n in range(4)]
    table = pa.Table.from_struct_array(pa.array(rows, arrow(numbered.fields)))
    spec = PartitionSpec(PartitionField(number, 1000, IdentityTransform(), "part"))
    moved, runs = PartitionRouter(schema, spec, UNSORTED_SORT_ORDER).routed(table)
    assert sorted(r.partition for r in runs) == [(f"{number} 0",), (f"{number} 1",)]
    for run in runs:
        values = moved.slice(run.start, run.end - run.start).to_pylist()
        assert {at(row, path) for row in values} == set(run.partition)
    order = SortOrder(SortField(number, IdentityTransform()))
    in_order = PartitionRouter(schema, PartitionSpec(), order).sorted(table).to_pylist()
    assert [at(row, path) for row in in_order] == sorted(at(row, path) for row in rows)


@pytest.mark.parametrize(
    ("tree", "leaf"),
    [
        ((("a.b", None), ("id", None)), ("a.b",)),
        ((("resource", (("service.name", None), ("process", (("name", None),)))),), ("resource", "service.name")),
        ((("meta", (("k8s.app", None), ("zone", None))),), ("meta", "k8s.app")),
    ],
)
def test_names_with_dots_that_were_reported(tree: Tree, leaf: tuple[str, ...]) -> None:
    numbered = Numbered(tree)
    (number,) = (n for n, path in numbered.leaves if path == leaf)
    table = pa.Table.from_struct_array(pa.array([row_of(numbered.fields, 7)], arrow(numbered.fields)))
    spec = PartitionSpec(PartitionField(number, 1000, IdentityTransform(), "part"))
    _, (run,) = PartitionRouter(Schema(*numbered.fields), spec, UNSORTED_SORT_ORDER).routed(table)
    assert run.partition == (f"{number} 7",)


def test_the_nulls_of_a_struct_are_those_of_its_fields() -> None:
    schema = Schema(NestedField(1, "s", StructType(NestedField(2, "x", LongType(), required=False)), required=False))
    table = pa.table({"s": pa.array([{"x": 1}, None, {"x": None}], pa.struct([("x", pa.int64())]))})
    spec = PartitionSpec(PartitionField(2, 1000, IdentityTransform(), "part"))
    _, runs = PartitionRouter(schema, spec, UNSORTED_SORT_ORDER).routed(table)
    assert sorted((r.partition[0] is None, r.end - r.start) for r in runs) == [(False, 1), (True, 2)]
