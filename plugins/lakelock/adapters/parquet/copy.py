"""Rows of data files copied as they are into a new one: columns by field id, read under each file's own schema.

A file whose rows the current schema cannot hold as they are is not copied. PyIceberg's own projection loses nulls that are
inside lists and maps.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.io import FileIO
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import SortOrder
from pyiceberg.transforms import IdentityTransform

from lakelock.adapters.parquet.cut import outside
from lakelock.adapters.parquet.data_file_json import partition_of
from lakelock.adapters.parquet.file import Folder, ParquetFile, arrow_schema, one_line, small_type, storage_fault
from lakelock.adapters.parquet.routes import Router
from lakelock.errors import BooksUnbalanced, State, TableUnfit
from lakelock.ports import CopyOrder, CopyOutput
from lakelock.upkeep.compact_decision import ATTEMPT

BUFFER_BYTES = 32 << 20
# Of values that repeat a row takes more memory than the file says: a read begins with few and takes more as they are
# measured.
FEW_ROWS = 64
MOST_ROWS_A_READ = 8_192
_GROWTH = 8
_END_BYTES = 1 << 16
_READ_BYTES = 1 << 20
_ID = b"PARQUET:field_id"
_WIDER = {pa.int32(): pa.int64(), pa.float32(): pa.float64()}
_COARSER = ("s", "ms")


class FileUnfit(Exception):
    """Why a file cannot be copied."""


class _Poison(Exception):
    """The path of a file that cannot be copied, and why."""

    def __init__(self, path: str, why: str) -> None:
        self.unfit = (path, why)


def copy_files(order: CopyOrder, slice_no: int) -> CopyOutput:
    """Makes one file of a slice's; none where they have no rows, or one of them cannot be copied.

    Raises TableUnfit, Unreachable, AccessDenied, BooksUnbalanced. What was written before is named by nobody.
    """
    target, sources = order.target, order.slices[slice_no].files
    folder = Folder(target, order.group_id, ATTEMPT, State.FILES_KEPT)
    spec, sort_order = PartitionSpec.model_validate(target.spec), SortOrder.model_validate(target.sort_order)
    columns = Columns(folder.schema, spec)
    router = Router(folder.schema, spec, sort_order)
    limit_bytes = min(BUFFER_BYTES, folder.wanted.row_group_bytes or BUFFER_BYTES)
    file: ParquetFile | None = None
    read = kept = 0
    try:
        for piece in _pieces(folder.io, columns, sources, target.table, limit_bytes):
            read += piece.num_rows
            rows = piece if order.without is None else outside(piece, order.without)
            kept += rows.num_rows
            if not rows.num_rows:
                continue
            file = file or ParquetFile(folder, partition_of(order.slices[slice_no].partition))
            file.append(router.sorted(rows))
    except _Poison as fault:
        return CopyOutput(slice_no, None, fault.unfit)
    out = file.close(sort_order.order_id if sort_order.fields else None) if file else None
    wanted, written = sum(rows for _, rows in sources), out.rows if out else 0
    if wanted != read or kept != written:
        raise BooksUnbalanced(
            f"table {target.table}: its manifests say that {len(sources)} files have {wanted} rows. {read} were read, "
            f"of which {kept} were to be copied, and {written} were written. The first file is {sources[0][0]}.",
            State.FILES_KEPT,
        )
    return CopyOutput(slice_no, out)


def why_unfit(io: FileIO, path: str, rows: int, columns: Columns) -> str:
    """Why the file at *path* must be left as it is, by its footer; empty where it can be copied. Raises what storage raises."""
    try:
        with _opened(io, path) as parquet:
            columns.of(parquet)
            found = parquet.metadata.num_rows
    except FileNotFoundError:
        return "its file is gone"
    except FileUnfit as fault:
        return str(fault)
    except (OSError, pa.ArrowInvalid):
        # Of a garbled footer the Parquet library tells in the same way as of storage that does not answer.
        _read_its_end(io, path)
        return "it cannot be read as Parquet"
    return "" if found == rows else "it does not have the rows that its manifest says"


def _read_its_end(io: FileIO, path: str) -> None:
    """Raises what storage raises."""
    source = io.new_input(path)
    with source.open() as stream:
        stream.seek(max(len(source) - _END_BYTES, 0))
        stream.read(_END_BYTES)


def _read_all(io: FileIO, path: str) -> None:
    """Raises what storage raises."""
    with io.new_input(path).open() as stream:
        while stream.read(_READ_BYTES):
            pass


@dataclass(frozen=True, slots=True)
class CopiedColumn:
    """Of the table; *place* is that of the file's column, None where the file is older than the column."""

    field: pa.Field
    place: int | None


class Columns:
    """The columns of a table, and how those of a file become them without a change of any value."""

    def __init__(self, schema: Schema, spec: PartitionSpec) -> None:
        self.schema = arrow_schema(schema)
        # Iceberg lets a file leave these out: their value is then that of the partition.
        self._of_partition = {f.source_id for f in spec.fields if isinstance(f.transform, IdentityTransform)}

    def of(self, parquet: pq.ParquetFile) -> list[CopiedColumn]:
        """Raises FileUnfit."""
        if any(parquet.schema.column(n).physical_type == "INT96" for n in range(len(parquet.schema.names))):
            raise FileUnfit("it has INT96 timestamps")
        places: dict[int, int] = {}
        for place, field in enumerate(parquet.schema_arrow):
            field_id = _id(field)
            if field_id is None:
                raise FileUnfit(f"its column {field.name} has no field id")
            if places.setdefault(field_id, place) != place:
                raise FileUnfit(f"its column {field.name} has the field id of another one")
        return [self._column(field, parquet.schema_arrow, places.get(_required_id(field))) for field in self.schema]

    def taken(self, columns: list[CopiedColumn], batch: pa.RecordBatch) -> pa.Table:
        """The rows of *batch*, which has all columns of its file."""
        taken = [
            pa.nulls(batch.num_rows, c.field.type) if c.place is None else _as(batch.column(c.place), c.field)
            for c in columns
        ]
        return pa.Table.from_arrays(taken, schema=self.schema)

    def _column(self, field: pa.Field, file: pa.Schema, place: int | None) -> CopiedColumn:
        if place is None:
            if not field.nullable or _required_id(field) in self._of_partition:
                raise FileUnfit(f"it lacks the column {field.name}")
        elif not _fits(file.field(place), field):
            raise FileUnfit(f"its column {field.name} is {file.field(place).type}, the table's is {field.type}")
        return CopiedColumn(field, place)


def _pieces(
    io: FileIO, columns: Columns, sources: tuple[tuple[str, int], ...], table: str, limit_bytes: int
) -> Iterator[pa.Table]:
    """The rows of all files in their order, some at a time."""
    held: list[pa.Table] = []
    held_bytes = 0
    for path, _ in sources:
        with _faults(io, table, path), _opened(io, path) as parquet:
            found = columns.of(parquet)
            for batch in batches(parquet, limit_bytes):
                rows = columns.taken(found, batch)
                held.append(rows)
                held_bytes += rows.nbytes
                if held_bytes >= limit_bytes:
                    yield pa.concat_tables(held)
                    held, held_bytes = [], 0
    if held:
        yield pa.concat_tables(held)


def batches(parquet: pq.ParquetFile, limit_bytes: int, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """All rows in their order, of all *columns* where none are named, as many at a time as are likely to take *limit_bytes* in
    memory."""
    most = _most_rows(parquet, limit_bytes)
    size = min(FEW_ROWS, most)
    for group in range(parquet.num_row_groups):
        rows, done = parquet.metadata.row_group(group).num_rows, 0
        while done < rows:
            at = 0
            # How many rows a read takes is fixed once it has begun; another one skips what was read.
            for batch in parquet.iter_batches(size, row_groups=[group], columns=columns):
                at += batch.num_rows
                if at <= done:
                    continue
                fresh = batch.slice(max(0, done - (at - batch.num_rows)))
                done = at
                yield fresh
                fit = max(1, limit_bytes * fresh.num_rows // max(fresh.nbytes, 1))
                if fit < size:
                    # Not again: else a file of both kinds of rows would be read back and forth.
                    size = most = max(1, min(fit, size // 2))
                    break
                if size < most and done >= _GROWTH * size and fit >= _GROWTH * size:
                    size = min(_GROWTH * size, most)
                    break


def _most_rows(parquet: pq.ParquetFile, limit_bytes: int) -> int:
    groups = [parquet.metadata.row_group(n) for n in range(parquet.num_row_groups)]
    bytes_a_row = max((g.total_byte_size // max(g.num_rows, 1) for g in groups), default=0)
    return max(1, min(MOST_ROWS_A_READ, limit_bytes // max(bytes_a_row, 1)))


@contextmanager
def _opened(io: FileIO, path: str) -> Iterator[pq.ParquetFile]:
    # Column chunks are read piece by piece: whole ones, of all columns at once, may be larger than what is held.
    with (
        io.new_input(path).open() as stream,
        pq.ParquetFile(stream, buffer_size=_READ_BYTES, pre_buffer=False) as parquet,
    ):
        yield parquet


def _id(field: pa.Field) -> int | None:
    text = (field.metadata or {}).get(_ID)
    return None if text is None else int(text)


def _required_id(field: pa.Field) -> int:
    return int(field.metadata[_ID])


def _fits(have: pa.Field, want: pa.Field) -> bool:
    """Whether every value of *have* is one of *want*, of the same meaning. Types inside others must be the same."""
    if pa.types.is_nested(want.type):
        return _same(have, want, named=False)
    kind = _plain(have.type)
    wanted = _plain(want.type)
    if pa.types.is_decimal(kind) and pa.types.is_decimal(wanted):
        return bool(kind.scale == wanted.scale and kind.precision <= wanted.precision)
    if pa.types.is_timestamp(kind) and pa.types.is_timestamp(wanted):
        return (kind.tz is None) == (wanted.tz is None) and kind.unit in {*_COARSER, wanted.unit}
    return bool(kind == wanted or _WIDER.get(kind) == wanted)


def _same(have: pa.Field, want: pa.Field, named: bool = True) -> bool:
    """Also in the names of what is inside structs, in ids, and in what may be null."""
    if have.nullable and not want.nullable:
        return False
    if named and (_id(have) != _id(want)):
        return False
    one, other = small_type(have.type), want.type
    if one.id != other.id:
        return False
    if pa.types.is_struct(other):
        return bool(
            [f.name for f in one] == [f.name for f in other]
            and all(_same(a, b) for a, b in zip(one, other, strict=True))
        )
    if pa.types.is_list(other):
        return _same(one.value_field, other.value_field)
    if pa.types.is_map(other):
        return _same(one.key_field, other.key_field) and _same(one.item_field, other.item_field)
    return bool(_plain(one) == _plain(other))


def _plain(kind: pa.DataType) -> pa.DataType:
    """Without what says only how it lies in memory."""
    kind = small_type(kind)
    return kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind


def _as(column: pa.Array, field: pa.Field) -> pa.Array:
    if column.null_count and not field.nullable:
        raise FileUnfit(f"its column {field.name} has nulls, which the table's must not have")
    if column.type == field.type:
        return column
    if isinstance(field.type, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(field.type, column.cast(field.type.storage_type))
    return column.cast(field.type)


@contextmanager
def _faults(io: FileIO, table: str, path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as fault:
        raise TableUnfit(f"table {table}: data file {path} is gone.", State.FILES_KEPT, "Restore it.") from fault
    except OSError as fault:
        try:
            _read_all(io, path)
        except OSError:
            raise storage_fault(fault, table, path, State.FILES_KEPT, "read") from fault
        # As of a garbled footer: it was not the storage.
        raise _Poison(path, one_line(fault)) from fault
    except MemoryError:
        raise
    except (FileUnfit, pa.ArrowException) as fault:
        raise _Poison(path, one_line(fault)) from fault
