"""Rows that are there are read again as an operator asks for it, by a form and by the page, while records keep coming."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from kits.airflow_runs import Maintenance, Pressed
from kits.browser import shoot
from kits.lanes import RUNS
from kits.live import Live
from kits.replaces import new_column, notes
from kits.shared_airflow import SecretStack
from lakelock.audit.audit_text import audit_text

pytestmark = pytest.mark.drawn(0.35, group=RUNS, about="replace")

if TYPE_CHECKING:
    from playwright.sync_api import Page

EACH = 100
REPLACED = dict.fromkeys(("ask", "replace", "done"), "success") | dict.fromkeys(
    ("write", "commit", "check", "tell"), "skipped"
)


def jetsam_of(stack: SecretStack) -> Live:
    live = Live(stack, "jetsam", "schedule: {every: 10s}\ncommit: {max_latency: 1s}\n")
    live.world.produce(EACH)
    return live


PIPELINES = (jetsam_of,)


@pytest.fixture(scope="module")
def jetsam(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("jetsam") as live:
        live.wait_for_rows(EACH)
        yield live


def all_of_it(live: Live) -> tuple[str, str]:
    """A time that has all records that are there, and none that comes later."""
    live.wait_until_caught_up()
    now = datetime.now(UTC)
    return (now - timedelta(days=1)).isoformat(), now.isoformat()


def has_all_notes(live: Live) -> bool:
    return notes(live.world) == {n: f"n{n}" for n in range(live.world.next_id)}


def test_rows_get_a_column_of_later_by_a_form_while_the_pipeline_runs_on(jetsam: Live) -> None:
    start, end = all_of_it(jetsam)
    new_column(jetsam.world)
    assert set(notes(jetsam.world).values()) == {None}
    with jetsam.load(rate=100):
        fields = {"mode": "replace", "from": start, "to": end, "why": "the column is another one"}
        before = jetsam.rows()
        run = Maintenance(jetsam, "backfill", **fields)
        assert run.ended() == REPLACED, run.story()
        assert f"{EACH} rows" in run.log("replace")
        jetsam.wait_for_rows(before + EACH)
    jetsam.wait_until_caught_up()
    assert has_all_notes(jetsam)
    jetsam.world.audit()
    with closing(jetsam.world.runtime()) as runtime:
        said = audit_text(runtime.audit())
    assert re.search(r"decided  .* replace by admin: the column is another one", said), said


def test_the_page_asks_for_a_replace(jetsam: Live, page: Page) -> None:
    start, end = all_of_it(jetsam)
    new_column(jetsam.world)
    url = jetsam.stack.airflow.url
    page.goto(f"{url}/lakelock/page?pipeline={jetsam.name}&table={jetsam.world.table}")
    page.get_by_role("button", name="Backfill…").click()
    box = page.get_by_role("dialog")
    box.get_by_label("replace: ").check()
    for label, value in (("From", start), ("To", end), ("Why", "the column is another one")):
        box.get_by_label(label).fill(value)
    shoot(page, "replace-form")
    box.get_by_role("button", name="Start the run").click()
    box.get_by_role("link", name="Go to the run").wait_for()
    run = Pressed(jetsam, "backfill")
    assert run.ended() == REPLACED, run.story()
    assert has_all_notes(jetsam)
    page.reload()
    page.get_by_text("replace: records read again").first.wait_for()
    jetsam.world.audit()
