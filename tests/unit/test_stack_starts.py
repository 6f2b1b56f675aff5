"""Servers that cannot start say what to do, and no folder of another owner is changed for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stack import machine, settings, way_in
from stack.airflow import Airflow
from stack.postgres import Postgres
from stack.process import Server, StackError


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone below a folder that only its owner may enter; the temporary folder itself counts as entered."""
    tree = tmp_path / "home" / "clone"
    tree.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setattr(settings, "REPOSITORY", tree)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("LAKELOCK_HOME", str(tree / ".lakelock"))
    every = way_in.on_the_way

    def below(path: Path) -> list[Path]:
        return [folder for folder in every(path) if folder.is_relative_to(tmp_path.resolve()) and folder != tmp_path]

    monkeypatch.setattr(way_in, "on_the_way", below)
    return tree


def mode(folder: Path) -> int:
    return folder.stat().st_mode & 0o777


def test_a_clone_below_a_closed_folder_is_refused_and_the_folder_stays_closed(clone: Path) -> None:
    clone.parent.chmod(0o700)
    home = clone / ".lakelock" / "demo"
    refused: list[Callable[[], None]] = [lambda: way_in.require([clone, home]), lambda: way_in.let_in([home], [home])]
    for attempt in refused:
        with pytest.raises(machine.SetupFault) as fault:
            attempt()
        said = str(fault.value)
        assert f"who may not enter {clone.parent} (mode 0700)" in said
        assert f"Postgres was not started, and the mode of {clone.parent} was not changed." in said
        assert "Either start this as an ordinary user, or move the clone to a folder that all users may enter" in said
    assert mode(clone.parent) == 0o700


def test_a_state_folder_below_a_closed_folder_is_refused_with_the_variable_that_names_it(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = clone.parents[1] / "elsewhere"
    closed.chmod(0o700)
    monkeypatch.setenv("LAKELOCK_HOME", str(closed / "state"))
    with pytest.raises(machine.SetupFault, match=r"or name a state folder that all users may enter in LAKELOCK_HOME"):
        way_in.require([clone, machine.home()])
    assert mode(closed) == 0o700


def test_folders_of_the_clone_and_of_the_state_are_opened(clone: Path) -> None:
    home = clone / ".lakelock" / "demo" / "postgres"
    home.mkdir(parents=True)
    for folder in (clone, clone / ".lakelock", home):
        folder.chmod(0o700)
    way_in.require([clone, machine.home()])
    way_in.let_in([home], [home])
    assert {mode(folder) for folder in (clone, clone / ".lakelock", home)} == {0o701}


def test_a_link_is_followed(clone: Path) -> None:
    outside = clone.parents[1] / "elsewhere"
    (outside / "venv").mkdir()
    (clone / ".venv").symlink_to(outside / "venv")
    outside.chmod(0o700)
    with pytest.raises(machine.SetupFault, match=f"may not enter {outside} "):
        way_in.let_in([clone / ".venv"], [])


def test_an_ordinary_user_needs_no_way_in(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.parent.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    way_in.require([clone, machine.home()])


AGAIN = "Run the same command again: it continues from there."


def test_a_server_that_is_slow_to_start_says_that_a_second_start_continues(tmp_path: Path) -> None:
    server = Server("Kettle", tmp_path / "kettle.log")
    with pytest.raises(StackError) as fault:
        server.launch([sys.executable, "-c", "import time; time.sleep(60)"], env={}, ready=lambda: False, timeout_s=0.1)
    assert not server.alive
    assert str(fault.value) == (
        f"Kettle was not ready after 0 s, as happens on a busy machine (logs: {tmp_path / 'kettle.log'}). It was stopped, "
        f"and what was already set up stays. {AGAIN}"
    )


def test_so_does_airflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stack.airflow.READY_S", -1.0)
    airflow = Airflow(tmp_path, "postgresql://nowhere", {})
    for server in airflow.servers:
        monkeypatch.setattr(server, "require_alive", lambda: None)
    for waits in (airflow.wait_until_healthy, airflow.wait_for_execution_api):
        with pytest.raises(StackError, match=AGAIN):
            waits()


def test_a_data_folder_that_initdb_left_half_made_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be ended while it writes, because another server was too slow."""
    monkeypatch.setattr("stack.postgres._unprivileged", lambda: None)
    postgres = Postgres(tmp_path)
    outcomes = iter(["ended by force", None])

    def initdb(command: list[str], **_: object) -> str | None:
        folder = Path(command[command.index("-D") + 1])
        assert list(folder.iterdir()) == []
        (folder / "PG_VERSION").write_text("18")
        return next(outcomes)

    class Started(Exception):
        pass

    def launch(*_: Any, **__: Any) -> None:
        raise Started

    monkeypatch.setattr(postgres._server, "prepare", initdb)
    monkeypatch.setattr(postgres._server, "launch", launch)
    with pytest.raises(StackError, match="could not be made"):
        postgres.start()
    assert not (tmp_path / "data").exists()
    for is_new in (True, False):
        with pytest.raises(Started):
            postgres.start()
        assert postgres.is_new == is_new
    assert (tmp_path / "data" / "PG_VERSION").exists()
