"""Columns as a pipeline file has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from lakelock.model.column_types import Column
from lakelock.model.type_notation import type_text


def columns_text(columns: Iterable[Column]) -> str:
    """The key `columns` of a table, which reads back as the names and types of *columns*."""
    return _text({"columns": _types(columns)})


def table_text(name: str, columns: Iterable[Column]) -> str:
    """The key `tables` with one table, which reads back as the names and types of *columns*."""
    return _text({"tables": [{"name": _plain(name), "columns": _types(columns)}]})


def _types(columns: Iterable[Column]) -> dict[str, str]:
    return {c.name: _plain(type_text(c.type)) for c in columns}


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
