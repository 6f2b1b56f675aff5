"""A batch keeps the settings that it was planned with, unless no table can be written with them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from lakelock.config import Pipeline
from lakelock.errors import BadTableDefinition, ConnectionFault, LakelockError, TableUnfit
from lakelock.model.batches import Batch
from lakelock.model.coverage import Coverage
from lakelock.model.log_state import Redo
from lakelock.ports import Log

logger = logging.getLogger(__name__)


def outdated(batch: Batch, today: Pipeline, faults: Mapping[str, LakelockError]) -> list[str]:
    """Tables in *faults* that do not fit the settings of the batch, if the pipeline file has been edited since.

    Nothing of the batch is in such a table, so any settings may write it. Tables that no longer take one of its topics are
    left out: that topic's records would be planned for no table. Routed tables are left out as well: their records are routed
    by the file that the batch was planned with.
    """
    if not faults or batch.config_digest == today.digest:
        return []
    topics = {p.range.source.topic for p in batch.ranges}
    planned = Pipeline.from_resolved(batch.config)
    return [
        name
        for name, fault in sorted(faults.items())
        if isinstance(fault, TableUnfit | BadTableDefinition | ConnectionFault)
        and not today.is_routed(name)
        and all(today.feeds(name, topic) for topic in topics if planned.feeds(name, topic))
    ]


def plan_with_settings_of(
    today: Pipeline,
    log: Log,
    batch: Batch,
    attempt: str,
    faults: dict[str, LakelockError],
    dead_letters: Coverage,
    new_id: Callable[[], str],
) -> str | None:
    """Plan the parts of tables that are `outdated` again with the pipeline file as it is now, and take them out of *faults*.

    *dead_letters* is the coverage of the dead-letter tables. Returns a line that says so; None if there is no such table.
    Raises Fenced.
    """
    if not (names := outdated(batch, today, faults)):
        return None
    redo = Redo(today.resolved(), today.digest, today.batch.max_records, dead_letters, new_id, today.feeds)
    for name in names:
        reason = f"the table does not fit the settings that the batch was planned with: {faults.pop(name).what}"
        logger.warning(
            "%s: batch %s is planned again with the pipeline file as it is now: %s", name, batch.batch_id, reason
        )
        log.replan_unwritten(batch.batch_id, attempt, name, reason, redo)
    return f"batch {batch.batch_id}: planned again with the pipeline file as it is now for {', '.join(names)}"
