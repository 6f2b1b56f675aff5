"""What becomes of records under a table's entry in a pipeline file: rows and reasons, by the path that a task takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.config import Pipeline, load_pipeline
from lakelock.records.metadata import with_metadata_columns
from lakelock.records.reasons import Reason
from lakelock.records.values import Values
from lakelock.workers.table_rows import TableRows

from kits.slices import target

Row = dict[str, Any]


def pipeline(folder: Path, table: str, more: str = "metadata_columns: false") -> Pipeline:
    """Of one table, whose entry without a name is *table*, as YAML in one line."""
    file = folder / "p.yaml"
    file.write_text(f"source: {{topics: [t]}}\n{more}\ntables:\n  - name: a.b\n    {table}\n", encoding="utf-8")
    return load_pipeline(file, {})


def rows_of(folder: Path, of: Pipeline, keys: Mapping[str, str] | None = None, **more: Any) -> TableRows:
    (table,) = of.tables
    columns = with_metadata_columns(table.name, table.with_rest_column(table.declared), of.metadata_columns_by_key)
    wanted = target(
        folder, "t", columns, ["t"], format=of.value.format, metadata_columns=of.metadata_columns_by_key,
        mask_keys=keys or {}, **table.reading_settings, **more,
    )  # fmt: skip
    return TableRows(wanted, arrow_schema(FileLayout.of(wanted.layout).schema))


def landed(
    folder: Path,
    table: str,
    values: Sequence[bytes | None],
    *,
    more: str = "metadata_columns: false",
    keys: Mapping[str, str] | None = None,
    metadata: Mapping[str, pa.Array] | None = None,
) -> tuple[list[Row], dict[int, Reason]]:
    """The rows of *values*, and the reasons of those that are none, by their places."""
    rows = rows_of(folder, pipeline(folder, table, more), keys)
    found = rows.decode(Values.from_list(values), (metadata or {}).__getitem__)
    assert len(found.bad) + found.table.num_rows == len(values)
    return found.table.to_pylist(), {b.index: b.reason for b in found.bad}
