"""The offsets that a retired table does not get, in a registry that is written and read, and what a recovery makes of them."""

from __future__ import annotations

import pytest
from lakelock.model.letter_rows import rows_of_letters
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.registry import RegisteredTable, Registry
from lakelock.model.registry_text import decode, encode
from lakelock.model.retirement import NEVER, Retirement, of_text, text_of

X, Y, Z = (Source(name, f"id-{name}", 0) for name in "xyz")


def at(source: Source, start: int, end: int) -> list[OffsetRange]:
    return [OffsetRange(source, start, end)]


def test_it_begins_with_what_is_not_closed_and_what_is_not_planned() -> None:
    begun = NEVER.begun({X: 10, Y: FOREVER}, [OffsetRange(X, 2, 4), OffsetRange(X, 8, 10)])
    assert begun == Retirement({X: ((2, 4), (8, FOREVER)), Y: ()}, lasting=True)
    assert begun.has(at(X, 2, 4))
    assert begun.has([*at(X, 3, 4), *at(X, 9, 12)])
    assert not begun.has(at(X, 3, 5))
    assert not begun.has([*at(X, 3, 4), *at(X, 4, 6)])
    assert not begun.has([])
    assert not begun.has(at(Y, 0, 1)), "a retired source has no further offsets"
    assert begun.has(at(Z, 0, 1)), "one that came later"
    assert begun.begins == {X: 8}


def test_it_ends_where_planning_goes_on() -> None:
    ended = NEVER.begun({X: 10}, [OffsetRange(X, 2, 4)]).ended({X: 20, Z: 5})
    assert ended == Retirement({X: ((2, 4), (10, 20)), Z: ((0, 5),)})
    assert not ended.has(at(X, 19, 21))
    assert not ended.has(at(Z, 5, 6))
    assert ended.ended({X: 15}) == ended
    assert ended.begins == {}
    again = ended.begun({X: 30, Z: 5}, [])
    assert again == Retirement({X: ((2, 4), (10, 20), (30, FOREVER)), Z: ((0, FOREVER),)}, lasting=True)


def test_the_log_and_the_registry_are_asked_together() -> None:
    logged, registered = NEVER.begun({X: 10}, []), NEVER.begun({X: 10}, []).ended({X: 12})
    assert logged.joined(registered) == logged
    assert registered.joined(NEVER.begun({Y: 1}, [])) == Retirement(
        {X: ((0, FOREVER),), Y: ((1, FOREVER),)}, lasting=True
    )
    registry = Registry({"a": RegisteredTable("a", "1", registered), "b": RegisteredTable("b", "2")})
    known = registry.retirements({"a": RegisteredTable("a", "1", logged)})
    assert known == {"a": RegisteredTable("a", "1", logged)}


def test_text() -> None:
    retirement = NEVER.begun({X: 10, Y: FOREVER}, [OffsetRange(X, 2, 4)])
    assert of_text(text_of(retirement)) == retirement
    tables = {
        "a": RegisteredTable("A", "1", retirement),
        "b": RegisteredTable("b", None),
        "c": RegisteredTable("C", "2"),
    }
    assert decode(encode(Registry(tables))).tables == tables


def test_a_registry_keeps_it() -> None:
    retirement = NEVER.begun({X: 10}, [])
    registry = Registry({"a": RegisteredTable("A", None)}).retiring("a", retirement)
    assert registry.retired == {"a"}
    late = registry.with_tables({"a": RegisteredTable("a", "1")})
    assert late.tables["a"] == RegisteredTable("A", "1", retirement), "a late attempt registers the UUID"
    former = Registry({"a": RegisteredTable("A", None), "b": RegisteredTable("b", "2")})
    assert registry.joined([former]).tables["a"].is_retired
    assert registry.retired_at(*at(X, 10, 12)) == {"a"}
    assert registry.retired_at(*at(X, 8, 12)) == frozenset()
    assert registry.retirement_edges(X) == {10, FOREVER}
    again = registry.rebound("a", "3", {X: 12})
    assert again.tables["a"] == RegisteredTable("A", "3", Retirement({X: ((10, 12),)}), refilled=True)


def test_what_is_assigned_stays_so() -> None:
    """Dead letters of an earlier dead-letter table, too."""
    first = Registry().assigning({"a": at(X, 1, 3), "b": at(X, 2, 3)})
    assert decode(encode(first)) == first
    with pytest.raises(ValueError, match="assigned once"):
        first.assigning({"c": at(X, 2, 4)})
    both = Registry().assigning({"a": at(X, 7, 8)}).joined([first])
    assert both.assigned == {"a": (*at(X, 1, 3), *at(X, 7, 8)), "b": tuple(at(X, 2, 3))}
    assert both.all_assigned == [*at(X, 1, 3), *at(X, 7, 8)]


def test_letters_that_became_rows_have_the_target_that_they_had() -> None:
    """One of two tables is a row once both have it."""
    registry = Registry().assigning({"a": at(X, 1, 5), "b": at(X, 3, 7)})
    assert rows_of_letters(registry, {"a": [*at(X, 1, 5), *at(X, 8, 9)], "b": at(X, 4, 5)}) == {
        "a": at(X, 8, 9),
        "b": [],
        "*": [*at(X, 1, 3), *at(X, 4, 5)],
    }
    assert rows_of_letters(Registry(), {"a": at(X, 1, 5)}) == {"a": at(X, 1, 5), "*": []}
