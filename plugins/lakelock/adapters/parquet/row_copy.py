"""Copy the rows of data files unchanged into new ones, reading each file under its own schema."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyiceberg.io import FileIO
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC

from lakelock.adapters.parquet.copied_columns import Columns, FileUnfit
from lakelock.adapters.parquet.data_file_json import partition_of
from lakelock.adapters.parquet.file import Folder, ParquetFile, storage_fault
from lakelock.adapters.parquet.routes import PartitionRouter
from lakelock.adapters.parquet.row_batches import batches
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.errors import BooksUnbalanced, State, TableUnfit
from lakelock.model.batches import DataFile
from lakelock.model.table_files import RowsOf
from lakelock.model.units import as_reason
from lakelock.ports import CopyOrder, CopyOutput
from lakelock.upkeep.compact_decision import ATTEMPT, DEFAULT_TARGET_BYTES

BUFFER_BYTES = 32 << 20
_END_BYTES = 1 << 16
_READ_BYTES = 1 << 20


class _Poison(Exception):
    """The path of a file that cannot be copied, and the reason."""

    def __init__(self, path: str, why: str) -> None:
        self.unfit = (path, why)


class _Sink(Protocol):
    def write(self, rows: pa.Table) -> None: ...

    def finish(self) -> tuple[DataFile, ...]: ...

    def abandon(self) -> None: ...


class _OneFile:
    """Takes rows of one partition."""

    def __init__(self, folder: Folder, partition: str) -> None:
        self._folder, self._partition = folder, partition
        layout = folder.layout
        self._order = layout.sort_order
        self._router = PartitionRouter(folder.schema, layout.spec, self._order)
        self._file: ParquetFile | None = None

    def write(self, rows: pa.Table) -> None:
        self._file = self._file or ParquetFile(self._folder, partition_of(self._partition))
        self._file.append(self._router.sorted(rows))

    def finish(self) -> tuple[DataFile, ...]:
        return (self._file.close(self._order.order_id if self._order.fields else None),) if self._file else ()

    def abandon(self) -> None:
        self._file = None


def copy_files(order: CopyOrder, slice_no: int) -> CopyOutput:
    """Copy the files of a slice into one, or into those of several partitions.

    There is none if they have no rows, or one of them cannot be copied. Raises TableUnfit, Unreachable, AccessDenied,
    BooksUnbalanced; nothing then references a file written before.
    """
    target, (partition, sources) = order.target, (order.slices[slice_no].partition, order.slices[slice_no].files)
    folder = Folder(target, order.group_id, ATTEMPT, State.FILES_KEPT)
    # A file that has no partition has all columns.
    columns = Columns(folder.schema, folder.layout.spec if partition is not None else UNPARTITIONED_PARTITION_SPEC)
    limit_bytes = min(BUFFER_BYTES, folder.wanted.row_group_bytes or BUFFER_BYTES)
    sink: _Sink
    if partition is None:
        sink = TableWriter(target, order.group_id, ATTEMPT, DEFAULT_TARGET_BYTES, kept=State.FILES_KEPT)
    else:
        sink = _OneFile(folder, partition)
    read = kept = 0
    try:
        for piece in _pieces(folder.io, columns, sources, target.table, limit_bytes):
            read += piece.num_rows
            rows = piece if order.without is None else outside(piece, order.without)
            kept += rows.num_rows
            if rows.num_rows:
                with _writing(partition, sources):
                    sink.write(rows)
        with _writing(partition, sources):
            files = sink.finish()
    except _Poison as fault:
        sink.abandon()
        return CopyOutput(slice_no, (), fault.unfit)
    except BaseException:
        sink.abandon()
        raise
    wanted, written = sum(rows for _, rows in sources), sum(f.rows for f in files)
    if wanted != read or kept != written:
        raise BooksUnbalanced(
            f"table {target.table}: its manifests say that {len(sources)} files have {wanted} rows. {read} were read, "
            f"{kept} were selected for the copy, and {written} were written. The first file is {sources[0][0]}.",
            State.FILES_KEPT,
        )
    return CopyOutput(slice_no, files)


def outside(rows: pa.Table, without: RowsOf) -> pa.Table:
    """Of *rows* those that are none of *without*; one without partition or offset is none."""
    partition, offset = (rows.column(name) for name in without.columns)
    inner = pa.scalar(False)
    for number, start, end in without.numbers:
        within = pc.and_kleene(pc.greater_equal(offset, start), pc.less(offset, end))
        inner = pc.or_kleene(inner, pc.and_kleene(pc.equal(partition, number), within))
    return rows.filter(pc.invert(pc.fill_null(inner, False)))


def why_unfit(io: FileIO, path: str, rows: int, columns: Columns) -> str:
    """Why the footer at *path* rules out a copy; empty if it does not. Raises the storage's errors."""
    try:
        with _opened(io, path) as parquet:
            columns.of(parquet)
            found = parquet.metadata.num_rows
    except FileNotFoundError:
        return "its file is gone"
    except FileUnfit as fault:
        return str(fault)
    except (OSError, pa.ArrowInvalid):
        # The Parquet library raises the same errors for a garbled footer as for storage that does not answer.
        _read_its_end(io, path)
        return "it cannot be read as Parquet"
    return "" if found == rows else "it does not have the rows that its manifest says"


def _read_its_end(io: FileIO, path: str) -> None:
    """Read the end of the file; raises the storage's errors."""
    source = io.new_input(path)
    with source.open() as stream:
        stream.seek(max(len(source) - _END_BYTES, 0))
        stream.read(_END_BYTES)


def _read_all(io: FileIO, path: str) -> None:
    """Read the whole file; raises the storage's errors."""
    with io.new_input(path).open() as stream:
        while stream.read(_READ_BYTES):
            pass


def _pieces(
    io: FileIO, columns: Columns, sources: tuple[tuple[str, int], ...], table: str, limit_bytes: int
) -> Iterator[pa.Table]:
    """The rows of all files in order, in blocks."""
    buffered: list[pa.Table] = []
    buffered_bytes = 0
    for path, _ in sources:
        with _faults(io, table, path), _opened(io, path) as parquet:
            found = columns.of(parquet)
            for batch in batches(parquet, limit_bytes):
                rows = columns.taken(found, batch)
                buffered.append(rows)
                buffered_bytes += rows.nbytes
                if buffered_bytes >= limit_bytes:
                    yield pa.concat_tables(buffered)
                    buffered, buffered_bytes = [], 0
    if buffered:
        yield pa.concat_tables(buffered)


@contextmanager
def _writing(partition: str | None, sources: tuple[tuple[str, int], ...]) -> Iterator[None]:
    """Rows that landed without partitions stay so if they fit none: the table may have got other partitions since."""
    try:
        yield
    except (TableUnfit, pa.ArrowException, ValueError, ArithmeticError) as fault:
        if partition is not None or isinstance(fault, MemoryError):
            raise
        raise _Poison(sources[0][0], f"its rows, or those beside it, fit no partition: {as_reason(fault)}") from fault


@contextmanager
def _opened(io: FileIO, path: str) -> Iterator[pq.ParquetFile]:
    # Read column chunks piece by piece: whole chunks of all columns may exceed the memory limit.
    with (
        io.new_input(path).open() as stream,
        pq.ParquetFile(stream, buffer_size=_READ_BYTES, pre_buffer=False) as parquet,
    ):
        yield parquet


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
        raise _Poison(path, as_reason(fault)) from fault
    except MemoryError:
        raise
    except (FileUnfit, pa.ArrowException) as fault:
        raise _Poison(path, as_reason(fault)) from fault
