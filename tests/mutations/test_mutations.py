"""The short form: every guard of the catalogue is where it says, and a few are broken."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
from campaigns.draw import REPOSITORY

from mutations.__main__ import PAGE, main
from mutations.catalogue import MUTATIONS
from mutations.mutation import Mutation


@cache
def names_in(file: Path) -> frozenset[str]:
    return frozenset(f.name for f in ast.walk(ast.parse(file.read_text())) if isinstance(f, ast.FunctionDef))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.breaks)
def test_a_guard_and_its_test_are_there(mutation: Mutation) -> None:
    text = (REPOSITORY / "plugins" / "lakelock" / mutation.file).read_text()
    assert text.count(mutation.old) == 1
    assert mutation.old != mutation.new
    if mutation.file.endswith(".py"):
        # A guard that cannot be read at all would fail every test.
        ast.parse(text.replace(mutation.old, mutation.new))
    file, _, name = mutation.test.partition("::")
    assert name in names_in(REPOSITORY / file)


def test_a_guard_that_does_not_hold_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    code = main([])
    reported = capsys.readouterr().out
    assert code == 0, reported
    assert ", 0 undetected" in reported


def test_the_page_names_the_guards_of_the_catalogue() -> None:
    rows = [f"| {m.invariant} | {m.breaks} | `{m.test}` |" for m in MUTATIONS]
    page = PAGE.read_text(encoding="utf-8")
    assert [row for row in rows if row not in page] == []
    assert page.count("::") == len(rows)
