"""watch: look at one pipeline, and tell what is wrong with it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from lakelock.config import Pipeline
from lakelock.core import incidents
from lakelock.core.incidents import Incident, Kind, Limits, Open
from lakelock.errors import LATER, LakelockError
from lakelock.steps.status import PipelineStatus

logger = logging.getLogger(__name__)


def watch(
    pipeline: Pipeline, read: Callable[[], PipelineStatus | None], before: Mapping[Kind, Open]
) -> tuple[list[Incident], PipelineStatus | None]:
    """*read* is None for a pipeline that the log does not know: it never began, or the log is another one."""
    alerts = pipeline.alerts
    limits = Limits(
        alerts.lag.total_seconds() if alerts.lag else None,
        alerts.retention_left.total_seconds() if alerts.retention_left else None,
    )
    try:
        found = read()
    except LakelockError as fault:
        line = f"{type(fault).__name__}: {fault}"
        return incidents.blind(Incident(Kind.UNREADABLE, line, isinstance(fault, LATER)), before), None
    except Exception as fault:
        # Whatever it is, it is about this pipeline, and the others are looked at all the same. Its text may tell anything.
        logger.exception("%s", pipeline.name)
        line = f"{type(fault).__name__}: see the log of lakelock_watch"
        return incidents.blind(Incident(Kind.UNREADABLE, line), before), None
    if found is None:
        return incidents.blind(None, before), None
    return incidents.judge(found.sources, limits, found.stopped, before, found.missing), found
