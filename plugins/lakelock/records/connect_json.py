"""JSON of Kafka Connect's JsonConverter: `{"schema": ..., "payload": ...}`, whose schema says what numbers and texts stand for.

Connect writes logical types as what they are made of: a timestamp as milliseconds since 1970, a decimal as the base64 text of
its unscaled bytes, or as a number (`decimal.format`). The schema in each record has their names (`Schema` of
org.apache.kafka.connect.data); Debezium has more.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model import column_types as types
from lakelock.model.column_types import Column, ColumnType
from lakelock.model.type_notation import MOST_LEVELS
from lakelock.records import reasons
from lakelock.records.casts import Reading, unfit_reading
from lakelock.records.connect_decimals import DECIMAL, Described, described_at, guarded, respelled, schema_of
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Decoder, Format, Indexes, News, RowShape, no_rows
from lakelock.records.formats import PAYLOAD
from lakelock.records.infer import InferredSchema, infer_schema
from lakelock.records.json.block_parser import not_objects
from lakelock.records.json.format import JSON
from lakelock.records.json.record_fields import Path, RecordFields
from lakelock.records.json.reshaped import in_any_case, names_in_any_case
from lakelock.records.json.scanned import Fault, Scanned
from lakelock.records.reasons import Reason
from lakelock.records.spelling import first_spellings
from lakelock.records.values import Values

SCHEMA = "schema"
# Decoders are kept for so many schemas of a topic.
MOST_SCHEMAS = 100
_CONNECT, _DEBEZIUM = "org.apache.kafka.connect.data.", "io.debezium.time."
# The name of a logical type: its cast, and the type of a new column.
_LOGICAL: dict[str, tuple[str | None, ColumnType]] = {
    _CONNECT + "Date": ("epoch_days", types.Date()),
    _CONNECT + "Timestamp": ("epoch_ms", types.Timestamp(zoned=True)),
    _CONNECT + "Time": ("time_ms", types.Time()),
    _DEBEZIUM + "Date": ("epoch_days", types.Date()),
    _DEBEZIUM + "Timestamp": ("epoch_ms", types.Timestamp(zoned=True)),
    _DEBEZIUM + "MicroTimestamp": ("epoch_us", types.Timestamp(zoned=True)),
    _DEBEZIUM + "NanoTimestamp": ("epoch_ns", types.Timestamp(zoned=True)),
    _DEBEZIUM + "Time": ("time_ms", types.Time()),
    _DEBEZIUM + "MicroTime": ("time_us", types.Time()),
    _DEBEZIUM + "ZonedTimestamp": (None, types.Timestamp(zoned=True)),
}
_PLAIN: dict[str, ColumnType] = {
    "boolean": types.Boolean(),
    "int8": types.Integer(32),
    "int16": types.Integer(32),
    "int32": types.Integer(32),
    "int64": types.Integer(64),
    "float": types.Floating(32),
    "float32": types.Floating(32),
    "double": types.Floating(64),
    "float64": types.Floating(64),
    "string": types.Text(),
    "bytes": types.Binary(),
}
_MOST_DIGITS = 38
# Of a scale, and of the digits of an integer in a schema; no decimal with a larger scale fits, unless it is zero.
_MOST_SCALE, _MOST_SCHEMA_DIGITS = 10_000, 30
_TOO_DEEP = Reason(reasons.UNREADABLE, "field 'schema' is nested too deep", SCHEMA)


class ConnectDecoder:
    """A decoder of payloads for each schema: columns without a cast of their own have the one that the schema implies."""

    def __init__(self, shape: RowShape) -> None:
        self._shape = shape
        fields = RecordFields()
        self._schema, self._payload = fields.take_text((SCHEMA,)), fields.take_text((PAYLOAD,))
        self._scan = shape.scanner(fields.nodes(), len(fields.slots), False)
        self._decoders: dict[str | None, Decoder] = {}
        self._unknown_fields: set[str] = set()
        self._names = names_in_any_case(shape)
        # Faults of the table show before anything is read.
        self._decoder_for(None)

    @property
    def unknown_fields(self) -> set[str]:
        return self._unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        scanned = self._scan(values)
        bad = not_objects(values, filtered)
        left = np.setdiff1d(np.arange(len(values)), np.union1d(filtered, [b.index for b in bad]).astype(np.int64))
        there = (scanned.faults == 0) & (scanned.starts[self._payload] >= 0)
        bad += [BadRecord(i, "decode", _unwrapped(scanned, i)) for i in left[~there[left]].tolist()]
        left = left[there[left]]
        schemas = scanned.texts(self._schema, left).dictionary_encode()
        known, numbers = schemas.dictionary.to_pylist(), schemas.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        tables, good = [], []
        news: News | None = None
        for number in np.unique(numbers).tolist():
            indexes = left[numbers == number]
            try:
                decoder = self._decoder_for(known[number] if number >= 0 else None)
            except RecursionError:
                # Without its schema, a payload could be read as other values.
                bad += [BadRecord(i, "decode", _TOO_DEEP) for i in indexes.tolist()]
                continue
            decoded = decoder.decode(_payloads(scanned, self._payload, indexes))
            self._unknown_fields |= decoder.unknown_fields
            tables.append(decoded.table)
            if decoded.news is not None:
                found = decoded.news.at(indexes)
                found.observed.declare(_columns(self._described(known[number] if number >= 0 else None)))
                news = found if news is None else news.and_also(found)
            good.append(indexes if decoded.good is None else indexes[list(decoded.good)])
            bad += [replace(b, index=int(indexes[b.index])) for b in decoded.bad]
        return replace(_in_order(self._shape.schema, tables, good, bad, len(values)), news=news)

    def _decoder_for(self, text: str | None) -> Decoder:
        if text not in self._decoders:
            if len(self._decoders) > MOST_SCHEMAS:
                self._decoders.clear()
            schema = self._described(text)
            self._decoders[text] = in_any_case(self._shape, lambda shape: self._made(shape, schema))
        return self._decoders[text]

    def _described(self, text: str | None) -> Described:
        """With the table's names for fields; raises RecursionError."""
        return respelled(_described(text), self._names) if self._names is not None else _described(text)

    def _made(self, shape: RowShape, schema: Described) -> Decoder:
        readings = dict(shape.readings)
        for column in shape.filled:
            own = readings.get(column.name, Reading((column.name,)))
            if column.name == shape.rest or own.casts or own.whole:
                continue
            if casts := _casts(column, own.path, schema, shape.zones.get(column.name)):
                readings[column.name] = replace(own, casts=casts, numbers=True)
        return guarded(JSON.decoder(replace(shape, readings=readings)), shape.filled, readings, schema)


def _payloads(scanned: Scanned, slot: int, indexes: Indexes) -> Values:
    """A payload that is null is a tombstone."""
    texts = scanned.texts(slot, indexes)
    return Values.from_texts(pc.if_else(pc.equal(texts, "null"), pa.scalar(None, pa.large_string()), texts))


def _unwrapped(scanned: Scanned, record: int) -> Reason:
    if scanned.faults[record] == Fault.NONE:
        return Reason(reasons.REQUIRED_MISSING, "field 'payload' is missing: not JSON with schema and payload", PAYLOAD)
    return scanned.fault(record, ((SCHEMA,), (PAYLOAD,)))


def _in_order(
    schema: pa.Schema, tables: Sequence[pa.Table], good: Sequence[Indexes], bad: Sequence[BadRecord], count: int
) -> Decoded:
    table = pa.concat_tables(tables) if tables else no_rows(schema)
    indexes = np.concatenate(good) if good else NONE
    if len(tables) > 1:
        order = np.argsort(indexes, kind="stable")
        table, indexes = table.take(pa.array(order)), indexes[order]
    in_order = sorted(bad, key=lambda found: found.index)
    return Decoded(table, None if len(indexes) == count else indexes.tolist(), in_order)


def _casts(column: Column, path: Path, schema: Described, zone: str | None) -> tuple[str, ...]:
    """What the schema says of the field, if the column can take it; a column of another type takes values as they are."""
    cast = _cast(described_at(path, schema))
    if cast is None or unfit_reading(column.type, Reading(path, (cast,)), zone):
        return ()
    return (cast,)


def _cast(schema: Described) -> str | None:
    if schema.get("name") == DECIMAL:
        return f"unscaled:{_scale(schema)}"
    return _LOGICAL.get(str(schema.get("name")), (None, None))[0]


def _described(text: str | None) -> Described:
    """Raises RecursionError."""
    # Python refuses integers of some thousand digits.
    found = json.loads(text or "null", parse_int=lambda digits: int(digits[:_MOST_SCHEMA_DIGITS]))
    return found if isinstance(found, dict) else {}


def _scale(schema: Described) -> int:
    try:
        scale = int((schema.get("parameters") or {}).get("scale", 0))
    except OverflowError:
        return _MOST_SCALE
    except (TypeError, ValueError, AttributeError):
        return 0
    return max(-_MOST_SCALE, min(_MOST_SCALE, scale))


def _infer(values: Sequence[bytes], reserved: Collection[str], *, ignores_case: bool = False) -> InferredSchema:
    """Columns of all schemas that the values have, in the order of their fields; without a schema those of the payloads."""
    columns: dict[str, Column] = {}
    payloads: list[bytes] = []
    taken = {name.lower() for name in reserved}
    seen: set[str] = set()
    for value in values:
        try:
            record = json.loads(value)
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict) or not isinstance(record.get(PAYLOAD), dict):
            continue
        schema = record.get(SCHEMA)
        if not isinstance(schema, dict):
            payloads.append(json.dumps(record[PAYLOAD]).encode())
        elif (text := json.dumps(schema, sort_keys=True)) not in seen:
            seen.add(text)
            for column in _columns(schema):
                if column.name.lower() not in taken:
                    columns.setdefault(column.name, column)
    if not columns:
        return infer_schema(payloads, reserved, ignores_case=ignores_case)
    every = tuple(columns.values())
    return InferredSchema(first_spellings(every) if ignores_case else every, (), len(values), 0)


def _columns(schema: Described, level: int = 0) -> list[Column]:
    fields = schema.get("fields")
    known = [f for f in fields if isinstance(f, dict) and f.get("field")] if isinstance(fields, list) else []
    found = [(str(f["field"]), _type(f, level + 1)) for f in known]
    return [Column(name, kind) for name, kind in found if kind is not None]


def _type(schema: Described, level: int) -> ColumnType | None:
    """None for a type that no column has."""
    name, of = str(schema.get("name")), str(schema.get("type"))
    if level > MOST_LEVELS:
        return None
    if name == DECIMAL:
        return _decimal(schema)
    if name in _LOGICAL:
        return _LOGICAL[name][1]
    match of:
        case "struct":
            fields = _columns(schema, level)
            return types.Struct(tuple(fields)) if fields else None
        case "array":
            element = _type(schema_of(schema, "items"), level + 1)
            return None if element is None else types.ListOf(element)
        case "map":
            value = _type(schema_of(schema, "values"), level + 1)
            is_of_text = schema_of(schema, "keys").get("type") == "string"
            return types.MapOf(types.Text(), value) if value is not None and is_of_text else None
    return _PLAIN.get(of)


def _decimal(schema: Described) -> ColumnType | None:
    try:
        precision = int(schema_of(schema, "parameters").get("connect.decimal.precision", _MOST_DIGITS))
    except (TypeError, ValueError, OverflowError):
        return None
    precision, scale = min(precision, _MOST_DIGITS), _scale(schema)
    return types.Decimal(precision, scale) if 0 <= scale <= precision and precision > 0 else None


CONNECT_JSON = Format(ConnectDecoder, _infer, infer_any_case=partial(_infer, ignores_case=True))
