"""The catalogue of commands against the parser, the dispatch, the DAGs and the page that are made from it."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest
from lakelock.catalogue import COMMANDS, FORMS, Command, Files, Option, OptionKind
from lakelock.catalogue.dag_forms import DECISIONS
from lakelock.catalogue.reference import PAGE, markdown
from lakelock.cli import main as cli
from lakelock.cli.parser import parser
from lakelock.config import Pipeline
from lakelock.config.planned_dags import OF_EACH
from lakelock.config.routing import NOT_REPLACEABLE
from lakelock.model.operator_log import What
from lakelock.orchestration.documents import RECOVER_DOCUMENT, backfill_document
from lakelock.page import page_dialogs

VALUES = {
    OptionKind.CHOICE: "recommit",
    OptionKind.DURATION: "7d",
    OptionKind.INTEGER: "3",
    OptionKind.PAST: "12",
    OptionKind.TABLE: "n.t",
    OptionKind.TEXT: "text",
}


def words(command: Command, *, every: bool) -> list[str]:
    """A command line with all options, or with those alone that are required."""
    out = [] if command.files is Files.NONE else ["FILE"]
    chosen = command.one_of[:1]
    for option in command.options:
        if option.name in command.one_of and option.name not in chosen:
            continue
        if every or option.required or option.name in chosen:
            out += [option.flag] if option.kind is OptionKind.FLAG else [option.flag, _value(option)]
    return [command.name, *out]


def _value(option: Option) -> str:
    if option.kind is OptionKind.MOMENT:
        return "2026-01-31T12:00:00Z" if option.name == "from" else "2026-01-31T13:00:00Z"
    return "9" if option.name == "to" and option.kind is OptionKind.INTEGER else VALUES[option.kind]


def test_the_page_of_commands_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), "run python -m lakelock.catalogue.reference"


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_each_command_parses_and_is_dispatched(command: Command, every: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[argparse.Namespace] = []

    def act(arguments: argparse.Namespace) -> int:
        called.append(arguments)
        return 0

    module, _, function = command.runs.partition(":")
    monkeypatch.setattr(import_module(f"lakelock.cli.{module}"), function, act)
    monkeypatch.setattr(cli, "_require_files", lambda named: None)
    assert cli.main(words(command, every=every)) == 0
    assert [arguments.command for arguments in called] == [command.name]


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_what_is_not_given_has_its_default(command: Command) -> None:
    found: argparse.Namespace = parser().parse_args(words(command, every=False))
    for option in command.options:
        if not option.required and option.name not in command.one_of:
            assert getattr(found, option.field) == (False if option.kind is OptionKind.FLAG else option.default)


@pytest.mark.parametrize("command", [c for c in COMMANDS.values() if c.one_of], ids=lambda c: c.name)
def test_of_options_that_exclude_one_another_exactly_one_is_given(command: Command) -> None:
    both = [word for option in command.options if option.name in command.one_of for word in (option.flag, "x")]
    for given in ([], both):
        with pytest.raises(SystemExit):
            parser().parse_args([command.name, "FILE", "--why", "w", *given])


def test_each_option_and_each_field_is_there_once_and_explained_in_sentences() -> None:
    for name, options in [
        *((c.name, c.options) for c in COMMANDS.values()),
        *((f.dag, f.fields) for f in FORMS.values()),
    ]:
        assert max(Counter(o.name for o in options).values(), default=1) == 1, name
        for option in options:
            assert not option.help or (option.help[0].isupper() and option.help[-1] in ".)"), (name, option.help)
    assert all(c.summary.endswith(".") for c in COMMANDS.values())


def test_commands_and_forms_name_kinds_of_dags_that_exist() -> None:
    kinds = {"ingest", "backfill", *OF_EACH}
    assert {c.dag for c in COMMANDS.values()} - {""} <= kinds
    assert set(FORMS) <= kinds


def test_each_decision_of_the_form_has_a_class_that_makes_it_of_the_form() -> None:
    decisions = {name: command for name, command in COMMANDS.items() if command.decides}
    assert {"none", *decisions} == DECISIONS.keys()
    for name, command in decisions.items():
        kind = resolve_name(f"lakelock.orchestration.{command.decides}")
        assert all(callable(getattr(kind, step)) for step in ("of", "preview", "act")), name
        assert (command.dag, What(name).value) == ("recover", name)


def test_the_document_of_recover_has_each_of_its_decisions_in_the_words_of_the_catalogue() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", RECOVER_DOCUMENT, re.MULTILINE)
    decisions = {name: command for name, command in COMMANDS.items() if command.dag == "recover" and command.decides}
    assert [name for name, _ in rows] == sorted(decisions)
    for name, text in rows:
        assert text == f"{decisions[name].summary} {decisions[name].in_dag}".strip()


def test_a_dialog_sends_only_fields_of_its_dags_form_and_has_a_button_on_the_page() -> None:
    of = {**{f.dag: f.dag for f in FORMS.values()}, **{c.name: c.dag for c in COMMANDS.values() if c.dialog}}
    dialogs = page_dialogs.dialogs()
    assert dialogs.keys() == of.keys()
    for name, dialog in dialogs.items():
        known = {o.name: o for o in FORMS[of[name]].fields}
        assert {*dialog["fixed"], *(f["name"] for f in dialog["fields"])} <= known.keys(), name
        assert "{table}" not in dialog["title"] or "table" in known
        assert all(f["kind"] == known[f["name"]].kind.value for f in dialog["fields"]), name
    static = (Path(page_dialogs.__file__).parent / "static").glob("*.js")
    used = {name for file in static for name in re.findall(r'actions\.button\("([^"]+)"', file.read_text("utf-8"))}
    assert used == dialogs.keys()


def test_the_page_of_the_backfill_says_that_a_replace_fails_exactly_if_it_is_refused() -> None:
    route = {"source": {"topics": ["t"]}, "dead_letters": {"table": "n.letters"}}
    for more in ({"tables": [{"name": "n.t"}]}, {"route": {"rules": [{"table": "n.{kind}"}]}}):
        pipeline = Pipeline.model_validate({"name": "p", **route, **more})
        is_said = (
            f"**Runs with the mode *replace* fail, and change nothing:** this pipeline {NOT_REPLACEABLE}"
            in backfill_document(pipeline)
        )
        assert is_said != pipeline.is_replaceable
        assert backfill_document(pipeline).startswith("### Load older or skipped records, or replace rows\n\n")
