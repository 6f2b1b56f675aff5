"""Airflow's pages as a browser shows them; screenshots of each are kept in `.lakelock/screenshots/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from kits.browser import BROWSER, FLAGS, MISSING, log_in, shoot
from kits.live import Live
from kits.shared_airflow import SecretStack
from stack.process import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

PATIENCE_MS = 120_000
pytestmark = [pytest.mark.long, pytest.mark.skipif(BROWSER is None, reason=MISSING)]


def seen_of(stack: SecretStack) -> Live:
    live = Live(stack, "seen", "schedule: {every: 1d}\ncommit: {min_bytes: 0}\n")
    live.world.produce(100)
    return live


PIPELINES = (seen_of,)


@pytest.fixture(scope="module")
def seen(secret_stack: SecretStack) -> Iterator[Live]:
    """A pipeline with a run that moved records and one that found nothing."""
    with secret_stack.running("seen") as live:
        live.wait_for_rows(100)
        live.finished(live.trigger())
        yield live


@pytest.fixture(scope="module")
def requested() -> list[str]:
    """Hosts that the browser's pages asked for."""
    return []


@pytest.fixture(scope="module")
def page(seen: Live, requested: list[str]) -> Iterator[Page]:
    """Logged in as the admin."""
    from playwright.sync_api import sync_playwright

    def note(request: Request) -> None:
        if request.url.startswith(("http", "ws")):
            requested.append(str(urlsplit(request.url).hostname))

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", note)
        log_in(page, seen.stack.airflow.url)
        yield page
        browser.close()


def test_the_list_shows_the_pipeline_with_its_tags(page: Page, seen: Live) -> None:
    page.goto(f"{seen.stack.airflow.url}/dags")
    page.get_by_text(seen.dag).first.wait_for()
    page.get_by_text("lakelock").first.wait_for()
    shoot(page, "dags")


def test_the_grid_and_the_graph_show_the_four_steps(page: Page, seen: Live) -> None:
    page.goto(f"{seen.stack.airflow.url}/dags/{seen.dag}")
    for task in ("plan", "write", "commit", "publish"):
        page.get_by_text(task, exact=False).first.wait_for()
    shoot(page, "grid")
    page.get_by_role("button", name=re.compile("graph", re.IGNORECASE)).first.click()
    page.locator(".react-flow__node").first.wait_for()
    assert page.locator(".react-flow__node").count() >= 5
    shoot(page, "graph")


def test_the_page_of_a_pipeline_says_what_it_does(page: Page, seen: Live) -> None:
    page.goto(f"{seen.stack.airflow.url}/dags/{seen.dag}")
    page.get_by_role("button", name=re.compile("dag docs", re.IGNORECASE)).click()
    page.get_by_text("Kafka topics into tables, each record exactly once").wait_for()
    page.get_by_text("live.seen__dead_letters").first.wait_for()
    shoot(page, "docs")


def test_a_log_says_in_one_line_what_was_written(page: Page, seen: Live) -> None:
    run = next(r for r in seen.runs() if r["run_type"] == "scheduled")["dag_run_id"]
    page.goto(f"{seen.stack.airflow.url}/dags/{seen.dag}/runs/{run}/tasks/write")
    page.get_by_role("button", name=re.compile("grid", re.IGNORECASE)).first.click()
    page.get_by_text("read 100 records of 100 offsets").first.wait_for()
    shoot(page, "log")


def test_the_trigger_form_explains_its_parameters(page: Page, seen: Live) -> None:
    page.goto(f"{seen.stack.airflow.url}/dags/{seen.dag}")
    page.get_by_role("button", name=re.compile("trigger", re.IGNORECASE)).first.click()
    for title in ("Most records per batch", "Commit now", "Dry run"):
        page.get_by_text(title).first.wait_for()
    for section, titles in {
        "Stop earlier": ("Stop at a time", "Stop at offsets"),
        "Commit less": ("Commit these tables now",),
    }.items():
        page.get_by_role("button", name=section).first.click()
        for title in titles:
            page.get_by_text(title).first.wait_for()
    shoot(page, "trigger")


def test_a_broken_file_shows_among_the_import_errors(page: Page, seen: Live) -> None:
    def faulty() -> bool:
        # Other modules break files of their own meanwhile.
        return "torn.yaml" in seen.import_errors()

    seen.write_file("torn.yaml", "source: {topics: [torn]}\ntabels: [{name: live.torn}]\n")
    seen.stack.airflow.reparse("pipeline_faults.py")
    try:
        wait_until(faulty, 150, "the import error", 0.2)
        page.goto(f"{seen.stack.airflow.url}/")
        page.get_by_role("button", name=re.compile("import error", re.IGNORECASE)).first.click()
        page.get_by_text("pipeline_faults.py").first.click()
        page.get_by_text("torn.yaml:2").first.wait_for()
        shoot(page, "import-errors")
    finally:
        (seen.pipelines / "torn.yaml").unlink()
        seen.stack.airflow.reparse("pipeline_faults.py")
        wait_until(lambda: not faulty(), 150, "the import error to go", 0.2)


def test_no_page_asked_another_machine(page: Page, requested: list[str]) -> None:
    assert page.url
    assert set(requested) == {"127.0.0.1"}
