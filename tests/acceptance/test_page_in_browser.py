"""The page in Chromium over answers that no server would give at will: everything unknown, everything to look at, servers away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import axe_kit
import pytest
from browser_kit import BROWSER, MISSING
from page_answers import LETTERS, OF_PIPELINE, OF_TABLE, OVERVIEW, TABLE, Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 60_000
VIEWS = {
    "overview": OVERVIEW,
    "pipeline": OF_PIPELINE,
    "table": OF_TABLE,
    "dead letters": OF_TABLE.replace(TABLE, LETTERS),
}
DIALOGS = ("Run now, and commit…", "Roll back…", "Maintain…", "Recover…")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if BROWSER is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def told() -> list[str]:
    """Errors that no code of the page caught."""
    return []


@pytest.fixture
def page(browser: Browser, told: list[str]) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda fault: told.append(str(fault)))
    yield page
    context.close()


def go(page: Page, url: str) -> None:
    """Until nothing of the page waits for an answer."""
    page.goto(url)
    page.locator("main").get_by_role("table").first.wait_for()
    page.wait_for_function("!document.querySelector('[aria-busy]') && !document.body.innerText.includes('Loading')")


@pytest.fixture(scope="module")
def axe() -> str:
    if axe_kit.NPM is None:
        pytest.skip(axe_kit.MISSING)
    return axe_kit.script()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_everything_to_look_at_can_be_read_by_everybody(
    page: Page, axe: str, view: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    Stage(page)
    go(page, VIEWS[view])
    assert axe_kit.violations(page, axe) == []
    for name in DIALOGS:
        button = page.get_by_role("button", name=name, exact=True)
        if not button.count():
            continue
        button.first.click()
        page.get_by_role("dialog").wait_for()
        assert axe_kit.violations(page, axe) == [], name
        page.get_by_role("button", name="Cancel").click()
