"""What is wrong with a command line itself ends it with one line and exit code 2, before any server is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from lakelock.cli import main as cli
from lakelock.config import load_folder
from lakelock.errors import LakelockError, OutcomeUnknown, TableMissing, Unreachable

COMMANDS = {
    "check": ["check"],
    "run": ["run", "--once"],
    "status": ["status"],
    "audit": ["audit"],
    "rollback": ["rollback", "--table", "n.t", "--to", "last:1", "--mode", "skip", "--why", "w"],
    "recover": ["recover"],
    "compact": ["compact"],
    "expire": ["expire"],
    "rewrite-manifests": ["rewrite-manifests"],
    "orphans": ["orphans"],
    "accept-loss": ["accept-loss", "--why", "w"],
    "retire": ["retire", "--topic", "t", "--why", "w"],
    "rebind": ["rebind", "--table", "n.t", "--why", "w"],
}


@pytest.fixture
def pipelines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "orders.yaml").write_text("source: {topics: [orders]}\ntables: [{name: shop.orders}]\n")
    (tmp_path / "_defaults.yaml").write_text("owner: us\n")
    monkeypatch.setenv("LAKELOCK_PIPELINES", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_file_that_does_not_exist_is_wrong_usage(
    command: list[str], pipelines: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([command[0], "pipelines/order.yaml", *command[1:]])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert said == f"lakelock: no such file: pipelines/order.yaml (pipeline files in {pipelines}: orders.yaml)\n"


def test_one_file_of_several_that_does_not_exist_ends_the_command_before_the_others(
    pipelines: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["status", str(pipelines / "orders.yaml"), str(pipelines / "gone.yaml")])
    assert end.value.code == 2
    assert "gone.yaml" in capsys.readouterr().err


def test_check_reports_two_files_that_are_one_pipeline_as_airflow_does(
    pipelines: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pipelines / "orders.yml").write_text((pipelines / "orders.yaml").read_text())
    assert cli.main(["check"]) == 1
    printed = capsys.readouterr()
    assert printed.out.count("orders.yaml and orders.yml are the same pipeline; remove one of them.") == 2
    assert "fails with the errors in its file until you fix them" in printed.out


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("yesterday", "nor last:N"),
        ("last:0", "nor last:N"),
        ("last:", "nor last:N"),
        ("2026-01-31T12:00:00", "zone"),
    ],
)
def test_a_rollback_to_no_snapshot_and_no_time_with_a_zone_is_wrong_usage(
    to: str, why: str, pipelines: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(pipelines / "orders.yaml")
    with pytest.raises(SystemExit) as end:
        cli.main(["rollback", file, "--table", "n.t", "--to", to, "--mode", "skip", "--why", "w"])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert f"--to: {to!r} " in said
    assert why in said


def test_check_prints_the_faults_of_a_file_as_a_failed_check(
    pipelines: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = pipelines / "orders.yaml"
    file.write_text("source: {topics: [orders]}\ntables: [{nam: shop.orders}]\n")
    assert cli.main(["check", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("FAIL  pipeline file: ConfigFaults: ")
    assert "nam" in said.out
    assert said.err == ""


def test_hidden_files_are_no_pipelines(pipelines: Path) -> None:
    for name in (".orders.yaml", "_more.yml", "orders.yaml~", "orders.yxml"):
        (pipelines / name).write_text("no pipeline")
    assert [p.name for p in load_folder(pipelines)] == ["orders"]
    assert cli._files([]) == [pipelines / "orders.yaml"]


def test_a_folder_is_no_pipeline_file(pipelines: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["check", str(pipelines)])
    assert end.value.code == 2
    assert f"this is a folder: {pipelines}" in capsys.readouterr().err


@pytest.mark.parametrize(("fault", "code"), [(Unreachable("x"), 3), (OutcomeUnknown("x"), 3), (TableMissing("x"), 1)])
def test_the_exit_code_says_whether_a_later_try_may_do(
    fault: LakelockError, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object) -> int:
        raise fault

    monkeypatch.setattr(cli, "_run", fails)
    assert cli.main(["audit"]) == code
