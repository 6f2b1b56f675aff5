"""Adopt registered tables to which no commit was made, so that a recovery fences them as it does others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from lakelock.errors import LedgerForeign, TableMissing
from lakelock.ingest.bind import Binder, Owner
from lakelock.ingest.context import PipelineContext


def give_ledgers(context: PipelineContext, names: Iterable[str], pause: Callable[[float], None]) -> None:
    """Otherwise a process of a lost installation could adopt them after the recovery.

    A table that such a process has adopted meanwhile is left for the recovery to take over. So is, to the next batch, one with
    records of another pipeline: only a batch knows which offsets this one would add to them.
    """
    pipeline, log, tables = context.pipeline, context.log, context.tables
    owner = Owner(pipeline.name, log.installation_id(), pipeline.resolved(), pipeline.digest)
    binder = Binder(log, tables, owner, pipeline.commit, context.new_id, pause)
    for name in names:
        with suppress(LedgerForeign, TableMissing):
            if not tables.others(tables.load(name)):
                binder.adopted(name, False, dict)
