"""Convert columns as parsed (see `wire_types`) to the table's types, exactly or not at all.

The rules are the same for one record and for a block: an integer is written without fraction or exponent; a double
takes any number, an integer only if it is exactly representable; a decimal takes a number or text within precision and
scale; dates, times, timestamps are ISO 8601 text (RFC 3339 with an offset for timestamptz, unless the column names a
zone); uuid is text, binary and fixed are base64 text. Nothing is rounded, nothing overflows, text is never a number.
"""

from __future__ import annotations

import base64
import re
from uuid import UUID

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.column_types import (
    Binary,
    ColumnType,
    Date,
    Decimal,
    Floating,
    LeafType,
    ListOf,
    MapOf,
    Struct,
    Text,
    Time,
    Timestamp,
    Uuid,
)
from lakelock.model.type_notation import type_text
from lakelock.model.units import cut
from lakelock.records.json import exact_numbers, iso_times
from lakelock.records.json.wire_types import wire_type
from lakelock.records.reasons import FIELD_TWICE, Unfit

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def converted(array: pa.Array, kind: ColumnType, target: pa.DataType, zone: str | None = None) -> pa.Array:
    """Convert *array* of `wire_type(kind)` to *target*; raises Unfit or ArrowInvalid unless all values fit exactly."""
    if isinstance(kind, Struct):
        present = array.is_valid()
        children = []
        # Fields that `with_empty` added come last.
        for i, (field, child) in enumerate(zip(kind.fields, array.flatten(), strict=False)):
            # A child is required only if its struct is present.
            if field.required and pc.any(pc.and_(child.is_null(), present)).as_py():
                raise Unfit(f"{field.name} is required")
            children.append(converted(child, field.type, target.field(i).type))
        return pa.StructArray.from_arrays(children, fields=list(target), mask=array.is_null())
    if not isinstance(kind, ListOf | MapOf):
        return _leaf(array, kind, target, zone)
    if array.offset:
        array = pa.concat_arrays([array])
    if isinstance(kind, MapOf):
        return _map(array, kind, target)
    element = converted(array.values, kind.element, target.value_type)
    if kind.element_required and array.flatten().null_count:
        raise Unfit("a list has a null where an element is required")
    return pa.ListArray.from_arrays(
        array.offsets, element, type=target, mask=array.is_null() if array.null_count else None
    )


def _map(array: pa.ListArray, kind: MapOf, target: pa.DataType) -> pa.MapArray:
    """Build a map from the list of entries that the parser read; entries are never null."""
    names, values = array.values.flatten()
    keys = converted(names, kind.key, target.key_type)
    # Equal names are refused before: they are all that text can have twice.
    if not isinstance(kind.key, Text) and _has_twice(array, keys):
        raise Unfit("two names are the same key of a map", FIELD_TWICE)
    if kind.value_required and values.null_count:
        raise Unfit("a map has a null where a value is required")
    return pa.MapArray.from_arrays(
        array.offsets,
        keys,
        converted(values, kind.value, target.item_type),
        type=target,
        mask=array.is_null() if array.null_count else None,
    )


def _has_twice(maps: pa.ListArray, keys: pa.Array) -> bool:
    """Whether one of the *maps* has a key twice, in two spellings."""
    parents = pc.list_parent_indices(maps)
    stored = keys.storage if isinstance(keys, pa.ExtensionArray) else keys
    used = stored.slice(maps.offsets[0].as_py(), len(parents))
    if pa.types.is_floating(used.type):
        # Both zeros become one.
        used = pc.add(used, pa.scalar(0, used.type))
    pairs = pa.table([parents, used], ["map", "key"])
    return bool(pairs.group_by(["map", "key"]).aggregate([]).num_rows < len(parents))


def _leaf(array: pa.Array, kind: LeafType, target: pa.DataType, zone: str | None) -> pa.Array:
    match kind:
        case Floating():
            return exact_numbers.floating(array, kind).cast(target)
        case Decimal():
            return exact_numbers.decimal(array, kind)
        case Date():
            return iso_times.in_calendar(array.cast(pa.date32()))
        case Time():
            return iso_times.time_of_day(array)
        case Timestamp(zoned):
            return iso_times.timestamptz(array, zone) if zoned else iso_times.timestamp(array, zone)
        case Uuid():
            return pa.array([_uuid(v) for v in array.to_pylist()], pa.binary(16)).cast(target)
        case Binary(length):
            values = [_base64(v) for v in array.to_pylist()]
            if length is not None and any(v is not None and len(v) != length for v in values):
                raise Unfit(f"{type_text(kind)} takes exactly {length} bytes")
            return pa.array(values, target)
    return array if array.type == target else array.cast(target)


def no_text_of(text: str, kind: LeafType, zone: str | None = None) -> str | None:
    """Why *text* is not a value of a type that JSON writes as text; None if it is one."""
    if isinstance(kind, Text):
        return None
    try:
        array = pa.array([text])
        if isinstance(kind, Decimal):
            array = array.cast(wire_type(kind))
        _leaf(array, kind, pa.binary(), zone)
    except Unfit as fault:
        return str(fault)
    except UnicodeEncodeError:
        return f"{cut(text, 40)!r} is no {type_text(kind)}"
    except pa.ArrowException:
        return f"{cut(text, 40)!r} is no {type_text(kind)}{iso_times.about_offset(array, kind, zone)}"
    return None


def _uuid(value: str | None) -> bytes | None:
    if value is None:
        return None
    # int() would accept spaces, signs and underscores.
    if not _UUID.fullmatch(value):
        raise Unfit(f"not a UUID: {value[:40]!r}")
    return UUID(value).bytes


def bytes_of(text: str) -> bytes:
    """Bytes of base64 text in its one spelling: other padding, or bits that no byte takes, raise Unfit."""
    try:
        data, end = base64.b64decode(text, validate=True), text[-4:]
        if len(text) % 4 or base64.b64encode(base64.b64decode(end)).decode() != end:
            raise Unfit("not base64 as RFC 4648 writes it")
    except Unfit:
        raise
    except ValueError as fault:
        raise Unfit("not base64") from fault
    return data


def _base64(value: str | None) -> bytes | None:
    if value is None:
        return None
    return bytes_of(value)
