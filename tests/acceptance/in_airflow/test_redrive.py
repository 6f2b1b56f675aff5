"""Dead letters that fit now become rows as an operator has it done: by a form, and by the page, while the pipeline runs on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from kits.airflow_runs import Maintenance, Pressed
from kits.browser import shoot
from kits.lanes import RUNS
from kits.live import Live
from kits.redrives import fit, produce_unfit, proven
from kits.rollbacks import dead_letters_of
from kits.shared_airflow import SecretStack
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.35, group=RUNS, about="redrive")

if TYPE_CHECKING:
    from playwright.sync_api import Page


def flotsam_of(stack: SecretStack) -> Live:
    live = Live(stack, "flotsam", "schedule: {every: 10s}\ncommit: {max_latency: 1s}\n")
    live.world.produce(20)
    return live


PIPELINES = (flotsam_of,)


@pytest.fixture(scope="module")
def flotsam(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("flotsam") as live:
        live.wait_for_rows(20)
        # Its table was made of the records before it.
        produce_unfit(live.world, 10)
        yield live


def wait_for_dead_letters(live: Live, count: int) -> None:
    """With the rows beside them: dead letters land first, and until their batch has landed, too, there are none to redrive."""
    wait_until(lambda: len(live.world.rows(dead_letters_of(live.world))) == count, 240, f"{count} dead letters", 0.5)
    live.wait_until_caught_up(240)


def test_a_dead_letter_becomes_a_row_once_and_stays_reported(flotsam: Live) -> None:
    wait_for_dead_letters(flotsam, 1)
    fit(flotsam.world)
    form = {"decision": "redrive", "why": "the table has the column"}
    with flotsam.load(rate=100):
        run = Maintenance(flotsam, "recover", **form)
        plan = run.plan()
        assert "Redrive flotsam?" in plan
        assert f"{flotsam.world.table}: 1 open dead letter: {flotsam.world.topic}-" in plan
        assert "1 of the 1 that were tried now fit the table" in plan
        states = run.answer("Approve")
        assert states == dict.fromkeys(("look", "approve", "recover", "audit"), "success") | {"tell": "skipped"}, (
            run.story()
        )
        assert f"{flotsam.world.table}: 1 of 1 dead letter became a row, snapshot " in run.log("recover")
        assert "flotsam: complete" in run.log("audit")
        reported = f"/assets/events?source_dag_id={run.dag}&source_run_id={quote(run.run)}"
        wait_until(lambda: bool(flotsam.api("GET", reported)["asset_events"]), 120, "the asset event")
        (event,) = flotsam.api("GET", reported)["asset_events"]
        extra = event["extra"]
        assert (extra["table"], extra["rows"]) == (flotsam.world.table, 1)
        assert [(r["topic"], r["end"] - r["start"]) for r in extra["ranges"]] == [(flotsam.world.topic, 1)]
        again = Maintenance(flotsam, "recover", **form)
        assert set(again.ended().values()) == {"skipped"}
        assert "there are none" in again.log("look")
    flotsam.wait_until_caught_up()
    proven(flotsam.world, redriven=1, dead=0)


@pytest.mark.long
def test_the_page_asks_for_a_redrive_and_then_reports_what_became_of_each(flotsam: Live, page: Page) -> None:
    world = flotsam.world
    # The dead letter of the fixture is a row already where the test before this one ran.
    was_redriven = "unheard_of" in world.catalog.load_table(world.table).schema().column_names
    if was_redriven:
        fit(world, fits=False)
    tried = 2 if was_redriven else 3
    produce_unfit(world, 10)
    world.produce(0, bad=[b"no json"])
    wait_for_dead_letters(flotsam, 3)
    fit(world)
    url = flotsam.stack.airflow.url
    page.goto(f"{url}/plugin/lakelock")
    frame = page.frame_locator("iframe")
    frame.get_by_role("link", name=world.table, exact=True).click()
    frame.get_by_role("button", name="Redrive…").click()
    frame.get_by_role("dialog").get_by_label("Why").fill("the table has the column")
    frame.get_by_role("button", name="Start the run").click()
    frame.get_by_role("link", name="Go to the run").wait_for()

    run = Pressed(flotsam, "recover")
    assert "still unfit: not a JSON object: 1" in run.plan()
    page.goto(f"{url}/lakelock/page?pipeline={flotsam.name}")
    asks = page.get_by_role("link", name="waits for an answer")
    asks.wait_for()
    assert (asks.get_attribute("href") or "").endswith("/required_actions")
    page.goto(f"{url}/dags/{run.dag}/runs/{quote(run.run, safe=':+')}/tasks/approve/required_actions")
    page.get_by_text(f"{tried - 1} of the {tried} that were tried now fit the table").wait_for()
    shoot(page, "redrive-asked")
    page.get_by_test_id("hitl-option-Approve").click()
    question = f"{run.path}/taskInstances/approve/-1/hitlDetails"
    wait_until(lambda: flotsam.api("GET", question)["response_received"], 240, "the answer of the browser", 0.2)
    states = run.answer("Approve")
    assert {task for task, state in states.items() if state != "success"} == {"tell"}, run.story()

    page.goto(f"{url}/lakelock/page?pipeline={flotsam.name}&table={world.table}")
    page.get_by_text("2 of all became rows since").wait_for()
    dead_letters = page.get_by_role("table", name="Newest dead letters", exact=True).locator("tbody tr")
    reported = [re.sub(r"\s+", " ", text) for text in dead_letters.all_inner_texts()]
    assert [text.count("redriven") for text in reported if "unheard_of" in text] == [1, 1], reported
    assert [text.count("redriven") for text in reported if "no json" in text] == [0], reported
    page.locator("section").filter(has=page.get_by_role("heading", name="Dead letters")).scroll_into_view_if_needed()
    shoot(page, "redriven")
    flotsam.wait_until_caught_up()
    proven(world, redriven=2, dead=1)
