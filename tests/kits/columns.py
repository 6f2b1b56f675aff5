"""Columns from their notation in pipeline files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lakelock.adapters.iceberg.columns import schema_from
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type


def columns(types: Mapping[str, str], required: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """By name, in order."""
    return tuple(Column(name, parse_type(text), name in required) for name, text in types.items())


def schema_json(of: tuple[Column, ...]) -> dict[str, Any]:
    """As a table of these columns has it."""
    return schema_from(of).model_dump(by_alias=True, mode="json")
