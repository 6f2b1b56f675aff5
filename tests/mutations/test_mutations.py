"""The short form: every guard of the catalogue is where it says, and those that need no server are broken."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from kits import draw

from mutations.__main__ import REPOSITORY, main
from mutations.catalogue import MUTATIONS, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.breaks)
def test_a_guard_and_its_test_are_there(mutation: Mutation) -> None:
    text = (REPOSITORY / "plugins" / "lakelock" / mutation.file).read_text()
    assert text.count(mutation.old) == 1
    assert mutation.old != mutation.new
    file, _, name = mutation.test.partition("::")
    tree = ast.parse(Path(REPOSITORY / file).read_text())
    assert name in {f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)}


@pytest.mark.parametrize(
    "mutation", draw.params([m for m in MUTATIONS if m.quick], 8, "broken guards", lambda m: m.breaks)
)
def test_a_guard_that_does_not_hold_is_noticed(mutation: Mutation, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--only", mutation.breaks])
    told = capsys.readouterr().out
    assert code == 0, told
    assert "\n0 guards broken" not in told
    assert ", 0 unseen" in told
