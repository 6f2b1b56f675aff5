"""The page in Chromium over answers that no server would give at will: everything unknown, everything to look at, servers away."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

import pytest
from kits import axe as axe_kit
from kits.browser import BROWSER, FLAGS, MISSING, shoot
from kits.page_answers import (
    DEAD_LETTERS,
    OF_PIPELINE,
    OF_TABLE,
    OVERVIEW,
    PIPELINE,
    REDRIVEN,
    SPARK_UI,
    TABLE,
    TOPIC,
    Reply,
    Stage,
    away,
)
from lakelock.catalogue.dag_forms import BOX
from lakelock.model.offsets import Source
from lakelock.model.overview import OpenParts, PipelineView
from lakelock.model.sightings import Gone, HangingTransaction, LatenessLimits, Sights, Unread
from lakelock.monitor.alerts import EndedRun, Runs
from stack.process import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.drawn(0.14, about="page/")

PATIENCE_MS = 60_000
VIEWS = {
    "overview": OVERVIEW,
    "pipeline": OF_PIPELINE,
    "table": OF_TABLE,
    "dead letters": OF_TABLE.replace(TABLE, DEAD_LETTERS),
}
DIALOGS = ("Run now, and commit…", "Roll back…", "Backfill…", "Maintain…", "Apply…", "Recover…", "Redrive…")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if BROWSER is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def requests() -> list[str]:
    """Errors that no code of the page caught."""
    return []


@pytest.fixture
def page(browser: Browser, requests: list[str]) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda fault: requests.append(str(fault)))
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
def test_everything_shown_can_be_read_by_everybody(
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


CAPTION = "Pipelines and their tables"
UNTOLD = re.compile(r"\b(null|undefined|NaN|Invalid Date|1970|\[object)\b")


def unknown(page: Page) -> list[str]:
    """All that people read or hear of the page and should not."""
    said = page.evaluate(
        "() => [document.title, document.body.innerText, ...[...document.querySelectorAll('*')].flatMap("
        "(e) => [...e.attributes].map((a) => a.value).concat(e.localName === 'title' ? e.textContent : []))].join('\\n')"
    )
    return [line for line in said.splitlines() if UNTOLD.search(line)]


def cells(page: Page, caption: str) -> list[list[str]]:
    """Of the table of this name, row by row."""
    rows = page.get_by_role("table", name=caption, exact=True).locator("tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def test_what_nobody_knows_is_a_dash_or_called_unknown(page: Page, requests: list[str]) -> None:
    Stage(page, known=False)
    go(page, OVERVIEW)
    page.get_by_text("age unknown").first.wait_for()
    page.get_by_text("unknown or unlimited").wait_for()
    assert unknown(page) == []
    (row,) = [r for r in cells(page, CAPTION) if r[0] == TABLE]
    assert row[2:4] == ["–", "–"], "newest record, last commit"
    go(page, OF_PIPELINE)
    page.get_by_text("age unknown in 3 partitions").wait_for()
    assert unknown(page) == []
    assert [r[4:] for r in cells(page, "Partitions")] == [["7", "7", "age unknown", "unknown or unlimited"]] * 3
    assert [r[3:] for r in cells(page, "Open batches")] == [["–", "7.5 s ago", "–", "–"]] * 2
    assert page.get_by_role("link", name="Spark's UI").count() == 0
    assert [r[2] for r in cells(page, "DAGs")] == ["–", *["when it is triggered"] * 4]
    go(page, OF_TABLE)
    page.get_by_role("button", name="Which offsets?").first.click()
    page.get_by_role("table", name="Offsets in the file").wait_for()
    page.get_by_label("Topic", exact=True).fill("topic1")
    page.get_by_label("Partition", exact=True).fill("0")
    page.get_by_label("Offset", exact=True).fill(str(REDRIVEN))
    page.get_by_role("button", name="Find").click()
    page.get_by_role("table", name="Batches with this offset").wait_for()
    assert unknown(page) == []
    tiles = dict(
        page.locator(".tile").evaluate_all(
            "(all) => all.map((t) => [...t.children].map((c) => c.textContent).slice(0, 2))"
        )
    )
    assert {
        tiles[name] for name in ("Newest record", "Valid through", "Last commit", "Rows by the ledger", "Dead letters")
    } == {"–"}
    assert [r[6:] for r in cells(page, "Committed batches")] == [["–", "–"]] * 3
    assert [(r[0], r[-1]) for r in cells(page, "Offsets in the file")] == [("–", "–")] * 2
    assert {(r[3], r[4]) for r in cells(page, "Newest data files")} == {("–", "–")}
    ((_, offset, time, _, value),) = cells(page, "Newest dead letters")
    assert (offset, time, value) == (str(REDRIVEN), "–", "no value")
    assert requests == []


def test_what_is_not_in_the_table_is_reported_with_the_reason(page: Page, requests: list[str]) -> None:
    stage = Stage(page)
    go(page, OF_TABLE)
    section = page.locator("section").filter(has=page.get_by_role("heading", name="Not in the table"))
    lines = section.get_by_role("listitem").all_inner_texts()
    source = f"{TOPIC}-0"
    assert [line for line in lines if line.startswith(source)] == [
        f"{source} [0, 10) will be loaded by a backfill",
        f"{source} [2005, 2010) will be loaded by a backfill",
        f"{source} [2003, 2004) was declared as not to be read",
        f"{source} [2002, 2003) was declared as lost",
        f"{source} [2001, 2002) was left out by a rollback",
    ]
    assert json.loads(stage.answers.of(f"/tables/{TABLE}"))["absent_count"] == len(lines)
    assert requests == []


# What the form of Airflow's backfills calls the box without which none of its fields is sent; its own module needs Airflow.
@pytest.fixture
def sent(page: Page) -> list[tuple[str, Any]]:
    """Runs that were asked of Airflow: where, and the form."""
    sent: list[tuple[str, Any]] = []

    def started(route: Route) -> None:
        form: Any = route.request.post_data_json
        sent.append((route.request.url, form["conf"]))
        route.fulfill(status=200, content_type="application/json", body='{"dag_run_id": "manual__1"}')

    Stage(page)
    page.route("**/api/v2/dags/*/dagRuns", started)
    return sent


def test_a_backfill_is_asked_of_airflow_with_the_mode_the_time_the_reason_and_the_table(
    page: Page, requests: list[str], sent: list[tuple[str, Any]]
) -> None:
    for url, table, mode in ((OF_TABLE, {"table": TABLE}, "fill"), (OF_PIPELINE, {}, "replace")):
        go(page, url)
        page.get_by_role("button", name="Backfill…").click()
        box = page.get_by_role("dialog")
        text = box.inner_text()
        assert "choose Trigger, Backfill" in text
        assert BOX in text
        assert box.get_by_label("fill: ").is_checked()
        box.get_by_label(f"{mode}: ").check()
        box.get_by_label("From").fill("yesterday")
        box.get_by_label("To").fill("2026-01-31T02:00:00Z")
        box.get_by_label("Why").fill("older ones")
        box.get_by_role("button", name="Start the run").click()
        assert sent == [], "a time that is none"
        box.get_by_label("From").fill("2026-01-31T00:00:00Z")
        box.get_by_label("Dry run").check()
        box.get_by_role("button", name="Start the run").click()
        box.get_by_role("link", name="Go to the run").wait_for()
        ((where, conf),) = sent
        assert where.endswith(f"/api/v2/dags/backfill__{PIPELINE}/dagRuns")
        assert conf == {
            "mode": mode, **table, "from": "2026-01-31T00:00:00Z", "to": "2026-01-31T02:00:00Z", "why": "older ones",
            "dry_run": True,
        }  # fmt: skip
        sent.clear()
    assert requests == []


def test_each_button_says_which_trigger_of_airflows_is_the_same(page: Page, requests: list[str]) -> None:
    Stage(page)
    go(page, OF_TABLE)
    for name in DIALOGS:
        page.get_by_role("button", name=name, exact=True).first.click()
        box = page.get_by_role("dialog")
        kind = box.get_by_text("own Trigger on").inner_text().partition("Trigger on ")[2].partition("__")[0]
        started = {"Run": "ingest", "Roll": "rollback", "Backfill…": "backfill", "Maintain…": "maintain"}
        assert kind == started.get(name.split()[0], "recover")
        box.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Run now, and commit…").click()
    assert "with Commit now on" in page.get_by_role("dialog").inner_text()
    assert requests == []


def test_a_redrive_is_asked_of_airflow_and_what_became_a_row_is_reported(
    page: Page, requests: list[str], sent: list[tuple[str, Any]]
) -> None:
    go(page, OF_TABLE)
    page.get_by_text("3 of all became rows since").wait_for()
    assert [r[3] for r in cells(page, "Newest dead letters")] == ["text\nredriven"]
    for reason in ({}, {"reason": "unknown field"}):
        page.get_by_role("button", name="Redrive…").click()
        box = page.get_by_role("dialog")
        box.get_by_role("button", name="Start the run").click()
        assert sent == [], "no reason for it"
        box.get_by_label("Why").fill("the columns are fixed")
        box.get_by_label("Reason contains").fill(reason.get("reason", " "))
        box.get_by_role("button", name="Start the run").click()
        box.get_by_role("link", name="Go to the run").wait_for()
        ((where, conf),) = sent
        assert where.endswith(f"/api/v2/dags/recover__{PIPELINE}/dagRuns")
        assert conf == {"decision": "redrive", "table": TABLE, **reason, "why": "the columns are fixed"}
        box.get_by_role("button", name="Close").click()
        sent.clear()
    assert requests == []


def test_a_pipeline_that_plans_no_more_is_what_needs_attention(page: Page, requests: list[str]) -> None:
    stage = Stage(page)
    go(page, OVERVIEW)
    before = page.locator(".tile", has_text="Needs attention").locator("dd").first.inner_text()
    stage.answers.stopped = "HistoryMissing: offsets [3, 9) are gone"
    go(page, OVERVIEW)
    page.get_by_text(stage.answers.stopped).wait_for()
    tile = page.locator(".tile.stopped", has_text="Needs attention")
    assert int(tile.locator("dd").first.inner_text()) == int(before) + 1
    page.get_by_label("only what needs attention").check()
    assert page.get_by_text(stage.answers.stopped).is_visible()
    go(page, OF_PIPELINE)
    page.get_by_text(stage.answers.stopped).wait_for()
    stage.answers.stopped = ""
    stage.answers.missing = (Source("gone", "id", 0),)
    go(page, OVERVIEW)
    page.get_by_text("Kafka no longer shows gone").wait_for()
    stage.answers.missing = ()
    go(page, OVERVIEW)
    page.locator("td[data-lag]").filter(has_text=re.compile(r"\d")).first.wait_for()
    assert page.get_by_text("HistoryMissing").count() == 0
    assert requests == []


NOW = datetime.now(UTC)
HOUR_AGO_S = NOW.timestamp() - 3600
SOURCE = Source(TOPIC, f"id-of-{TOPIC}", 0)
SEEN = Sights(NOW.timestamp(), LatenessLimits(60, None, 300), HOUR_AGO_S, (TABLE,))
WAITS = OpenParts(1, 5, 500, 5, since_s=NOW.timestamp() - 1800, age_s=1800.0, has_records=True)
ALERTS: dict[str, tuple[Sights, OpenParts, Runs, str]] = {
    "late": (
        replace(SEEN, unread={SOURCE: Unread(0, HOUR_AGO_S, ((5, HOUR_AGO_S),))}),
        OpenParts(),
        Runs(),
        "later than its promise",
    ),
    "failed": (SEEN, OpenParts(), Runs(failed=EndedRun("scheduled__1", NOW)), "the last run failed"),
    "dropped": (
        replace(SEEN, gone={TABLE: Gone(f"table {TABLE} is gone", HOUR_AGO_S)}),
        OpenParts(),
        Runs(),
        "is gone",
    ),
    "waiting": (SEEN, WAITS, Runs(), "are not committed yet"),
    "hanging": (
        replace(SEEN, hanging={SOURCE: HangingTransaction(0, HOUR_AGO_S)}),
        OpenParts(),
        Runs(),
        "a hanging transaction",
    ),
    "unwatched": (replace(SEEN, at_s=HOUR_AGO_S), OpenParts(), Runs(), "has not checked it"),
}


def needing(page: Page) -> tuple[int, list[str], list[str]]:
    """Of the overview: the number on the tile, what the column has, and what of it the filter leaves."""
    go(page, OVERVIEW)
    page.locator("td[data-lag]").filter(has_text=re.compile(r"\d")).first.wait_for()
    tile = page.locator(".tile", has_text="Needs attention").locator("dd").first.inner_text()
    column = page.locator(".notes-cell li:not(.note)")
    all_of_it = column.all_inner_texts()
    page.get_by_label("only what needs attention").check()
    return int(tile), all_of_it, [line.inner_text() for line in column.all() if line.is_visible()]


@pytest.mark.parametrize("kind", ALERTS)
def test_tile_filter_and_column_agree_on_what_needs_a_person(page: Page, requests: list[str], kind: str) -> None:
    answers = Stage(page).answers
    tables = tuple(
        replace(t, is_unsettled=False, staged=OpenParts(), dead_letters=0, last_pause=None) for t in answers.view.tables
    )
    good = replace(answers.view, tables=tables, batches=(), recovered_by=None, at=NOW, sights=SEEN)
    answers.view = good
    assert needing(page) == (0, [], [])
    assert page.get_by_text("0 tables found").is_visible()
    seen, staged, answers.runs, text = ALERTS[kind]
    answers.view = replace(good, sights=seen, tables=(replace(tables[0], staged=staged), *tables[1:]))
    tile, column, filtered = needing(page)
    assert tile == len(column) == 1
    assert filtered == column
    assert text in column[0]
    go(page, OF_PIPELINE)
    assert page.get_by_text(text).first.is_visible()
    assert requests == []


def test_a_pipeline_that_failed_before_it_planned_anything_is_found(page: Page, requests: list[str]) -> None:
    answers = Stage(page).answers
    answers.runs = Runs(failed=EndedRun("scheduled__1", NOW))
    answers.view = PipelineView.unplanned(PIPELINE)
    page.goto(OVERVIEW)
    page.get_by_text("the last run failed").wait_for()
    assert page.locator(".tile", has_text="Needs attention").locator("dd").first.inner_text() == "1"
    page.get_by_label("only what needs attention").check()
    assert page.get_by_text("the last run failed").is_visible()
    assert page.get_by_text("Nothing planned yet").count() == 0
    assert requests == []


def test_a_commit_that_is_skipped_says_when_it_is_due(page: Page, requests: list[str]) -> None:
    answers = Stage(page).answers
    for due_in_s, text in ((42.0, "commit due in 42 s"), (0.0, "commit due")):
        tables = tuple(replace(t, staged=WAITS, due_in_s=due_in_s) for t in answers.view.tables)
        answers.view = replace(answers.view, tables=tables)
        go(page, OVERVIEW)
        (row, *_) = [r for r in cells(page, CAPTION) if r[0] == TABLE]
        assert row[4].endswith(text)
        go(page, OF_TABLE)
        assert page.locator(".tile", has=page.get_by_text("Staged", exact=True)).inner_text().endswith(text)
    assert requests == []


def test_a_pipeline_whose_file_has_faults_is_what_needs_attention(page: Page, requests: list[str]) -> None:
    stage = Stage(page)
    go(page, OVERVIEW)
    before = page.locator(".tile", has_text="Needs attention").locator("dd").first.inner_text()
    stage.answers.broken = {"shipments"}
    go(page, OVERVIEW)
    page.get_by_text("shipments does not run: its file has errors").wait_for()
    href = page.get_by_role("link", name="its DAG").get_attribute("href") or ""
    assert href.endswith("/dags/ingest__shipments")
    tile = page.locator(".tile.stopped", has_text="Needs attention")
    assert int(tile.locator("dd").first.inner_text()) == int(before) + 1
    assert requests == []


def test_a_run_whose_answer_was_lost_starts_once_however_often_somebody_presses(page: Page) -> None:
    Stage(page)
    runs: dict[str, int] = {}

    def lost(route: Route) -> None:
        run_id = json.loads(route.request.post_data or "")["dag_run_id"]
        runs[run_id] = runs.get(run_id, 0) + 1
        if runs[run_id] == 1:
            route.abort()
        else:
            route.fulfill(status=409, json={"detail": "already exists"})

    page.route("**/api/v2/dags/*/dagRuns", lost)
    page.route(
        "**/api/v2/dags/*/dagRuns/*",
        lambda route: route.fulfill(json={"dag_run_id": unquote(route.request.url.rpartition("/")[2])}),
    )
    go(page, OF_TABLE)
    page.get_by_role("button", name="Recover…").click()
    box = page.get_by_role("dialog")
    box.get_by_role("button", name="Start the run").click()
    box.get_by_text("so the run may have started").wait_for()
    box.get_by_role("button", name="Start the run").click()
    link = box.get_by_role("link", name="Go to the run")
    link.wait_for()
    ((run_id, pressed),) = runs.items()
    assert pressed == 2
    assert run_id in unquote(link.get_attribute("href") or "")
    box.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Recover…").click()
    box.get_by_role("button", name="Start the run").click()
    box.get_by_text("so the run may have started").wait_for()
    assert len(runs) == 2, "another question is another run"


def test_who_clicks_beside_a_row_still_sees_what_is_new(still: Page) -> None:
    stage = Stage(still)
    go(still, OVERVIEW)
    stamp = still.locator(".tools .quiet", has_text="As of")
    before = stamp.inner_text()
    still.locator(".scroll.all").focus()
    await_another_second()
    wait_out(still, stage, "overview", REFRESH_MS)
    stamp.filter(has_not_text=before).wait_for()
    assert still.locator(".scroll.all").evaluate("(e) => e === document.activeElement")


def test_the_way_to_sparks_jobs_is_shown(page: Page, requests: list[str]) -> None:
    Stage(page)
    go(page, OF_PIPELINE)
    assert page.get_by_role("link", name="Spark's UI").get_attribute("href") == SPARK_UI
    assert requests == []


def test_a_table_of_dead_letters_gets_no_backfill(page: Page) -> None:
    Stage(page)
    go(page, VIEWS["dead letters"])
    assert page.get_by_role("button", name="Maintain…").count() == 1
    assert page.get_by_role("button", name="Backfill…").count() == 0


def test_the_dead_letter_tables_page_leads_to_the_table_of_each_cause(
    page: Page, requests: list[str], sent: list[tuple[str, Any]]
) -> None:
    go(page, VIEWS["dead letters"])
    for caption in ("Causes", "Newest dead letters"):
        assert [r[0] for r in cells(page, caption)] == [TABLE]
    page.get_by_role("button", name="Redrive…").click()
    box = page.get_by_role("dialog", name="Redrive dead letters of all tables")
    box.get_by_label("Why").fill("the columns are fixed")
    box.get_by_role("button", name="Start the run").click()
    box.get_by_role("link", name="Go to the run").wait_for()
    assert [conf for _, conf in sent] == [{"decision": "redrive", "why": "the columns are fixed"}]
    box.get_by_role("button", name="Close").click()
    page.get_by_role("table", name="Causes").get_by_role("link", name=TABLE).click()
    page.get_by_role("heading", name=TABLE, level=1).wait_for()
    page.get_by_role("table", name="Causes").wait_for()
    assert "Table" not in page.get_by_role("table", name="Causes").locator("th").all_inner_texts()
    assert requests == []


HOSTILE = '<img src=x onerror="window.pwned = 1"><script>window.pwned = 1</script>'


def test_whatever_a_column_and_a_value_say_is_shown_as_text(page: Page, requests: list[str]) -> None:
    stage = Stage(page)
    found = json.loads(stage.answers.of(f"/tables/{TABLE}/rows"))
    found |= {"columns": ["#id", HOSTILE], "rows": [["7", HOSTILE], [None, ""]], "why_few": HOSTILE}
    of = json.loads(stage.answers.of(f"/tables/{TABLE}/definition"))
    of |= {"layout": HOSTILE, "location": HOSTILE}
    changed = {"what": HOSTILE, "at_ms": 1_800_000_000_000, "record": HOSTILE}
    of["columns"] = [
        {"name": HOSTILE, "depth": 1, "type": HOSTILE, "required": False, "doc": HOSTILE, "changed": changed}
    ]
    snapshots = json.loads(stage.answers.of(f"/tables/{TABLE}/snapshots"))
    for one in snapshots["snapshots"]:
        if one["kind"] == "columns":
            one["columns"] = {"changes": [HOSTILE] * 4, "change_count": 9, "record": HOSTILE}
    of["snippets"] = [{"engine": HOSTILE, "program": HOSTILE, "needs": HOSTILE}]
    for what, body in (("rows", found), ("definition", of), ("snapshots", snapshots)):
        reply: Reply = (200, {"Content-Type": "application/json"}, json.dumps(body).encode())
        stage.replace(f"{ONE}/{what}", lambda reply=reply: reply)  # type: ignore[misc]
    go(page, OF_TABLE)
    row = page.get_by_role("table", name="Snapshots").locator("tr", has_text="columns changed")
    row.locator("summary", has_text="9 changes").click()
    assert row.get_by_role("listitem").all_inner_texts() == [*[HOSTILE] * 4, "and 5 more changes"]
    assert f"for the record of {HOSTILE}" in row.inner_text()
    assert page.get_by_role("table", name="Sample rows").locator("thead th").all_inner_texts() == ["#id", HOSTILE]
    assert cells(page, "Sample rows") == [["7", HOSTILE], ["NULL", ""]]
    (column,) = cells(page, "Columns")
    assert column[:4] == [HOSTILE, HOSTILE, "", HOSTILE]
    assert column[4].startswith("since ")
    assert f": {HOSTILE}" in column[4]
    assert column[4].endswith(f"for the record of {HOSTILE}")
    assert page.locator("pre").all_inner_texts() == [HOSTILE]
    assert page.evaluate("window.pwned") is None
    assert page.locator("main img, main script").count() == 0
    assert requests == []


def test_who_may_not_see_rows_is_reported_why_there_are_none(page: Page, requests: list[str]) -> None:
    stage = Stage(page)
    hidden = json.loads(stage.answers.of(f"/tables/{TABLE}/rows")) | {"hidden": True, "rows": [], "columns": []}
    reply: Reply = (200, {"Content-Type": "application/json"}, json.dumps(hidden).encode())
    stage.replace(f"{ONE}/rows", lambda: reply)
    go(page, OF_TABLE)
    page.get_by_text("To see rows, you need the right to read the logs of the DAG's tasks.").wait_for()
    assert page.get_by_role("table", name="Sample rows").count() == 0
    assert page.get_by_role("table", name="Columns").count() == 1
    assert requests == []


def test_a_table_is_rolled_back_from_its_page_and_dead_letters_are_not(page: Page) -> None:
    Stage(page)
    go(page, VIEWS["table"])
    # That of the table, and that of one of its snapshots.
    for button in (page.get_by_role("button", name="Roll back…", exact=True), page.get_by_text("Roll back…").last):
        button.click()
        offered = page.get_by_role("dialog").get_by_role("radio").evaluate_all("(all) => all.map((r) => r.value)")
        assert offered == ["recommit", "replay", "skip"]
        page.get_by_role("button", name="Cancel").click()
    go(page, VIEWS["dead letters"])
    page.get_by_role("heading", name="Snapshots").locator("xpath=ancestor::section").locator(
        "tbody tr"
    ).first.wait_for()
    assert page.get_by_text("Roll back…").count() == 0


def test_the_rows_of_the_newest_snapshot_and_each_rollback_are_reported(page: Page, requests: list[str]) -> None:
    stage = Stage(page)
    rows = json.loads(stage.answers.of(f"/tables/{TABLE}/snapshots"))
    rows["snapshots"][0]["total_rows"] = 1234
    rows["snapshot_id"] = rows["snapshots"][0]["snapshot_id"] = "99"
    body: Reply = (200, {"Content-Type": "application/json"}, json.dumps(rows).encode())
    stage.replace(f"{ONE}/snapshots", lambda: body)
    go(page, OF_TABLE)
    tile = page.locator(".tile", has_text="in the newest snapshot")
    assert tile.locator("dt, dd").first.inner_text() == "Rows"
    assert tile.locator("dd").first.inner_text() == "1,234"
    lines = page.locator("section").filter(has=page.get_by_role("heading", name="Rollbacks")).get_by_role("listitem")
    assert [line.partition(": ")[2] for line in lines.all_inner_texts()] == [
        f"from snapshot {n}, skip, by somebody: bad" for n in (9, 8)
    ]
    assert requests == []


def test_a_dag_whose_file_is_gone_has_no_button_and_no_next_run(page: Page, requests: list[str]) -> None:
    Stage(page).answers.stale = ("backfill", "maintain")
    go(page, OF_PIPELINE)
    for name, is_gone in (("Backfill…", True), ("Maintain…", True), ("Recover…", False)):
        button = page.get_by_role("button", name=name)
        assert button.is_disabled() is is_gone, name
        assert ("file is gone" in (button.get_attribute("title") or "")) is is_gone, name
    rows = {row[0].split("__")[0]: row for row in cells(page, "DAGs")}
    assert (rows["backfill"][2], "its file is gone" in rows["backfill"][0]) == ("–", True)
    assert "its file is gone" not in rows["ingest"][0]
    assert page.locator(".tile", has_text="Next maintenance").locator("dd").first.inner_text() == "–"
    assert requests == []


class Away:
    """A server that is away for some of the answers, each with a reason, and then is back."""

    def __init__(self, times: int, **headers: str) -> None:
        self.left, self._headers = times, headers

    def __call__(self) -> Reply | None:
        if not self.left:
            return None
        self.left -= 1
        return away("Kafka did not answer. The api-server's log says why.", **self._headers)


@pytest.fixture
def still(page: Page) -> Page:
    """A page whose clock stands until the test moves it, and whose chances are all 0."""
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    page.add_init_script("Math.random = () => 0")
    return page


def wait_out(page: Page, stage: Stage, path: str, at_least_ms: int) -> None:
    """Until the page asks once more, which it must not do sooner."""
    before = stage.requests.count(path)
    # Some of the pause may be over: the clock is moved in steps until a question is seen.
    page.clock.run_for(at_least_ms - 250)
    assert stage.requests.count(path) == before
    until_asked(page, stage, path)


def until_asked(page: Page, stage: Stage, path: str) -> None:
    """Until the page asks once more, however much of its pause is over: it may be due at once."""
    before = stage.requests.count(path)
    for _ in range(300):
        page.clock.run_for(100)
        if stage.requests.count(path) > before:
            return
    pytest.fail(f"{path} was not asked again")


def await_another_second() -> None:
    """A page counts seconds: what is asked from now on is of another one than all that it shows."""
    shown = int(time.time())
    wait_until(lambda: int(time.time()) > shown, 120, "another second", 0.05)


LAG = f"pipelines/{PIPELINE}/lag"
ONE = f"pipelines/{PIPELINE}/tables/{TABLE}"
FAULT = "Kafka did not answer. The api-server's log says why."
SAID = f"{FAULT} The page retries until it gets an answer."


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (OVERVIEW, "overview"),
        (OF_PIPELINE, f"pipelines/{PIPELINE}"),
        (OF_PIPELINE, LAG),
        (OF_TABLE, ONE),
        (OF_TABLE, f"{ONE}/files"),
    ],
)
def test_a_server_that_is_away_is_asked_again_with_growing_pauses_until_it_answers(
    still: Page, requests: list[str], url: str, path: str
) -> None:
    stage = Stage(still)
    stage.replace(path, Away(2))
    still.goto(url)
    still.get_by_text(SAID).wait_for()
    assert stage.requests.count(path) == 1
    wait_out(still, stage, path, 1_000)
    still.get_by_text(SAID).wait_for()
    wait_out(still, stage, path, 2_000)
    still.get_by_text(SAID).wait_for(state="detached")
    still.locator("main").get_by_role("table").first.wait_for()
    assert stage.requests.count(path) == 3
    assert requests == []


def test_a_server_that_says_when_to_come_again_is_not_asked_before(still: Page) -> None:
    stage = Stage(still)
    stage.replace(LAG, Away(2, **{"Retry-After": "20"}))
    still.goto(OF_PIPELINE)
    still.get_by_text(SAID).wait_for()
    rows = cells(still, "Partitions")
    wait_out(still, stage, LAG, 20_000)
    still.get_by_text(SAID).wait_for()
    assert cells(still, "Partitions") == rows, "what the log reported stays"
    wait_out(still, stage, LAG, 20_000)
    still.get_by_role("columnheader", name="Kafka has from").wait_for()


def test_what_is_shown_stays_while_servers_are_away(still: Page, requests: list[str]) -> None:
    stage = Stage(still)
    stage.replace(LAG, Away(1))
    still.goto(OVERVIEW)
    still.get_by_text(f"Kafka was not asked: {FAULT}").wait_for()
    wait_out(still, stage, LAG, 1_000)
    still.get_by_text("Kafka keeps the oldest unread record").wait_for()
    names = [r[0] for r in cells(still, CAPTION)]
    stage.replace("overview", Away(2))
    wait_out(still, stage, "overview", 1_000)
    still.get_by_text(SAID).wait_for()
    assert [r[0] for r in cells(still, CAPTION)] == names
    assert still.locator(".tile").count() == 5
    wait_out(still, stage, "overview", 1_000)
    # From now on the api-server answers, and its log does not.
    silent: Reply = (200, {"Content-Type": "application/json"}, stage.answers.silent_overview())
    stage.replace("overview", lambda: silent)
    wait_out(still, stage, "overview", 2_000)
    still.get_by_text("A write-ahead log did not answer").wait_for()
    still.get_by_text("as it was").wait_for()
    assert [r[0].split("\n")[0] for r in cells(still, CAPTION)][1:] == [n.split("\n")[0] for n in names][1:]
    stage.replace("overview", lambda: None)
    wait_out(still, stage, "overview", 1_000)
    still.get_by_text("A write-ahead log did not answer").wait_for(state="detached")
    assert still.get_by_text("as it was").count() == 0
    assert requests == []


def test_what_kafka_reported_before_is_shown_with_its_time_while_it_is_away(still: Page, requests: list[str]) -> None:
    stage = Stage(still)
    still.goto(OVERVIEW)
    cell = still.locator("td[data-lag]").first
    cell.filter(has_text=re.compile(r"\d")).wait_for()
    still.get_by_text("Kafka keeps the oldest unread record").wait_for()
    figure = cell.inner_text().splitlines()[0]
    assert "as of" not in cell.inner_text()
    stage.replace(LAG, Away(1_000))
    wait_out(still, stage, LAG, REFRESH_MS)
    clock = r"as of \d\d:\d\d"
    said = re.compile(rf"Kafka's figures are {clock}: {re.escape(FAULT)}")
    still.get_by_text(said).wait_for()
    for _ in range(2):
        # As often as it is drawn again.
        shown = cell.inner_text().splitlines()
        assert (shown[0], re.fullmatch(clock, shown[-1]) is not None) == (figure, True)
        before = stage.requests.count("overview")
        while stage.requests.count("overview") == before:
            still.clock.run_for(1_000)
        still.wait_for_timeout(100)
        assert still.get_by_text(said).count() == 1
    stage.replace(LAG, lambda: None)
    for _ in range(60):
        still.clock.run_for(5_000)
        if not still.get_by_text(said).count():
            break
    assert "as of" not in cell.inner_text()
    go(still, OF_PIPELINE)
    stage.replace(LAG, Away(1_000))
    wait_out(still, stage, LAG, REFRESH_MS)
    still.locator(".tile", has_text="Behind Kafka").get_by_text(re.compile(rf"{clock}, no answer since")).wait_for()
    assert re.fullmatch(clock, still.locator("td[data-lag]").first.inner_text().splitlines()[-1])
    assert requests == []


@pytest.mark.parametrize(
    ("url", "path", "part"),
    [(OF_PIPELINE, f"pipelines/{PIPELINE}", "DAGs"), (OF_TABLE, ONE, "Committed batches")],
)
def test_the_time_that_is_reported_is_that_of_the_oldest_part(still: Page, url: str, path: str, part: str) -> None:
    stage = Stage(still)
    go(still, url)
    stamp = still.locator(".part > .hint").filter(has_text="As of").first

    def requests() -> str:
        return stamp.inner_text().split(". ")[0].rstrip(".")

    before = requests()
    select = "(t) => { const r = document.createRange(); r.selectNodeContents(t); getSelection().removeAllRanges(); getSelection().addRange(r); }"
    still.get_by_role("table", name=part, exact=True).locator("td").first.evaluate(select)
    await_another_second()
    wait_out(still, stage, path, REFRESH_MS)
    still.wait_for_timeout(500)
    assert requests() == before
    still.evaluate("getSelection().removeAllRanges()")
    wait_out(still, stage, path, REFRESH_MS)
    wait_until(lambda: requests() != before, 120, "a newer time", 0.1)


def test_that_a_server_is_away_can_be_read_by_everybody(page: Page, axe: str) -> None:
    stage = Stage(page)
    for path in ("overview", f"pipelines/{PIPELINE}", f"{ONE}/files"):
        stage.replace(path, Away(1_000))
    for url in (OVERVIEW, OF_PIPELINE, OF_TABLE):
        page.goto(url)
        page.get_by_text(SAID).wait_for()
        assert axe_kit.violations(page, axe) == []


REFRESH_MS, SLOW_MS = 15_000, 60_000


def ask_both(page: Page) -> list[str]:
    """Which offsets a file has, and where an offset is; as text."""
    page.get_by_role("button", name="Which offsets?").first.click()
    page.get_by_role("table", name="Offsets in the file").wait_for()
    page.get_by_label("Topic", exact=True).fill(TOPIC)
    page.get_by_label("Partition", exact=True).fill("0")
    page.get_by_label("Offset", exact=True).fill(str(REDRIVEN))
    page.get_by_role("button", name="Find").click()
    page.get_by_role("table", name="Batches with this offset").wait_for()
    return page.locator("main .answer").all_inner_texts()


@pytest.mark.parametrize(
    ("url", "path", "slow"),
    [
        (OF_PIPELINE, f"pipelines/{PIPELINE}", LAG),
        (OF_TABLE, ONE, None),
        (OF_TABLE, f"{ONE}/snapshots", None),
        (OF_TABLE, f"{ONE}/files", None),
        (OF_TABLE, f"{ONE}/dead-letters", None),
    ],
)
def test_what_is_shown_is_checked_again_by_itself_also_after_a_fault(
    still: Page, requests: list[str], url: str, path: str, slow: str | None
) -> None:
    stage = Stage(still)
    go(still, url)
    is_slow = path.startswith(f"{ONE}/")
    place = {f"{ONE}/snapshots": "Snapshots", f"{ONE}/files": "Files", f"{ONE}/dead-letters": "Dead letters"}.get(path)
    named = (
        still.locator("section").filter(has=still.get_by_role("heading", name=place, exact=True)) if place else still
    )
    stamp = (named.locator(".hint") if place else still.locator(".part > .hint")).filter(has_text="As of").first
    before, pause = stamp.inner_text(), SLOW_MS if is_slow else REFRESH_MS
    await_another_second()
    wait_out(still, stage, path, pause)
    stamp.filter(has_not_text=before).wait_for()
    if slow:
        assert stage.requests.count(slow) == 2
    # A fault that does not pass by itself is reported, and the page asks again all the same.
    refused: Reply = (409, {"Content-Type": "application/json"}, b'{"detail": "the table is locked"}')
    stage.replace(path, lambda: refused)
    wait_out(still, stage, path, pause)
    still.get_by_text("the table is locked").wait_for()
    stage.replace(path, lambda: None)
    wait_out(still, stage, path, pause)
    still.get_by_text("the table is locked").wait_for(state="detached")
    # One that does: with growing pauses.
    stage.replace(path, Away(2))
    wait_out(still, stage, path, pause)
    still.get_by_text(SAID).wait_for()
    wait_out(still, stage, path, 1_000)
    wait_out(still, stage, path, 2_000)
    still.get_by_text(SAID).wait_for(state="detached")
    assert requests == []


def test_a_look_again_leaves_what_somebody_has_in_hand(still: Page, requests: list[str]) -> None:
    stage = Stage(still)
    go(still, OF_TABLE)
    answers = ask_both(still)
    still.get_by_role("button", name="Show 2 more").first.click()
    region = still.get_by_role("region", name="Snapshots")
    region.evaluate("(r) => { r.style.width = '300px'; r.scrollLeft = 120; r.focus({ preventScroll: true }); }")
    field = still.get_by_label("Offset", exact=True)
    field.fill("18")
    field.focus()
    still.evaluate("window.scrollTo(0, 400)")
    wait_out(still, stage, ONE, REFRESH_MS)
    wait_out(still, stage, f"{ONE}/snapshots", SLOW_MS - 2 * REFRESH_MS)
    assert still.locator("main .answer").all_inner_texts() == answers
    assert field.input_value() == "18"
    assert field.evaluate("(f) => f === document.activeElement")
    assert still.evaluate("window.scrollY") == 400
    assert still.get_by_role("button", name="Show 2 more").count() == 0
    # A dialog stays, with the button that it goes back to.
    button = still.get_by_role("button", name="Roll back…", exact=True)
    button.click()
    still.get_by_role("dialog").get_by_label("Why").fill("half a sen")
    shown = still.locator(".hint", has_text="As of").first.inner_text()
    await_another_second()
    # The second question proves that the answer to the first was handled, and how much of the pause is over depends on
    # when earlier answers came.
    until_asked(still, stage, ONE)
    until_asked(still, stage, ONE)
    assert still.get_by_role("dialog").get_by_label("Why").input_value() == "half a sen"
    assert still.locator(".hint", has_text="As of").first.inner_text() == shown
    still.get_by_role("button", name="Cancel").click()
    assert button.evaluate("(b) => b === document.activeElement")
    until_asked(still, stage, ONE)
    still.locator(".part > .hint").filter(has_not_text=shown).wait_for()
    assert button.evaluate("(b) => b === document.activeElement")
    assert requests == []


def test_the_offsets_of_a_file_come_into_sight_and_have_the_focus(page: Page, requests: list[str]) -> None:
    Stage(page)
    page.set_viewport_size({"width": 1400, "height": 500})
    go(page, OF_TABLE)
    page.get_by_role("button", name="Which offsets?").first.click()
    found = page.get_by_role("table", name="Offsets in the file")
    found.wait_for()
    page.wait_for_function(
        "() => { const r = [...document.querySelectorAll('table')].find((t) => t.caption?.textContent === 'Offsets in the file')"
        ".getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; }"
    )
    assert page.evaluate("document.activeElement.className") == "answer"
    assert requests == []


def test_a_redriven_and_replaced_offset_is_reported_by_what_made_its_row(page: Page) -> None:
    Stage(page)
    go(page, OF_TABLE)
    ask_both(page)
    text = page.locator("main").inner_text()
    assert "Its dead letter was added by snapshot" in text
    assert re.search(
        r"It became a row by a redrive, with snapshot \S+ of .* \(redrive: dead letters became rows\)\.", text
    )
    assert re.search(r"It was read again by the replace of \S+ \S+ by somebody: columns fixed, with snapshot", text)
    assert "The batch that read it as a dead letter. Its row did not come from a batch:" in text


def test_times_are_checked_before_they_are_sent_and_a_refusal_is_a_sentence(
    page: Page, requests: list[str], sent: list[tuple[str, Any]]
) -> None:
    go(page, OF_TABLE)
    page.get_by_role("button", name="Backfill…").click()
    box = page.get_by_role("dialog")
    box.get_by_label("Why").fill("older ones")

    def started(start: str, end: str) -> None:
        box.get_by_label("From").fill(start)
        box.get_by_label("To").fill(end)
        box.get_by_role("button", name="Start the run").click()

    for start, end, why in (
        (
            "2026-11-25 01:11",
            "2026-11-25T02:00Z",
            "From: 2026-11-25T01:11 has no time zone: write 2026-11-25T01:11Z for UTC.",
        ),
        (
            "2026-11-25T01:11Z",
            "2026-11-25T02:00",
            "To: 2026-11-25T02:00 has no time zone: write 2026-11-25T02:00Z for UTC.",
        ),
        ("2026-11-25T01:11Z", "2026-11-25T02:11+02:00", "From must be before To."),
        ("2026-02-31T25:00Z", "2026-11-25T02:00Z", "From: 2026-02-31T25:00Z is not a time like 2026-01-31T12:00:00Z."),
    ):
        started(start, end)
        assert box.get_by_role("alert").inner_text() == why
    assert sent == []
    dump = (
        "Invalid input for param from: '2026' does not match '^\\\\d{4}-'\n\nFailed validating 'pattern' in schema:\n"
        "    {'title': 'From',\n     'type': ['null', 'string']}\n\nOn instance:\n    '2026'"
    )
    # No run of the dialog's id is there.
    page.route("**/api/v2/dags/*/dagRuns/*", lambda route: route.fulfill(status=404, json={"detail": "not found"}))
    faults = {
        400: ({"detail": dump}, "Airflow does not take '2026' as from. No run was started."),
        422: ({"detail": [{"loc": ["body", "conf"], "msg": "Input should be a dict"}]}, "conf: Input should be a dict"),
        409: (
            {
                "detail": "Invalid input for param table: 'my is' is not one of [None, 'lake.t']\n\nFailed validating 'enum'"
            },
            "Airflow does not take 'my is' as table. No run was started.",
        ),
        404: ({"detail": "The Dag was not found"}, "The Dag was not found"),
        500: ({"nothing": 1}, "The server answered 500."),
    }
    for status, (body, said) in faults.items():
        page.route(
            "**/api/v2/dags/*/dagRuns",
            lambda route, _, status=status, body=body: route.fulfill(status=status, json=body),
        )
        started("2026-11-25 01:11Z", "2026-11-25T02:00Z")
        box.get_by_text(said, exact=True).wait_for()
    page.unroute("**/api/v2/dags/*/dagRuns")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Roll back…", exact=True).click()
    box.get_by_label("recommit").check()
    box.get_by_label("Back to").fill("2026-11-25 01:11")
    box.get_by_label("Why").fill("harmed")
    box.get_by_role("button", name="Start the run").click()
    assert "has no time zone" in box.get_by_role("alert").inner_text()
    assert requests == []


def test_maintenance_runs_for_one_table_or_all_and_may_be_a_dry_run(
    page: Page, requests: list[str], sent: list[tuple[str, Any]]
) -> None:
    for url, preset in ((OF_TABLE, TABLE), (OF_PIPELINE, "")):
        go(page, url)
        page.get_by_role("button", name="Maintain…").click()
        box = page.get_by_role("dialog")
        assert box.get_by_label("Table").input_value() == preset
        assert box.get_by_role("option").all_inner_texts() == ["all tables", TABLE, f"lake.{PIPELINE}__dead_letters"]
        box.get_by_label("Dry run").check()
        box.get_by_role("button", name="Start the run").click()
        box.get_by_role("link", name="Go to the run").wait_for()
        ((where, conf),) = sent
        assert where.endswith(f"/api/v2/dags/maintain__{PIPELINE}/dagRuns")
        assert conf == {**({"table": preset} if preset else {}), "dry_run": True}
        sent.clear()
    assert requests == []


STEPS = ("id: optional now", "more: new, string", "partitioned by bucket(16, id)")


def test_what_the_file_says_is_applied_by_a_run_and_its_steps_are_shown_before(
    page: Page, requests: list[str], sent: list[tuple[str, Any]]
) -> None:
    for url, preset in ((OF_TABLE, TABLE), (OF_PIPELINE, "")):
        go(page, url)
        page.get_by_role("button", name="Apply…").click()
        box = page.get_by_role("dialog")
        assert box.get_by_label("Table").input_value() == preset
        assert box.get_by_role("option").all_inner_texts() == ["all tables", TABLE]
        box.get_by_role("region", name="Steps").wait_for()
        assert box.get_by_role("listitem").all_inner_texts() == [f"{TABLE}: {step}" for step in STEPS]
        box.get_by_role("button", name="Start the run").click()
        path = "/required_actions"
        assert (box.get_by_role("link", name="Go to the run").get_attribute("href") or "").endswith(path)
        ((where, conf),) = sent
        assert where.endswith(f"/api/v2/dags/recover__{PIPELINE}/dagRuns")
        assert conf == {
            **({"table": preset} if preset else {}), "decision": "apply", "why": "as the pipeline file says",
        }  # fmt: skip
        sent.clear()
    go(page, OF_TABLE.replace(TABLE, DEAD_LETTERS))
    assert page.get_by_role("button", name="Apply…").count() == 0
    assert requests == []


def test_the_steps_are_those_of_the_tables_that_are_chosen(page: Page, requests: list[str]) -> None:
    """An answer about another choice than the newest is not shown; nor is one table without an answer in the way of others."""
    stage = Stage(page)
    names = [f"lake.t{n}" for n in range(23)]
    facts = json.loads(stage.answers.of(""))
    body = json.dumps({**facts, "named": names}).encode()
    stage.replace(f"pipelines/{PIPELINE}", lambda: (200, {"Content-Type": "application/json"}, body))

    def answered(name: str) -> Reply:
        if name == "lake.t1":
            return 409, {"Content-Type": "application/json"}, b'{"detail": "table lake.t1 is gone"}'
        found = {
            "at": NOW.isoformat(),
            "table": name,
            "lines": [f"{name}: {'<i>' * 40}: new, string"],
            "nothing": False,
        }
        return 200, {"Content-Type": "application/json"}, json.dumps(found).encode()

    for name in names:
        stage.replace(f"pipelines/{PIPELINE}/tables/{name}/steps", partial(answered, name))
    go(page, OF_PIPELINE)
    page.get_by_role("button", name="Apply…").click()
    box = page.get_by_role("dialog")
    box.get_by_text("And 3 more tables: choose one").wait_for()
    lines = [line.partition(": ")[0] for line in box.get_by_role("listitem").all_inner_texts()]
    assert lines == names[:20]
    box.get_by_text("lake.t1: table lake.t1 is gone").wait_for()
    # The list of all tables is asked for again, and the choice changes meanwhile.
    box.get_by_label("Table").select_option("lake.t22")
    box.get_by_label("Table").select_option("all tables")
    box.get_by_label("Table").select_option("lake.t21")
    box.get_by_text("lake.t21: ").wait_for()
    page.wait_for_load_state("networkidle")
    assert [line.partition(": ")[0] for line in box.get_by_role("listitem").all_inner_texts()] == ["lake.t21"]
    assert requests == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 380])
def test_the_dialog_with_steps_fits_its_window(
    page: Page, requests: list[str], scheme: Literal["light", "dark"], width: int
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    stage = Stage(page)
    lines = [f"{TABLE}: {'a_long_name_' * n}: new, string" for n in range(1, 30)]
    body = json.dumps({"at": NOW.isoformat(), "table": TABLE, "lines": lines, "nothing": False}).encode()
    stage.replace(
        f"pipelines/{PIPELINE}/tables/{TABLE}/steps", lambda: (200, {"Content-Type": "application/json"}, body)
    )
    go(page, OF_TABLE)
    page.get_by_role("button", name="Apply…").click()
    box = page.get_by_role("dialog")
    region = box.get_by_role("region", name="Steps")
    region.wait_for()
    assert len(box.get_by_role("listitem").all()) == len(lines)
    # The list scrolls down, and nothing aside.
    assert region.evaluate("(e) => [e.scrollHeight > e.clientHeight, e.scrollWidth > e.clientWidth]") == [True, False]
    assert box.evaluate("(e) => [e.scrollHeight > e.clientHeight, e.scrollWidth > e.clientWidth]") == [False, False]
    start = box.get_by_role("button", name="Start the run").bounding_box()
    assert start is not None
    assert 0 <= start["x"] < start["x"] + start["width"] <= width
    shoot(page, f"apply-{scheme}-{width}")
    assert requests == []


def test_the_tab_of_the_watch_shows_all_pipelines_and_that_of_another_dag_none(page: Page) -> None:
    Stage(page)
    go(page, f"{OVERVIEW}?dag_id=lakelock_watch")
    assert [r[0] for r in cells(page, CAPTION)][1] == TABLE
    page.goto(f"{OVERVIEW}?dag_id=somebody_elses")
    page.get_by_text("somebody_elses is not a lakelock DAG").wait_for()


AXIS = """async ([values, base]) => {
    const { bars } = await import("/lakelock/static/plot.js");
    const { bytes, compact } = await import("/lakelock/static/format.js");
    const items = values.map((value, i) => ({ value, at: new Date(1767225600000 + i * 20000), title: "" }));
    const plot = bars(items, { label: "", format: base === 1024 ? bytes : compact, base });
    document.body.append(plot);
    plot.style.width = "720px";
    const y = (e) => Number(e.getAttribute("y"));
    const labels = [...plot.querySelectorAll("text.end")].filter((t) => t.getAttribute("x") === "56").map((t) => [t.textContent, y(t) - 4]);
    const tops = [...plot.querySelectorAll(".bar rect:nth-child(2)")].map(y);
    const times = [...plot.querySelectorAll("text.tick")].filter((t) => t.getAttribute("x") !== "56");
    const right = plot.getBoundingClientRect().right;
    return [labels, tops, times.map((t) => t.textContent), times.every((t) => t.getBoundingClientRect().right <= right + 0.5)];
}"""


CUT = """async (values) => {
    const { bars, ceiling } = await import("/lakelock/static/plot.js");
    const items = values.map((value, i) => ({ value, at: new Date(1767225600000 + i * 20000), title: "" }));
    const plot = bars(items, { label: "", format: String });
    const heights = [...plot.querySelectorAll(".bar rect:nth-child(2)")].map((r) => Number(r.getAttribute("height")));
    return [ceiling(items, 1000), heights, [...plot.querySelectorAll(".bar")].map((b) => b.querySelector(".cut") !== null)];
}"""


@pytest.mark.parametrize(
    ("values", "cut"),
    [
        ([5_000_000, 100, 200, 150, 120, 130], [0]),
        ([5_000_000, 100], [0]),
        ([900, 100, 200, 150], []),
        ([0, 0, 5], []),
        ([0, 0], []),
        ([], []),
    ],
)
def test_a_huge_first_load_leaves_the_other_bars_visible(page: Page, values: list[int], cut: list[int]) -> None:
    Stage(page)
    page.goto(OVERVIEW)
    most, heights, marked = page.evaluate(CUT, values)
    assert [n for n, is_cut in enumerate(marked) if is_cut] == cut
    assert (most is not None) == bool(cut)
    assert all(h >= 10 for h, v in zip(heights, values, strict=True) if v)
    assert all(h <= 120 for h in heights)


def test_a_plot_says_what_it_cut_off(page: Page) -> None:
    stage = Stage(page)
    found = json.loads(stage.answers.of(f"/tables/{TABLE}"))
    found["batches"][-1] |= {"rows": 5_000_000, "size_bytes": 2**30}
    body: Reply = (200, {"Content-Type": "application/json"}, json.dumps(found).encode())
    stage.replace(ONE, lambda: body)
    go(page, OF_TABLE)
    captions = page.locator(".plots figcaption").all_inner_texts()
    assert [c.partition("; ")[2] for c in captions] == ["1 bar is cut off (▲): 5M", "1 bar is cut off (▲): 1.0 GiB"]


LONG = "warehouse_of_shops.orders_by_customer__dead_letters"
TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll('.scroll')]
    .filter((e) => e.scrollWidth > e.clientWidth).map((e) => [e.ariaLabel, e.scrollWidth, e.clientWidth])"""


@pytest.mark.parametrize("view", ["overview", "pipeline", "table"])
def test_the_tab_of_a_dag_does_not_scroll_sideways(page: Page, view: str) -> None:
    """Airflow's frame leaves it 1030 of a window's 1400."""
    page.set_viewport_size({"width": 1030, "height": 1000})
    stage = Stage(page)
    for path, own in (("overview", stage.answers.overview()), (f"pipelines/{PIPELINE}", stage.answers.of(""))):
        found = json.loads(own)
        # Ages are as long as the page is late, and as long in words as they get.
        found["at"] = (datetime.fromisoformat(found["at"]) + timedelta(hours=23, minutes=59)).isoformat()
        for one in found.get("pipelines", [found]):
            for table in one["tables"]:
                table |= {"table": LONG, "open_offsets": 123_456_789, "planned": {**table["planned"], "parts": 1}}
                table["staged"] |= {"rows": 123_456_789, "size_bytes": 2**40}
                table["landed"][-1] = [123_456_789, 1]
        body: Reply = (200, {"Content-Type": "application/json"}, json.dumps(found).encode())
        stage.replace(path, lambda body=body: body)  # type: ignore[misc]
    go(page, VIEWS[view])
    assert page.evaluate(TOO_WIDE) == []


def test_one_of_a_thing_is_not_many(page: Page) -> None:
    stage = Stage(page)
    found = json.loads(stage.answers.overview())
    for table in found["pipelines"][0]["tables"]:
        table["open_offsets"] = table["staged"]["rows"] = table["staged"]["parts"] = 1
    body: Reply = (200, {"Content-Type": "application/json"}, json.dumps(found).encode())
    stage.replace("overview", lambda: body)
    go(page, OVERVIEW)
    text = next(r[4] for r in cells(page, CAPTION) if r[0] == TABLE)
    assert text.startswith("1 offset\n1 row staged, ")


@pytest.mark.parametrize("base", [1000, 1024])
@pytest.mark.parametrize("most", [1, 3, 5, 7, 50, 999, 1010, 1500, 2500, 99_999, 1_048_577, 336_776, 5_000_000_000])
def test_gridlines_are_named_by_their_own_values_and_times_once_and_whole(page: Page, base: int, most: int) -> None:
    Stage(page)
    page.goto(OVERVIEW)
    units = {"B": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "K": 10**3, "M": 10**6, "": 1}
    for count in (1, 2, 24, 31, 300):
        labels, tops, times, is_whole = page.evaluate(AXIS, [[most] * count, base])
        values = []
        for text, _ in labels:
            number, unit = re.fullmatch(r"([\d.,]+) ?(\D*)", text).groups()  # type: ignore[union-attr]
            values.append(float(number.replace(",", "")) * (units | {"B": 1 if base == 1024 else 10**9})[unit])
        assert values[1] * 2 == values[2] >= most > values[2] / 6
        zero, top = labels[0][1], labels[2][1]
        assert tops[0] == pytest.approx(zero - (zero - top) * most / values[2], abs=0.6)
        assert len(times) == len(set(times)) >= 1
        assert is_whole
