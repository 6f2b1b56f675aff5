"""Close a batch of a pipeline with routes: give the tables that its records are routed to their parts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from lakelock.adapters.wal.attempts import lock_batch
from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.planning import add_parts, keep_config
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.routed_names import read_retirements, read_routed
from lakelock.adapters.wal.row_reading import read_batches
from lakelock.adapters.wal.server import Connection
from lakelock.ingest.closing_decision import fault_of, overtaken, retired_since
from lakelock.model.batches import Batch, Closing
from lakelock.model.offsets import OffsetRange


def digest_of(closing: Closing) -> str:
    """The same for closings that say the same."""
    tables = {name: sorted(topics) for name, topics in closing.tables.items()}
    books = sorted(
        (*_key(b.range), b.range.start, b.range.end, b.read, b.written, b.dead, b.filtered) for b in closing.books
    )
    return hashlib.sha256(json.dumps([tables, books], sort_keys=True).encode()).hexdigest()[:32]


def close(
    connection: Connection,
    batch_id: str,
    batch: Mapping[str, Any],
    attempt: str,
    closing: Closing,
    range_ids: Mapping[OffsetRange, int],
    have_parts: set[str],
) -> str | None:
    """Close the locked *batch*, which *attempt* holds; the reason if *closing* does not fit it, with nothing to keep.

    Raises BatchChanged if a table of it was retired while the attempt wrote.
    """
    sql = queries("routes")
    batch_no, pipeline = batch["batch_no"], batch["pipeline"]
    if why := retired_since(closing, set(range_ids), read_retirements(connection, pipeline)):
        raise overtaken(batch_id, attempt, why)
    if fault := fault_of(closing, set(range_ids), have_parts, read_routed(connection, pipeline, closing.tables)):
        return fault
    key = {"batch_no": batch_no, "pipeline": pipeline, "attempt": attempt, "closing": digest_of(closing)}
    connection.execute(sql["close_batch"], key)
    connection.execute(
        sql["keep_batch_books"],
        {
            "range_ids": [range_ids[b.range] for b in closing.books],
            "read": [b.read for b in closing.books],
            "filtered": [b.filtered for b in closing.books],
            "unroutable": [b.dead for b in closing.books],
        },
    )
    pairs = [(table, topic) for table, topics in sorted(closing.tables.items()) for topic in topics]
    if pairs:
        columns = key | {"tables": [table for table, _ in pairs], "topics": [topic for _, topic in pairs]}
        connection.execute(sql["add_routed_parts"], columns)
        connection.execute(sql["keep_routed_topics"], columns)
    add_event(connection, batch_no, "closed", attempt=attempt, detail=f"{len(closing.tables)} routed tables")
    return None


def reconfigure(
    connection: Connection,
    batch_id: str,
    attempt: str,
    config: Mapping[str, object],
    digest: str,
    tables: Mapping[str, Sequence[str]],
) -> Batch | None:
    """See `BatchLog.reconfigure`."""
    batch = lock_batch(connection, batch_id)
    keep_config(connection, config, digest)
    key = {"batch_no": batch["batch_no"], "attempt": attempt, "digest": digest}
    if connection.execute(queries("routes")["reconfigure"], key).fetchone() is None:
        return None
    ranges = connection.execute(queries("stage")["ranges_of_batch"], {"batch_no": batch["batch_no"]})
    add_parts(connection, batch["pipeline"], batch["batch_no"], {row["topic"] for row in ranges}, tables)
    add_event(connection, batch["batch_no"], "reconfigured", attempt=attempt, detail=digest)
    return read_batches(connection, [batch["batch_no"]])[0]


def _key(r: OffsetRange) -> tuple[str, str, int]:
    return r.source.topic, r.source.topic_id, r.source.partition
