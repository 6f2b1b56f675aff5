"""Write rows to Parquet data files of one Iceberg table: routed by partition, with bounded file size and memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

import pyarrow as pa
from pyiceberg.typedef import Record

from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.file import Folder, ParquetFile
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.nameable import LaterPartitions, check_nameable
from lakelock.adapters.parquet.routes import Partition, PartitionRouter, RowRun
from lakelock.errors import State
from lakelock.model.batches import DataFile
from lakelock.ports import Target

BUFFER_BYTES = 32 << 20
# A smaller buffer is set aside whole if other tables need its memory: its row groups would be small.
ROW_GROUP_BYTES = 8 << 20
OPEN_FILES = 16
# A partition with this share of a buffer gets a row group at once; rows of smaller ones wait on the local disk.
DIRECT_SHARE = 0.2


class TableWriter:
    """Writes row batches of one table; `finish` returns the files. Nothing references the files of a writer that fails.

    It buffers *buffer_bytes* of Arrow data, and needs a few times as much while ordering and encoding. Writers of one
    *budget*, which their caller closes, share memory, open files and local disk.
    """

    def __init__(
        self,
        target: Target,
        batch_id: str,
        attempt: str,
        file_bytes: int,
        buffer_bytes: int = BUFFER_BYTES,
        kept: State = State.PART_PLANNED,
        budget: WriterBudget | None = None,
    ) -> None:
        """*kept* is the state for its errors."""
        self._budget = budget or WriterBudget(kept=kept)
        self._is_alone = budget is None
        self._late_fault: Exception | None = None
        self._folder = Folder(target, batch_id, attempt, kept, self._budget)
        self._kept = kept
        self.arrow_schema = self._folder.arrow_schema
        self._order, self._spec = self._folder.layout.sort_order, self._folder.layout.spec
        self._router = PartitionRouter(self._folder.schema, self._spec, self._order)
        self._later: LaterPartitions | None = None
        if target.partitioned is not None:
            later = FileLayout.of(target.partitioned).spec
            self._later = LaterPartitions(target.table, self._folder.schema, later, kept)
        wanted = self._folder.wanted
        self._file_bytes = min(file_bytes, wanted.file_bytes or file_bytes)
        self._buffer_bytes = min(buffer_bytes, wanted.row_group_bytes or buffer_bytes)
        self._buffer: list[pa.Table] = []
        self._buffered_bytes = 0
        self._spilled: dict[Partition, Record] = {}
        self._open: OrderedDict[Partition, ParquetFile] = OrderedDict()
        self._files: list[DataFile] = []

    def write(self, rows: pa.Table) -> None:
        self._raise_late_fault()
        if not rows.num_rows:
            return
        self._buffer.append(rows)
        self._buffered_bytes += rows.nbytes
        if self._buffered_bytes >= self._buffer_bytes:
            self._empty(DIRECT_SHARE)
        self._budget.holds(self, self._buffered_bytes)

    def make_room(self) -> None:
        """Empty the buffer on behalf of another table's writer. An error is raised by the next call on this one."""
        try:
            self._empty(DIRECT_SHARE if self._buffered_bytes >= ROW_GROUP_BYTES else None)
        except Exception as fault:
            self.abandon()
            self._late_fault = fault

    def close_file(self, key: Hashable) -> None:
        """As `make_room`, for an open file."""
        assert isinstance(key, tuple)
        try:
            self._close(key)
        except Exception as fault:
            self.abandon()
            self._late_fault = fault

    def _empty(self, direct_share: float | None) -> None:
        """Write the buffered rows of partitions with this share of them; set the others aside, all of them if None."""
        if not self._buffer:
            return
        rows, runs = self._routed()
        for run in runs:
            piece = rows.slice(run.start, run.end - run.start)
            if direct_share is not None and piece.num_rows >= direct_share * rows.num_rows:
                self._append(run.partition, run.record, piece)
            else:
                self._set_aside(run, piece)

    def _raise_late_fault(self) -> None:
        if self._late_fault is not None:
            raise self._late_fault

    def finish(self) -> tuple[DataFile, ...]:
        """Write the remaining rows, including those set aside, and return every file.

        Raises TableUnfit for files that no commit could describe.
        """
        self._raise_late_fault()
        if self._buffer:
            rows, runs = self._routed()
            for run in runs:
                piece = rows.slice(run.start, run.end - run.start)
                if run.partition in self._spilled:
                    self._set_aside(run, piece)
                else:
                    self._append(run.partition, run.record, piece)
            del rows
        for partition, record in self._spilled.items():
            for piece in self._budget.disk.take((self, partition), self.arrow_schema, self._buffer_bytes):
                self._append(partition, record, self._router.sorted(piece))
        for partition in list(self._open):
            self._close(partition)
        self._leave()
        if self._later is not None:
            self._later.check()
        check_nameable(self._folder.table, self._folder.schema, self._spec, self._files, self._kept)
        return tuple(self._files)

    def abandon(self) -> None:
        """Free memory and local disk; files written so far stay, referenced by nothing."""
        self._buffer, self._buffered_bytes = [], 0
        self._open.clear()
        for partition in self._spilled:
            self._budget.disk.drop((self, partition))
        self._spilled.clear()
        self._leave()

    def _leave(self) -> None:
        self._budget.forget(self)
        if self._is_alone:
            self._budget.close()

    def _routed(self) -> tuple[pa.Table, list[RowRun]]:
        rows = pa.concat_tables(self._buffer)
        self._buffer, self._buffered_bytes = [], 0
        if self._later is not None:
            self._later.add(rows)
        return self._router.routed(rows)

    def _set_aside(self, run: RowRun, piece: pa.Table) -> None:
        self._spilled[run.partition] = run.record
        self._budget.disk.add((self, run.partition), piece)

    def _append(self, partition: Partition, record: Record, rows: pa.Table) -> None:
        file = self._open.pop(partition, None) or ParquetFile(self._folder, record)
        self._open[partition] = file
        self._budget.uses(self, partition)
        # Another file of this table may have been closed for this one.
        self._raise_late_fault()
        if file.append(rows) >= self._file_bytes:
            self._close(partition)
        while len(self._open) > OPEN_FILES:
            self._close(next(iter(self._open)))

    def _close(self, partition: Partition) -> None:
        order_id = self._order.order_id if self._order.fields else None
        self._budget.closed(self, partition)
        self._files.append(self._open.pop(partition).close(order_id))
