"""One Parquet data file: written by row group, then described for Iceberg's manifests."""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyiceberg.io import FileIO
from pyiceberg.typedef import Record

from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.data_file_json import DataFilePlace, encode_measured
from lakelock.adapters.parquet.dictionaries import with_dictionary
from lakelock.adapters.parquet.file_form import FileForm
from lakelock.adapters.parquet.file_statistics import file_statistics
from lakelock.errors import AccessDenied, LakelockError, State, TableUnfit, Unreachable
from lakelock.model.batches import DataFile
from lakelock.model.file_names import attempt_folder
from lakelock.model.parquet_options import parquet_options
from lakelock.model.units import as_reason
from lakelock.ports import Target
from lakelock.records.hidden_nulls import without_hidden

T = TypeVar("T")


class Folder:
    """Folder for an attempt's files of one table; every file has a unique name and is never overwritten.

    Raises TableUnfit for properties under which no file can be written.
    """

    def __init__(
        self,
        target: Target,
        batch_id: str,
        attempt: str,
        kept: State = State.PART_PLANNED,
        budget: WriterBudget | None = None,
    ) -> None:
        """*budget* has the storage that other tables use as well."""
        properties = target.properties
        self.table = target.table
        self._kept = kept
        self.wanted = wanted = parquet_options(target.table, properties)
        base = properties.get("write.data.path") or f"{target.location.rstrip('/')}/data"
        self.path = f"{base.rstrip('/')}/{attempt_folder(target.identity_uuid, batch_id, attempt)}"
        budget = budget or WriterBudget(kept=kept)
        self._choices = budget.dictionaries
        with self.faults(self.path):
            self.io: FileIO = budget.io(target.storage, self.path)
            self.form = FileForm.of(target.layout, properties)
        self.layout, self.arrow_schema = self.form.layout, self.form.arrow_schema
        self.schema = self.layout.schema
        # Offsets and timestamps follow one another.
        self.sequences = frozenset(
            name for key, name in target.metadata_columns.items() if key in {"offset", "timestamp"}
        )
        self.options: dict[str, Any] = {
            "compression": wanted.codec,
            "compression_level": wanted.level,
            "data_page_size": wanted.page_bytes,
            "max_rows_per_page": wanted.page_rows,
            "dictionary_pagesize_limit": wanted.dictionary_bytes,
            "store_decimal_as_integer": True,
            # Parquet's own types and field ids say all that Iceberg needs.
            "store_schema": False,
            "data_page_version": wanted.page_version,
        }
        self._dictionaries = self._by_path(wanted.dictionaries)
        # The Parquet library makes no filter for two values.
        of_filters = {n: of for n, of in wanted.bloom_filters.items() if n not in self.form.booleans}
        self._bloom_filters = self._by_path(of_filters)

    def _by_path(self, by_name: Mapping[str, T]) -> dict[str, T]:
        """Settings of columns that a file has, by their place in it."""
        if not by_name:
            return {}
        paths = {column_id: path for path, column_id in self.form.column_ids.items()}
        out = {}
        for name in by_name.keys() & set(self.schema.column_names):
            column_id = self.schema.find_field(name).field_id
            if column_id in paths:
                out[paths[column_id]] = by_name[name]
        return out

    def bloom_filter_options(self, rows: pa.Table) -> dict[str, dict[str, float]]:
        """For row groups like *rows*. Filters are in memory until the file is closed, so none is for more values than that."""
        most = max(1, rows.num_rows)
        return {path: {"ndv": min(of.distinct, most), "fpp": of.fpp} for path, of in self._bloom_filters.items()}

    def with_dictionary(self, rows: pa.Table) -> list[str]:
        """Paths of the columns that get a dictionary in a file that begins with *rows*."""
        return self._choices.of((self.form, self.sequences), rows, self._chosen)

    def _chosen(self, rows: pa.Table) -> list[str]:
        chosen = self._dictionaries
        repeating = with_dictionary(rows, self.form.column_ids, self.sequences)
        return [path for path in self.form.column_ids if chosen.get(path, path in repeating)]

    @contextmanager
    def faults(self, path: str) -> Iterator[None]:
        """Translate failures of storage, and refusals by the Parquet library, into errors of this table."""
        try:
            yield
        except OSError as fault:
            raise storage_fault(fault, self.table, path, self._kept) from fault
        except MemoryError:
            raise
        except (pa.ArrowException, ValueError, ArithmeticError) as fault:
            raise TableUnfit(
                f"table {self.table}: no Parquet file can be written at {path}: {type(fault).__name__}: {as_reason(fault)}.",
                self._kept,
                "Check the table's write properties, data path and columns.",
            ) from fault


class ParquetFile:
    """An open data file of one partition, which has at least one row group when it is closed."""

    def __init__(self, folder: Folder, partition: Record) -> None:
        self._folder = folder
        self._partition = partition
        self.path = f"{folder.path}/{uuid.uuid4()}.parquet"
        self._row_groups = 0
        self._nans: Counter[int] = Counter()
        with folder.faults(self.path):
            self._stream: Any = folder.io.new_output(self.path).create(overwrite=False)
        self._writer: pq.ParquetWriter = None

    def append(self, rows: pa.Table) -> int:
        """Add one row group; returns the file's size in bytes so far."""
        for n in self._folder.form.hiding:
            column = rows.column(n)
            shown = pa.chunked_array([without_hidden(chunk) for chunk in column.chunks], column.type)
            rows = rows.set_column(n, rows.schema.field(n), shown)
        with self._folder.faults(self.path):
            if self._writer is None:
                self._writer = self._opened(rows)
            self._writer.write_table(rows, row_group_size=rows.num_rows)
            size: int = self._stream.tell()
        for n, field in self._folder.form.with_floating:
            for chunk in rows.column(n).chunks:
                _count_nans(field, chunk, self._nans)
        self._row_groups += 1
        return size

    def _opened(self, rows: pa.Table) -> pq.ParquetWriter:
        folder = self._folder
        repeating = folder.with_dictionary(rows)
        filters = folder.bloom_filter_options(rows)
        return pq.ParquetWriter(
            self._stream,
            folder.arrow_schema,
            use_dictionary=repeating,
            bloom_filter_options=filters,
            **folder.options,
        )

    def close(self, sort_order_id: int | None) -> DataFile:
        """Close and describe the file. *sort_order_id* is recorded only for a single row group, as each is sorted."""
        with self._folder.faults(self.path):
            self._writer.close()
            size = self._stream.tell()
            self._stream.close()
            return self._described(size, sort_order_id)

    def _described(self, size: int, sort_order_id: int | None) -> DataFile:
        folder = self._folder
        measured = file_statistics(self._writer.writer.metadata, folder.form.measured)
        # Engines skip files by this count.
        measured["nan_value_counts"] = {
            column_id: self._nans[column_id]
            for column_id in folder.form.floating
            if column_id in measured["value_counts"]
        }
        ids = folder.schema.schema_id, folder.layout.spec.spec_id
        order_id = sort_order_id if self._row_groups == 1 else None
        detail = encode_measured(DataFilePlace(self.path, "PARQUET", *ids), self._partition, size, order_id, measured)
        return DataFile(self.path, measured["record_count"], size, detail)


def _count_nans(field: pa.Field, column: pa.Array, found: Counter[int]) -> None:
    """Add the NaNs in *column* and its nested columns to *found*, by field id."""
    kind = field.type
    if pa.types.is_floating(kind):
        # NumPy takes a fifth of the time, but would also count what is hidden by nulls.
        if column.null_count:
            count = pc.sum(pc.is_nan(column)).as_py() or 0
        else:
            count = int(np.count_nonzero(np.isnan(column.to_numpy())))
        found[int(field.metadata[b"PARQUET:field_id"])] += count
    elif pa.types.is_struct(kind):
        for child, values in zip(kind, column.flatten(), strict=True):
            _count_nans(child, values, found)
    elif pa.types.is_list(kind):
        _count_nans(kind.value_field, column.flatten(), found)
    elif pa.types.is_map(kind):
        # Keys and items belong to the whole array, of which this may be a slice.
        first, end = column.offsets[0].as_py(), column.offsets[-1].as_py()
        _count_nans(kind.key_field, column.keys.slice(first, end - first), found)
        _count_nans(kind.item_field, column.items.slice(first, end - first), found)


def storage_fault(
    fault: OSError, table: str, path: str, kept: State = State.PART_PLANNED, doing: str = "written"
) -> LakelockError:
    """Translate a storage failure while a file is *doing* ("written", "read") into an error of this table."""
    text = as_reason(fault)
    if isinstance(fault, PermissionError) or re.search(
        "denied|forbidden|not permitted|unauthori|credential", text, re.I
    ):
        return AccessDenied(
            f"table {table}: the warehouse refuses to be {doing} at {path}: {text}.", kept, "Check its rights."
        )
    if isinstance(fault, FileExistsError):
        return TableUnfit(f"table {table}: {path} already exists, and a data file is never overwritten.", kept)
    return Unreachable(
        f"table {table}: the warehouse cannot be {doing} at {path}: {text}.",
        kept,
        "Check that the storage is up, that the path exists, and that there is space. The next run tries again.",
    )
