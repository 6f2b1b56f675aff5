"""Decode records of which columns take fields by other names, by casts, as JSON, or all that no column takes.

A scan takes the texts of such fields and leaves the number 0 in their places. The rest of a record is decoded as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import Column, Struct, Timestamp
from lakelock.records import reasons
from lakelock.records.casts import Reading
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Indexes, RowShape, refused_rows
from lakelock.records.json.block_parser import not_objects
from lakelock.records.json.cast_columns import cast_column
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.record_fields import Path, RecordFields
from lakelock.records.json.scanned import Scanned, Scanner
from lakelock.records.json.wire_types import wire_type
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
        zone_of: dict[Path, str | None] = {}
        for column in columns:
            if column.name in skip or column.name == rest:
                continue
            reading = readings.get(column.name, Reading((column.name,)))
            zone, arrow, slot = zones.get(column.name), schema.field(column.name), None
            if isinstance(column.type, Timestamp) and not reading.casts:
                # The decoder has zones of a record's own fields, one for each.
                known_zone = zone_of.setdefault(reading.path, zone) if len(reading.path) == 1 else None
                reading = reading if zone == known_zone else Reading(reading.path, _AS_WRITTEN)
            if reading.casts and not reading.whole:
                slot = fields.take_text(reading.path)
            # Of a type that lakelock does not write, a column takes nothing.
            elif not reading.whole and wire_type(column.type) is not None:
                fields.take(reading.path, column, arrow.type)
            self._sources.append(_Source(column, arrow, reading, slot, zone))
        for path in dropped:
            fields.take_text(path)
        known, known_schema = fields.columns()
        self._decoder = JsonDecoder(
            known,
            known_schema,
            zones={path[0]: zone for path, zone in zone_of.items() if zone is not None},
            skip=frozenset(),
            unknown_fields="ignore" if rest is not None else unknown_fields,
        )
        self._slots = fields.slots
        self._scan = scanner(fields.nodes(), len(fields.slots), rest is not None)

    @classmethod
    def of(cls, shape: RowShape) -> ShapedDecoder:
        return cls(
            shape.columns,
            shape.schema,
            zones=shape.zones,
            skip=shape.skip,
            unknown_fields=shape.unknown_fields,
            readings=shape.readings,
            rest=shape.rest,
            dropped=shape.dropped,
            scanner=shape.scanner,
            check=shape.check,
        )

    @property
    def unknown_fields(self) -> set[str]:
        return self._decoder.unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        """Decode *values* except for those *filtered*; each record is either a row of the table or in `bad`."""
        # The decoder gets no record that the scan refuses: it would see fields that the scan did not come to.
        bad = not_objects(values, filtered)
        scanned = self._scan(values)
        out = np.concatenate([filtered, np.array([b.index for b in bad], np.int64)])
        faulty = np.setdiff1d(np.flatnonzero(scanned.faults), out).tolist()
        bad += [BadRecord(i, "convert", scanned.fault(i, self._slots)) for i in faulty]
        decoded = self._decoder.decode_objects(scanned.without, filtered, bad)
        good = np.arange(len(values)) if decoded.good is None else np.array(decoded.good, np.int64)
        table, unfit = self._assembled(decoded.table, scanned, good)
        # Reasons of single columns come first.
        unfit = refused_rows(self._check, table) | unfit
        if not unfit:
            return replace(decoded, table=table)
        found = [BadRecord(int(good[row]), "convert", why) for row, why in unfit.items()]
        fitting = np.setdiff1d(np.arange(len(good)), list(unfit))
        in_order = sorted([*decoded.bad, *found], key=lambda b: b.index)
        return Decoded(table.take(pa.array(fitting)), good[fitting].tolist(), in_order)

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
            elif wire_type(source.column.type) is None:
                array = pa.nulls(len(records), source.arrow.type)
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


def check_together(
    columns: Sequence[Column],
    readings: Mapping[str, Reading],
    zones: Mapping[str, str],
    rest: str | None,
    skip: frozenset[str],
) -> None:
    """Raise Unfit if `ShapedDecoder` would."""
    schema = pa.schema([pa.field(c.name, wire_type(c.type) or pa.null()) for c in columns])

    def unused(values: Values) -> Scanned:
        raise AssertionError("nothing is scanned here")

    ShapedDecoder(
        columns,
        schema,
        zones=zones,
        skip=skip,
        unknown_fields="ignore",
        readings=readings,
        rest=rest,
        scanner=lambda *_: unused,
    )


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
