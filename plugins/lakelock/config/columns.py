"""Columns as a pipeline file has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from lakelock.core.schema_types import type_text


def table_text(name: str, fields: Iterable[Mapping[str, Any]]) -> str:
    """The key `tables` with one table, which reads back as the names and types of *fields*."""
    # A pipeline file takes ${X} in a value for an environment variable.
    types = {f["name"]: type_text(f["type"]).replace("${", "$${") for f in fields}
    table = {"name": name.replace("${", "$${"), "columns": types}
    text = yaml.dump({"tables": [table]}, Dumper=_Indented, sort_keys=False, allow_unicode=True, width=10**6)
    return str(text).removesuffix("\n")


class _Indented(yaml.SafeDumper):
    """Items of a list are indented, as in the documentation."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)
