"""Airflow's forms, built from the catalogue. Imported when Airflow parses DAG files."""

from __future__ import annotations

import re
from typing import Any

from airflow.sdk import Param

from lakelock.catalogue import FORMS, Option, OptionKind
from lakelock.config import Pipeline
from lakelock.config.values import TABLE_NAME

_PAST = r"^(\d+|last:[1-9]\d*|\d{4}-\d\d-\d\d[T ].*)$"
# Airflow does not check formats; without a zone a time would differ from machine to machine.
_MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$"
_OFFSETS = {
    "type": "object",
    "patternProperties": {r"^\d+$": {"type": "integer", "minimum": 0}},
    "additionalProperties": False,
}


def params(kind: str, pipeline: Pipeline) -> dict[str, Param]:
    """The form fields of a pipeline's DAG of this *kind*.

    Routed tables are not known when a DAG is made, so fields for tables take any name, and the step refuses unknown ones.
    """
    tables = [t.name for t in pipeline.tables]
    form = FORMS[kind]
    if form.has_dead_letters:
        tables.append(pipeline.dead_letter_table)
    return {option.name: _param(option, tables, are_all=pipeline.route is None) for option in form.fields}


def _param(option: Option, tables: list[str], *, are_all: bool) -> Param:
    schema: dict[str, Any] = {"title": option.title}
    if description := option.but(choices={}).text("Empty"):
        schema["description"] = description
    if option.section:
        schema["section"] = option.section
    kind, default = option.kind, option.default
    if kind is OptionKind.FLAG:
        return Param(False, type="boolean", **schema)
    if kind in (OptionKind.TABLE, OptionKind.TABLES):
        return _of_tables(option, tables, schema) if are_all else _of_any_table(option, tables, schema)
    if kind is OptionKind.OFFSETS:
        return Param(None, type=["null", "object"], additionalProperties=_OFFSETS, **schema)
    if kind is OptionKind.CHOICE:
        shown = {name: f"{name}: {what}" for name, what in option.choices.items()}
        schema |= {"enum": list(option.choices), "values_display": shown}
    elif kind is OptionKind.MOMENT:
        schema |= {"format": "date-time", "pattern": _MOMENT}
    elif kind is OptionKind.PAST:
        schema["pattern"] = _PAST
    elif option.minimum is not None:
        schema["minimum"] = option.minimum
    plain = "integer" if kind is OptionKind.INTEGER else "string"
    if not option.required and kind is not OptionKind.CHOICE:
        return Param(default, type=["null", plain], **schema)
    if plain == "string" and kind is OptionKind.TEXT:
        schema["minLength"] = 1
    return Param(type=plain, **schema) if default is None else Param(default, type=plain, **schema)


def _of_any_table(option: Option, tables: list[str], schema: dict[str, Any]) -> Param:
    if tables:
        schema["examples"] = tables
    pattern = "|".join([TABLE_NAME, *(f"^{re.escape(value)}$" for value in option.beside_names)])
    if option.kind is OptionKind.TABLES:
        return Param(None, type=["null", "array"], items={"type": "string", "pattern": pattern}, **schema)
    if option.required:
        return Param(type="string", pattern=pattern, **schema)
    return Param(None, type=["null", "string"], pattern=pattern, **schema)


def _of_tables(option: Option, tables: list[str], schema: dict[str, Any]) -> Param:
    if option.kind is OptionKind.TABLES:
        items = {"type": "string", "enum": tables}
        return Param(None, type=["null", "array"], items=items, examples=tables, **schema)
    if option.required:
        return Param(tables[0], type="string", enum=tables, **schema)
    # As text, because the form looks up a null value that way.
    schema |= {"enum": [None, *tables], "values_display": {"null": option.unset}, "description": option.help}
    return Param(None, type=["null", "string"], **schema)
