"""Find tables that left the pipeline file while parts are staged for them."""

from __future__ import annotations

import logging
from collections.abc import Collection

from lakelock.errors import LakelockError, TableMissing
from lakelock.ingest.bind import load
from lakelock.ingest.context import PipelineContext

logger = logging.getLogger(__name__)


def left_over(context: PipelineContext, known: Collection[str]) -> list[str]:
    """Tables with staged parts that are not among *known*. One that is gone is logged and left out."""
    log, pipeline = context.log, context.pipeline.name
    found = []
    for table in sorted(set(log.staged_tables(pipeline)) - set(known)):
        try:
            load(log, context.tables, pipeline, table)
        except TableMissing as fault:
            logger.warning("%s is no longer in the pipeline file: %s", table, fault)
            continue
        except LakelockError as fault:
            logger.debug("%s: its commit will report this: %s", table, fault)
        found.append(table)
    return found
