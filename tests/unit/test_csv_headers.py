"""Header lines are filtered and counted, or dead letters, and never both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.kafka.block import Block, Original, PartitionShare
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import WriteOrder
from lakelock.records import dead_letters as letters
from lakelock.records.csv.options import CsvOptions
from lakelock.records.values import Values
from lakelock.workers.sink import Sink
from lakelock.workers.table_blocks import TableBlocks

VALUES = [b"1,x\n", b"id,name\n", b"no,number", b'"id","name"', b"2,y\n", b"id,name"]
TABLE, TOPIC = "ns.t", "topic"


class Sent:
    """Records without keys and headers."""

    def original(self, index: int) -> Original:
        return Original(None, VALUES[index], None)

    def keys(self, start: int, count: int) -> Values:
        return Values.from_list([None] * count)

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        return pa.nulls(count, pa.string())

    def headers(self, start: int, count: int) -> pa.Array:
        raise AssertionError

    def keys_and_headers(self, start: int, count: int) -> tuple[Values | None, pa.Array | None]:
        raise NotImplementedError


def taken(
    folder: Path, header: str | None, decided: Sequence[int] = (), lost: Sequence[int] = ()
) -> tuple[list[Any], tuple[int, ...], list[tuple[int, str]]]:
    """The ids of rows; read, written, dead and filtered records; offset and kind of new dead letters."""
    source = Source(TOPIC, "id", 0)
    options = CsvOptions(header=header)
    wanted = target(
        folder,
        "t",
        columns({"id": "long", "name": "string"}),
        [TOPIC],
        metadata_columns={},
        format="csv",
        options=options,
    )
    r = OffsetRange(source, 0, len(VALUES))
    order = WriteOrder(
        pipeline="p",
        batch_id="b",
        attempt="a",
        slices=((r,),),
        targets=(wanted,),
        dead_letters=target(folder, "dead", letters.COLUMNS, [TOPIC], metadata_columns={}),
        kafka={},
        decided={TABLE: frozenset((TOPIC, 0, offset) for offset in decided)},
        lost={TABLE: frozenset((TOPIC, 0, offset) for offset in lost)},
    )
    sink = Sink(wanted, order, False, WriterBudget())
    sink.open_books([r])
    offsets = np.arange(len(VALUES))
    block = Block(
        TOPIC, Sent(), Values.from_list(list(VALUES)), np.zeros(len(VALUES), np.int32), offsets, offsets.copy()
    )
    blocks = TableBlocks(wanted, arrow_schema(FileLayout.of(wanted.layout).schema), skips_tombstones=False)
    read = blocks.of(block.values, block.metadata, {}, frozenset(decided), frozenset(lost))
    sink.take(block, read, None, [PartitionShare(0, len(VALUES), None, None)], {"decode": 0.0, "write": 0.0})
    rows, dead = sink.finish()
    (books,) = rows.books
    assert books.balanced
    assert sum(b.read for b in dead.books) == sum(f.rows for f in dead.files)
    landed = [pq.read_table(f.path.removeprefix("file://")) for f in rows.files]
    bad = [pq.read_table(f.path.removeprefix("file://")) for f in dead.files]
    return (
        [i for t in landed for i in t["id"].to_pylist()],
        (books.read, books.written, books.dead, books.filtered),
        [(d["offset"], d["kind"]) for t in bad for d in t.to_pylist()],
    )


@pytest.mark.parametrize("header", [None, "dead_letter"])
def test_header_lines_are_dead_letters(tmp_path: Path, header: str | None) -> None:
    kind = "header line" if header else "text that is no long"
    bad = [(1, kind), (2, "text that is no long"), (3, kind), (5, kind)]
    assert taken(tmp_path, header) == ([1, 2], (6, 2, 4, 0), bad)


def test_header_lines_are_filtered_except_for_those_that_are_dead_letters_already(tmp_path: Path) -> None:
    bad = [(2, "text that is no long")]
    assert taken(tmp_path / "all", "skip") == ([1, 2], (6, 2, 1, 3), bad)
    assert taken(tmp_path / "known", "skip", decided=[1], lost=[3]) == ([1, 2], (6, 2, 3, 1), bad)
