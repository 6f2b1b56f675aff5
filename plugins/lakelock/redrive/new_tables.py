"""Create a table for dead letters without one, as a batch does: nothing is committed to it before it is registered."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from lakelock.config import Pipeline
from lakelock.errors import RedriveRefused, State
from lakelock.ingest.bind import Binder
from lakelock.ingest.new_tables import NewTables
from lakelock.ingest.registration import inherited, register
from lakelock.ingest.tables_to_write import Define, TablesToWrite, dead_letter_tables
from lakelock.ingest.write_order import MaskKeys
from lakelock.model.batches import LIVE, Batch
from lakelock.ports import Log, Tables


def make_routed(
    log: Log,
    tables: Tables,
    pipeline: Pipeline,
    name: str,
    sample: Sequence[bytes],
    define: Define,
    keys: MaskKeys,
    new_id: Callable[[], str],
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """*pipeline* has the table with its raw name; its columns follow from *sample* unless the file has them. Idempotent."""
    raw_name = pipeline.raw_names[name]
    binder = Binder.of_file(log, tables, pipeline, new_id, pause)
    dead_letters = dead_letter_tables(binder, pipeline.dead_letter_table)
    if log.keep_routed(pipeline.name, {name: raw_name}).get(name) != raw_name:
        raise RedriveRefused(
            f"table {name} was made for another name, or retired, since this redrive began.",
            State.NOTHING_CHANGED,
            "Preview the redrive again.",
        )
    batch = Batch("", pipeline.name, LIVE, pipeline.resolved(), pipeline.digest, (), (name,))
    current, former = dead_letters.current, dead_letters.former
    prepare = TablesToWrite(binder, batch, define, keys, inherited(current, former).tables)
    new = NewTables(prepare, pipeline, lambda tables: register(binder, current, tables, (), former))
    new.made({name: sample})
    for fault in new.faults.values():
        raise fault
