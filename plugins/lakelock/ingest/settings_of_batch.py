"""A batch keeps the settings that it was planned with, unless no table can be written with them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from lakelock.config import Pipeline
from lakelock.errors import BadTableDefinition, LakelockError, TableUnfit
from lakelock.ingest.outcome import WriteOutcome
from lakelock.model.batches import Batch
from lakelock.model.coverage import Coverage
from lakelock.model.log_state import Redo
from lakelock.ports import Log

logger = logging.getLogger(__name__)


def outdated(batch: Batch, today: Pipeline, faults: Mapping[str, LakelockError]) -> list[str]:
    """Tables in *faults* that do not fit the settings of the batch, if the pipeline file has been edited since.

    Nothing of the batch is in such a table, so any settings may write it.
    """
    if batch.config_digest == today.digest:
        return []
    topics = {p.range.source.topic for p in batch.ranges}
    planned = Pipeline.from_resolved(batch.config)
    return [
        name
        for name, fault in sorted(faults.items())
        if isinstance(fault, TableUnfit | BadTableDefinition)
        and all(today.feeds(name, topic) for topic in topics if planned.feeds(name, topic))
    ]


def plan_with_settings_of(
    today: Pipeline,
    log: Log,
    batch: Batch,
    attempt: str,
    tables: Sequence[str],
    dead_letters: Coverage,
    new_id: Callable[[], str],
) -> WriteOutcome:
    """Plan the parts of *tables* again with the pipeline file as it is now; *dead_letters* is their coverage. Raises Fenced."""
    redo = Redo(today.resolved(), today.digest, today.batch.max_records, dead_letters, new_id, today.feeds)
    for name in tables:
        reason = "the table does not fit the settings that the batch was planned with"
        logger.warning(
            "%s: batch %s is planned again with the pipeline file as it is now: %s", name, batch.batch_id, reason
        )
        log.replan_unwritten(batch.batch_id, attempt, name, reason, redo)
    line = f"batch {batch.batch_id}: planned again with the pipeline file as it is now for {', '.join(tables)}"
    return WriteOutcome(batch.batch_id, line, goes_on=True)
