"""A recovery does the same to several tables at a time."""

from __future__ import annotations

import threading

import pytest
from lakelock.errors import State, TableUnfit, Unreachable
from lakelock.recovery.several_tables import for_each_table

TABLES = [f"ns.t{n}" for n in range(40)]


def test_results_are_in_the_order_of_the_tables_and_so_many_are_at_work_at_once() -> None:
    four = threading.Barrier(4)

    def act(table: str) -> str:
        four.wait(10)
        return table.upper()

    assert list(for_each_table(TABLES, act, 4).items()) == [(t, t.upper()) for t in TABLES]


def test_one_at_a_time_is_done_by_the_caller_itself() -> None:
    here = threading.get_ident()
    assert set(for_each_table(TABLES, lambda table: threading.get_ident(), 1).values()) == {here}


@pytest.mark.parametrize("at_once", [1, 4])
def test_an_error_of_one_table_is_raised_after_the_others(at_once: int) -> None:
    done: list[str] = []

    def act(table: str) -> None:
        if table in {"ns.t3", "ns.t7"}:
            raise TableUnfit(f"table {table} is unfit.", State.NOTHING_CHANGED, "Fix it.")
        done.append(table)

    with pytest.raises(TableUnfit, match=r"ns\.t3"):
        for_each_table(TABLES, act, at_once)
    assert sorted(done) == sorted(set(TABLES) - {"ns.t3", "ns.t7"})


@pytest.mark.parametrize("at_once", [1, 4])
def test_what_has_not_begun_ends_if_a_server_does_not_answer(at_once: int) -> None:
    begun: list[str] = []
    away = threading.Event()

    def act(table: str) -> None:
        begun.append(table)
        if table == TABLES[0]:
            away.set()
            raise Unreachable("the catalog does not answer.", State.NOTHING_CHANGED)
        away.wait(10)

    with pytest.raises(Unreachable):
        for_each_table(TABLES, act, at_once)
    assert at_once > 1 or begun == TABLES[:1]
    assert for_each_table([], act, at_once) == {}
