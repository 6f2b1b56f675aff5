"""Columns and expressions that do not go together."""

from __future__ import annotations

from kits.columns import columns
from lakelock.records.sql.expressions import Expressions
from lakelock.records.sql.fit import misfits


def test_names_of_the_stage_itself_are_refused() -> None:
    of = columns({"__lakelock_taken": "string", "y": "string"})
    found = [
        *misfits(of, Expressions({"y": "upper(__lakelock_taken)"})),
        *misfits(of, Expressions({"__lakelock_taken": "y"})),
    ]
    assert [m.name for m in found] == ["y", "__lakelock_taken"]
    assert all("lakelock's own" in m.message for m in found)
