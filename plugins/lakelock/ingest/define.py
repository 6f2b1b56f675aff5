"""Define the columns and layout of a table that does not exist yet."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from lakelock.config import Pipeline
from lakelock.errors import NothingToInfer, State
from lakelock.ingest.effective_settings import EffectiveTable, effective
from lakelock.ingest.outcome import listed
from lakelock.ingest.present_names import used_columns
from lakelock.ingest.table_fit import check_columns, check_inferable
from lakelock.model.batches import Batch
from lakelock.model.column_types import ColumnType, ListOf, Struct
from lakelock.model.offsets import OffsetRange
from lakelock.model.parquet_options import of_column
from lakelock.model.units import counted
from lakelock.ports import TableDefinition
from lakelock.records.decompression import first_part
from lakelock.records.formats import named
from lakelock.records.infer import InferredSchema
from lakelock.records.json.reshape import Reshape
from lakelock.records.metadata import with_metadata_columns

logger = logging.getLogger(__name__)

SAMPLE_RECORDS = 10_000
# Of decompressed values.
SAMPLE_BYTES = 256 << 20


def define(
    pipeline: Pipeline,
    name: str,
    batch: Batch,
    sample: Callable[[Sequence[OffsetRange], int], Sequence[bytes | None]],
    newest: Callable[[int], Sequence[bytes | None]],
    reshaped: Callable[[Reshape, Sequence[bytes]], Sequence[bytes]],
    routed: Sequence[bytes] | None = None,
) -> TableDefinition:
    """The definition of a new table: declared columns, or columns inferred from a sample, then metadata columns.

    If the batch has no object with fields, for example only tombstones, the *newest* records that Kafka holds for the
    table are the sample. Decompressed values that were *routed* to the table take the place of both. *reshaped* reshapes a
    sample. Raises NothingToInfer if these have none either, BadTableDefinition
    if the file says how to fill columns without a type, TableUnfit if records would not fill the inferred columns.
    """
    table = effective(pipeline, pipeline.table(name), None)
    columns = table.declared
    if not columns:
        check_inferable(pipeline, name)
        if routed is not None:
            values: Sequence[bytes | None] = routed
            inferred = inferred_columns(pipeline, table, routed, reshaped)
            where = f"the {counted(len(routed), 'record')} that are routed to it"
        else:
            ranges = [p.range for p in batch.ranges if pipeline.takes(table, p.range.source.topic)]
            values = sample(ranges, SAMPLE_RECORDS)
            inferred = _inferred(pipeline, table, values, reshaped)
            if not inferred.columns:
                values = newest(SAMPLE_RECORDS)
                inferred = _inferred(pipeline, table, values, reshaped)
            where = (
                f"the first {counted(SAMPLE_RECORDS, 'record')} of {listed(ranges)}, nor among the "
                f"{counted(len(values), 'newest record')} in Kafka ({counted(sum(v is None for v in values), 'tombstone')})"
            )
        columns = inferred.columns
        if not columns:
            raise NothingToInfer(
                f"table {name} does not exist, and no {_with_fields(pipeline)} to infer its columns from is among {where}.",
                State.NOTHING_CREATED,
                "Batches that are planned for it wait. The next run looks again; to continue now, declare the table's columns in "
                "the pipeline file.",
            )
        for note in inferred.notes:
            logger.warning("%s: inferred from %s records: %s", name, len(values), note)
    columns = with_metadata_columns(name, table.with_rest_column(columns), pipeline.metadata_columns_by_key)
    # Afterwards, the table would exist and take no batch.
    check_columns(pipeline, table, columns, State.NOTHING_CREATED)
    return TableDefinition(
        columns=columns,
        partition_by=table.partition_by,
        sort_by=table.sort_by,
        identifier_columns=table.id_columns,
        properties=table.properties,
        location=table.location,
        created_by=pipeline.name,
    )


def _with_fields(pipeline: Pipeline) -> str:
    if pipeline.value.options is None:
        return "JSON object with fields"
    return (
        "row of the fields in value.csv.columns" if pipeline.value.options.columns else "row with names for its fields"
    )


def _inferred(
    pipeline: Pipeline,
    table: EffectiveTable,
    values: Sequence[bytes | None],
    reshaped: Callable[[Reshape, Sequence[bytes]], Sequence[bytes]],
) -> InferredSchema:
    read = first_part(values, pipeline.value.compression, SAMPLE_BYTES).values
    return inferred_columns(pipeline, table, [v for v in read if v is not None], reshaped)


def inferred_columns(
    pipeline: Pipeline,
    table: EffectiveTable,
    present: Sequence[bytes],
    reshaped: Callable[[Reshape, Sequence[bytes]], Sequence[bytes]],
    *,
    is_new: bool = True,
) -> InferredSchema:
    """The columns of decompressed values, of which none is a tombstone.

    If the table adds columns for new fields, a field without a value has none: its first value decides on the type. A
    table that *is_new* has a column for such a field if the file uses it: without the column, it could not be created.
    """
    if table.reshape is not None:
        present = reshaped(table.reshape, present)
    of_format = named(pipeline.value.format, pipeline.value.options)
    infer = of_format.infer_any_case if table.ignores_case else of_format.infer
    assert infer is not None, "the rules of the file refuse other formats"
    inferred = infer(present, pipeline.metadata_columns_by_key.values())
    known = inferred.known() if table.adds_columns and inferred.known is not None else None
    if known is None or not known.columns:
        return inferred
    return _with_used(table, known, inferred) if is_new else known


def _with_used(table: EffectiveTable, known: InferredSchema, guessed: InferredSchema) -> InferredSchema:
    """*known* with those columns and fields of *guessed* that the file uses."""
    properties = [of[1] for key in table.properties if (of := of_column(key)) is not None]
    dotted = [*used_columns(table), *table.masks, *properties]
    used = {name for column in dotted for name in (column, column.partition(".")[0])}
    # SQL reaches fields in many ways, and each names the field.
    text = "\n".join((*dotted, *(table.expressions.all.values() if table.expressions else ()))).lower()
    by_name, guesses = {c.name: c for c in known.columns}, {c.name: c for c in guessed.columns if c.name in used}
    added = guesses.keys() - by_name.keys()
    columns = [
        replace(c, type=_with_fields_in(text, c.type, guesses[c.name].type)) if c.name in guesses else c
        for c in (guesses | by_name).values()
    ]
    # In order of first appearance.
    order = {c.name: at for at, c in enumerate(guessed.columns)}
    columns.sort(key=lambda c: order.get(c.name, len(order)))
    notes = [n for n in guessed.notes if n.startswith(tuple(f"column {name!r}:" for name in added))]
    return replace(known, columns=tuple(columns), notes=(*known.notes, *notes))


def _with_fields_in(text: str, known: ColumnType, guess: ColumnType) -> ColumnType:
    """*known* with the fields of *guess* that the *text*, in lower case, names."""
    match known, guess:
        case Struct(), Struct():
            by_name, guesses = {f.name: f for f in known.fields}, {f.name: f for f in guess.fields}
            fields = [
                replace(f, type=_with_fields_in(text, f.type, guesses[f.name].type)) if f.name in guesses else f
                for f in known.fields
            ]
            named = (f for f in guess.fields if f.name not in by_name and _is_in(text, f.name.lower()))
            return Struct((*fields, *named))
        case ListOf(), ListOf():
            return replace(known, element=_with_fields_in(text, known.element, guess.element))
    return known


def _is_in(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
