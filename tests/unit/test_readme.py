"""What README and docs say exists, exists: links, commands, pipeline files, connections, names."""

from __future__ import annotations

import argparse
import inspect
import json
import re
import shlex
import signal
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from kits.columns import columns
from lakelock import errors
from lakelock.adapters.airflow import catalog_settings, connections, kafka_settings, postgres_settings
from lakelock.adapters.airflow.masking_keys import masking_key
from lakelock.adapters.airflow.spark_target import spark_target
from lakelock.cli import main as cli
from lakelock.config import load_pipeline
from lakelock.model import ledger
from lakelock.records import dead_letters, reasons
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.values import Values
from stack import demo, state
from stack.settings import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SMALLEST = {"source": {"topics": ["orders"]}, "tables": [{"name": "shop.orders"}]}
USES = {
    "kafka": kafka_settings.kafka_config,
    "iceberg": catalog_settings.catalog_properties,
    "postgres": postgres_settings.postgres_dsn,
    "spark_connect": spark_target,
    "spark": spark_target,
    "generic": masking_key,
}


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, *languages: str) -> list[str]:
    return [m[3] for m in BLOCK.finditer(text(page)) if m[1] in languages]


def prose(page: Path) -> str:
    return BLOCK.sub("", text(page))


def page_id(page: object) -> str:
    return page.name if isinstance(page, Path) else ""


def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ +(.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, anchor = target.partition("#")
        if re.match(r"\w+:", target):
            continue
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), target


def test_the_readme_is_short() -> None:
    assert len(text(PAGES[0]).splitlines()) <= 150


def test_the_readme_links_every_page() -> None:
    for page in PAGES[1:]:
        assert f"({page.relative_to(REPOSITORY)})" in text(PAGES[0])


def shown_commands(program: str) -> list[Any]:
    """In blocks and in backticks; a capital word stands for a file."""
    found = []
    for page in PAGES:
        lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
        lines += re.findall(r"`([^`\n]+)`", prose(page))
        for line in lines:
            command = line.partition("#")[0].partition(" && ")[0].strip()
            if command.startswith(program + " "):
                found.append(pytest.param(command, id=f"{page.name}: {command}"))
    return found


@pytest.mark.parametrize("command", shown_commands("bin/lakelock"))
def test_every_lakelock_command_is_understood(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[argparse.Namespace] = []

    def parsed(arguments: argparse.Namespace) -> int:
        seen.append(arguments)
        return 0

    monkeypatch.setattr(cli, "_run", parsed)
    words = shlex.split(re.sub(r"\[(--[\w-]+)\]", r"\1", command.replace("[FILE…]", "FILE")))
    assert cli.main(words[1:]) == 0
    assert seen[0].command == words[1]


@pytest.mark.parametrize("command", shown_commands("bin/demo"))
def test_every_demo_command_is_understood(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Quick:
        def __init__(self, *_: object) -> None: ...

        def run(self, *, once: bool) -> int:
            return 0

    monkeypatch.setattr(demo, "Demo", Quick)
    monkeypatch.setattr(demo, "WebhooksDemo", lambda *_: SimpleNamespace(run=lambda: 0))
    monkeypatch.setattr(state, "held", lambda _: nullcontext())
    monkeypatch.setattr(demo, "end", lambda folder, names, number: names)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert demo.main(shlex.split(command)[1:]) == 0


def pipeline_blocks() -> list[Any]:
    return [
        pytest.param(block, id=f"{page.name}-{n}") for page in PAGES for n, block in enumerate(blocks(page, "yaml"))
    ]


@pytest.mark.parametrize("block", pipeline_blocks())
def test_every_yaml_block_is_a_pipeline_or_a_part_of_one(block: str, tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    shown = yaml.load(block, Loader=yaml.BaseLoader)
    if not {"source", "tables"} <= shown.keys():
        rest = {k: v for k, v in SMALLEST.items() if k not in shown and (k == "source" or "route" not in shown)}
        block += "\n" + (yaml.safe_dump(rest) if rest else "")
    path.write_text(block, encoding="utf-8")
    load_pipeline(path, {"LAKE_NS": "lake"})


def shown_connections() -> list[Any]:
    found = []
    for page in PAGES:
        for block in blocks(page, "sh"):
            words = shlex.split(block, comments=True)
            pairs = [w.partition("=")[::2] for w in words if w.startswith("AIRFLOW_CONN_")]
            found += [pytest.param(name, value, id=f"{page.name}: {name}") for name, value in pairs]
    return found


@pytest.mark.parametrize(("name", "value"), shown_connections())
def test_every_connection_is_read_and_fits_its_client(name: str, value: str) -> None:
    conn_id = name.removeprefix("AIRFLOW_CONN_").lower()
    connection = connections.from_environment(conn_id, {name: value})
    assert json.loads(value)["conn_type"] == connection.conn_type
    USES[connection.conn_type](connection)


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", text(REPOSITORY / "docs" / "guarantees.md")))
    assert named
    for file, name in named:
        assert f"def {name}(" in (REPOSITORY / file).read_text(encoding="utf-8"), f"{file}::{name}"


def test_the_page_of_errors_has_every_error_and_no_other() -> None:
    kinds = [c for c in vars(errors).values() if inspect.isclass(c) and issubclass(c, errors.LakelockError)]
    raised = {c.__name__ for c in kinds if not c.__subclasses__()}
    page = text(REPOSITORY / "docs" / "errors.md")
    assert set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE)) == raised


def test_monitoring_has_every_metric_and_no_other() -> None:
    source = "".join(map(text, sorted((REPOSITORY / "plugins" / "lakelock" / "orchestration").glob("*.py"))))
    emitted = set(re.findall(r'stats\.gauge\("(lakelock\.\w+)"', source))
    emitted |= {f"lakelock.{n}" for n in re.findall(r'\b(?:count|gauge)\(\s*(?:self\._)?resolved, "(\w+)"', source)}
    emitted |= {f"lakelock.{step}.duration" for step in re.findall(r'\bstep\(resolved, "([\w.]+)"\)', source)}
    table = text(REPOSITORY / "docs" / "monitoring.md").partition("## Metrics")[2]
    assert set(re.findall(r"`(lakelock\.[\w.]+)`", table)) == emitted


def test_architecture_reports_every_relation_of_the_log_and_every_key_of_the_ledger() -> None:
    page = text(REPOSITORY / "docs" / "architecture.md")
    folder = REPOSITORY / "plugins" / "lakelock" / "adapters" / "migrations"
    made = "".join(p.read_text(encoding="utf-8") for p in sorted(folder.glob("*.sql")))
    section = page.partition("## The write-ahead log")[2].partition("## The ledger")[0]
    tables = set(re.findall(r"CREATE TABLE lakelock\.(\w+)", made))
    assert set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) == tables
    views = set(re.findall(r"CREATE VIEW lakelock\.(\w+)", made)) - set(re.findall(r"DROP VIEW lakelock\.(\w+)", made))
    for view in views:
        assert f"`{view}`" in section
    keys = {
        v
        for n, v in vars(ledger).items()
        if n.isupper() and isinstance(v, str) and v.startswith(ledger.PREFIX) and v != ledger.PREFIX
    }
    shown = page.partition("## The ledger")[2].partition("## The write path")[0]
    assert keys == set(re.findall(r"`(lakelock\.[\w-]+)`", shown))


def test_json_reports_every_column_of_the_dead_letter_table_and_no_other() -> None:
    section = text(REPOSITORY / "docs" / "json.md").partition("## Dead letters")[2].partition("\n### ")[0]
    reported = [
        name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    ]
    assert reported == [column.name for column in dead_letters.COLUMNS]


def test_json_has_every_kind_of_fault_that_no_type_names() -> None:
    section = text(REPOSITORY / "docs" / "json.md").partition("### Kinds of faults")[2]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`(.+?)`", row)}
    kinds = {v for n, v in vars(reasons).items() if n.isupper() and isinstance(v, str)}
    assert kinds <= documented


def json_rules() -> list[Any]:
    """Each literal in the table of types: column type, literal, whether it goes in."""
    section = text(REPOSITORY / "docs" / "json.md").partition("## Types")[2].partition("\n## ")[0]
    rules = []
    for row in re.findall(r"^\| `[^\n]*$", section, re.MULTILINE):
        cells = row.strip("| ").split(" | ")
        kind = re.findall(r"`([^`]+)`", cells[0])[0].replace("decimal(p, s)", "decimal(10, 2)")
        for cell, goes_in in zip(cells[1:], (True, False), strict=False):
            literals = [t for t in re.findall(r"`([^`]+)`", cell) if re.match(r'["\d]|true|false|NaN', t)]
            rules += [pytest.param(kind, literal, goes_in, id=f"{kind} {literal}") for literal in literals]
    return rules


@pytest.mark.parametrize(("kind", "literal", "goes_in"), json_rules())
def test_the_table_of_json_types_is_right(kind: str, literal: str, goes_in: bool) -> None:
    from lakelock.adapters.iceberg.columns import schema_from
    from lakelock.adapters.parquet.file_form import arrow_schema

    of_type = columns({"c": kind})
    decoder = JsonDecoder(
        of_type,
        arrow_schema(schema_from(of_type)),
        zones={},
        skip=frozenset(),
        unknown_fields="dead_letter",
    )
    decoded = decoder.decode(Values.from_list([f'{{"c": {literal}}}'.encode()]))
    assert decoded.table.num_rows == goes_in, [b.reason for b in decoded.bad]
