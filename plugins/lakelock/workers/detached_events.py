"""The events of a slice for another process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pyarrow as pa

from lakelock.adapters.kafka.detached import detached
from lakelock.ports import WriteOrder
from lakelock.workers.slice_events import BlockRead, Event, ReadEnded
from lakelock.workers.slice_parts import peak_memory_bytes
from lakelock.workers.slice_reading import read_slice


def read_detached(order: WriteOrder, slice_no: int) -> Iterator[tuple[Event, Mapping[str, pa.Table]]]:
    """The events of `read_slice` for another process, each with the rows of tables that have expressions."""
    return detached_events(order, read_slice(order, slice_no, detaches=True))


def detached_events(order: WriteOrder, events: Iterator[Event]) -> Iterator[tuple[Event, Mapping[str, pa.Table]]]:
    """*events* for another process, each with the rows of tables that have expressions."""
    inputs = {t.table: len(t.expressions.inputs) for t in order.targets if t.expressions is not None}
    for event in events:
        if isinstance(event, ReadEnded):
            yield replace(event, memory_bytes=peak_memory_bytes(event.memory_bytes, event.pid), pid=os.getpid()), {}
            continue
        if not isinstance(event, BlockRead):
            yield event, {}
            continue
        block, tables = event.block, []
        for of_table in event.tables:
            rows, own = of_table.decoded, of_table.decoded.table.num_columns - inputs.get(of_table.table, 0)
            tables.append(replace(of_table, decoded=replace(rows, table=rows.table.select(range(own)))))
        rows_by_table = {t.table: t.decoded.table for t in event.tables if t.table in inputs}
        yield BlockRead(detached(block), tables), rows_by_table
