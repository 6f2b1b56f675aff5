"""Chromium, and the way into Airflow's pages."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from stack import machine
from stack.airflow import PASSWORD, USER

if TYPE_CHECKING:
    from playwright.sync_api import Page

_NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((path for name in _NAMES if (path := shutil.which(name))), None)
FLAGS = ("--no-sandbox",)
MISSING = "no Chromium on this machine (Debian: apt-get install chromium)"


def log_in(page: Page, url: str) -> None:
    page.goto(url)
    page.locator("input[name=username]").fill(USER)
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/login" not in url)


def shoot(page: Page, name: str) -> None:
    folder = machine.home() / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=folder / f"{name}.png")
