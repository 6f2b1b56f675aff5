"""The callback that Airflow calls if a run of an ingest DAG has not ended in time.

DAG files name it, so it is imported wherever they are parsed. It must import no client library and no step.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lakelock.config import Pipeline, load_folder
from lakelock.model.units import format_duration
from lakelock.orchestration.notifiers import NOTIFIER_S, notifier, within

logger = logging.getLogger(__name__)

KIND = "deadline"


def missed(pipeline: str, folder: str, context: Mapping[str, Any]) -> None:
    """Notify the `alerts.notify` of the current file in *folder*; raises at the end if a notifier failed."""
    found = next(iter(load_folder(Path(folder), only=pipeline)), None)
    if not isinstance(found, Pipeline) or found.alerts.deadline is None:
        logger.info("%s: its file no longer has a deadline", pipeline)
        return
    run = context["dag_run"]["dag_run_id"]
    message = f"{pipeline}: {KIND}: {run} has not ended within {format_duration(found.alerts.deadline)}"
    logger.error("%s", message)
    given = {**context, "lakelock": {"message": message, "pipeline": pipeline, "kind": KIND, "began": True}}
    faults = []
    for recipient in found.alerts.notify:
        try:
            within(NOTIFIER_S, notifier(recipient.notifier, recipient.arguments), given)
        except Exception as error:
            faults.append(f"{recipient.notifier} failed to notify: {type(error).__name__}: {error}")
            logger.exception("%s: %s", pipeline, faults[-1])
    if faults:
        raise RuntimeError(f"{message}; " + "; ".join(faults))
