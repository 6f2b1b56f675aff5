"""Decode records of which columns take fields by other names, by casts, as JSON, or all that no column takes.

A scan takes the texts of such fields and leaves the number 0 in their places. The rest of a record is decoded as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import Column, Struct
from lakelock.records import reasons
from lakelock.records.casts import Reading
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Indexes, refused_rows
from lakelock.records.json.block_parser import not_objects
from lakelock.records.json.cast_columns import cast_column
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.fields import Path, RecordFields
from lakelock.records.json.scanned import Scanned, Scanner
from lakelock.records.reasons import Reason
from lakelock.records.values import Values

_AS_WRITTEN = ("rfc3339",)


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a column's values come from: a field as decoded, or its text (*slot*)."""

    column: Column
    arrow: pa.Field
    reading: Reading
    slot: int | None
    zone: str | None


class ShapedDecoder:
    """As `JsonDecoder`, with a reading for each column that needs one; *rest* is the column for what no column
    takes, except for fields at the paths *dropped*.

    Raises Unfit if two columns read one field as different types.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        schema: pa.Schema,
        *,
        zones: Mapping[str, str],
        skip: frozenset[str],
        unknown_fields: str,
        readings: Mapping[str, Reading],
        rest: str | None,
        dropped: Sequence[Path] = (),
        scanner: Scanner,
        check: Callable[[pa.Table], None] = lambda rows: None,
    ) -> None:
        self._schema, self._check, self._rest = schema, check, rest
        self._skip = skip
        fields = RecordFields()
        self._sources: list[_Source] = []
        plain_zones = {}
        for column in columns:
            if column.name in skip or column.name == rest:
                continue
            reading = readings.get(column.name, Reading((column.name,)))
            zone, arrow, slot = zones.get(column.name), schema.field(column.name), None
            if not reading.whole:
                slot = fields.read(column, reading, zone, arrow.type)
                if slot is not None and not reading.casts:
                    reading = replace(reading, casts=_AS_WRITTEN)
                elif slot is None and zone is not None:
                    plain_zones[reading.path[0]] = zone
            self._sources.append(_Source(column, arrow, reading, slot, zone))
        for path in dropped:
            fields.take_text(path)
        known, known_schema = fields.columns()
        self._decoder = JsonDecoder(
            known,
            known_schema,
            zones=plain_zones,
            skip=frozenset(),
            unknown_fields="ignore" if rest is not None else unknown_fields,
        )
        self._slots = fields.slots
        self._scan = scanner(fields.nodes(), len(fields.slots), rest is not None)

    @property
    def unknown_fields(self) -> set[str]:
        return self._decoder.unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        """Decode *values* except for those *filtered*; each record is either a row of the table or in `bad`."""
        # Of fields that a scan takes, the decoder sees no text.
        bad = not_objects(values, filtered)
        scanned = self._scan(values)
        out = np.union1d(filtered, np.array([b.index for b in bad], np.int64)) if bad else filtered
        decoded = self._decoder.decode(scanned.without, out)
        good = np.arange(len(values)) if decoded.good is None else np.array(decoded.good, np.int64)
        found = {b.index: b for b in (*decoded.bad, *bad)}
        faulty = good[scanned.faults[good] != 0] if len(good) else good
        found |= {i: BadRecord(i, "convert", scanned.fault(i, self._slots)) for i in faulty.tolist()}
        kept = np.flatnonzero(scanned.faults[good] == 0)
        rows = decoded.table if len(kept) == len(good) else decoded.table.take(pa.array(kept))
        table, unfit = self._assembled(rows, scanned, good[kept])
        indexes = good[kept]
        # Reasons of single columns come first.
        unfit = refused_rows(self._check, table) | unfit
        if unfit:
            found |= {int(indexes[row]): BadRecord(int(indexes[row]), "convert", why) for row, why in unfit.items()}
            fitting = np.setdiff1d(np.arange(len(indexes)), list(unfit))
            table, indexes = table.take(pa.array(fitting)), indexes[fitting]
        in_order = [found[i] for i in sorted(found)]
        return Decoded(table, None if len(indexes) == len(values) else indexes.tolist(), in_order)

    def _assembled(self, rows: pa.Table, scanned: Scanned, records: Indexes) -> tuple[pa.Table, dict[int, Reason]]:
        """The table's rows of *records*, and reasons by row number for those that do not fit."""
        arrays = {name: pa.nulls(len(records), self._schema.field(name).type) for name in self._skip}
        unfit: dict[int, Reason] = {}
        whole = scanned.values if len(records) == len(scanned.values) else scanned.values.take(records)
        for source in self._sources:
            if source.slot is not None:
                texts = scanned.texts(source.slot, records)
                array, bad = cast_column(texts, source.reading, source.column.type, source.arrow.type, source.zone)
                unfit = bad | unfit
            elif source.reading.whole:
                array = whole.strings().cast(source.arrow.type)
            else:
                array = _at(rows, source.reading.path, source)
            if source.column.required and array.null_count:
                unfit = {row: self._required(source) for row in pc.indices_nonzero(array.is_null()).to_pylist()} | unfit
            arrays[source.column.name] = array
        if self._rest is not None:
            assert scanned.rest is not None
            kept = scanned.rest if len(records) == len(scanned.rest) else scanned.rest.take(pa.array(records))
            arrays[self._rest] = kept.cast(self._schema.field(self._rest).type)
        return pa.Table.from_arrays([arrays[f.name] for f in self._schema], schema=self._schema), unfit

    def _required(self, source: _Source) -> Reason:
        path = ".".join(source.reading.path)
        return Reason(reasons.REQUIRED_MISSING, f"field {path!r} is required, but it is missing or null", path)


def _at(rows: pa.Table, path: Path, source: _Source) -> pa.Array:
    """The field at *path*, with the nulls of the objects around it, and without fields that only other columns take."""
    column = rows.column(path[0])
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    for name in path[1:]:
        array = pc.struct_field(array, name)
    if array.type == source.arrow.type:
        return array
    assert isinstance(source.column.type, Struct)
    parts = [_narrowed(array.field(f.name), f.type) for f in source.arrow.type]
    return pa.StructArray.from_arrays(parts, fields=list(source.arrow.type), mask=array.is_null())


def _narrowed(array: pa.Array, to: pa.DataType) -> pa.Array:
    if array.type == to:
        return array
    parts = [_narrowed(array.field(f.name), f.type) for f in to]
    return pa.StructArray.from_arrays(parts, fields=list(to), mask=array.is_null())
