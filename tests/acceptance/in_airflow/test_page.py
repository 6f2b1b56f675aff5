"""The page in Airflow as a browser shows it, with the numbers that are the table's and Kafka's; and a rollback that it starts."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import psycopg
import pytest
from confluent_kafka.admin import AdminClient
from kits import axe as axe_kit
from kits.browser import BROWSER, FLAGS, MISSING, log_in
from kits.here_writer import HereWriter
from kits.lanes import PAGES
from kits.page import PageServer
from kits.shared_airflow import MIGRATED
from kits.topics import create_topic
from kits.world import World, new_world
from lakelock.adapters.wal import migrate
from stack import machine
from stack.airflow import USER

pytestmark = pytest.mark.drawn(0.5, in_turn=PAGES, about="page/")

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Request

PATIENCE_MS = 120_000
HOSTILE = b'<img src=x onerror="window.pwned = 1">{'
BAD = [HOSTILE, b'{"id": "text"}', b"\xff\xfe"]
UNREAD = 7
# No server listens there.
SPARK_UI = "http://127.0.0.1:9"
# As the cell of the table shows it, before the age.
BEHIND = re.compile(rf"^{UNREAD}\b")
NOTHING = re.compile(r"\b(null|undefined|NaN)\b")


@dataclass(frozen=True)
class Shown:
    """An api-server, and the pipeline that it shows: runs are asked for, and no scheduler starts them."""

    server: PageServer
    world: World

    @property
    def url(self) -> str:
        return self.server.airflow.url

    @property
    def name(self) -> str:
        return self.world.name


@pytest.fixture(scope="module")
def shown(session_folder: Path, postgres: Any, kafka: Any, warehouse: str) -> Iterator[Shown]:
    """Two commits with dead letters in the first, and records that no run has read yet."""
    mark = uuid.uuid4().hex[:8]
    databases = [f"page_airflow_{mark}", f"page_log_{mark}"]
    with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
        for name, template in zip(databases, (MIGRATED, "template1"), strict=True):
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
    airflow, log = map(postgres.dsn, databases)
    migrate(log)
    home = session_folder / f"page-{mark}"
    (home / "pipelines").mkdir(parents=True)
    (home / "pipelines" / f"faulty_{mark}.yaml").write_text("tables: []\n")
    uri = postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://")
    properties = {"type": "sql", "uri": uri, "warehouse": warehouse}
    topic = f"shown-{mark}"
    create_topic(AdminClient({"bootstrap.servers": kafka.bootstrap}), topic)
    world = new_world(home / "pipelines", f"page_{mark}", log, kafka.bootstrap, 1, properties, topic)
    world.writer = HereWriter()
    world.produce(100, BAD)
    world.run()
    world.produce(60)
    world.run()
    world.produce(UNREAD)
    known = {k: v for k, v in world.environment().items() if k.startswith("AIRFLOW_CONN_")}
    known["AIRFLOW_CONN_SPARK_DEFAULT"] = json.dumps(
        {"conn_type": "spark_connect", "host": "sc://127.0.0.1", "extra": {"ui_url": SPARK_UI}}
    )
    server = PageServer(home, airflow, log, {USER: "admin"}, home / "pipelines", **known)
    server.start(is_migrated=True)
    yield Shown(server, world)
    server.stop()
    with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
        for name in databases:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def test_the_overview_reports_the_last_commit_and_what_landed(shown: Shown) -> None:
    found = shown.server.get("/lakelock/api/overview", USER)
    (broken,) = found["broken"]
    assert (broken.startswith("faulty_"), found["unknown"]) == (True, [])
    (pipeline,) = [p for p in found["pipelines"] if p["pipeline"] == shown.name]
    tables = {t["table"]: t for t in pipeline["tables"]}
    table = tables[shown.world.table]
    assert sum(n for n, _ in table["landed"]) == 160
    assert (table["dead_letters"], table["open_offsets"]) == (len(BAD), 0)
    assert pipeline["partitions"] == 2
    current = shown.world.catalog.load_table(shown.world.table).current_snapshot()
    assert current is not None
    assert table["version_id"] == str(current.snapshot_id)
    assert tables[f"{shown.world.table}__dead_letters"]["is_dead_letter_table"]


@pytest.fixture(scope="module")
def requests() -> list[str]:
    """Errors of the pages, and other machines that were asked."""
    return []


@pytest.fixture(scope="module")
def page(shown: Shown, requests: list[str]) -> Iterator[Page]:
    """Logged in as the admin; dark, as the machine is."""
    if BROWSER is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    def said(message: ConsoleMessage) -> None:
        if message.type == "error" and "/lakelock" in message.location.get("url", ""):
            requests.append(message.text)

    def requested(request: Request) -> None:
        if request.url.startswith(("http", "ws")) and urlsplit(request.url).hostname != "127.0.0.1":
            requests.append(request.url)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        context = browser.new_context(viewport={"width": 1400, "height": 1000}, color_scheme="dark")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda fault: requests.append(str(fault)))
        page.on("console", said)
        page.on("request", requested)
        log_in(page, shown.url)
        yield page
        browser.close()


def shoot(page: Page, name: str) -> None:
    folder = machine.home() / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=folder / f"page-{name}.png")


def test_the_navigation_leads_to_the_page_and_a_table(page: Page, shown: Shown, requests: list[str]) -> None:
    page.goto(f"{shown.url}/plugin/lakelock")
    frame = page.frame_locator("iframe")
    cell = frame.locator(f"td[data-lag='{shown.world.table}']")
    cell.filter(has_text=BEHIND).wait_for()
    assert frame.locator("html").get_attribute("data-theme") == "dark", "as Airflow is"
    shoot(page, "overview-dark")
    frame.get_by_role("link", name=shown.world.table, exact=True).click()
    frame.get_by_role("heading", name="Dead letters", exact=True).wait_for()
    frame.get_by_text(HOSTILE.decode()).first.wait_for()
    shoot(page, "table-dark")
    page.wait_for_url(re.compile("plugin/lakelock/.*table="))
    page.reload()
    frame.get_by_role("heading", name=shown.world.table).wait_for()
    assert page.evaluate("window.pwned") is None
    assert requests == []


def test_an_offset_is_found_in_the_browser(page: Page, shown: Shown, requests: list[str]) -> None:
    page.goto(f"{shown.url}/lakelock/page?pipeline={shown.name}&table={shown.world.table}")
    # The page fills it in when it knows the topics, which may be later than a hand.
    page.get_by_label("Topic", exact=True).fill(shown.world.topic)
    page.get_by_label("Partition", exact=True).fill("1")
    page.get_by_label("Offset", exact=True).fill("3")
    page.get_by_role("button", name="Find").click()
    page.get_by_text("it is a row of the table").wait_for()
    page.get_by_text(shown.world.files_by_offset()[1, 3]).first.wait_for()
    page.get_by_role("button", name="Which offsets?").first.click()
    page.get_by_text("each of them").first.wait_for()
    assert page.evaluate("window.pwned") is None
    assert requests == []


def test_each_dag_has_a_tab_with_its_pipeline(page: Page, shown: Shown, requests: list[str]) -> None:
    page.goto(f"{shown.url}/dags/ingest__{shown.name}/plugin/lakelock_dag")
    frame = page.frame_locator("iframe")
    frame.get_by_role("heading", name=shown.name, exact=True).wait_for()
    frame.get_by_text(f"{UNREAD} offsets behind in 2 partitions").first.wait_for()
    shoot(page, "tab-dark")
    wide = "() => [document.documentElement, ...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth)"
    shown_wide = f"{wide}.map((e) => [e.getAttribute('aria-label'), e.scrollWidth, e.clientWidth])"
    assert frame.locator("html").evaluate(shown_wide) == []
    # Airflow's frame may open no tab by itself.
    page.context.route(f"{SPARK_UI}/", lambda route: route.fulfill(body="jobs"))
    with page.context.expect_page() as opened:
        frame.get_by_role("link", name="Spark's UI").click()
    opened.value.get_by_text("jobs").wait_for()
    opened.value.close()
    frame.get_by_role("link", name=f"rollback__{shown.name}").click()
    page.wait_for_url(f"**/dags/rollback__{shown.name}")
    assert requests == []


def test_a_light_page_without_a_frame(page: Page, shown: Shown, requests: list[str]) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"{shown.url}/lakelock/page")
    page.locator(f"td[data-lag='{shown.world.table}']").filter(has_text=BEHIND).wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    shoot(page, "overview-light")
    page.get_by_role("searchbox").fill("nosuch")
    page.get_by_text("0 tables found").wait_for()
    page.get_by_role("searchbox").fill(shown.name)
    page.get_by_text("2 tables found").wait_for()
    page.goto(f"{shown.url}/lakelock/page?pipeline={shown.name}&table={shown.world.table}")
    page.get_by_role("heading", name="Dead letters", exact=True).wait_for()
    shoot(page, "table-light")
    page.goto(f"{shown.url}/lakelock/page?pipeline={shown.name}&table={shown.world.table}__dead_letters")
    page.get_by_role("columnheader", name="Offsets added").wait_for()
    assert not NOTHING.search(page.locator("main").inner_text())
    page.emulate_media(color_scheme="dark")
    assert requests == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_a_pipeline_really_shows_can_be_read_by_everybody(
    page: Page, shown: Shown, requests: list[str], scheme: Literal["light", "dark"]
) -> None:
    if axe_kit.NPM is None:
        pytest.skip(axe_kit.MISSING)
    axe = axe_kit.script()
    page.emulate_media(color_scheme=scheme)
    for query in ("", f"?pipeline={shown.name}", f"?pipeline={shown.name}&table={shown.world.table}"):
        page.goto(f"{shown.url}/lakelock/page{query}")
        page.get_by_text(shown.world.table).first.wait_for()
        page.wait_for_load_state("networkidle")
        assert axe_kit.violations(page, axe) == [], query
    page.get_by_role("button", name="to snapshot").first.click()
    page.get_by_role("dialog").wait_for()
    assert axe_kit.violations(page, axe) == [], "a dialog"
    page.emulate_media(color_scheme="dark")
    assert requests == []


def test_a_rollback_that_the_page_asks_for_is_airflows_run_and_in_its_audit_log(
    page: Page, shown: Shown, requests: list[str]
) -> None:
    page.goto(f"{shown.url}/lakelock/page?pipeline={shown.name}&table={shown.world.table}")
    page.get_by_role("button", name="to snapshot").first.click()
    page.get_by_label("recommit").check()
    page.get_by_role("dialog").get_by_label("Why").fill("asked by the page")
    shoot(page, "roll-back")
    page.get_by_role("button", name="Start the run").click()
    page.get_by_text("The run has started").wait_for()
    dag = f"rollback__{shown.name}"
    (run,) = shown.server.airflow.api("GET", f"/dags/{dag}/dagRuns")["dag_runs"]
    assert (run["triggering_user_name"], run["conf"]["why"]) == (USER, "asked by the page")
    assert run["conf"]["table"] == shown.world.table
    logged = shown.server.airflow.api("GET", f"/eventLogs?dag_id={dag}&event=trigger_dag_run")["event_logs"]
    assert [e["owner"] for e in logged] == [USER]
    assert requests == []
