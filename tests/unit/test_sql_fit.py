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


def test_a_misspelled_name_is_one_misfit() -> None:
    of, kind = columns({"id": "long"}), columns({"kind": "string"})
    (only,) = misfits(of, Expressions(where="knd = 'a'", inputs=kind))
    assert "uses column 'knd', which the table does not have (did you mean 'kind'?)" in only.message
    (cased,) = misfits(of, Expressions(where="KIND = 'a'", inputs=kind))
    assert "it is written 'kind'" in cased.message
    (unused,) = misfits(of, Expressions(where="id > 1", inputs=kind))
    assert (unused.name, unused.message) == ("kind", "no expression uses it")
