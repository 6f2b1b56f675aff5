"""What Airflow loads: a listener that imports heavy modules once, in the scheduler, before its workers are forked.

LocalExecutor's workers inherit them, so a task does not pay for the imports again. The price is 1–3 s and some memory at
the scheduler's start; a new release of a preloaded module needs a scheduler restart.
"""

from __future__ import annotations

import gc
import importlib
import logging
import sys

from airflow.listeners import hookimpl
from airflow.plugins_manager import AirflowPlugin

logger = logging.getLogger(__name__)

PRELOADED = (
    "airflow.providers.standard.decorators.branch_python",
    "airflow.providers.standard.operators.empty",
    "airflow.sdk.execution_time.cache",
    "confluent_kafka.admin",
    "psycopg",
    "pyarrow.parquet",
    "pyiceberg.catalog.rest",
    "pyiceberg.catalog.sql",
    "pyspark.sql.connect.session",
    "pyiceberg.avro.decoder_fast",
    "lakelock.dag_parts",
    "lakelock.tasks",
)


class Preload:
    """Listener. *component*'s job type is not set yet when it starts, so the command line tells what it is."""

    @hookimpl  # type: ignore[untyped-decorator]
    def on_starting(self, component: object) -> None:
        if "scheduler" not in sys.argv:
            return
        for module in PRELOADED:
            try:
                importlib.import_module(module)
            except Exception as error:
                # A module that cannot be imported here fails again in the task that needs it, where it is seen.
                logger.warning("not preloaded: %s (%s: %s)", module, type(error).__name__, error)
        try:
            # The first asset makes Airflow ask every provider for its URI schemes.
            importlib.import_module("airflow.sdk").Asset("iceberg://preload")
        except Exception as error:
            logger.warning("asset schemes not preloaded: %s", error)
        try:
            # Tasks must send Spark's workers this release, not one that is installed before the next restart.
            importlib.import_module("lakelock.adapters.shipping").package_zip()
        except Exception as error:
            logger.warning("package not zipped: %s: %s", type(error).__name__, error)
        # What was imported lives as long as the scheduler: no collection in a task need look at it, or copy its pages.
        gc.collect()
        gc.freeze()


class LakelockPlugin(AirflowPlugin):  # type: ignore[misc]
    name = "lakelock"
    listeners = (Preload(),)
