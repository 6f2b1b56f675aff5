"""docs/commands.md, generated from the catalogue: `python -m lakelock.catalogue.reference` writes it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from lakelock.catalogue import COMMANDS, Command, Option, OptionKind

PAGE = Path(__file__).parents[3] / "docs" / "commands.md"
_HEAD = """# Commands

This page is generated: edit `plugins/lakelock/catalogue/`, then run
`python -m lakelock.catalogue.reference`.

Connections come from `AIRFLOW_CONN_…` variables ([connections](connections.md)). A command with the
option `--yes` only previews without it. All commands are safe to run alongside the
pipeline.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | an error that you must fix |
| 2 | wrong usage |
| 3 | a temporary error: try again later |
| 130 | interrupted: planned and staged data is kept |
"""


def markdown() -> str:
    """One section for each command, with a table of its options."""
    return "\n".join([_HEAD, *(line for command in COMMANDS.values() for line in _section(command))])


def _section(command: Command) -> Iterator[str]:
    yield from (f"## {command.name}", "", textwrap.fill(command.summary, 100), "")
    words = [f"bin/lakelock {command.name}", command.files.value, *(_shown(o, command) for o in command.options)]
    yield from ("```text", *_wrapped([w for w in words if w]), "```", "")
    if command.dag:
        yield from (f"In Airflow: `{command.dag}__<pipeline>`.", "")
    if command.options:
        yield from ("| option | |", "|---|---|")
        yield from (f"| `{o.flag}` | {_text(o)} |" for o in command.options)
        yield ""


def _shown(option: Option, command: Command) -> str:
    value = "" if option.kind is OptionKind.FLAG else " " + (option.metavar or _value(option))
    if option.bare is not None:
        value = f" [{option.metavar}]"
    text = option.flag + value
    if option.name in command.one_of:
        first, last = option.name == command.one_of[0], option.name == command.one_of[-1]
        return f"{'(' if first else '| '}{text}{')' if last else ''}"
    return text if option.required else f"[{text}]"


def _value(option: Option) -> str:
    return "|".join(option.choices) if option.choices else option.name.upper().replace("_", "-")


def _text(option: Option) -> str:
    default = "" if option.default in (None, "") else f" Default: `{option.default}`."
    return (option.text("Default") + default).strip()


def _wrapped(words: list[str], width: int = 96) -> Iterator[str]:
    line = words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > width:
            yield line
            line = "  " + word
        else:
            line += " " + word
    yield line


if __name__ == "__main__":
    PAGE.write_text(markdown(), encoding="utf-8")
