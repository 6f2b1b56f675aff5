"""The REST catalog of these tests is a real one: the reference server, with its own checks."""

from __future__ import annotations

from kits.iceberg import adopted, change, ids_in, open_tables
from lakelock.adapters.iceberg import check_compare_and_swap


def test_commits_through_it_land_and_another_client_reads_them(rest_properties: dict[str, str], namespace: str) -> None:
    tables, name = open_tables(rest_properties), f"{namespace}.flights"
    adopted(tables, name)
    for start in (0, 3):
        state = tables.load(name)
        tables.commit(state, change(state, start, start + 3))
    assert ids_in(tables, name) == list(range(6))


def test_its_compare_and_swap_holds(rest_properties: dict[str, str], namespace: str) -> None:
    check_compare_and_swap(open_tables(rest_properties), namespace)
