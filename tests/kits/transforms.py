"""One record through a task's path into a table that a pipeline file declares: its row, its dead letter, or neither."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from lakelock.adapters.iceberg.definitions import partition_spec_of, schema_of
from lakelock.adapters.iceberg.handle import plain
from lakelock.adapters.kafka.block import Block, Original
from lakelock.config import Pipeline, load_pipeline
from lakelock.ingest.write_order import filling_of
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import TableDefinition, Target, WriteOrder
from lakelock.records import dead_letters as letters
from lakelock.records.decompression import parts
from lakelock.records.headers import headers_array
from lakelock.records.metadata import TIMESTAMP_TYPES, with_metadata_columns
from lakelock.records.values import Values
from lakelock.workers.sink import Sink

from kits.conversions import shown_as
from kits.slices import target
from kits.transform_cases import FILTERED, OF_PIPELINE, Record


class _One:
    """The messages of a block with one record."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def original(self, index: int) -> Original:
        assert index == 0
        return Original(self._record.key, self._record.value, tuple(self._record.headers))

    def keys(self, start: int, count: int) -> Values:
        assert (start, count) == (0, 1)
        return Values.from_list([self._record.key])

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        assert (start, count) == (0, 1)
        return pa.array([None if self._record.timestamp_ms is None else TIMESTAMP_TYPES[0]], pa.string())

    def headers(self, start: int, count: int) -> pa.Array:
        assert (start, count) == (0, 1)
        return headers_array([self._record.headers])


def pipeline_of(folder: Path, settings: Sequence[str], topic: str) -> Pipeline:
    """A pipeline file with *settings*, whose table is `shop.orders`."""
    defaults = [f"source: {{topics: [{topic}]}}", "metadata_columns: false"]
    own = [line for line in settings if line.startswith(OF_PIPELINE)]
    of_table = [line for line in settings if line not in own]
    names = {line.partition(":")[0] for line in own}
    top = [*own, *(line for line in defaults if line.partition(":")[0] not in names)]
    file = folder / "p.yaml"
    lines = [*top, "tables:", "  - name: shop.orders", *(f"    {line}" for line in of_table)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load_pipeline(file, {})


def target_of(folder: Path, pipeline: Pipeline, topic: str, mask_keys: Mapping[str, str] | None = None) -> Target:
    """The pipeline's only table, as it is created, which takes *topic*."""
    (table,) = pipeline.tables
    assert topic in pipeline.source.topics or re.fullmatch(pipeline.source.topics_regex or "", topic)
    assert pipeline.takes(table, topic)
    columns = with_metadata_columns(
        table.name, table.with_rest_column(table.declared), pipeline.metadata_columns_by_key
    )
    spec = plain(partition_spec_of(table.partition_by, schema_of(TableDefinition(columns))))
    return target(folder, "t", columns, [topic], spec=spec, **filling_of(pipeline, table, mask_keys or {}))


def outcome(folder: Path, settings: Sequence[str], record: Record) -> tuple[dict[str, str] | None, str]:
    """The row, values as shown, and "", or else None and the kind of the dead letter, or that it was filtered."""
    pipeline = pipeline_of(folder, settings, record.topic)
    wanted = target_of(folder, pipeline, record.topic)
    source = Source(record.topic, "id", record.partition)
    order = WriteOrder(
        pipeline=pipeline.name,
        batch_id=str(uuid.uuid4()),
        attempt=str(uuid.uuid4()),
        slices=((OffsetRange(source, record.offset, record.offset + 1),),),
        targets=(wanted,),
        dead_letters=target(folder, "dead", letters.COLUMNS, wanted.topics),
        kafka={},
        compression=pipeline.value.compression,
        skips_tombstones=pipeline.value.tombstones == "skip",
    )
    sink = Sink(wanted, order, False)
    sink.open_books(order.slices[0])
    stamp = -1 if record.timestamp_ms is None else record.timestamp_ms
    block = Block(
        record.topic,
        _One(record),
        Values.from_list([record.value]),
        np.array([record.partition], np.int32),
        np.array([record.offset], np.int64),
        np.array([stamp], np.int64),
    )
    for part in parts(block.values, order.compression, order.block_bytes):
        taken = block.part(part.start, part.values)
        sink.take(taken, part.unfit, taken.shares(), {"decode": 0.0, "write": 0.0})
    rows, dead = sink.finish()
    assert sink.fault is None
    (books,) = rows.books
    assert books.read == books.written + books.dead + books.filtered == 1
    if books.filtered:
        return None, FILTERED
    (one,) = _read([f.path for output in (rows, dead) for f in output.files])
    if books.dead:
        return None, str(one["kind"])
    return {c.name: shown_as(one[c.name], c.type) for c in wanted.columns}, ""


def _read(paths: Sequence[str]) -> list[dict[str, Any]]:
    tables = [pq.read_table(path.removeprefix("file://"), partitioning=None) for path in paths]
    return [row for table in tables for row in table.to_pylist(maps_as_pydicts="strict")]
