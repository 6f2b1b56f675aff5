"""One Parquet data file: written row group by row group, then described as Iceberg's manifests hold it."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.io import FileIO, load_file_io
from pyiceberg.io.pyarrow import (
    compute_statistics_plan,
    data_file_statistics_from_parquet_metadata,
    parquet_path_to_id_mapping,
    schema_to_pyarrow,
)
from pyiceberg.manifest import DataFile as ManifestFile
from pyiceberg.manifest import DataFileContent, FileFormat
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record

from lakelock.adapters.data_file_json import encode_data_file
from lakelock.core.batch import DataFile
from lakelock.errors import AccessDenied, TableUnfit, Unreachable
from lakelock.ports import Target

_CODEC = "write.parquet.compression-codec"
_LEVEL = "write.parquet.compression-level"
_PAGE_BYTES = "write.parquet.page-size-bytes"
_PAGE_ROWS = "write.parquet.page-row-limit"
_DICTIONARY_BYTES = "write.parquet.dict-size-bytes"
_FLOATING = ("float", "double")


def arrow_schema(schema: Schema) -> pa.Schema:
    """Arrow's form of an Iceberg schema, with field ids; plain string and binary types."""
    plain = schema_to_pyarrow(schema, include_field_ids=True)
    return pa.schema([_small(f) for f in plain])


def _small(field: pa.Field) -> pa.Field:
    return field.with_type(_small_type(field.type))


def _small_type(kind: pa.DataType) -> pa.DataType:
    """JSON blocks are far below 2 GiB, so 32-bit offsets do and cost half."""
    if pa.types.is_large_string(kind):
        return pa.string()
    if pa.types.is_large_binary(kind):
        return pa.binary()
    if pa.types.is_large_list(kind) or pa.types.is_list(kind):
        return pa.list_(_small(kind.value_field))
    if pa.types.is_struct(kind):
        return pa.struct([_small(f) for f in kind])
    if pa.types.is_map(kind):
        return pa.map_(_small(kind.key_field), _small(kind.item_field))
    return kind


class Folder:
    """Where an attempt's files of one table go; every file has a name of its own and is never overwritten."""

    def __init__(self, target: Target, batch_id: str, attempt: str) -> None:
        properties = target.properties
        base = properties.get("write.data.path") or f"{target.location.rstrip('/')}/data"
        self.path = f"{base.rstrip('/')}/{batch_id}/{attempt}"
        self.spec_id = target.spec_id
        self.schema = Schema.model_validate(target.schema)
        self.arrow_schema = arrow_schema(self.schema)
        self.io: FileIO = load_file_io(dict(target.storage), self.path)
        self.statistics_plan = compute_statistics_plan(self.schema, dict(properties))
        self.column_ids = parquet_path_to_id_mapping(self.schema)
        codec = properties.get(_CODEC, "zstd").lower()
        self.options: dict[str, Any] = {
            "compression": "none" if codec == "uncompressed" else codec,
            "compression_level": int(properties[_LEVEL]) if _LEVEL in properties else None,
            "data_page_size": int(properties.get(_PAGE_BYTES, 1 << 20)),
            "max_rows_per_page": int(properties.get(_PAGE_ROWS, 20_000)),
            "dictionary_pagesize_limit": int(properties.get(_DICTIONARY_BYTES, 2 << 20)),
            "store_decimal_as_integer": True,
        }


class ParquetFile:
    """An open data file of one partition."""

    def __init__(self, folder: Folder, partition: Record) -> None:
        self._folder = folder
        self._partition = partition
        self.path = f"{folder.path}/{uuid.uuid4()}.parquet"
        self._row_groups = 0
        try:
            self._stream: Any = folder.io.new_output(self.path).create(overwrite=False)
            self._writer = pq.ParquetWriter(self._stream, folder.arrow_schema, **folder.options)
        except OSError as fault:
            raise storage_fault(fault, self.path) from fault

    def append(self, rows: pa.Table) -> int:
        """Adds one row group; returns the file's size in bytes so far."""
        try:
            self._writer.write_table(rows, row_group_size=rows.num_rows)
            size: int = self._stream.tell()
        except OSError as fault:
            raise storage_fault(fault, self.path) from fault
        self._row_groups += 1
        return size

    def close(self, sort_order_id: int | None) -> DataFile:
        """*sort_order_id* is recorded only if the file is one sorted row group: several are sorted each by itself."""
        try:
            self._writer.close()
            size = self._stream.tell()
            self._stream.close()
        except OSError as fault:
            raise storage_fault(fault, self.path) from fault
        statistics = data_file_statistics_from_parquet_metadata(
            parquet_metadata=self._writer.writer.metadata,
            stats_columns=self._folder.statistics_plan,
            parquet_column_mapping=self._folder.column_ids,
        )
        described = statistics.to_serialized_dict()
        # JSON has no NaN, so none was written; engines prune on the count.
        described["nan_value_counts"] = {
            column_id: 0
            for column_id in described["value_counts"]
            if str(self._folder.statistics_plan[column_id].iceberg_type) in _FLOATING
        }
        entry = ManifestFile.from_args(
            content=DataFileContent.DATA,
            file_path=self.path,
            file_format=FileFormat.PARQUET,
            partition=self._partition,
            file_size_in_bytes=size,
            sort_order_id=sort_order_id if self._row_groups == 1 else None,
            equality_ids=None,
            key_metadata=None,
            **described,
        )
        entry.spec_id = self._folder.spec_id
        return DataFile(self.path, entry.record_count, size, encode_data_file(entry))


def storage_fault(fault: OSError, path: str) -> Exception:
    text = re.sub(r"\s+", " ", str(fault))[:300]
    kept = "Nothing was staged; the batch stays planned and Kafka keeps the records."
    if isinstance(fault, PermissionError) or re.search(
        "denied|forbidden|not permitted|unauthori|credential", text, re.I
    ):
        return AccessDenied(f"the warehouse refuses to be written at {path}: {text}. {kept} Check its rights.")
    if isinstance(fault, FileExistsError):
        return TableUnfit(f"{path} is there already, a data file is never overwritten. {kept}")
    return Unreachable(f"the warehouse cannot be written at {path}: {text}. {kept} Check its space and that it is up.")
