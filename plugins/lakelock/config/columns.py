"""Columns as a pipeline file has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from lakelock.model.schema_types import type_text


def columns_text(fields: Iterable[Mapping[str, Any]]) -> str:
    """The key `columns` of a table, which reads back as the names and types of *fields*."""
    return _text({"columns": _types(fields)})


def table_text(name: str, fields: Iterable[Mapping[str, Any]]) -> str:
    """The key `tables` with one table, which reads back as the names and types of *fields*."""
    return _text({"tables": [{"name": _plain(name), "columns": _types(fields)}]})


def _types(fields: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {f["name"]: _plain(type_text(f["type"])) for f in fields}


def _plain(value: str) -> str:
    """A pipeline file takes ${X} in a value for an environment variable."""
    return value.replace("${", "$${")


def _text(value: Mapping[str, Any]) -> str:
    text = yaml.dump(value, Dumper=_Indented, sort_keys=False, allow_unicode=True, width=10**6)
    return str(text).removesuffix("\n")


class _Indented(yaml.SafeDumper):
    """Items of a list are indented, as in the documentation."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)
