"""What is generated from the model is up to date, and agrees with how files are read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from lakelock.config import load_pipeline
from lakelock.config.reference import DOCS, json_schema, markdown

PIPELINES = DOCS.parent / "dags" / "pipelines"


def test_the_configuration_page_is_up_to_date() -> None:
    assert (DOCS / "configuration.md").read_text(encoding="utf-8") == markdown(), (
        "run python -m lakelock.config.reference"
    )


def test_the_editors_schema_is_up_to_date() -> None:
    assert (DOCS / "pipeline.schema.json").read_text(encoding="utf-8") == json_schema(), (
        "run python -m lakelock.config.reference"
    )


@pytest.mark.parametrize(
    ("key", "limits"),
    [
        ("keep_at_least", "At least 2."),
        ("keep_snapshots", "At least 10."),
        ("max_records", "At least 1."),
        ("stop_at.ratio", "More than 0, at most 1."),
    ],
)
def test_the_page_reports_what_a_number_is_refused_for(key: str, limits: str) -> None:
    (row,) = re.findall(rf"^\| `{re.escape(key)}` .*$", markdown(), flags=re.MULTILINE)
    assert row.endswith(f" {limits} |")


def examples() -> list[str]:
    blocks = re.findall(r"```yaml\n(.*?)```", markdown(), flags=re.DOTALL)
    return [*blocks, *(p.read_text(encoding="utf-8") for p in sorted(PIPELINES.glob("[a-z]*.yaml")))]


@pytest.mark.parametrize("text", examples())
def test_every_example_loads_and_fits_the_editors_schema(tmp_path: Path, text: str) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(text, encoding="utf-8")
    load_pipeline(path, {"LAKE_NS": "lake"})
    # Editors keep times as text.
    jsonschema.validate(yaml.load(text, Loader=yaml.BaseLoader), _textual(json.loads(json_schema())))


@pytest.mark.parametrize("text", ["source: {topcs: [a]}\ntables: [{name: n.t}]", "source: {topics: [a]}\ntables: []"])
def test_the_editors_schema_refuses_what_loading_refuses(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.load(text, Loader=yaml.BaseLoader), json.loads(json_schema()))


def _textual(schema: object) -> object:
    """The same schema for YAML whose scalars were all read as text."""
    if isinstance(schema, dict):
        if schema.get("type") in ("integer", "number", "boolean"):
            return {"type": "string"}
        return {k: _textual(v) for k, v in schema.items()}
    return [_textual(v) for v in schema] if isinstance(schema, list) else schema
