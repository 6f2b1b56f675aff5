"""Write rows to Parquet data files of one Iceberg table: routed by partition, with bounded file size and memory."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress

import pyarrow as pa
from pyiceberg.typedef import Record

from lakelock.adapters.parquet.file import Folder, ParquetFile
from lakelock.adapters.parquet.nameable import check_nameable
from lakelock.adapters.parquet.routes import Partition, Router, RowRun
from lakelock.adapters.parquet.spill import Spill
from lakelock.errors import State
from lakelock.model.batches import DataFile
from lakelock.ports import Target

BUFFER_BYTES = 32 << 20
OPEN_FILES = 16
# A partition with this share of a buffer gets a row group at once; rows of smaller ones wait on the local disk.
DIRECT_SHARE = 0.2


class TableWriter:
    """Writes row batches of one table; `finish` returns the files. Nothing references the files of a writer that fails.

    It buffers *buffer_bytes* of Arrow data, and needs a few times as much while ordering and encoding.
    """

    def __init__(
        self,
        target: Target,
        batch_id: str,
        attempt: str,
        file_bytes: int,
        buffer_bytes: int = BUFFER_BYTES,
        kept: State = State.PART_PLANNED,
    ) -> None:
        """*kept* is the state for its errors."""
        self._folder = Folder(target, batch_id, attempt, kept)
        self._kept = kept
        self.arrow_schema = self._folder.arrow_schema
        self._order, self._spec = self._folder.layout.sort_order, self._folder.layout.spec
        self._router = Router(self._folder.schema, self._spec, self._order)
        wanted = self._folder.wanted
        self._file_bytes = min(file_bytes, wanted.file_bytes or file_bytes)
        self._buffer_bytes = min(buffer_bytes, wanted.row_group_bytes or buffer_bytes)
        self._buffer: list[pa.Table] = []
        self._buffered_bytes = 0
        self._spill: Spill | None = None
        self._spilled: dict[Partition, Record] = {}
        self._open: OrderedDict[Partition, ParquetFile] = OrderedDict()
        self._files: list[DataFile] = []

    def write(self, rows: pa.Table) -> None:
        if not rows.num_rows:
            return
        self._buffer.append(rows)
        self._buffered_bytes += rows.nbytes
        if self._buffered_bytes >= self._buffer_bytes:
            rows, runs = self._routed()
            for run in runs:
                piece = rows.slice(run.start, run.end - run.start)
                if piece.num_rows >= DIRECT_SHARE * rows.num_rows:
                    self._append(run.partition, run.record, piece)
                else:
                    self._set_aside(run, piece)

    def finish(self) -> tuple[DataFile, ...]:
        """Write the remaining rows, including those set aside, and return every file.

        Raises TableUnfit for files that no commit could describe.
        """
        if self._buffer:
            rows, runs = self._routed()
            for run in runs:
                piece = rows.slice(run.start, run.end - run.start)
                if run.partition in self._spilled:
                    self._set_aside(run, piece)
                else:
                    self._append(run.partition, run.record, piece)
            del rows
        if self._spill:
            for partition, record in self._spilled.items():
                for piece in self._spill.take(partition, self._buffer_bytes):
                    self._append(partition, record, self._router.sorted(piece))
            self._spill.close()
        for partition in list(self._open):
            self._close(partition)
        check_nameable(self._folder.table, self._folder.schema, self._spec, self._files, self._kept)
        return tuple(self._files)

    def abandon(self) -> None:
        """Free memory and local disk; files written so far stay, referenced by nothing."""
        self._buffer, self._buffered_bytes = [], 0
        self._open.clear()
        self._spilled.clear()
        if self._spill:
            # Closing flushes buffered rows, which fails on a full disk.
            with suppress(OSError):
                self._spill.close()
            self._spill = None

    def _routed(self) -> tuple[pa.Table, list[RowRun]]:
        rows = pa.concat_tables(self._buffer)
        self._buffer, self._buffered_bytes = [], 0
        return self._router.routed(rows)

    def _set_aside(self, run: RowRun, piece: pa.Table) -> None:
        if self._spill is None:
            self._spill = Spill(self.arrow_schema)
        self._spilled[run.partition] = run.record
        self._spill.add(run.partition, piece)

    def _append(self, partition: Partition, record: Record, rows: pa.Table) -> None:
        file = self._open.pop(partition, None) or ParquetFile(self._folder, record)
        self._open[partition] = file
        if file.append(rows) >= self._file_bytes:
            self._close(partition)
        while len(self._open) > OPEN_FILES:
            self._close(next(iter(self._open)))

    def _close(self, partition: Partition) -> None:
        order_id = self._order.order_id if self._order.fields else None
        self._files.append(self._open.pop(partition).close(order_id))
