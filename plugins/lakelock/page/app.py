"""The page's routes. All are read-only. All but the static files ask Airflow for the user and their rights."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from airflow.api_fastapi.core_api.security import get_user
from airflow.configuration import conf
from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lakelock.adapters.airflow.connections import from_airflow_server
from lakelock.errors import LATER, LakelockError
from lakelock.model.overview import TableChoice, TableOrder
from lakelock.monitor.alerts import Runs
from lakelock.page import access, answers, page_dialogs
from lakelock.page.logs import LOG_SILENT, Opened, is_of_a_log
from lakelock.page.page_sources import Sources

logger = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"
DEFAULT_CONN_IDS = "lakelock_postgres"
# 'self' for frames: Airflow shows the page in a frame of its own origin, and no other site may.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # The browser revalidates each time, so that a new release shows at once.
    "Cache-Control": "no-cache",
}
# Importing these first saves a second when a table is loaded.
HEAVY = (
    "lakelock.page.table_answers",
    "lakelock.page.schema_answers",
    "lakelock.adapters.kafka.broker",
    "lakelock.monitor.status",
    "duckdb",
)

User = Annotated[Any, Depends(get_user)]
sources = Sources(
    [c.strip() for c in conf.get("lakelock", "wal_conn_ids", fallback=DEFAULT_CONN_IDS).split(",") if c.strip()],
    from_airflow_server,
    access.teams_of,
)
# Taken by the first request, and never released.
_warmed = threading.Lock()
pages = APIRouter(dependencies=[Depends(get_user)])


Find = Annotated[str, Query(max_length=500)]


def choice(
    request: Request,
    find: Find = "",
    in_pipelines: bool = False,
    order: TableOrder = TableOrder.BEHIND,
    skip: Annotated[int, Query(ge=0, lt=2**31)] = 0,
    most: Annotated[int, Query(ge=0, le=answers.MOST_TABLES)] = answers.TABLES_SHOWN,
) -> TableChoice:
    """The tables that a request asks for; on the page of a table it is the only one."""
    only = request.path_params.get("table")
    return TableChoice(only=only) if only else TableChoice(find, in_pipelines, None, order, skip, most)


def opened(request: Request, user: User, pipeline: str, chosen: Annotated[TableChoice, Depends(choice)]) -> Opened:
    """The pipeline, for a user who may read its DAG."""
    access.require_visible(request, user, pipeline)
    runs = access.ingest_runs(request, user, [pipeline])
    return replace(sources.open(pipeline, chosen), runs=runs.get(pipeline, Runs()))


Shown = Annotated[Opened, Depends(opened)]


@pages.get("/page")
def page() -> FileResponse:
    _warm_up()
    return FileResponse(STATIC / "page.html", media_type="text/html")


@pages.get("/api/overview")
def overview(request: Request, user: User, find: Find = "") -> Response:
    names = access.visible_pipelines(user)
    views, complete = sources.overview(names, answers.of_overview(find, len(names)))
    runs = access.ingest_runs(request, user, names)
    return answers.overview(names, views, complete, runs, access.broken_pipelines(names))


@pages.get("/api/pipelines/{pipeline}")
def one(request: Request, user: User, shown: Shown) -> Response:
    found = access.dags_of(request, user, shown.view.pipeline)
    return answers.pipeline(shown, found, sources.log(shown), sources.spark_ui(shown))


@pages.get("/api/pipelines/{pipeline}/dags")
def dags(request: Request, user: User, shown: Shown) -> Response:
    return answers.dags(access.dags_of(request, user, shown.view.pipeline))


@pages.get("/api/pipelines/{pipeline}/tables")
def tables(shown: Shown) -> Response:
    return answers.tables(shown)


@pages.get("/api/pipelines/{pipeline}/lag")
def lag(shown: Shown) -> Response:
    planned = sources.planned(shown, [t.table for t in shown.view.tables])
    return answers.lag(shown, sources.status(shown), sources.log(shown), planned)


@pages.get("/api/pipelines/{pipeline}/tables/{table}")
def table(shown: Shown, table: str) -> Response:
    return answers.table(shown, table, sources.log(shown), sources.planned(shown, [table]))


@pages.get("/api/pipelines/{pipeline}/tables/{table}/snapshots")
def snapshots(shown: Shown, table: str, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
    from lakelock.page import table_answers

    with sources.slow.passed():
        return table_answers.snapshots(shown, table, sources.tables(shown), limit)


@pages.get("/api/pipelines/{pipeline}/tables/{table}/files")
def files(shown: Shown, table: str, limit: Annotated[int, Query(ge=1, le=1000)] = 50) -> Response:
    from lakelock.page import table_answers

    with sources.slow.passed():
        return table_answers.files(shown, table, sources.tables(shown), limit)


@pages.get("/api/pipelines/{pipeline}/tables/{table}/file")
def file(shown: Shown, table: str, path: Annotated[str, Query(max_length=4096)]) -> Response:
    from lakelock.page import table_answers

    with sources.slow.passed():
        return table_answers.file(shown, table, sources.tables(shown), path)


@pages.get("/api/pipelines/{pipeline}/tables/{table}/where")
def where(
    shown: Shown,
    table: str,
    topic: Annotated[str, Query(max_length=255)],
    partition: Annotated[int, Query(ge=0, lt=2**31)],
    offset: Annotated[int, Query(ge=0, lt=2**63 - 1)],
) -> Response:
    from lakelock.page import table_answers

    with sources.slow.passed():
        return table_answers.where(shown, table, sources.tables(shown), topic, partition, offset)


@pages.get("/api/pipelines/{pipeline}/tables/{table}/dead-letters")
def dead_letters(request: Request, user: User, shown: Shown, table: str) -> Response:
    from lakelock.page import table_answers

    with_contents = access.may_read_logs(request, user, shown.view.pipeline)
    with sources.slow.passed():
        return table_answers.dead_letters(shown, table, sources.tables(shown), sources.log(shown), with_contents)


@pages.get("/api/pipelines/{pipeline}/tables/{table}/definition")
def definition(shown: Shown, table: str) -> Response:
    from lakelock.page import schema_answers

    with sources.slow.passed():
        return schema_answers.definition(shown, table, sources.tables(shown), sources.snippets(shown, table))


@pages.get("/api/pipelines/{pipeline}/tables/{table}/steps")
def steps(shown: Shown, table: str) -> Response:
    from lakelock.page import schema_answers

    with sources.slow.passed():
        return schema_answers.steps(shown, table, sources.tables(shown), sources.planned(shown, [table]))


@pages.get("/api/pipelines/{pipeline}/tables/{table}/rows")
def rows(request: Request, user: User, shown: Shown, table: str) -> Response:
    from lakelock.page import schema_answers

    with_contents = access.may_read_logs(request, user, shown.view.pipeline)
    with sources.slow.passed():
        return schema_answers.rows(shown, table, sources.tables(shown), with_contents)


def build() -> FastAPI:
    app = FastAPI(title="lakelock", docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(pages)
    app.get("/static/forms.js")(_forms_script)
    app.mount("/static", StaticFiles(directory=STATIC))
    app.add_exception_handler(LakelockError, _answered)
    app.add_middleware(Headed)
    return app


def _forms_script() -> Response:
    return Response(page_dialogs.script(), media_type="text/javascript")


class Headed:
    """Adds HEADERS to every response that does not set them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    known.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, headed)


async def _answered(request: Request, fault: Exception) -> JSONResponse:
    """The response for an error, whose message is written for an operator.

    A write-ahead log is shared with other pipelines, so its own words go to the server's log alone.
    """
    logger.warning("%s: %s", request.url.path, fault)
    status = 503 if isinstance(fault, LATER) else 409
    detail = LOG_SILENT if isinstance(fault, LakelockError) and is_of_a_log(fault) else str(fault)
    return JSONResponse({"detail": detail, "error": type(fault).__name__}, status)


def _warm_up() -> None:
    """Import the heavy modules once: a user who opens the page looks at a table next."""
    if not _warmed.acquire(blocking=False):
        return
    threading.Thread(target=_import_heavy, name="lakelock-page-imports", daemon=True).start()


def _import_heavy() -> None:
    for module in HEAVY:
        try:
            import_module(module)
        except Exception as fault:
            # The request that needs it fails again and shows the error.
            logger.warning("not imported: %s (%s: %s)", module, type(fault).__name__, fault)
