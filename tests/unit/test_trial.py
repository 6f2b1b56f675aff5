"""A row of zeros is a row of any table: where not even that can be written, no record is at fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.parquet.file import ParquetFile
from lakelock.errors import State, TableUnfit, Unreachable
from lakelock.model.column_types import Column, ColumnType, Integer, ListOf, MapOf, Struct, Text, Uuid
from lakelock.model.type_notation import parse_type, type_name
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import EMPTY_VALUE, Reason
from lakelock.workers.trial import Trial, may_be_of_records

ITEM = Struct((Column("u", Uuid(), required=True), Column("m", MapOf(Text(), Integer(32), True), required=True)))
KINDS = [
    *map(parse_type, (
        "boolean", "int", "long", "float", "double", "decimal(38,2)", "date", "time", "timestamp", "timestamptz", "string",
        "uuid", "fixed(7)", "binary",
    )), ITEM, ListOf(ITEM, element_required=True),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=type_name)
def test_every_type_has_a_zero(tmp_path: Path, kind: ColumnType) -> None:
    Trial(target(tmp_path, "t", (Column("c", kind, required=True),), ["topic"]))


def refusing(monkeypatch: pytest.MonkeyPatch, refuses: Callable[[list[Any]], bool], fault: Exception) -> None:
    append = ParquetFile.append

    def one(self: ParquetFile, rows: pa.Table) -> int:
        if refuses(rows.column("id").to_pylist()):
            raise fault
        return append(self, rows)

    monkeypatch.setattr(ParquetFile, "append", one)


def test_rows_that_no_file_holds_are_found_among_the_good_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, lambda ids: bool({13, 700} & set(ids)), TypeError("not this one"))
    rows = pa.table({"id": pa.array([i for i in range(1, 1001) if i != 500], pa.int64())})
    empty = BadRecord(500, "decode", Reason(EMPTY_VALUE, "the value is empty"))
    found = Trial(target(tmp_path, "t", columns({"id": "long"}), ["topic"])).sifted(
        Decoded(rows, [i for i in range(1, 1001) if i != 500], [empty])
    )
    assert [(b.index, b.stage) for b in found.bad] == [(13, "write"), (500, "decode"), (700, "write")]
    assert "not this one" in found.bad[0].reason.message
    assert found.table.column("id").to_pylist() == found.good
    assert len(found.good or ()) == 997


def test_a_table_that_takes_no_row_is_at_fault_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, lambda ids: True, TableUnfit("no row at all.", State.PART_PLANNED))
    with pytest.raises(TableUnfit, match="no row at all"):
        Trial(target(tmp_path, "t", columns({"id": "long"}), ["topic"]))


def test_storage_and_memory_are_no_records_fault() -> None:
    unreachable = Unreachable("The warehouse is down.", State.PART_PLANNED, "Wait.")
    assert not any(may_be_of_records(f) for f in (unreachable, OSError(), MemoryError()))
    assert all(may_be_of_records(f) for f in (TableUnfit("x", State.PART_PLANNED), TypeError(), pa.ArrowInvalid()))
