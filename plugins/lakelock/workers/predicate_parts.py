"""Parts of a slice on their way through Spark, which evaluates the predicates of rules for their records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pyarrow as pa

from lakelock.adapters.kafka.detached import handed
from lakelock.model.batches import NO_TABLE
from lakelock.ports import Pieces, SliceOutput, WriteOrder
from lakelock.records.routing.predicates import Predicates
from lakelock.records.routing.seen_columns import seen
from lakelock.records.sql.outcomes import OUTCOME
from lakelock.workers import slice_reading
from lakelock.workers.detached_events import detached_events
from lakelock.workers.slice_events import Event
from lakelock.workers.slice_parts import Part, PartRead, read_parts
from lakelock.workers.slice_reading import events_of
from lakelock.workers.write import written

# A part, and by table what the predicates give for its records.
Judged = tuple[Part, Mapping[str, pa.Table]]


def read_for_predicates(order: WriteOrder, slice_no: int) -> Iterator[Judged]:
    """The parts of a slice for another process, each with the columns of its records that predicates see."""
    predicates = Predicates.of(order.router)
    assert predicates is not None
    with_types = any("timestamp_type" in t.metadata_columns for t in order.targets)
    parts = read_parts(order, slice_no, slice_reading.BLOCK_MESSAGES, lambda topic: True, notes_originals=True)
    for part in parts:
        if not isinstance(part, PartRead):
            yield part, {}
            continue
        block = part.block
        rows = seen(predicates.columns_seen, block.values, block.metadata)
        yield replace(part, block=handed(block, with_types=with_types)), {NO_TABLE: rows}


def write_judged(order: WriteOrder, slice_no: int, judged: Iterator[Judged]) -> SliceOutput:
    """Route and write the records of *judged* parts, as `write_read` does; for an order whose tables have no expressions."""
    (output,) = send_judged(order, slice_no, judged)
    assert isinstance(output, SliceOutput)
    return output


def send_judged(order: WriteOrder, slice_no: int, judged: Iterator[Judged]) -> Iterator[Pieces | SliceOutput]:
    """As `write_judged`: the pieces that a slice with a shuffle sends, and in the end its output."""
    stopped: set[str] = set()
    events = events_of(order, _with_outcomes(judged), stopped)
    yield from written(order, slice_no, ((event, {}) for event in events), stopped)


def route_judged(
    order: WriteOrder, slice_no: int, judged: Iterator[Judged]
) -> Iterator[tuple[Event, Mapping[str, pa.Table]]]:
    """The events of *judged* parts for another process, each with the rows of tables that have expressions."""
    return detached_events(order, events_of(order, _with_outcomes(judged), ()))


def _with_outcomes(judged: Iterator[Judged]) -> Iterator[tuple[Part, pa.Array | None]]:
    for part, results in judged:
        found = results.get(NO_TABLE)
        yield part, None if found is None else found.column(OUTCOME).combine_chunks()
