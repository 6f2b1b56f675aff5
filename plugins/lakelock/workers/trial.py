"""Find the records that no data file can hold, or whose file no commit can describe."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from lakelock.adapters.parquet.file import Folder, ParquetFile
from lakelock.adapters.parquet.memory import MemoryIO
from lakelock.adapters.parquet.nameable import check_nameable
from lakelock.adapters.parquet.routes import PartitionRouter
from lakelock.errors import LakelockError, State, TableUnfit
from lakelock.model.units import as_reason
from lakelock.ports import Target
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import UNWRITABLE, Reason

# Each takes some 20 ms to find. If a slice has more, the table is at fault.
MOST_FOUND = 1_000


def may_be_of_records(fault: Exception) -> bool:
    """Whether a file might be written without some of the records; storage and memory fail for any record."""
    return isinstance(fault, TableUnfit) or not isinstance(fault, LakelockError | OSError | MemoryError)


class Trial:
    """Writes rows to memory as they will be written to the table, and describes the files as a commit will.

    This takes as long as writing them, so a slice uses it only after a file has failed. Raises TableUnfit for a table
    that refuses even a row of zeros, because no record is at fault then. Rows of files that land without partitions are tried
    in those that they get later. *kept* is the state for its errors.
    """

    def __init__(self, target: Target, kept: State = State.PART_PLANNED) -> None:
        self._kept = kept
        self._folder = Folder(replace(target, layout=target.final_layout), "trial", "trial", kept)
        self._folder.io = MemoryIO()
        layout = self._folder.layout
        self._spec = layout.spec
        self._router = PartitionRouter(layout.schema, layout.spec, layout.sort_order)
        self._found = 0
        try:
            self._try(row_of_zeros(self._folder.arrow_schema))
        except (OSError, MemoryError, LakelockError):
            raise
        except Exception as fault:
            raise self._unfit(fault) from fault

    def _unfit(self, fault: Exception) -> TableUnfit:
        return TableUnfit(
            f"table {self._folder.table}: its rows cannot be written: {_said(fault)}.",
            self._kept,
            "Check its columns, partition spec, sort order and write properties.",
        )

    def sifted(self, decoded: Decoded) -> Decoded:
        """Move rows that cannot be written to the bad records; raises TableUnfit if there are too many."""
        indexes = range(decoded.table.num_rows) if decoded.good is None else decoded.good
        bad = {indexes[row]: why for row, why in self._unwritable(decoded.table).items()}
        if not bad:
            return decoded
        others = decoded.without(frozenset(bad))
        found = [BadRecord(index, "write", why) for index, why in bad.items()]
        return replace(others, bad=sorted([*others.bad, *found], key=lambda b: b.index))

    def _unwritable(self, rows: pa.Table) -> dict[int, Reason]:
        """Reasons by row number; found by halving the range at each fault, down to single rows."""
        found: dict[int, Reason] = {}
        todo = [(0, rows.num_rows)]
        while todo:
            start, end = todo.pop()
            try:
                self._try(rows.slice(start, end - start))
            except (OSError, MemoryError):
                raise
            except Exception as fault:
                if end - start == 1:
                    self._found += 1
                    if self._found > MOST_FOUND:
                        raise self._unfit(fault) from fault
                    found[start] = Reason(UNWRITABLE, f"no data file can hold this record: {_said(fault)}")
                else:
                    middle = (start + end) // 2
                    todo += [(middle, end), (start, middle)]
        return found

    def _try(self, rows: pa.Table) -> None:
        routed, runs = self._router.routed(rows)
        files = []
        for run in runs:
            file = ParquetFile(self._folder, run.record)
            file.append(routed.slice(run.start, run.end - run.start))
            files.append(file.close(None))
        check_nameable(self._folder.table, self._folder.schema, self._spec, files, self._kept)


def _said(fault: Exception) -> str:
    """The fault alone, without the resulting state and the advice of a lakelock error."""
    if isinstance(fault, LakelockError):
        return fault.what.rstrip(".")
    return f"{type(fault).__name__}: {as_reason(fault)}"


def row_of_zeros(schema: pa.Schema) -> pa.Table:
    """One row with a non-null value in each column: a zero, an empty text, an empty list."""
    return pa.Table.from_arrays([_zero(f.type) for f in schema], schema=schema)


def _zero(kind: pa.DataType) -> pa.Array:
    if isinstance(kind, pa.ExtensionType):
        return pa.ExtensionArray.from_storage(kind, _zero(kind.storage_type))
    if pa.types.is_struct(kind):
        return pa.StructArray.from_arrays([_zero(f.type) for f in kind], fields=list(kind))
    null, nothing = pa.nulls(1, kind), pa.array([0, 0], pa.int32())
    if pa.types.is_list(kind):
        return pa.ListArray.from_arrays(nothing, null.values[:0], kind)
    if pa.types.is_map(kind):
        return pa.MapArray.from_arrays(nothing, null.keys[:0], null.items[:0], kind)
    # Drop the validity buffer, which marks the value as null.
    return pa.Array.from_buffers(kind, 1, [None, *null.buffers()[1:]])
