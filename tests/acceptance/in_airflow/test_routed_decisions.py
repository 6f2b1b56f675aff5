"""Decisions about one routed table, as an operator makes them: by the page and by the form of `recover__p`, while it runs on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from kits.airflow_runs import Maintenance, Pressed
from kits.browser import shoot
from kits.lanes import RUNS
from kits.live import Live
from kits.routing import dead, ids, ids_if_there, names, routed_live, send
from kits.shared_airflow import SecretStack
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.5, group=RUNS, about=("lakelock/gaps", "lakelock/pause", "recover_decisions"))

if TYPE_CHECKING:
    from playwright.sync_api import Page

DONE = dict.fromkeys(("look", "approve", "recover", "audit"), "success") | {"tell": "skipped"}


def jetty_of(stack: SecretStack) -> Live:
    return routed_live(stack, "jetty")


PIPELINES = (jetty_of,)


@pytest.fixture(scope="module")
def jetty(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("jetty") as live:
        yield live


def decided(live: Live, decision: str, table: str, says: str) -> None:
    """By Airflow's form, approved; the preview *says* this."""
    run = Maintenance(live, "recover", decision=decision, table=f"{live.world.namespace}.{table}", why="a test")
    assert says in run.plan()
    assert run.answer("Approve") == DONE, run.story()


def holds(live: Live, **tables: list[int]) -> None:
    """Once runs have committed what there is, the tables have just these rows."""

    def there() -> bool:
        return all(ids_if_there(live.world, table) == expected for table, expected in tables.items())

    wait_until(there, 240, f"{tables}", 0.5)


@pytest.mark.long
def test_one_table_waits_while_it_is_paused_and_the_others_go_on(jetty: Live) -> None:
    first = jetty.world.next_id
    send(jetty.world, "issue", "star")
    holds(jetty, issue=[first], star=[first + 1])
    typo = Maintenance(jetty, "recover", decision="pause", table="jetty.isseu", why="a typo")
    assert typo.ended()["look"] == "failed"
    assert "jetty.issue" in typo.log("look")
    decided(jetty, "pause", "issue", "none is committed until you resume it")
    send(jetty.world, "issue", "star")
    holds(jetty, star=[first + 1, first + 3])
    waiting = "SELECT 1 FROM lakelock.parts WHERE pipeline = %s AND table_name = %s AND state = 'staged'"
    assert jetty.wal(waiting, jetty.name, "jetty.issue")
    assert ids(jetty.world, "issue") == [first]
    decided(jetty, "resume", "issue", "it was paused")
    holds(jetty, issue=[first, first + 2])


def test_a_table_that_was_dropped_is_retired_on_its_page_and_comes_back_by_a_rebind(jetty: Live, page: Page) -> None:
    first = jetty.world.next_id
    send(jetty.world, "push", "fork")
    holds(jetty, push=[first], fork=[first + 1])
    letters = len(dead(jetty.world))
    jetty.world.catalog.drop_table("jetty.push")
    url = f"{jetty.stack.airflow.url}/lakelock/page?pipeline=jetty&table="
    page.goto(f"{url}jetty.push")
    page.get_by_role("button", name="Retire…").click()
    box = page.get_by_role("dialog", name="Retire jetty.push")
    box.get_by_label("Why").fill("dropped on purpose")
    box.get_by_role("button", name="Start the run").click()
    box.get_by_text("It shows a preview and waits for approval").wait_for()
    shoot(page, "retired_by_the_page")
    run = Pressed(jetty, "recover")
    plan = run.plan()
    assert "retire jetty.push: the table is gone" in plan
    assert "requested by admin: dropped on purpose" in plan
    assert run.answer("Approve") == DONE, run.story()

    send(jetty.world, "push", "fork")
    holds(jetty, fork=[first + 1, first + 3])
    wait_until(lambda: len(dead(jetty.world)) > letters, 120, "a dead letter without a table", 0.5)
    assert [(d["target_table"], d["kind"]) for d in dead(jetty.world)[letters:]] == [("*", "its table is retired")]
    assert "push" not in names(jetty.world)
    again = Maintenance(jetty, "recover", decision="retire", table="jetty.push", why="again")
    assert set(again.ended().values()) == {"skipped"}, again.story()

    decided(jetty, "rebind", "push", "jetty.push")
    send(jetty.world, "push", "fork")
    holds(jetty, push=[first, first + 4], fork=[first + 1, first + 3, first + 5])
    redrive = Maintenance(jetty, "recover", decision="redrive", table="*", why="the table is back")
    assert "jetty.push" in redrive.plan()
    assert redrive.answer("Approve") == DONE, redrive.story()
    assert ids(jetty.world, "push") == [first, first + 2, first + 4]
