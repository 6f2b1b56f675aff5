"""The first rows of one Parquet file as text, reading one page per column whatever the file's size."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.io import FileIO
from pyiceberg.schema import Schema
from pyiceberg.types import IcebergType, ListType, MapType, StructType

# Each leaf costs a request to storage, and a page of memory.
MOST_LEAVES = 100
# Characters of a value, and elements of a list, that are shown.
SHOWN_CHARS, SHOWN_ELEMENTS = 200, 20
_BUFFER_BYTES = 64 * 1024
_FIELD_ID = b"PARQUET:field_id"


@dataclass(frozen=True, slots=True)
class RowSample:
    """`columns` are names; a value is None if the row has none. `fields_left_out` fields of the table are not shown."""

    columns: tuple[str, ...]
    rows: list[list[str | None]]
    fields_left_out: int


def shown_columns(schema: Schema) -> tuple[dict[int, str], int]:
    """Names by field id of the first columns with at most `MOST_LEAVES` leaves, and the number of leaves left out.

    If the first column alone has more, its first leaves are read.
    """
    shown, taken, all_leaves = dict[int, str](), 0, 0
    for field in schema.fields:
        leaves = _leaves(field.field_type)
        if taken < MOST_LEAVES and (not shown or taken + leaves <= MOST_LEAVES):
            shown[field.field_id] = field.name
            taken += min(leaves, MOST_LEAVES)
        all_leaves += leaves
    return shown, all_leaves - taken


def first_rows(io: FileIO, path: str, schema: Schema, columns: Sequence[int], rows: int) -> list[list[str | None]]:
    """Values of *columns* (field ids); a column that the file lacks has no values.

    Empty if the file's columns have no field ids. Raises the storage's errors.
    """
    # Read by page: pre-buffered or unbuffered, pyarrow reads whole column chunks for any number of rows.
    with (
        io.new_input(path).open() as source,
        pq.ParquetFile(source, buffer_size=_BUFFER_BYTES, pre_buffer=False) as file,
    ):
        arrow = file.schema_arrow
        ids = [_field_id(field) for field in arrow]
        if None in ids:
            return []
        leaves = [_arrow_leaves(field.type) for field in arrow]
        paths = [file.schema.column(n).path for n in range(sum(leaves))]
        wanted: list[str] = []
        for n, field_id in enumerate(ids):
            if field_id in columns:
                first = sum(leaves[:n])
                wanted += paths[first : first + min(leaves[n], MOST_LEAVES)]
        if not file.metadata.num_rows or not wanted:
            return []
        out: list[list[str | None]] = []
        for batch in file.iter_batches(rows, columns=wanted, use_threads=False):
            by_id = {_field_id(field): batch.column(n) for n, field in enumerate(batch.schema)}
            taken = range(min(rows - len(out), batch.num_rows))
            out += [[_cell(by_id.get(c), schema, c, n) for c in columns] for n in taken]
            if len(out) == rows:
                break
        return out


def _cell(values: pa.Array | None, schema: Schema, field_id: int, row: int) -> str | None:
    if values is None or not values[row].is_valid:
        return None
    shown = _plain(values[row], values.type, schema.find_type(field_id))
    text = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"


def _plain(value: Any, kind: pa.DataType, reported: IcebergType) -> Any:
    """A value that JSON can represent; fields have the table's current names."""
    if not value.is_valid:
        return None
    if isinstance(reported, StructType) and pa.types.is_struct(kind):
        names = {f.field_id: f for f in reported.fields}
        known = [(names[i], f) for f in kind if (i := _field_id(f)) in names]
        return {name.name: _plain(value[f.name], f.type, name.field_type) for name, f in known}
    if isinstance(reported, ListType) and (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        elements = value.values
        return [_plain(e, elements.type, reported.element_type) for e in elements.slice(0, SHOWN_ELEMENTS)]
    if isinstance(reported, MapType) and pa.types.is_map(kind):
        return dict(_entries(value.values.slice(0, SHOWN_ELEMENTS), reported))
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return value.as_py()
    if pa.types.is_floating(kind) and math.isfinite(value.as_py()):
        # Parse Arrow's text: for a float, Python would show a double's digits.
        return float(value.cast(pa.string()).as_py())
    return _leaf(value, kind)


def _entries(entries: pa.StructArray, kind: MapType) -> Iterator[tuple[str, Any]]:
    for key, value in zip(entries.field(0), entries.field(1), strict=True):
        yield str(_plain(key, key.type, kind.key_type)), _plain(value, value.type, kind.value_type)


def _leaf(value: Any, kind: pa.DataType) -> str:
    if isinstance(kind, pa.BaseExtensionType):
        return str(value.as_py())
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        # Two digits per byte: more bytes would not be shown.
        raw: bytes = value.as_py()
        return f"0x{raw[: SHOWN_CHARS // 2 + 1].hex()}"
    # Use Arrow's text: Python lacks years beyond 9999 and some of Arrow's types.
    text: str = value.cast(pa.string()).as_py()
    return text[: SHOWN_CHARS + 1]


def _leaves(kind: IcebergType) -> int:
    match kind:
        case StructType():
            return sum(_leaves(f.field_type) for f in kind.fields)
        case ListType():
            return _leaves(kind.element_type)
        case MapType():
            return _leaves(kind.key_type) + _leaves(kind.value_type)
    return 1


def _arrow_leaves(kind: pa.DataType) -> int:
    return sum(_arrow_leaves(kind.field(n).type) for n in range(kind.num_fields)) if kind.num_fields else 1


def _field_id(field: pa.Field) -> int | None:
    metadata: Mapping[bytes, bytes] = field.metadata or {}
    return int(metadata[_FIELD_ID]) if _FIELD_ID in metadata else None
