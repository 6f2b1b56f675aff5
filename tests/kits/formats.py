"""Decoders of value formats without a table, and what they say of bad records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa
from lakelock.adapters.csv.splitter import splitter
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.json.reader import reader
from lakelock.adapters.json.reshape import reshaper
from lakelock.adapters.json.scanner import scanner
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.model.column_types import Column
from lakelock.records.casts import Reading
from lakelock.records.decoding import Decoded, Decoder, Format, RowShape
from lakelock.records.evolution import Evolving
from lakelock.records.json.reshape import Reshape


def decoder(
    of: Format,
    columns: Sequence[Column],
    readings: Mapping[str, Reading] | None = None,
    rest: str | None = None,
    **more: Any,
) -> Decoder:
    """*more* as `shape` has it."""
    return of.decoder(shape(columns, readings, rest, **more))


def shape(
    columns: Sequence[Column],
    readings: Mapping[str, Reading] | None = None,
    rest: str | None = None,
    *,
    zones: Mapping[str, str] | None = None,
    skip: Collection[str] = (),
    unknown_fields: str = "dead_letter",
    dropped: Sequence[tuple[str, ...]] = (),
    check: Callable[[pa.Table], None] = lambda rows: None,
    reshape: Reshape | None = None,
    evolving: Evolving | None = None,
    quick: bool = True,
    ignores_case: bool = False,
) -> RowShape:
    schema = arrow_schema(schema_from(columns)) if columns else pa.schema([])
    return RowShape(
        columns,
        schema,
        scanner=scanner,
        splitter=splitter,
        zones=zones or {},
        skip=frozenset(skip),
        unknown_fields=unknown_fields,
        readings=readings or {},
        rest=rest,
        dropped=dropped,
        check=check,
        reshape=reshape,
        evolving=evolving,
        reshaper=reshaper,
        reader=reader if quick else None,
        ignores_case=ignores_case,
    )


def said(found: Decoded) -> list[tuple[int, str, str]]:
    return [(b.index, b.stage, b.reason.kind) for b in found.bad]
