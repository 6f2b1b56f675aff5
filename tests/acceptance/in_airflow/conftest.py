"""One Airflow for the tests that look at it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kits.airflow_lane import started
from kits.browser import BROWSER, FLAGS, MISSING, log_in
from kits.lanes import SHARED
from kits.shared_airflow import SecretStack
from stack.kafka import Kafka
from stack.postgres import Postgres

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="package")
def secret_stack(request: pytest.FixtureRequest) -> Iterator[SecretStack]:
    """The one of `kits.airflow_lane`, else one with the pipelines of the test modules that are run."""
    if file := os.environ.get(SHARED):
        yield SecretStack.attached(Path(file))
        return
    modules = dict.fromkeys(item.module for item in request.session.items if isinstance(item, pytest.Function))
    with started([prepare for module in modules for prepare in getattr(module, "PIPELINES", ())]) as described:
        yield SecretStack.attached(described)


@pytest.fixture(scope="package")
def postgres(secret_stack: SecretStack) -> Postgres:
    return secret_stack.postgres


@pytest.fixture(scope="package")
def kafka(secret_stack: SecretStack) -> Kafka:
    return secret_stack.kafka


@pytest.fixture(scope="package")
def warehouse(secret_stack: SecretStack) -> str:
    return secret_stack.warehouse


@pytest.fixture
def page(secret_stack: SecretStack) -> Iterator[Page]:
    """A page of Chromium, logged in as the admin."""
    if BROWSER is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(120_000)
        log_in(page, secret_stack.airflow.url)
        yield page
        browser.close()
