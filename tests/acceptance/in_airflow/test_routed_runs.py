"""A topic fans out to tables that appear while a real scheduler runs its pipeline, and the page shows them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from kits.browser import shoot
from kits.lanes import RUNS
from kits.live import Live
from kits.routing import ids_if_there, routed_live, send
from kits.shared_airflow import SecretStack
from kits.topics import ends
from lakelock.config.planned_dags import ROUTED_COMMIT_TASKS
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.35, group=RUNS, about="route/")

if TYPE_CHECKING:
    from playwright.sync_api import Page

# More than one page of the tables.
TABLES = 60
STEPS = ("plan", "write", "publish", "done")


def harbour_of(stack: SecretStack) -> Live:
    return routed_live(stack, "harbour", "  max_tables: 5000\n  mark_every: 1s")


PIPELINES = (harbour_of,)


@pytest.fixture(scope="module")
def harbour(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("harbour") as live:
        yield live


def announced(live: Live) -> set[str]:
    """Tables with asset events of the pipeline's runs."""
    return {event["extra"]["table"] for event in events(live) if "table" in event["extra"]}


def events(live: Live) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = live.api("GET", f"/assets/events?source_dag_id={live.dag}&limit=100")["asset_events"]
    return found


def cuts(live: Live) -> list[dict[str, Any]]:
    """Extras of the events of the pipeline's cut, oldest first."""
    found = [event for event in events(live) if event["uri"] == f"lakelock://{live.name}/"]
    return [event["extra"] for event in sorted(found, key=lambda event: event["id"])]


def instances(live: Live) -> list[list[dict[str, Any]]]:
    """Task instances of each run."""
    runs = [quote(r["dag_run_id"], safe="") for r in live.api("GET", f"/dags/{live.dag}/dagRuns?limit=100")["dag_runs"]]
    return [
        live.api("GET", f"/dags/{live.dag}/dagRuns/{run}/taskInstances?limit=100")["task_instances"] for run in runs
    ]


def labels(live: Live) -> set[str]:
    """What Airflow shows for commit tasks that had something to commit."""
    found = [t for of_run in instances(live) for t in of_run if (t["task_id"], t["state"]) == ("commit", "success")]
    return {t["rendered_map_index"] for t in found}


def test_tables_appear_while_it_runs_and_each_has_its_asset_events(harbour: Live, page: Page) -> None:
    send(harbour.world, "push", "fork", "push", b"no json")
    wait_until(
        lambda: (ids_if_there(harbour.world, "push"), ids_if_there(harbour.world, "fork")) == ([0, 2], [1]),
        300,
        "two tables",
        1,
    )
    send(harbour.world, "push", "release")
    wait_until(
        lambda: ids_if_there(harbour.world, "release") == [4] and ids_if_there(harbour.world, "push") == [0, 2, 3],
        300,
        "a third",
        1,
    )
    expected = {f"harbour.{kind}" for kind in ("push", "fork", "release")}
    wait_until(lambda: expected <= announced(harbour), 120, "asset events of each table", 1)
    page.goto(f"{harbour.stack.airflow.url}/lakelock/page?pipeline={harbour.name}")
    for table in sorted(expected):
        page.get_by_text(table).first.wait_for()
    shoot(page, "routed_tables")


def test_one_event_says_through_which_offsets_and_time_all_tables_are_complete(harbour: Live, page: Page) -> None:
    send(harbour.world, "push", "fork")
    sent = sum(ends(harbour.world))
    wait_until(lambda: [c["total"] for c in cuts(harbour)][-1:] == [sent], 300, "a cut with all records", 1)
    found = cuts(harbour)
    totals = [(c["total"], c["valid_through"] or "") for c in found]
    assert totals == sorted(set(totals)), "a cut was reported twice, or went back"
    newest = found[-1]
    assert (newest["behind"], newest["offsets_omitted"]) == ({}, 0)
    assert sum(o["end"] for o in newest["offsets"]) == sent
    assert datetime.fromisoformat(newest["valid_through"]) <= datetime.now(UTC)
    page.goto(f"{harbour.stack.airflow.url}/lakelock/page?pipeline={harbour.name}")
    page.get_by_text(f"Consistent cut, in all tables: {sent} offsets").first.wait_for()
    shoot(page, "consistent_cut")


def test_the_grid_has_tasks_for_shares_and_none_for_tables(harbour: Live, page: Page) -> None:
    kinds = [f"kind{n}" for n in range(TABLES)]
    send(harbour.world, *kinds)
    wait_until(lambda: all(ids_if_there(harbour.world, kind) for kind in kinds), 500, "many tables", 2)
    wait_until(lambda: bool(labels(harbour)), 120, "a commit that succeeded", 1)
    of_runs = instances(harbour)
    assert max(map(len, of_runs)) == len(STEPS) + ROUTED_COMMIT_TASKS
    assert {t["task_id"] for of_run in of_runs for t in of_run} == {*STEPS, "commit"}
    shares = [f"routed tables, share {n + 1} of {ROUTED_COMMIT_TASKS}" for n in range(ROUTED_COMMIT_TASKS)]
    shares[0] = f"harbour.letters, {shares[0]}"
    assert labels(harbour) <= {*shares}
    page.goto(f"{harbour.stack.airflow.url}/dags/{harbour.dag}")
    for step in (*STEPS, "commit"):
        page.get_by_text(step, exact=False).first.wait_for()
    shoot(page, "routed_grid")
