"""`--table` takes the tables that a pipeline has or had, and names the nearest of them for any other."""

from __future__ import annotations

from pathlib import Path

import pytest
from kits.world import World
from lakelock.cli import main as cli

BACK = ["--to", "last:1", "--mode", "skip", "--why", "a test"]
COMMANDS = {
    "rollback": BACK,
    "compact": [],
    "expire": [],
    "rewrite-manifests": [],
    "orphans": [],
    "rebind": ["--why", "a test"],
    "pause": ["--why", "a test"],
    "resume": ["--why", "a test"],
}


def test_a_name_that_is_no_table_of_the_pipeline_is_wrong_usage(
    typed: World, capsys: pytest.CaptureFixture[str]
) -> None:
    typed.produce(1, bad=[b"["])
    typed.run()
    dead_letters = f"{typed.table}__dead_letters"
    for command, more in COMMANDS.items():
        for wrong, near_to in (
            (f"{typed.table}s", typed.table),
            (typed.name, None),
            (f"{dead_letters}x", dead_letters),
        ):
            with pytest.raises(SystemExit) as end:
                cli.main([command, str(typed.file), "--table", wrong, *more])
            assert end.value.code == 2
            said = capsys.readouterr().err
            assert said.startswith(f"lakelock: {wrong!r} is not a table of pipeline 'orders'.")
            assert said.endswith(f" Its tables: {typed.table}, {dead_letters}.\n")
            assert near_to is None or f" Did you mean {near_to}?" in said


def test_the_dead_letter_table_and_one_that_left_the_file_can_be_named(
    typed: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed.produce(1, bad=[b"["])
    typed.run()
    file = tmp_path / f"{typed.name}.yaml"
    file.write_text(f"source: {{topics: [{typed.topic}]}}\ntables: [{{name: {typed.namespace}.another}}]\n")
    for table in (typed.table, f"{typed.table}__dead_letters"):
        for command in ("compact", "expire", "rewrite-manifests", "orphans"):
            assert cli.main([command, str(file), "--table", table, *COMMANDS[command]]) == 0
            assert f"{table}: " in capsys.readouterr().out
    assert cli.main(["rollback", str(file), "--table", typed.table, *BACK]) == 0
    assert cli.main(["rollback", str(file), "--table", f"{typed.table}__dead_letters", *BACK]) == 1
    assert "holds the dead letters of pipeline" in capsys.readouterr().err
