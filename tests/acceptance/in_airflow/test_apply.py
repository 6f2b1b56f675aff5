"""What a pipeline file says of an existing table, as an operator has it applied: by a form, by the page, and by the maintenance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from kits.airflow_runs import Maintenance, Pressed
from kits.browser import shoot
from kits.lanes import RUNS
from kits.live import Live
from kits.shared_airflow import SecretStack
from kits.upkeep import table_of
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.35, group=RUNS, about="apply/")

if TYPE_CHECKING:
    from playwright.sync_api import Page


def wharf_of(stack: SecretStack) -> Live:
    settings = "schedule: {every: 10s}\ncommit: {max_latency: 1s}\nmaintenance: {apply: true}\n"
    live = Live(stack, "wharf", settings)
    live.world.produce(20)
    return live


PIPELINES = (wharf_of,)
COLUMNS = "{id: {type: long, doc: a number}, note: string, more: string}"
STEPS = ["id: comment 'a number'", "more: new, string", "partitioned by bucket(4, id)", "sorted by id desc"]


@pytest.fixture(scope="module")
def wharf(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("wharf") as live:
        live.wait_for_rows(20)
        yield live


def edit(live: Live, **keys: str) -> None:
    """The table gets these keys in the file of the pipeline."""
    said = "".join(f", {key}: {value}" for key, value in keys.items())
    text = (live.world.folder / f"{live.name}.yaml").read_text()
    name = f"{{name: {live.world.table}"
    assert name in text
    live.write_file(f"{live.name}.yaml", text.replace(name, f"{name}{said}"))


def applied(live: Live) -> list[dict[str, object]]:
    """What the snapshots that applied the file have of it."""
    summaries = [s.summary.additional_properties for s in table_of(live.world).metadata.snapshots if s.summary]
    return [json.loads(s["lakelock.applied"]) for s in summaries if "lakelock.applied" in s]


def test_the_file_is_applied_once_after_its_steps_were_approved(wharf: Live) -> None:
    table = wharf.world.table
    edit(wharf, columns=COLUMNS, partition_by="['bucket(4, id)']", sort_by="[id desc]", properties="{owner: ann}")
    form = {"decision": "apply", "why": "version two"}
    with wharf.load(rate=100):
        before = table_of(wharf.world).metadata
        run = Maintenance(wharf, "recover", **form)
        plan = run.plan()
        assert "Apply wharf?" in plan
        for step in (*STEPS, "property owner: ann"):
            assert f"- {table}: {step}\n" in f"{plan}\n"
        assert "requested by admin: version two" in plan
        states = run.answer("Reject")
        assert states == {"look": "success"} | dict.fromkeys(("approve", "recover", "audit", "tell"), "skipped")
        assert "rejected by admin: nothing was changed" in run.log("approve")
        now = table_of(wharf.world).metadata
        assert (now.schemas, now.partition_specs, now.sort_orders, now.properties) == (
            before.schemas, before.partition_specs, before.sort_orders, before.properties,
        )  # fmt: skip
        assert applied(wharf) == []

        run = Maintenance(wharf, "recover", **form)
        assert run.plan() == plan
        states = run.answer("Approve")
        assert states == dict.fromkeys(("look", "approve", "recover", "audit"), "success") | {"tell": "skipped"}, (
            run.story()
        )
        assert "wharf: complete" in run.log("audit")
        assert applied(wharf) == [{"steps": [*STEPS, "property owner: ann"], "who": "admin", "why": "version two"}]
        now = table_of(wharf.world).metadata
        assert now.schema().find_field("more").optional
        assert now.schema().find_field("id").doc == "a number"
        assert [f.name for f in now.spec().fields] == ["id_bucket"]
        assert now.properties["owner"] == "ann"
        again = Maintenance(wharf, "recover", **form)
        assert set(again.ended().values()) == {"skipped"}
        assert f"{table}: it is as the file says" in again.log("look")
    wharf.wait_until_caught_up()
    assert len(applied(wharf)) == 1
    wharf.world.audit()


@pytest.mark.long
def test_the_page_shows_the_steps_and_starts_the_run(wharf: Live, page: Page) -> None:
    table, world = wharf.world.table, wharf.world
    edit(wharf, columns=COLUMNS, properties="{shown: 'yes'}")
    # The page knows the file of the last batch.
    world.produce(10)
    wharf.wait_until_caught_up()
    url = wharf.stack.airflow.url
    page.goto(f"{url}/plugin/lakelock")
    frame = page.frame_locator("iframe")
    frame.get_by_role("link", name=wharf.name, exact=True).click()
    frame.get_by_role("button", name="Apply…").click()
    box = frame.get_by_role("dialog")
    box.get_by_text(f"{table}: property shown: yes").wait_for()
    box.get_by_label("Table").select_option(table)
    box.get_by_text(f"{table}: property shown: yes").wait_for()
    shoot(page, "apply")
    box.get_by_label("Why").fill("asked by the page")
    box.get_by_role("button", name="Start the run").click()
    box.get_by_role("link", name="Go to the run").wait_for()

    run = Pressed(wharf, "recover")
    assert f"- {table}: property shown: yes\n" in run.plan()
    page.goto(f"{url}/dags/{run.dag}/runs/{quote(run.run, safe=':+')}/tasks/approve/required_actions")
    page.get_by_text("property shown: yes").wait_for()
    shoot(page, "apply-asked")
    page.get_by_test_id("hitl-option-Approve").click()
    question = f"{run.path}/taskInstances/approve/-1/hitlDetails"
    wait_until(lambda: wharf.api("GET", question)["response_received"], 240, "the answer of the browser", 0.2)
    states = run.answer("Approve")
    assert {task for task, state in states.items() if state != "success"} == {"tell"}, run.story()
    assert applied(wharf)[-1]["why"] == "asked by the page"
    assert table_of(world).metadata.properties["shown"] == "yes"


def test_the_maintenance_applies_the_file_that_says_so(wharf: Live) -> None:
    table = wharf.world.table
    edit(wharf, properties="{kept: long}")
    before = len(applied(wharf))
    tasks = ("apply", "compact", "expire", "rewrite_manifests", "orphans", "audit", "done")
    dry = Maintenance(wharf, "maintain", dry_run=True)
    assert dry.ended() == dict.fromkeys(tasks, "success"), dry.story()
    assert f"{table}: property kept: long" in dry.log("apply")
    assert len(applied(wharf)) == before
    for number in range(2):
        run = Maintenance(wharf, "maintain")
        assert run.ended() == dict.fromkeys(tasks, "success"), run.story()
        assert ("property kept: long" if number == 0 else "it is as the file says") in run.log("apply")
        assert len(applied(wharf)) == before + 1
    assert applied(wharf)[-1] == {"steps": ["property kept: long"], "who": "admin", "why": "maintenance.apply"}
    assert table_of(wharf.world).metadata.properties["kept"] == "long"
