"""One Airflow for the tests that look at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kits.browser import BROWSER, MISSING, log_in
from kits.live import SecretStack

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="package")
def secret_stack(
    request: pytest.FixtureRequest, session_folder: Path, postgres: Any, kafka: Any, warm_spark: Any, warehouse: str
) -> Iterator[SecretStack]:
    """An Airflow with the session's servers, and with the pipelines of all test modules that are run (their `PIPELINES`)."""
    stack = SecretStack(session_folder / "secret-stack", postgres, kafka, warm_spark, warehouse)
    modules = dict.fromkeys(item.module for item in request.session.items if isinstance(item, pytest.Function))
    for prepare in (each for module in modules for each in getattr(module, "PIPELINES", ())):
        stack.add(prepare(stack))
    stack.start()
    yield stack
    stack.airflow.stop()


@pytest.fixture
def page(secret_stack: SecretStack) -> Iterator[Page]:
    """A page of Chromium, logged in as the admin."""
    if BROWSER is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(60_000)
        log_in(page, secret_stack.airflow.url)
        yield page
        browser.close()
