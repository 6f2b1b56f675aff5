"""Columns as a pipeline file has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from lakelock.core.schema_types import type_text


def columns_text(fields: Iterable[Mapping[str, Any]]) -> str:
    """The key `columns` of a table, which reads back as the names and types of *fields*."""
    # A pipeline file takes ${X} in a value for an environment variable.
    types = {f["name"]: type_text(f["type"]).replace("${", "$${") for f in fields}
    text = yaml.safe_dump({"columns": types}, sort_keys=False, allow_unicode=True, width=10**6)
    return text.removesuffix("\n")
