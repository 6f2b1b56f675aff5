"""One row of delimited text for each record."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import Column, ListOf, MapOf, Struct, Text
from lakelock.records import reasons
from lakelock.records.casts import Reading
from lakelock.records.csv.columns import inferred_type, text_column
from lakelock.records.csv.options import CsvOptions
from lakelock.records.csv.record import HEADER, RecordReader, row_fault
from lakelock.records.csv.row_fields import field_name, fields_of
from lakelock.records.csv.splitting import Split
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Format, Indexes, RowShape, refused_rows
from lakelock.records.infer import InferredSchema
from lakelock.records.raw import NO_VALUE, not_texts
from lakelock.records.reasons import Reason, Unfit
from lakelock.records.values import Flags, Values


class CsvDecoder:
    """Raises Unfit for a table that delimited text does not fill."""

    def __init__(self, shape: RowShape, options: CsvOptions) -> None:
        if shape.rest is not None:
            raise Unfit("format csv has no new fields to keep as JSON: value.csv.columns names them all")
        dropped = {field_name(path) for path in shape.dropped}
        spare = None if shape.unknown_fields == "ignore" else dropped
        self._shape, self._options = shape, options
        self._fields = fields_of(shape.filled, shape.readings, options, spare)
        self._split = shape.splitter(options, len(self._fields.names))
        self.unknown_fields: set[str] = set()

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        """Decode *values* except for those *filtered*; each record is either a row of the table or in `bad`."""
        passed: Flags = values.absent.copy()
        passed[filtered] = False
        bad = [BadRecord(i, "decode", NO_VALUE) for i in np.flatnonzero(passed).tolist()]
        passed[filtered] = True
        no_texts = not_texts(values, passed)
        bad += [BadRecord(i, "decode", why) for i, why in no_texts.items()]
        passed[[*no_texts]] = True
        split = self._split(values, passed)
        bad += [
            BadRecord(i, "decode", row_fault((values[i] or b"").decode(), self._options, self._fields.names))
            for i in np.flatnonzero(split.faults & ~passed).tolist()
        ]
        records = np.flatnonzero(~split.faults)
        table, unfit = self._rows(split, values, records)
        unfit = refused_rows(self._shape.check, table) | unfit | header_rows(split, self._options, self._fields.names)
        if unfit:
            stage = {True: "decode", False: "convert"}
            bad += [
                BadRecord(int(records[row]), stage[why.kind == reasons.HEADER_LINE], why) for row, why in unfit.items()
            ]
            fits = np.ones(len(records), np.bool_)
            fits[list(unfit)] = False
            table, records = table.filter(pa.array(fits)), records[fits]
        good = None if len(records) == len(values) else records.tolist()
        return Decoded(table, good, sorted(bad, key=lambda found: found.index))

    def _rows(self, split: Split, values: Values, records: Indexes) -> tuple[pa.Table, dict[int, Reason]]:
        """The table's rows of *records*, and reasons by row number for those that do not fit."""
        shape, unfit, arrays = self._shape, dict[int, Reason](), dict[str, pa.Array]()
        for column in shape.columns:
            name, kind, target = column.name, column.type, shape.schema.field(column.name).type
            reading = shape.readings.get(name, Reading((name,)))
            if name in shape.skip:
                arrays[name] = pa.nulls(len(records), target)
            elif reading.whole:
                arrays[name] = values.take(records).strings().cast(target)
            elif name not in self._fields.positions:
                arrays[name] = pa.nulls(len(records), target)
            else:
                assert not isinstance(kind, Struct | ListOf | MapOf)
                texts = split.texts(self._fields.positions[name])
                arrays[name], found = text_column(texts, reading, kind, target, shape.zones.get(name))
                unfit = found | unfit
                if column.required and arrays[name].null_count:
                    unfit = {
                        row: _null(reading) for row in pc.indices_nonzero(arrays[name].is_null()).to_pylist()
                    } | unfit
        return pa.Table.from_arrays([arrays[f.name] for f in shape.schema], schema=shape.schema), unfit


def header_rows(split: Split, options: CsvOptions, names: Sequence[str] = ()) -> dict[int, Reason]:
    """Rows that have the *names* of all fields, or else the options' columns, if the options treat them as no rows."""
    if options.header is None:
        return {}
    found: pa.Array = None
    for position, name in enumerate(names or options.columns):
        is_name = pc.fill_null(pc.equal(split.texts(position), name), False)
        found = is_name if found is None else pc.and_(found, is_name)
        if not pc.any(found).as_py():
            return {}
    return dict.fromkeys(pc.indices_nonzero(found).to_pylist(), HEADER)


def _null(reading: Reading) -> Reason:
    path = field_name(reading.path)
    return Reason(reasons.REQUIRED_NULL, f"field {path!r} is required, but it is null", path)


def header_lines(decoded: Decoded, kept: Collection[int]) -> Indexes:
    """Indexes of the bad records that are header lines, except for those *kept*."""
    found = [b.index for b in decoded.bad if b.reason.kind == reasons.HEADER_LINE and b.index not in kept]
    return np.array(found, np.int64)


def _infer(values: Sequence[bytes], reserved: Collection[str], options: CsvOptions) -> InferredSchema:
    """Columns with the names of the options: boolean, long, double or timestamptz if each text of a field is one, else string."""
    names, reader = options.columns, RecordReader(options)
    if not names:
        note = "fields of csv have no names: give value.csv.columns, or the table's columns"
        return InferredSchema((), (note,), len(values), 0)
    rows, others = list[list[str | None]](), 0
    for value in values:
        try:
            row = reader.row(value.decode(), names)
        except (UnicodeDecodeError, Unfit):
            others += 1
            continue
        if row != list(names) or options.header is None:
            rows.append(row)
    notes, columns = list[str](), dict[str, Column]()
    if others:
        notes.append(f"{others} records are not one line of {len(names)} fields and would be dead letters")
    taken = {name.lower() for name in reserved}
    for position, name in enumerate(names):
        if name.lower() in taken:
            notes.append(f"column {name!r}: left out, as another column has its name, but for case")
            continue
        taken.add(name.lower())
        texts = pa.array([row[position] for row in rows], pa.large_string())
        if texts.null_count == len(texts):
            notes.append(f"column {name!r}: only nulls seen, taken as string; declare its type if it is another")
        columns[name] = Column(name, Text() if texts.null_count == len(texts) else inferred_type(texts))
    return InferredSchema(tuple(columns.values()) if rows else (), tuple(notes), len(values), others)


def _format(options: CsvOptions) -> Format:
    return Format(
        lambda shape: CsvDecoder(shape, options), lambda values, reserved: _infer(values, reserved, options), _format
    )


CSV = _format(CsvOptions())
