"""Records become rows of a table that a pipeline file declares, as `write` decodes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import yaml
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.config import load_pipeline
from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import Reason
from lakelock.records.values import Values
from lakelock.workers.table_rows import TableRows

from kits.cast_cases import shown
from kits.slices import target


class Table:
    """A table with *columns* as a pipeline file in *folder* names them, by name: a type, or settings."""

    def __init__(self, folder: Path, columns: Mapping[str, Any], new_fields: object = "dead_letter") -> None:
        file = folder / "p.yaml"
        table = {"name": "a.b", "new_fields": new_fields, "columns": dict(columns)}
        file.write_text(
            yaml.safe_dump({"source": {"topics": ["t"]}, "metadata_columns": False, "tables": [table]}),
            encoding="utf-8",
        )
        (configured,) = load_pipeline(file, {}).tables
        self.columns: tuple[Column, ...] = configured.with_rest_column(configured.declared)
        wanted = target(folder, "t", self.columns, ["t"], metadata_columns={}, **configured.reading_settings)
        self._rows = TableRows(wanted, arrow_schema(FileLayout.of(wanted.layout).schema))

    def reason(self, record: bytes) -> Reason:
        """Of the dead letter that *record* becomes."""
        (bad,) = self._decoded(record).bad
        return bad.reason

    def _decoded(self, record: bytes | None) -> Decoded:
        no_metadata: dict[str, pa.Array] = {}
        return self._rows.decode(Values.from_list([record]), no_metadata.__getitem__)

    def outcome(self, record: bytes | None) -> tuple[dict[str, str] | None, str]:
        """The row of *record*, values as shown, and "", or else None and the kind of its dead letter."""
        decoded = self._decoded(record)
        if decoded.bad:
            (bad,) = decoded.bad
            assert decoded.table.num_rows == 0
            return None, bad.reason.kind
        (row,) = decoded.table.to_pylist(maps_as_pydicts="strict")
        return {c.name: shown_as(row[c.name], c.type) for c in self.columns}, ""


def shown_as(value: Any, kind: ColumnType) -> str:
    """As `shown`; bytes in hexadecimal, and what is nested as JSON, but for keys that are no text."""
    match kind:
        case Struct(fields) if value is not None:
            return "{" + ", ".join(f"{_quoted(f.name)}: {shown_as(value[f.name], f.type)}" for f in fields) + "}"
        case ListOf(element) if value is not None:
            return "[" + ", ".join(shown_as(v, element) for v in value) + "]"
        case MapOf(key, of) if value is not None:
            return "{" + ", ".join(f"{shown_as(k, key)}: {shown_as(v, of)}" for k, v in value.items()) + "}"
    if isinstance(value, bytes):
        return f"0x{value.hex()}"
    return str(value) if isinstance(value, UUID) else shown(value)


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
