"""The page of 5,000 tables in Chromium, over a real log: what is behind first, search, order and pages, all of it in time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from kits import axe as axe_kit
from kits.browser import BROWSER, FLAGS, MISSING, shoot
from kits.page import fill
from kits.page_answers import OF_PIPELINE, OVERVIEW, PIPELINE, Reply, Stage
from lakelock.adapters.wal import PostgresLog
from lakelock.adapters.wal.page_queries import LogReader
from lakelock.config import Pipeline
from lakelock.model.overview import TableChoice, TableOrder
from lakelock.monitor.status import PipelineStatus
from lakelock.page import answers
from lakelock.page.logs import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.drawn(0.5, about="page/")

TABLES = 5_000
LATE = ("lake.p1_t4321", "lake.p1_t77")
# Of one answer, whatever there is in the log.
MOST_BYTES = 128 << 10


@pytest.fixture
def stage(page: Page, new_database: Callable[[], str]) -> Iterator[Stage]:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=TABLES, partitions=4, batches=1)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("UPDATE lakelock.parts SET staged_at = clock_timestamp() WHERE state = 'staged'")
        for hours, table in enumerate(reversed(LATE), 1):
            connection.execute(
                "UPDATE lakelock.parts SET staged_at = clock_timestamp() - %s * interval '1 hour' "
                "WHERE state = 'staged' AND table_name = %s",
                (hours, table),
            )
    with closing(LogReader(dsn)) as reader, PostgresLog(dsn) as log:
        config = reader.config(PIPELINE)
        assert config is not None
        pipeline = Pipeline.from_resolved(config)

        shown_by = Stage(page)

        def opened(**choice: Any) -> Opened:
            _, (view,) = reader.overview([PIPELINE], TableChoice(most=answers.TABLES_SHOWN, **choice))
            return Opened("log", view, reader, pipeline)

        def asked() -> Opened:
            query = shown_by.query
            return opened(
                find=query.get("find", ""),
                in_pipelines=query.get("in_pipelines") == "true",
                order=TableOrder(query.get("order", "behind")),
                skip=int(query.get("skip", 0)),
            )

        def overview() -> Any:
            shown = opened(find=shown_by.query.get("find", ""), in_pipelines=True)
            return answers.overview([PIPELINE], [shown.view], True, {}, set())

        def lag() -> Any:
            shown = asked()
            assert shown.view.at is not None
            return answers.lag(shown, PipelineStatus(PIPELINE, shown.view.at, (), (), {}), log, pipeline)

        def reply(make: Callable[[], Any]) -> Callable[[], Reply]:
            def made() -> Reply:
                body = bytes(make().body)
                assert len(body) < MOST_BYTES, f"{shown_by.requests[-1]}: {len(body)} bytes"
                return 200, {"Content-Type": "application/json"}, body

            return made

        of = f"pipelines/{PIPELINE}"
        shown_by.replace("overview", reply(overview))
        dags = shown_by.answers.dags()
        shown_by.replace(of, reply(lambda: _without_file(answers.pipeline(asked(), dags, log, ""))))
        shown_by.replace(f"{of}/tables", reply(lambda: answers.tables(asked())))
        shown_by.replace(f"{of}/lag", reply(lag))
        yield shown_by


def _without_file(response: Any) -> Any:
    """The file of this test names each table; that of a pipeline with routes names none."""
    plain = json.loads(response.body)
    response.body = json.dumps({**plain, "named": [], "maintained": [], "routed": True}).encode()
    return response


@pytest.fixture
def page() -> Iterator[Page]:
    if BROWSER is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
        page.set_default_timeout(60_000)
        yield page
        browser.close()


def _names(page: Page) -> list[str]:
    rows = page.get_by_role("region", name="Tables", exact=True).locator("tbody th a")
    return rows.all_inner_texts()


def test_thousands_of_tables_are_found_ordered_and_paged(page: Page, stage: Stage) -> None:
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(OF_PIPELINE)
    said = page.locator(".tools [role=status]")
    page.get_by_text("5,000 tables, 2 behind; lines 1 to 50 of 5,000").wait_for()
    assert _names(page)[:3] == [*LATE, "lake.p1_t1"]
    assert len(_names(page)) == answers.TABLES_SHOWN
    waits = page.get_by_role("region", name="Tables", exact=True).get_by_text("waits").all_inner_texts()
    assert ["waits 2 h 0 min" in waits[0], "waits 1 h 0 min" in waits[1], " h " in waits[2]] == [True, True, False]
    shoot(page, "many_tables")

    # By keyboard alone.
    page.get_by_role("button", name="Next 50").focus()
    page.keyboard.press("Enter")
    page.get_by_text("51 to 100 of 5,000 shown").wait_for()
    assert LATE[0] not in _names(page)
    assert page.evaluate("document.activeElement.textContent") == "Next 50"
    page.get_by_role("button", name="Previous 50").focus()
    page.keyboard.press("Enter")
    page.get_by_text("lines 1 to 50 of 5,000").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Next 50", "a disabled button keeps no focus"

    page.get_by_role("combobox", name="Order of the tables").select_option("name")
    # The first of the page by lag is not on the first page by name.
    page.get_by_role("region", name="Tables", exact=True).get_by_role("link", name=LATE[0]).wait_for(state="detached")
    assert _names(page)[:3] == ["lake.p1_t1", "lake.p1_t10", "lake.p1_t100"]

    page.get_by_role("searchbox", name="Find a table").fill("T432")
    page.get_by_text("11 found").wait_for()
    assert set(_names(page)) == {"lake.p1_t432", *(f"lake.p1_t432{n}" for n in range(10))}
    page.get_by_role("searchbox", name="Find a table").fill("nosuch")
    page.get_by_text("0 found").wait_for()
    assert _names(page) == []
    assert said.is_visible()
    assert faults == []


def test_a_run_for_one_of_thousands_of_tables_takes_its_name(page: Page, stage: Stage) -> None:
    page.goto(OF_PIPELINE)
    page.get_by_text("5,000 tables, 2 behind").wait_for()
    steps = json.dumps({"at": "2026-01-31T12:00:00Z", "lines": ["a step of that table"], "nothing": False}).encode()
    stage.replace(f"pipelines/{PIPELINE}/tables/lake.p1_t4321/steps", lambda: (200, {}, steps))
    for button in ("Maintain…", "Apply…"):
        page.get_by_role("button", name=button, exact=True).click()
        page.get_by_role("dialog").get_by_role("textbox", name="Table").fill("lake.p1_t4321")
        page.keyboard.press("Tab")
        if button == "Apply…":
            page.get_by_text("a step of that table").wait_for()
        page.get_by_role("button", name="Cancel").click()


def test_the_overview_of_thousands_of_tables_is_searched_by_the_server(page: Page, stage: Stage) -> None:
    page.goto(OVERVIEW)
    page.get_by_text("and 4,950 more tables").wait_for()
    assert page.locator("tbody tr[data-find]").count() == answers.TABLES_SHOWN
    page.get_by_role("searchbox", name="Find a pipeline or table").fill("t4999")
    page.get_by_role("link", name="lake.p1_t4999").wait_for()
    page.get_by_text("1 table found").wait_for()
    shoot(page, "many_tables_overview")
    page.get_by_role("searchbox", name="Find a pipeline or table").fill("")
    page.get_by_text("and 4,950 more tables").wait_for()


def test_the_page_of_thousands_of_tables_can_be_read_by_everybody(page: Page, stage: Stage) -> None:
    if axe_kit.NPM is None:
        pytest.skip(axe_kit.MISSING)
    for address, text in ((OF_PIPELINE, "5,000 tables"), (OVERVIEW, "more tables")):
        page.goto(address)
        page.get_by_text(text).first.wait_for()
        assert axe_kit.violations(page, axe_kit.script()) == []
