"""Manifest entries of data files as JSON: encoded by the task that writes the file, decoded by the commit."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.typedef import Record

COUNTS = ("column_sizes", "value_counts", "null_value_counts", "nan_value_counts")
BOUNDS = ("lower_bounds", "upper_bounds")


def encode_data_file(file: DataFile, schema_id: int) -> bytes:
    """As `encode_measured`."""
    form = file.file_format
    measured = {name: getattr(file, name) or {} for name in (*COUNTS, *BOUNDS)}
    measured |= {"record_count": file.record_count, "split_offsets": file.split_offsets}
    written = DataFilePlace(
        file.file_path, form.value if isinstance(form, FileFormat) else str(form), schema_id, file.spec_id
    )
    return encode_measured(written, file.partition, file.file_size_in_bytes, file.sort_order_id, measured)


@dataclass(frozen=True, slots=True)
class DataFilePlace:
    """Where a data file is, and the schema and spec that it was written with."""

    path: str
    file_format: str
    schema_id: int
    spec_id: int


def encode_measured(
    file: DataFilePlace, partition: Record, size_bytes: int, sort_order_id: int | None, measured: Mapping[str, Any]
) -> bytes:
    """One line: counts by field id, bounds as base64 of Iceberg's binary form. *measured* has the names of PyIceberg."""
    entry = {
        "path": file.path,
        "format": file.file_format,
        "schema_id": file.schema_id,
        "spec_id": file.spec_id,
        "partition": _values(partition),
        "rows": measured["record_count"],
        "size": size_bytes,
        **{name: measured[name] for name in COUNTS},
        **{name: {i: _text(bound) for i, bound in measured[name].items()} for name in BOUNDS},
        "split_offsets": measured["split_offsets"],
        "sort_order_id": sort_order_id,
    }
    return orjson.dumps(entry, option=orjson.OPT_NON_STR_KEYS)


@dataclass(frozen=True, slots=True)
class DecodedFile:
    """A data file with its `spec_id`, ready for a manifest of that spec and of the schema *schema_id*.

    Version 0.2.0 recorded no schema.
    """

    schema_id: int | None
    entry: DataFile


def decode_data_file(line: bytes) -> DecodedFile:
    detail = orjson.loads(line)
    measured: dict[str, Any] = {name: {int(k): v for k, v in detail[name].items()} for name in COUNTS}
    measured |= {name: {int(k): base64.b64decode(v) for k, v in detail[name].items()} for name in BOUNDS}
    file = DataFile.from_args(
        content=DataFileContent.DATA,
        file_path=detail["path"],
        file_format=FileFormat(detail["format"]),
        partition=_record(detail["partition"]),
        record_count=detail["rows"],
        file_size_in_bytes=detail["size"],
        **measured,
        key_metadata=None,
        split_offsets=detail["split_offsets"],
        equality_ids=None,
        sort_order_id=detail["sort_order_id"],
    )
    file.spec_id = detail["spec_id"]
    return DecodedFile(detail.get("schema_id"), file)


def partition_text(file: DataFile) -> str | None:
    """The partition as one line, equal for equal partitions; None if it has no such form."""
    try:
        values = _values(file.partition)
    except TypeError:
        return None
    # Engines disagree about equality of these values.
    return None if any(isinstance(v, dict) and _FLOAT in v for v in values) else orjson.dumps(values).decode()


def partition_of(text: str) -> Record:
    """Inverse of `partition_text`."""
    return _record(orjson.loads(text))


def _values(partition: Record) -> list[object]:
    return [_plain(partition[i]) for i in range(len(partition))]


def _record(values: Iterable[object]) -> Record:
    return Record(*[_value(v) for v in values])


def _text(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode()


_FLOAT = "float"
# Types without a JSON form; a partition value must come back with exactly the type that Avro gets. Of floats, only
# those that orjson would write as null.
_TAGS: dict[str, tuple[type, Callable[[Any], str], Callable[[str], object]]] = {
    _FLOAT: (float, str, float),
    "bytes": (bytes, _text, base64.b64decode),
    "decimal": (Decimal, str, Decimal),
    "uuid": (UUID, str, UUID),
}


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value)):
        return value
    for tag, (kind, to_text, _) in _TAGS.items():
        if isinstance(value, kind):
            return {tag: to_text(value)}
    raise TypeError(f"no JSON form for a partition value of type {type(value).__name__}")


def _value(plain: object) -> object:
    if not isinstance(plain, dict):
        return plain
    ((tag, text),) = plain.items()
    return _TAGS[tag][2](text)
