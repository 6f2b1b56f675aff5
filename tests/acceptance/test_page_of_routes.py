"""The page of a pipeline with routes in Chromium: what has no table, what cannot be started, and what is not known yet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from kits import axe as axe_kit
from kits.browser import BROWSER, FLAGS, MISSING, shoot
from kits.page_answers import DEAD_LETTERS, OF_PIPELINE, OF_TABLE, PIPELINE, TABLE, Reply, Stage

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.drawn(0.5, about="page/")


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    if BROWSER is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_context(viewport={"width": 1400, "height": 1000}, color_scheme=request.param).new_page()
        yield page
        browser.close()


@pytest.fixture
def stage(page: Page) -> Stage:
    stage = Stage(page)

    def changed(path: str, change: Callable[[Any], object]) -> None:
        def reply() -> Reply:
            answer = json.loads(stage.answers.of(path.removeprefix(f"pipelines/{PIPELINE}")))
            change(answer)
            return 200, {"Content-Type": "application/json"}, json.dumps(answer).encode()

        stage.replace(path, reply)

    def of_pipeline(answer: Any) -> None:
        answer |= {"routed": True}
        staged, planned = answer["batches"]
        staged["is_closed"] = True
        planned |= {
            "state": "planned",
            "is_closed": False,
            "offsets": 12_345,
            "ranges": ["t-0 [0, 12000)", "t-1 [7, 352)"],
        }

    changed(f"pipelines/{PIPELINE}", of_pipeline)
    changed(f"pipelines/{PIPELINE}/tables/{TABLE}", lambda answer: answer.update(routed=True))
    letters = f"pipelines/{PIPELINE}/tables/{DEAD_LETTERS}/dead-letters"

    def without_table(answer: Any) -> None:
        for what in ("causes", "sample"):
            answer[what] += [{**found, "target": "*"} for found in answer[what]]

    changed(letters, without_table)
    return stage


def test_a_batch_whose_tables_are_not_known_is_shown_with_its_offsets(page: Page, stage: Stage) -> None:
    page.goto(OF_PIPELINE)
    row = (
        page.get_by_role("table", name="Open batches")
        .get_by_role("row")
        .filter(has_text="its tables are not known yet")
    )
    assert "12,345 offsets" in row.inner_text()
    assert "t-0 [0, 12000), t-1 [7, 352)" in row.inner_text()
    assert row.count() == 1
    shoot(page, "routed_batches")


@pytest.mark.parametrize("address", [OF_PIPELINE, OF_TABLE])
def test_a_backfill_starts_from_a_button(page: Page, stage: Stage, address: str) -> None:
    page.goto(address)
    assert page.get_by_role("button", name="Backfill…").is_enabled()


def test_dead_letters_without_a_table_lead_to_none(page: Page, stage: Stage) -> None:
    page.goto(f"{OF_PIPELINE}&table={DEAD_LETTERS}")
    for caption in ("Causes", "Newest dead letters"):
        rows = page.get_by_role("table", name=caption).locator("tbody tr")
        rows.nth(1).wait_for()
        assert rows.locator("td:first-child").all_inner_texts() == [TABLE, "no table"]
        assert rows.nth(1).get_by_role("link").count() == 0


def test_a_table_that_rules_made_is_retired_from_its_page(page: Page, stage: Stage) -> None:
    sent: list[Any] = []

    def started(route: Route) -> None:
        form: Any = route.request.post_data_json
        sent.append((route.request.url.rpartition("/dags/")[2], form["conf"]))
        route.fulfill(status=200, content_type="application/json", body='{"dag_run_id": "manual__1"}')

    page.route("**/api/v2/dags/*/dagRuns", started)
    page.goto(OF_TABLE)
    page.get_by_role("button", name="Maintain…").wait_for()
    assert page.get_by_role("button", name="Retire…").count() == 0, "an entry of tables"
    stage.replace(*with_answer(stage, f"pipelines/{PIPELINE}/tables/{TABLE}", {"routed": True, "named": []}))
    page.goto(OF_TABLE)
    page.get_by_role("button", name="Retire…").click()
    box = page.get_by_role("dialog", name=f"Retire {TABLE}")
    assert "become dead letters without a table" in box.inner_text()
    assert "It shows a preview and waits for approval" not in box.inner_text()
    box.get_by_label("Why").fill("dropped on purpose")
    shoot(page, "retire_dialog")
    box.get_by_role("button", name="Start the run").click()
    box.get_by_text("It shows a preview and waits for approval").wait_for()
    conf = {"decision": "retire", "table": TABLE, "why": "dropped on purpose"}
    assert sent == [(f"recover__{PIPELINE}/dagRuns", conf)]
    page.goto(f"{OF_PIPELINE}&table={DEAD_LETTERS}")
    page.get_by_role("button", name="Maintain…").wait_for()
    assert page.get_by_role("button", name="Retire…").count() == 0


def with_answer(stage: Stage, path: str, more: dict[str, Any]) -> tuple[str, Callable[[], Reply]]:
    """The page's answer of this path, with some values replaced."""

    def reply() -> Reply:
        answer = json.loads(stage.answers.of(path.removeprefix(f"pipelines/{PIPELINE}"))) | more
        return 200, {"Content-Type": "application/json"}, json.dumps(answer).encode()

    return path, reply


def test_all_of_it_can_be_read_by_everybody(page: Page, stage: Stage) -> None:
    if axe_kit.NPM is None:
        pytest.skip(axe_kit.MISSING)
    for address, text in (
        (OF_PIPELINE, "its tables are not known yet"),
        (f"{OF_PIPELINE}&table={DEAD_LETTERS}", "no table"),
    ):
        page.goto(address)
        page.get_by_text(text).first.wait_for()
        assert axe_kit.violations(page, axe_kit.script()) == []
