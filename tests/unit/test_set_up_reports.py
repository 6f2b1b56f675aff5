"""Long set-up work says at once what it does, on standard error: bin/lakelock's output is for programs, too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from stack import jars, machine, python_environment


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """What stood on standard error when the first tool was started. No tool is run."""
    seen: list[str] = []

    def run(command: Sequence[str], what: str) -> None:
        seen.append(capfd.readouterr().err)
        raise machine.SetupFault(what)

    monkeypatch.setattr(machine, "run", run)
    monkeypatch.setattr(machine, "VENV", tmp_path / ".venv")
    monkeypatch.setenv("LAKELOCK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return seen


def test_before_the_python_environment_is_made(said: list[str]) -> None:
    with pytest.raises(machine.SetupFault):
        python_environment.ensure(lambda what, seconds: None)
    assert said == [
        f"lakelock: making the Python environment in {machine.VENV}; this is done once and takes about a minute.\n"
    ]


def test_before_jars_are_fetched(said: list[str]) -> None:
    ivy = machine.VENV / "lib" / "python3" / "site-packages" / "pyspark" / "jars" / "ivy-1.jar"
    ivy.parent.mkdir(parents=True)
    ivy.touch()
    with pytest.raises(machine.SetupFault):
        jars.ensure("java", lambda what, seconds: None, ["kafka"])
    assert said == ["lakelock: fetching the jars for Kafka; this is done once.\n"]
