"""Tables that left the pipeline file while parts are staged for them."""

from __future__ import annotations

import logging
from collections.abc import Collection

from lakelock.errors import LakelockError, TableMissing
from lakelock.ingest.bind import load
from lakelock.ingest.context import PipelineContext

logger = logging.getLogger(__name__)


def existing(context: PipelineContext, left: Collection[str]) -> list[str]:
    """Those of *left* that can be committed. One that is gone is logged and left out."""
    found = []
    for table in sorted(left):
        try:
            load(context.log, context.tables, context.pipeline.name, table)
        except TableMissing as fault:
            logger.warning("%s is no longer in the pipeline file: %s", table, fault)
            continue
        except LakelockError as fault:
            logger.debug("%s: its commit will report this: %s", table, fault)
        found.append(table)
    return found
