"""What Airflow loads, in each of its processes: the page, a timetable, and a listener that imports heavy modules once.

The listener does so in the scheduler, before its workers are forked: LocalExecutor's workers inherit them, so a task does not
pay for the imports again. The price is 1–3 s and some memory at the scheduler's start; a new release of a preloaded module
needs a scheduler restart.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import sys
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from airflow.listeners import hookimpl
from airflow.plugins_manager import AirflowPlugin
from lakelock.orchestration.backfill_timetable import BackfillTimetable

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
    "lakelock.orchestration.dag_builder",
    "lakelock.orchestration.ingest_tasks",
)

RETRY_S = 30.0


class Preload:
    """Listener. *component*'s job type is not set yet when it starts, so the command line decides."""

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
            importlib.import_module("lakelock.adapters.spark.package_zip").package_zip()
        except Exception as error:
            logger.warning("package not zipped: %s: %s", type(error).__name__, error)
        # What was imported lives as long as the scheduler: no collection in a task need look at it, or copy its pages.
        gc.collect()
        gc.freeze()


class Page:
    """The page as an ASGI application, imported with the first request: whatever is wrong with it, the api-server starts.

    What it answers before that is no secret: who asks is checked in there, route by route.
    """

    def __init__(self) -> None:
        self._app: Callable[..., Awaitable[None]] | None = None
        self._importing = asyncio.Lock()
        self._retry_at = 0.0

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if self._app is None:
            async with self._importing:
                # Who asks need not be logged in: a broken page must not cost an import for each request.
                if self._app is None and time.monotonic() < self._retry_at:
                    await _unavailable(scope, send)
                    return
                if self._app is None:
                    try:
                        # In a thread: other requests go on meanwhile.
                        module = await asyncio.to_thread(importlib.import_module, "lakelock.page.app")
                        self._app = module.build()
                    except Exception:
                        self._retry_at = time.monotonic() + RETRY_S
                        logger.exception("the page of lakelock could not be imported; pipelines run without it")
                        await _unavailable(scope, send)
                        return
        await self._app(scope, receive, send)


async def _unavailable(scope: MutableMapping[str, Any], send: Any) -> None:
    if scope["type"] == "http":
        head = [(b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "http.response.start", "status": 503, "headers": head})
        await send(
            {"type": "http.response.body", "body": b"lakelock's page could not be loaded: see the api-server's log"}
        )


class LakelockPlugin(AirflowPlugin):  # type: ignore[misc]
    name = "lakelock"
    listeners = (Preload(),)
    # Each process that reads a DAG with it needs it: scheduler, api-server, DAG processor.
    timetables = (BackfillTimetable,)
    # Lists: Airflow takes out of them what it refuses.
    fastapi_apps = [{"app": Page(), "url_prefix": "/lakelock", "name": "lakelock"}]  # noqa: RUF012
    external_views = [  # noqa: RUF012
        {
            "name": "lakelock",
            "href": "lakelock/page",
            "url_route": "lakelock",
            "destination": "nav",
            "nav_top_level": True,
            # On a ground of its own: Airflow shows it on a light one, a dark one, and the blue of what is chosen.
            "icon": "lakelock/static/icon.svg",
        },
        {
            "name": "lakelock",
            "href": "lakelock/page?dag_id={DAG_ID}",
            "url_route": "lakelock_dag",
            "destination": "dag",
            "icon": "lakelock/static/icon.svg",
        },
    ]
