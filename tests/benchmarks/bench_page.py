"""How fast the page is: its overview at 200 tables of 50 partitions each, in Airflow's api-server and in a browser.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_page.py            about three minutes; Chromium is used where there is one

Two shapes: 200 pipelines of one table, and one pipeline of 200 tables; then one pipeline of 10,000 partitions.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
from kits.browser import BROWSER, FLAGS, MISSING
from kits.page import PageServer, fill
from stack.postgres import Postgres

SHAPES = {
    "200 pipelines, 1 table, 50 partitions": (200, 1, 50, 20),
    "1 pipeline, 200 tables, 50 partitions": (1, 200, 50, 20),
    "1 pipeline, 1 table, 10,000 partitions": (1, 1, 10_000, 3),
}
USERS = {"admin": "admin"}
PATHS = {
    "overview": "/lakelock/api/overview",
    "pipeline": "/lakelock/api/pipelines/p1",
    "table": "/lakelock/api/pipelines/p1/tables/lake.p1_t1",
    "Airflow's own list of DAGs, 50 of them": "/ui/dags?limit=50",
}


def milliseconds(act: Callable[[], object], times: int) -> list[float]:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        found.append((time.perf_counter() - began) * 1e3)
    return found


def report(what: str, found: list[float], cpu_ms: tuple[float, float] | None = None) -> None:
    ordered = sorted(found)
    p95 = ordered[min(len(ordered) - 1, round(len(ordered) * 0.95))]
    cpu = "- | -" if cpu_ms is None else f"{cpu_ms[0]:.0f} | {cpu_ms[1]:.0f}"
    print(f"| {what} | {found[0]:.0f} | {statistics.median(found):.0f} | {p95:.0f} | {cpu} |", flush=True)


def cpu_s(pid: int) -> float:
    """Of a server with all of its processes that live."""
    server = psutil.Process(pid)
    return sum(t.user + t.system for t in (p.cpu_times() for p in [server, *server.children(recursive=True)]))


def answered(postgres_pid: int, server: PageServer, what: str, path: str, times: int) -> None:
    """How long it takes; and of that the CPU time of the api-server and of Postgres, which other work on the machine leaves alone."""
    pids = (server.airflow.api_server.pid, postgres_pid)
    # Opens connections, which are processes in Postgres, and imports what is not there yet.
    first = milliseconds(lambda: server.get(path, "admin"), 1)
    before = [cpu_s(pid) for pid in pids]
    found = milliseconds(lambda: server.get(path, "admin"), times)
    api, sql = (((cpu_s(pid) - b) * 1e3 / times) for pid, b in zip(pids, before, strict=True))
    report(what, first + found, (api, sql))


def paint(server: PageServer, path: str) -> tuple[list[float], list[float]]:
    """First paint, and until all rows are there, in ms after the navigation began."""
    from playwright.sync_api import sync_playwright

    first, whole = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        context = browser.new_context(extra_http_headers={"Authorization": f"Bearer {server.tokens['admin']}"})
        page = context.new_page()
        page.set_default_timeout(120_000)
        for _ in range(5):
            page.goto(f"{server.airflow.url}{path}")
            page.locator("tbody tr").first.wait_for()
            whole.append(page.evaluate("performance.now()"))
            first.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        browser.close()
    return first, whole


def measure(postgres: Postgres, home: Path, name: str, times: int) -> None:
    pipelines, tables, partitions, batches = SHAPES[name]
    mark = uuid.uuid4().hex[:8]
    with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
        for kind in ("airflow", "log"):
            connection.execute(f'CREATE DATABASE "{kind}_{mark}"'.encode())
        postgres_pid = psutil.Process(connection.info.backend_pid).ppid()
    fill(postgres.dsn(f"log_{mark}"), pipelines=pipelines, tables=tables, partitions=partitions, batches=batches)
    server = PageServer(home / mark, postgres.dsn(f"airflow_{mark}"), postgres.dsn(f"log_{mark}"), USERS)
    names = [f"p{n}" for n in range(1, pipelines + 1)]
    server.start(
        [f"{kind}__{name}" for name in names for kind in ("ingest", "backfill", "rollback", "recover", "maintain")]
    )
    try:
        print(
            f"\n{name}\n\n| | first, ms | median, ms | p95, ms | CPU of the api-server, ms | of Postgres, ms |\n|---|---|---|---|---|---|"
        )
        for what, path in PATHS.items():
            answered(postgres_pid, server, what, path, times)
        if BROWSER is None:
            print(MISSING)
            return
        for what, path in (("overview", "/lakelock/page"), ("pipeline", "/lakelock/page?pipeline=p1")):
            first, whole = paint(server, path)
            report(f"first paint of the {what}", first)
            report(f"all of the {what}", whole)
    finally:
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--only", choices=["1", "2", "3"], help="one of the shapes")
    arguments = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="lakelock-bench-page-"))
    # Postgres' servers run under another user where root starts them.
    home.chmod(0o755)
    postgres = Postgres(home / "postgres")
    postgres.start()
    try:
        for n, name in enumerate(SHAPES, 1):
            if arguments.only in (None, str(n)):
                measure(postgres, home, name, arguments.times)
    finally:
        postgres.stop()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
