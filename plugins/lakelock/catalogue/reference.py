"""docs/commands.md, generated from the catalogue: `python -m lakelock.catalogue.reference` writes it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from lakelock.catalogue import COMMANDS, FORMS, Command, Form, Option, OptionKind

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

_REST = """## Airflow's REST API

The fields of a DAG's form are the keys of `conf` when you start a run. Keys that you leave out have
the form's defaults. Runs of a paused DAG wait, so unpause it first.

```sh
curl -X POST -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  "$AIRFLOW/api/v2/dags/recover__orders/dagRuns" \\
  -d '{"logical_date": null, "conf": {"decision": "rebind", "table": "shop.orders", "why": "TEXT"}}'
```

Without `decision`, the run of `recover__<pipeline>` reconciles the write-ahead log and the tables.

Runs of `rollback__<pipeline>` and `recover__<pipeline>` wait for an approval. Once their task
`approve` has the state `awaiting_input`, a GET of this address returns the preview, as `subject`
and `body`. A PATCH answers it, with `Approve` or `Reject`. `RUN` is the `dag_run_id` from the first
answer:

```sh
curl -X PATCH -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  "$AIRFLOW/api/v2/dags/recover__orders/dagRuns/$RUN/taskInstances/approve/-1/hitlDetails" \\
  -d '{"chosen_options": ["Approve"]}'
```
"""
_JSON_KINDS = {
    OptionKind.FLAG: "boolean",
    OptionKind.INTEGER: "integer",
    OptionKind.OFFSETS: "object",
    OptionKind.TABLES: "list",
}


def markdown() -> str:
    """One section for each command, with a table of its options; then the keys of each form."""
    commands = (line for command in COMMANDS.values() for line in _section(command))
    return "\n".join([_HEAD, *commands, _REST, *(line for form in FORMS.values() for line in _keys(form))])


def _keys(form: Form) -> Iterator[str]:
    yield from (f"### `conf` of `{form.dag}__<pipeline>`", "", "| key | value | |", "|---|---|---|")
    for option in form.fields:
        needed = "Required." if option.required and option.default is None else ""
        text = " ".join(filter(None, (needed, _text(option))))
        yield f"| `{option.name}` | {_JSON_KINDS.get(option.kind, 'text')} | {text} |"
    yield ""


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
