"""Two values of a key as `check` shows their difference."""

from __future__ import annotations

import pytest
from lakelock.check.changed_values import changed

ID = {"name": "id", "type": "long"}
DAY = {"name": "day", "type": "date", "sql": "a"}


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (1, 2, "1 -> 2"),
        (None, "a", "not set -> a"),
        ("a" * 100, "b", f"{'a' * 59}… -> b"),
        ("a" * 100 + "x", "a" * 100 + "y", f"…{'a' * 20}x -> …{'a' * 20}y"),
        ([1, 2], [1], "[1, 2] -> [1]"),
        ([ID, DAY], [ID, DAY | {"sql": "b"}], "day.sql: a -> b"),
        ([ID, DAY], [ID, {"name": "day", "type": "string"}], "day.type: date -> string; day.sql: a -> not set"),
        ([ID, DAY], [ID], "day: removed"),
        ([ID], [DAY, ID], "day: added"),
        ([ID, DAY], [DAY, ID], "another order"),
        ([], [ID], '[] -> [{"name": "id", "type": "long"}]'),
        (None, [ID], 'not set -> [{"name": "id", "type": "long"}]'),
    ],
)
def test_only_what_differs_is_shown(old: object, new: object, text: str) -> None:
    assert changed(old, new) == text
