"""What a day costs: counts against a day that is played through with the rule that commits follow."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.check.day_cost import DAY_S, OF_METADATA, PER_COMMIT, Rhythm, commits, day_cost, slots
from lakelock.check.forecast import period_s
from lakelock.config.planned_dags import PlannedDag
from lakelock.ingest.commit_decision import due_in_s
from lakelock.model.past import PastLoad

HALF_S = st.integers(1, 40).map(lambda n: n / 2)
MIN_BYTES = 1 << 20


def commits_of_runs(period_s: float, max_latency_s: float, staged_bytes: int, runs: int = 400) -> list[int]:
    """The runs that commit, where each stages *staged_bytes* and then looks."""
    oldest, staged, out = None, 0, []
    for run in range(runs):
        staged += staged_bytes
        oldest = run if oldest is None else oldest
        if not due_in_s(staged, (run - oldest) * period_s, True, MIN_BYTES, max_latency_s, False):
            out.append(run)
            oldest, staged = None, 0
    return out


def commits_of_a_window(
    batch_every_s: float, max_latency_s: float, staged_bytes: int, steps: int = 4000
) -> list[float]:
    """Looks each half second; batches are staged on their beat, and what comes at the same moment is looked at first."""
    oldest, staged, out = None, 0, []
    for step in range(steps):
        now = step / 2
        if staged and not due_in_s(staged, now - (oldest or 0.0), True, MIN_BYTES, max_latency_s, False):
            out.append(now)
            oldest, staged = None, 0
        if now % batch_every_s == 0:
            staged += staged_bytes
            oldest = now if oldest is None else oldest
    return out


@given(HALF_S, st.integers(0, 100).map(lambda n: n / 2))
def test_runs_commit_as_often_as_is_said(period_s: float, max_latency_s: float) -> None:
    said = commits(Rhythm(period_s), max_latency_s, MIN_BYTES)
    little = commits_of_runs(period_s, max_latency_s, 1)
    assert {b - a for a, b in itertools.pairwise(little)} == {round(DAY_S / said.fewest / period_s)}
    much = commits_of_runs(period_s, max_latency_s, MIN_BYTES)
    assert {b - a for a, b in itertools.pairwise(much)} == {round(DAY_S / said.most / period_s)} == {1}


@given(HALF_S, st.integers(1, 100).map(lambda n: n / 2))
def test_windows_commit_as_often_as_is_said(batch_every_s: float, max_latency_s: float) -> None:
    said = commits(Rhythm(300, batch_every_s), max_latency_s, MIN_BYTES)
    little = commits_of_a_window(batch_every_s, max_latency_s, 1)
    apart = {b - a for a, b in itertools.pairwise(little)}
    # What is staged in the moment of a commit goes with it or begins the next wait.
    assert max(apart) == pytest.approx(DAY_S / said.fewest, abs=1.01 * batch_every_s)
    assert said.fewest <= said.most == DAY_S / batch_every_s


def test_without_a_least_size_every_batch_is_a_commit() -> None:
    assert commits(Rhythm(60), 600, 0) == commits(Rhythm(60), 0, 0)
    assert commits(Rhythm(60), 600, 0).fewest == 1440


def test_the_usual_settings_by_hand() -> None:
    """Runs every five minutes, a latency of one: staged by a run, committed by the next, which is every other run."""
    found = day_cost(
        Rhythm(300),
        ["shop.orders", "shop.returns"],
        max_latency_s=60,
        min_bytes=64 << 20,
        keep_snapshots=1000,
        commit_tasks=2,
        catalog_is_http=False,
        seen=PastLoad(batches=10, files=2.0, write_s=7.0),
    )
    assert (found.rhythm.runs, found.spark_jobs) == (288, 288)
    orders, _ = found.tables
    assert (orders.commits.fewest, orders.commits.most) == (144, 288)
    assert orders.kept_s == pytest.approx(1000 * 300)
    assert (orders.requests.put, orders.requests.get) == (288 * (3 + 2), 288 * (5 + 2))
    assert found.requests.all == 2 * orders.requests.all
    assert [(s.task, s.a_day, s.held_s) for s in found.slots] == [
        ("plan", 288, 3.0),
        ("write", 288, 10.0),
        ("commit", 576, 3.0),
        ("publish", 288, 3.0),
    ]
    assert found.slots_on_average == pytest.approx(288 * (3 + 10 + 6 + 3) / DAY_S)


def test_a_window_holds_its_slots_all_day() -> None:
    plan, write, commit, publish = slots(Rhythm(300, 10), 2, 1.0)
    assert (write.on_average, commit.on_average) == (1.0, 2.0)
    assert plan.on_average == publish.on_average == pytest.approx(0.01)


def test_a_catalog_behind_http_keeps_the_metadata_itself() -> None:
    of_http, of_sql = (
        day_cost(
            Rhythm(60),
            ["n.t"],
            max_latency_s=60,
            min_bytes=1,
            keep_snapshots=10,
            commit_tasks=1,
            catalog_is_http=is_http,
            seen=PastLoad(),
        )
        .tables[0]
        .requests
        for is_http in (True, False)
    )
    assert of_sql.put - of_http.put == 1440 * OF_METADATA.put
    assert of_sql.delete - of_http.delete == 1440 * OF_METADATA.delete
    assert of_http.delete == 1440 * (PER_COMMIT.delete - 1)


@pytest.mark.parametrize(
    ("cron", "hours"), [("*/10 * * * *", 1 / 6), ("0 * * * *", 1), ("0 6 * * *", 24), ("0 6 * * 1-5", 168 / 5)]
)
def test_runs_of_a_cron_expression_are_counted(cron: str, hours: float) -> None:
    assert period_s(PlannedDag("ingest__p", "", cron=cron)) == pytest.approx(hours * 3600, rel=0.02)
