"""A demo without --once ends only by Ctrl-C or by a server that does not come up."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from stack.demo_run import Demo
from stack.process import StackError
from stack.stack import start_again


class Checked(Demo):
    """A demo without servers, whose check ends as *ends* does."""

    def __init__(self, ends: bool | Exception, fault: StackError | None = None) -> None:
        def compare(spent: object, began: float) -> bool:
            if isinstance(ends, Exception):
                raise ends
            return ends

        self.console = Console(width=200)
        self.spent, self.began, self.stayed = [], 0.0, 0
        parts: dict[str, Any] = {
            "keeper": SimpleNamespace(fault=fault, start=lambda: None, end=lambda stop: None),
            "check": SimpleNamespace(wait_until_moved=lambda progress: 1.0, compare=compare, close=lambda: None),
            "stack": SimpleNamespace(home=Path("/home"), airflow=SimpleNamespace(url="http://a"), stop=None),
        }
        self.__dict__ |= parts

    def _start(self) -> None: ...

    def _stop(self) -> None: ...

    def _stay(self) -> None:
        self.stayed += 1


@pytest.mark.parametrize("ends", [False, StackError("none came for 300 s."), ValueError("a file is gone")])
def test_a_failed_check_leaves_the_servers_running(ends: bool | Exception, capsys: pytest.CaptureFixture[str]) -> None:
    demo = Checked(ends)
    assert demo.run(once=False) == 1
    assert demo.stayed == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "The servers keep running, so that you can find the cause: . /home/connections.env &&" in said
    assert re.search(r"bin/lakelock audit \S+/dags/pipelines/flights.yaml", said)
    assert "Airflow http://a" in said
    assert str(ends) in said or ends is False


def test_a_check_that_succeeds_stays_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    demo = Checked(True)
    assert (demo.run(once=False), demo.stayed) == (0, 1)
    assert "failed" not in capsys.readouterr().out


def test_with_once_a_failed_check_ends_the_demo() -> None:
    demo = Checked(False)
    assert (demo.run(once=True), demo.stayed) == (1, 0)
    with pytest.raises(StackError, match="none came"):
        Checked(StackError("none came")).run(once=True)
    assert (Checked(True).run(once=True), demo.stayed) == (0, 0)


def test_a_server_that_does_not_come_up_ends_the_demo() -> None:
    fault = StackError("Kafka was ended by SIGKILL, for the 4th time in 120 s.")
    demo = Checked(fault, fault)
    with pytest.raises(StackError, match="for the 4th time"):
        demo.run(once=False)
    assert demo.stayed == 0


@pytest.mark.parametrize("is_new", [True, False])
def test_only_a_postgres_without_data_gives_airflow_a_new_database(
    is_new: bool, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []
    postgres: Any = SimpleNamespace(start=lambda: done.append("postgres"), is_new=is_new)
    airflow: Any = SimpleNamespace(start_over=lambda: done.append("airflow"))
    start_again(postgres, airflow)
    assert done == (["postgres", "airflow"] if is_new else ["postgres"])
    assert [r.message for r in caplog.records] == [
        "Postgres' data is gone. Postgres is empty now, and Airflow starts with a new database."
    ] * is_new
