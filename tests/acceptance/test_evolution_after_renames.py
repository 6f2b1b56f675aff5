"""Columns that follow the records under the names that they were given in the table."""

from __future__ import annotations

from kits.changed_tables import evolved
from kits.evolution import BOTH
from kits.evolving_world import columns, rows_of, send
from kits.upkeep import table_of
from kits.world import World, file_of, open_with


def test_values_follow_a_column_that_was_renamed_whichever_name_records_have(fresh: World) -> None:
    columns_ = "{id: long, note: string, at: {type: timestamptz}}"
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {columns_}, {BOTH}}}")) as runtime:
        send(fresh, {"id": 1, "note": "a"})
        fresh.cycle(runtime)
        evolved(lambda u: u.rename_column("note", "remark"))(table_of(fresh))
        send(
            fresh,
            {"id": 2, "note": "b", "x": 1},
            {"id": 3, "remark": "c"},
            {"id": 4, "note": "d", "remark": "e"},
            {"id": 5},
        )
        fresh.cycle(runtime)
        send(fresh, {"id": 6, "note": "f"})
        fresh.cycle(runtime)
        assert runtime.audit().complete
    rows = sorted(rows_of(fresh), key=lambda row: row["id"])
    assert [(row["id"], row["remark"], row["x"]) for row in rows] == [
        (1, "a", None), (2, "b", 1), (3, "c", None), (5, None, None), (6, "f", None),
    ]  # fmt: skip
    assert set(columns(fresh)) == {"id", "remark", "at", "x"}
    # A record that has both names.
    assert len(fresh.rows(f"{fresh.table}__dead_letters")) == 1


def test_renamed_columns_widen_and_grow_for_values_by_their_old_names(fresh: World) -> None:
    before = "columns: {id: long, n: int, o: 'struct<a: int, gone: int>', l: 'list<int>', m: int}"
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, {before}}}")) as runtime:
        send(fresh, {"id": 1, "n": 1, "o": {"a": 1, "gone": 1}, "l": [1], "m": 1})
        fresh.cycle(runtime)
        for old, now in (("n", "count"), ("o", "obj"), ("l", "list")):
            with table_of(fresh).update_schema() as update:
                update.rename_column(old, now)
        with table_of(fresh).update_schema() as update:
            update.delete_column("obj.gone").rename_column("m", "other")
    # The present name with the old one as its field, as the page says.
    named = "columns: {id: long, other: {type: int, field: m}}"
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, {named}}}")) as runtime:
        wide = 2**40
        send(fresh, {"id": 2, "n": wide, "o": {"a": wide, "b": "x", "gone": 2}, "l": [wide], "m": wide})
        send(fresh, {"id": 3, "count": 3, "obj": {"a": 3, "b": "y"}, "list": [3]})
        fresh.cycle(runtime)
        assert runtime.audit().complete
    rows = sorted(rows_of(fresh), key=lambda row: row["id"])
    assert fresh.rows(f"{fresh.table}__dead_letters") == []
    assert [(r["count"], r["obj"], r["list"], r["other"]) for r in rows] == [
        (1, {"a": 1, "b": None}, [1], 1),
        (wide, {"a": wide, "b": "x"}, [wide], wide),
        (3, {"a": 3, "b": "y"}, [3], None),
    ]
    assert columns(fresh) == {
        "id": "long", "count": "long", "obj": "struct<`a`: long, `b`: string>", "list": "list<long>", "other": "long",
    }  # fmt: skip
    assert fresh.rows(f"{fresh.table}__dead_letters") == []
