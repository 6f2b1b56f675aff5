"""`bin/demo webhooks` as a person runs it beside a demo, with its pipeline's page open in a browser."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
from pyiceberg.catalog import Catalog, load_catalog
from stack import github_examples
from stack.process import wait_until
from stack.settings import CATALOG, REPOSITORY
from stack.webhooks import LETTERS, NAMESPACE, PIPELINE, table_of

from kits.browser import BROWSER, FLAGS, log_in, shoot
from kits.flights import read_connections

WATCH = re.compile(r"Watch (http\S+)")
# In one table for all events. Here fields of two kinds within one event are left; batches decide which kind comes first.
MOST_DEAD = 12
VERDICT = "58 tables hold each of the 329 webhooks exactly once"


@contextmanager
def no_file_left() -> Iterator[None]:
    """The command leaves its pipeline's file in the clone."""
    was_there = PIPELINE.exists()
    try:
        yield
    finally:
        if not was_there:
            PIPELINE.unlink(missing_ok=True)


def fed(environment: Mapping[str, str], output: Path) -> str:
    """What the command prints, once it has ended; the pipeline's page has shown tables appear by then, without a reload."""
    with output.open("w") as out:
        program = str(REPOSITORY / "bin" / "demo")
        command = subprocess.Popen([program, "webhooks"], env=environment, stdout=out, stderr=out)
        try:
            if BROWSER is not None:
                watched(command, output)
            code = command.wait(300)
        finally:
            command.kill()
    assert code == 0, output.read_text()
    return output.read_text()


def watched(command: subprocess.Popen[bytes], output: Path) -> None:
    from playwright.sync_api import sync_playwright

    wait_until(lambda: bool(WATCH.search(output.read_text())) or command.poll() is not None, 60, "the page's address")
    found = WATCH.search(output.read_text())
    assert found is not None, output.read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(60_000)
        log_in(page, found[1].partition("/lakelock")[0])
        page.goto(found[1])
        shown = page.get_by_role("link", name=f"{NAMESPACE}.github_")
        counts = list[int]()
        while command.poll() is None:
            now = shown.count()
            if now not in counts:
                counts.append(now)
                shoot(page, f"webhooks_{now}")
            page.wait_for_timeout(500)
        page.get_by_text("58 tables, none behind").wait_for()
        # The page shows 50 of them.
        assert any(0 < n < 50 for n in counts), counts
        assert page.get_by_text("later than its promise").count() == 0
        shoot(page, "webhooks")
        page.goto(f"{found[1]}&table={table_of('issues')}")
        page.get_by_text("columns changed").first.wait_for()
        page.get_by_text("29", exact=True).first.wait_for()
        shoot(page, "webhooks_issues")
        browser.close()


def assert_each_is_there_once(connections: Path) -> None:
    """By the counts of each event, as DuckDB reads the tables."""
    known = read_connections(connections)["AIRFLOW_CONN_ICEBERG_DEFAULT"]
    catalog = load_catalog(CATALOG, uri=known["host"], **known["extra"])
    wanted = Counter(table_of(event) for event, _ in github_examples.by_event())
    rows = {
        table: counted(catalog, table, "count(DISTINCT (_kafka_partition, _kafka_offset)), count(*)")
        for table in wanted
    }
    assert {table: distinct for table, ((distinct, _),) in rows.items()} == {t: n for t, ((_, n),) in rows.items()}
    letters = Counter(dict(counted(catalog, LETTERS, "target_table, count(*)", "GROUP BY 1")))
    assert Counter({table: n for table, ((_, n),) in rows.items()}) + letters == wanted
    assert letters.total() <= MOST_DEAD
    listed = {".".join(name) for name in catalog.list_tables(NAMESPACE)}
    assert listed == {*wanted, LETTERS}


def counted(catalog: Catalog, table: str, what: str, more: str = "") -> list[tuple[Any, ...]]:
    files = [task.file.file_path.removeprefix("file://") for task in catalog.load_table(table).scan().plan_files()]
    found: list[tuple[Any, ...]] = duckdb.sql(
        f"SELECT {what} FROM read_parquet({files!r}, union_by_name=true) {more}"
    ).fetchall()
    return found
