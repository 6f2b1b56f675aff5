"""What is generated from the model: docs/configuration.md for people, docs/pipeline.schema.json for editors.

`python -m lakelock.config.reference` writes both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from lakelock.config.column_sections import ColumnSettings
from lakelock.config.model import PipelineFile
from lakelock.config.route_section import OF_RECORDS, Route, Rule
from lakelock.config.section import Section, section_in
from lakelock.config.table_sections import Table
from lakelock.model.units import format_duration, format_size

DOCS = Path(__file__).parents[3] / "docs"


def json_schema() -> str:
    """JSON Schema (2020-12) of a pipeline file, as its YAML is written."""
    schema = PipelineFile.model_json_schema()
    definitions = schema["$defs"]
    column = definitions["ColumnSettings"]
    del column["properties"]["name"]
    column.pop("required", None)
    for section in ("Table", "TableSettings", "Rule"):
        columns = definitions[section]["properties"]["columns"]
        columns.pop("items", None)
        columns["type"] = "object"
        columns["additionalProperties"] = {
            "anyOf": [column["properties"]["type"]["anyOf"][0], {"$ref": "#/$defs/ColumnSettings"}]
        }
    names = schema["properties"]["metadata_columns"]
    names["anyOf"] = [{"$ref": names.pop("$ref")}, {"const": False}]
    for part in (schema, *definitions.values()):
        for value in part["properties"].values():
            value.pop("default", None)
            value.pop("title", None)
    some = {"properties": {"tables": {"minItems": 1}}, "required": ["tables"]}
    schema["anyOf"] = [some, {"required": ["route"]}]
    route = definitions["Route"]["properties"]
    rule = dict(definitions["Rule"]["properties"]["table"])
    route["otherwise"] = {
        "description": route["otherwise"]["description"],
        "anyOf": [*rule["anyOf"], {"$ref": "#/$defs/Rule"}],
    }
    schema["title"] = "lakelock pipeline"
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def markdown() -> str:
    """The configuration page: a hand-written frame around tables of every key."""
    frame = files("lakelock.config").joinpath("configuration.frame.md").read_text(encoding="utf-8")
    return frame.replace("{{keys}}\n", "\n".join(_tables()))


def _tables() -> Iterator[str]:
    yield from _table("", PipelineFile, "A pipeline file has these keys. It needs `source`, and `tables` or `route`.")
    for name, field in PipelineFile.model_fields.items():
        section = section_in(field.annotation)
        if section is None or name == "table_defaults":
            continue
        listed = "[]" if get_origin(field.annotation) is tuple else ""
        yield from _table(f"{name}{listed}", section, field.description or "")
        if section is Table:
            yield from _table("tables[].columns.<name>", ColumnSettings, "The long form of a column.")
        if section is Route:
            yield from _table("route.rules[]", Rule, Rule.__doc__ or "")


def _table(path: str, section: type[Section], about: str) -> Iterator[str]:
    yield f"### {f'`{path}`' if path else 'A file'}\n"
    yield f"{about}\n"
    yield "| key | default | meaning |"
    yield "|---|---|---|"
    yield from _rows("", section)
    yield ""


def _rows(prefix: str, section: type[Section]) -> Iterator[str]:
    fields = dict(section.model_fields)
    if section is Table:
        fields = {"name": fields.pop("name"), **fields}
    elif section is ColumnSettings:
        del fields["name"]
    elif section is Rule:
        fields = {name: field for name, field in fields.items() if name in OF_RECORDS or name == "table"}
    for name, field in fields.items():
        meaning = " ".join(filter(None, (field.description, _limits(field)))).replace("|", chr(92) + "|")
        yield f"| `{prefix}{name}` | {_default(field)} | {meaning} |"
        inner = section_in(field.annotation)
        if inner is not None and section is not PipelineFile and inner not in (ColumnSettings, Rule):
            yield from _rows(f"{prefix}{name}.", inner)


def _limits(field: FieldInfo) -> str:
    """What reading a file refuses a number for, in words; that sizes are not negative goes without saying."""
    words = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}
    limits = [(word, getattr(m, sign)) for m in field.metadata for sign, word in words.items() if hasattr(m, sign)]
    texts = ", ".join(f"{word} {limit}" for word, limit in limits if (word, limit) != ("at least", 0))
    return f"{texts[0].upper()}{texts[1:]}." if texts else ""


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "**required**"
    match field.default:
        case None | () | {} | "":
            return ""
        case Rule(table=names):
            text = ", ".join(names)
        case BaseModel():
            return "see below"
        case timedelta() as duration:
            text = format_duration(duration)
        case bool() as flag:
            text = str(flag).lower()
        case int() as number if number >= 1 << 20 and number % (1 << 20) == 0:
            text = format_size(number)
        case value:
            text = str(value)
    return f"`{text}`"


def main() -> None:
    (DOCS / "configuration.md").write_text(markdown(), encoding="utf-8")
    (DOCS / "pipeline.schema.json").write_text(json_schema(), encoding="utf-8")


if __name__ == "__main__":
    main()
