"""A table is paused and resumed by the commands, as `status` and the page show."""

from __future__ import annotations

import json

import pytest
from kits.page_log import PageAnswers
from kits.world import World
from lakelock.cli import main as cli
from lakelock.model.operator_log import What


def test_a_paused_table_is_shown_as_such_and_gets_its_records_when_it_is_resumed(
    typed: World, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(command: str, *more: str) -> str:
        assert cli.main([command, str(typed.file), *more]) == 0
        return capsys.readouterr().out

    of_table = ("--table", typed.table, "--why", "a reader migrates")
    typed.produce(5)
    typed.run()
    before = len(typed.rows())
    assert "Nothing was changed" in run("pause", *of_table)
    assert run("pause", *of_table, "--who", "ann", "--yes").endswith("done\n")
    assert "it is already paused" in run("pause", *of_table)
    typed.produce(5)
    typed.run()
    assert len(typed.rows()) == before
    assert "pause by ann: a reader migrates" in run("status").split("paused tables:")[1]
    (found,) = json.loads(run("status", "--json"))["pipelines"]
    assert [line.partition(":")[0] for line in found["paused"]] == [typed.table]
    notes = [n["text"] for n in PageAnswers(typed).table()["notes"]]
    assert [
        n for n in notes if n.startswith("no batch is committed: ") and n.endswith("pause by ann: a reader migrates")
    ]
    assert run("resume", *of_table, "--yes").endswith("done\n")
    typed.run()
    assert "paused tables:" not in run("status")
    assert PageAnswers(typed).table()["notes"] == []
    resumed = {t.table: t.last_pause for t in PageAnswers(typed).opened.view.tables}[typed.table]
    assert resumed is not None
    assert resumed.what is What.RESUME
    typed.audit()
