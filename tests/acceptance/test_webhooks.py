"""The page on webhooks: its file on every example that GitHub gives, and its commands in order."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from confluent_kafka.admin import AdminClient
from kits.pages import exports, file, page, printed, program, typed
from kits.topics import create_topic, new_producer
from kits.world import World, open_with
from pyiceberg.catalog import load_catalog
from stack import github_examples
from stack.settings import CATALOG

pytestmark = pytest.mark.drawn(
    0.5,
    about=(
        "lakelock/records/",
        "adapters/json",
        "workers/table_rows",
        "config/table_sections",
        "docs/webhooks",
        "stack/github_examples",
    ),
)
FILE = "dags/pipelines/github.yaml"
# By column, the field that it takes as it is; of the JSON columns, its text.
PLAIN = {
    "action": "action",
    "sender": "sender.login",
    "repository": "repository.full_name",
    "installation": "installation.id",
}
TIMES = {"created_at": "repository.created_at", "pushed_at": "repository.pushed_at"}
# As producers write JSON: with and without escapes, spaces and line breaks.
WRITTEN: tuple[dict[str, Any], ...] = (
    {"separators": (",", ":")},
    {"separators": (",", ":"), "ensure_ascii": False},
    {},
    {"indent": "\t", "ensure_ascii": False},
)


def named(pattern: str) -> str:
    """A line that the page's text names."""
    (found,) = re.findall(pattern, page("webhooks.md"))
    return str(found)


def with_column(pipeline: str, line: str) -> str:
    return pipeline.replace("    columns:\n", f"    columns:\n      {line}\n")


def members(text: str) -> dict[str, str]:
    """The fields of an object, each as it is written."""
    decoder, white = json.JSONDecoder(), re.compile(r"[ \t\r\n]*")

    def behind(at: int) -> int:
        found = white.match(text, at)
        assert found is not None
        return found.end()

    out: dict[str, str] = {}
    at = behind(1)
    while text[at] != "}":
        name, at = decoder.raw_decode(text, at)
        start = behind(behind(at) + 1)
        _, end = decoder.raw_decode(text, start)
        out[name] = text[start:end]
        at = behind(end)
        at = behind(at + 1) if text[at] == "," else at
    return out


def at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def instant(value: Any) -> datetime | None:
    if value is None:
        return None
    return datetime.fromisoformat(value) if isinstance(value, str) else datetime.fromtimestamp(value, UTC)


def without(value: dict[str, Any], paths: list[list[str]]) -> dict[str, Any]:
    """*value* without the fields at *paths*, and without objects of which they leave nothing."""
    out = {}
    for name, inner in value.items():
        deeper = [path[1:] for path in paths if path[0] == name]
        if [] in deeper:
            continue
        if not deeper:
            out[name] = inner
        elif inner is not None and (kept := without(inner, deeper)):
            out[name] = kept
    return out


@pytest.mark.skipif(not github_examples.is_possible(), reason=github_examples.MISSING)
def test_every_example_of_github_becomes_a_row_whose_columns_and_rest_are_the_webhook(fresh: World) -> None:
    events = github_examples.by_event()
    values = [json.dumps(payload, **WRITTEN[n % len(WRITTEN)]) for n, (_, payload) in enumerate(events)]
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    for n, ((event, _), value) in enumerate(zip(events, values, strict=True)):
        producer.produce(fresh.topic, value.encode(), key=event.encode(), partition=n % 2)
    assert producer.flush(60) == 0
    text = file(page("webhooks.md"), FILE).replace("[github]", f"[{fresh.topic}]").replace("hooks.github", fresh.table)
    text = with_column(text, named(r"add `(payload: \{.*?\})` under"))
    with open_with(fresh, text) as runtime:
        fresh.cycle(runtime)
        audited = runtime.audit()
    assert audited.complete
    assert fresh.rows(f"{fresh.table}__dead_letters") == []

    table = fresh.catalog.load_table(fresh.table)
    rows = {row["_kafka_partition"] + 2 * row["_kafka_offset"]: row for row in table.scan().to_arrow().to_pylist()}
    assert sorted(rows) == list(range(len(events)))
    forms = set()
    for n, (event, payload) in enumerate(events):
        row, written = rows[n], members(values[n])
        assert row["event"] == event
        assert row["payload"] == values[n]
        assert row["changes"] == written.get("changes")
        assert {c: row[c] for c in PLAIN} == {c: at(payload, path) for c, path in PLAIN.items()}
        assert {c: row[c] for c in TIMES} == {c: instant(at(payload, path)) for c, path in TIMES.items()}
        forms |= {type(at(payload, path)) for path in TIMES.values()}
        taken = [path.split(".") for path in ("changes", *PLAIN.values(), *TIMES.values())]
        rest = row["rest"] or "{}"
        assert json.loads(rest) == without(payload, taken)
        kept = members(rest)
        # An object of which a column takes a part is written again around the rest of it.
        assert {
            k: v for k, v in kept.items() if k in ("issue", "pull_request", "organization", "zen")
        }.items() <= written.items()
        assert kept.keys() <= written.keys()
    assert forms == {str, int, type(None)}

    files = [task.file.file_path.removeprefix("file://") for task in table.scan().plan_files()]
    query = f"""SELECT rest ->> '$.issue.title', changes ->> '$.body.from' FROM read_parquet({files!r})
        WHERE event = 'issue_comment' ORDER BY _kafka_partition + 2 * _kafka_offset"""
    comments = [payload for event, payload in events if event == "issue_comment"]
    expected = [(at(p, "issue.title"), at(p, "changes.body.from")) for p in comments]
    assert duckdb.sql(query).fetchall() == expected
    assert all(title for title, _ in expected)
    assert any(before for _, before in expected)


def test_the_pages_commands_load_webhooks_and_give_their_rows_a_new_column(
    clone: Path, addresses: Mapping[str, str], kafka: Any, producer: Any, catalog_properties: dict[str, str]
) -> None:
    create_topic(AdminClient({"bootstrap.servers": kafka.bootstrap}), "github")
    repository = {"full_name": "octo/shop", "name": "shop", "created_at": "2024-02-28T02:42:51Z", "pushed_at": None}
    pushed = {"full_name": "octo/shop", "created_at": 1709088171, "pushed_at": 1770000000}
    opened = {"title": "It is late", "number": 7, "labels": []}
    sent: list[tuple[str, dict[str, Any]]] = [
        (
            "issues",
            {"action": "opened", "issue": opened, "repository": repository, "sender": {"login": "ann", "id": 1}},
        ),
        (
            "issues",
            {
                "action": "closed",
                "issue": opened,
                "repository": repository,
                "changes": None,
                "sender": {"login": "ann"},
            },
        ),
        ("push", {"ref": "refs/heads/main", "repository": pushed, "sender": {"login": "bob"}}),
    ]
    for n, (event, payload) in enumerate(sent):
        producer.produce("github", json.dumps(payload).encode(), key=event.encode(), partition=n % 2)
    assert producer.flush(60) == 0
    text = page("webhooks.md")
    first, later = text.split("## 6. ")
    connected = f"```sh run\n{exports()}bin/lakelock migrate\n```\n"

    _, checked, ran = typed(clone, connected + first, addresses)
    assert "3 rows" in checked
    assert "0 dead letters" in checked
    assert "3 rows" in ran
    assert "github: complete" in ran
    table = load_catalog(CATALOG, **catalog_properties).load_table("hooks.github")
    rows = sorted(table.scan().to_arrow().to_pylist(), key=lambda row: (row["event"], row["action"] or ""))
    assert [row["created_at"].year for row in rows] == [2024, 2024, 2024]
    assert [row["pushed_at"] is None for row in rows] == [True, True, False]
    assert printed(program(text, "read_webhooks.py"), addresses) == repr([("octo/shop", "It is late", 1)])

    assert printed(program(text, "add_column.py"), addresses) == ""
    pipeline = clone / FILE
    pipeline.write_text(with_column(pipeline.read_text(), named(r"Add the line `(.*?)` under")))
    # The records are of now.
    yesterday, tomorrow = (f"{datetime.now(UTC) + timedelta(days=n):%Y-%m-%d}" for n in (-1, 1))
    later = later.replace("2026-01-31", yesterday).replace("2026-02-01", tomorrow)
    _, planned = typed(clone, connected + later, addresses)
    assert "replace of records of" in planned
    both = f"SELECT {named('`(coalesce.*?)`')} FROM webhooks ORDER BY ALL"
    webhooks = table.refresh().scan().to_arrow()
    assert duckdb.sql(both).fetchall() == [(7,), (7,), (None,)]
    assert webhooks["issue"].to_pylist() == [None, None, None]
    _, done = typed(clone, connected + later.replace('column"\n', 'column" --yes\n'), addresses)
    assert "3 rows" in done
    webhooks = table.refresh().scan().to_arrow()
    assert sorted(webhooks["issue"].to_pylist(), key=str) == [7, 7, None]
    assert duckdb.sql(both).fetchall() == [(7,), (7,), (None,)]
    assert '"number"' not in "".join(webhooks["rest"].to_pylist())
