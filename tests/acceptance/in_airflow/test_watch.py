"""`lakelock_watch` in a real Airflow: whom it notifies of what, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kits.lanes import RUNS
from kits.live import Live
from kits.notifier import NOTIFIER, to_file
from kits.shared_airflow import SecretStack
from stack.process import wait_until
from stack.stack import Stack

pytestmark = pytest.mark.drawn(0.35, group=RUNS, about=("watch", "notifier"))


@pytest.fixture(scope="module")
def notices(secret_stack: SecretStack) -> Path:
    """What the notifier was given, a line each."""
    (secret_stack.home / "airflow" / "config" / "site_notifier.py").write_text(NOTIFIER)
    return secret_stack.home / "told.txt"


def watched_stack(stack: SecretStack) -> Live:
    live = Live(stack, "looked", "schedule: {every: 1d}\n")
    live.world.produce(20)
    return live


def deaf_of(stack: SecretStack) -> Live:
    live = Live(stack, "deaf", "schedule: {every: 1d}\n")
    live.world.produce(20)
    return live


def alone_of(stack: SecretStack) -> Live:
    live = Live(stack, "alone", "schedule: {every: 1d}\n")
    live.world.produce(20)
    return live


PIPELINES = (watched_stack, deaf_of, alone_of)


@contextmanager
def watched(stack: SecretStack, name: str, alerts: str) -> Iterator[Live]:
    """All that was sent is committed, and only then the file has alerts: the scheduler's own runs of the watch look, too."""
    with stack.running(name) as live:
        live.first_run_done()
        live.finished(live.trigger(commit_now=True))
        live.world.settings += f"alerts: {alerts}\n"
        live.deploy()
        yield live


class Watch:
    """The runs of `lakelock_watch`, those of its schedule included."""

    def __init__(self, stack: Stack | SecretStack) -> None:
        self.live = Live.__new__(Live)
        self.live.stack, self.live.dag = stack, "lakelock_watch"

    def once(self) -> tuple[str, str]:
        """One run more: its task's state, and what it said."""
        run = self.live.trigger()
        return self.live.finished(run)["watch"]["state"], self.live.log(run, "watch")

    def saying(self, text: str) -> list[str]:
        """The states of the runs that said it, newest first."""
        ended = [r for r in self.live.runs() if r["state"] in ("success", "failed")]
        return [r["state"] for r in ended if text in self.live.log(r["dag_run_id"], "watch")]


@pytest.fixture(scope="module")
def watched_pipeline(secret_stack: SecretStack, notices: Path) -> Iterator[Live]:
    with watched(secret_stack, "looked", f"{{lag: 1s, notify: [{to_file(notices)}]}}") as live:
        yield live


def test_an_incident_is_reported_once_when_it_begins_and_once_when_it_is_over(
    watched_pipeline: Live, notices: Path
) -> None:
    watch = Watch(watched_pipeline.stack)
    assert "looked: 0 offsets behind" in watch.once()[1]
    assert not notices.exists()

    watched_pipeline.world.produce(6)
    wait_until(
        lambda: min(s.lag_s or 0 for s in watched_pipeline.status().sources) > 1,
        120,
        "records that are a second old",
        0.2,
    )
    for _ in range(2):
        assert "looked: 6 offsets behind" in watch.once()[1]
    assert watch.saying("looked: lag: the oldest uncommitted record of looked-") == ["failed"]
    [line] = notices.read_text().splitlines()
    assert line.startswith("True lag of looked: looked: lag: the oldest uncommitted record of looked-")

    watched_pipeline.finished(watched_pipeline.trigger(commit_now=True))
    for _ in range(2):
        watch.once()
    assert len(watch.saying("looked: over: lag")) == 1
    [_, line] = notices.read_text().splitlines()
    assert line.startswith("False lag of looked: looked: over: lag: the oldest uncommitted record of looked-")


@pytest.mark.long
def test_a_dropped_table_and_a_failed_run_are_reported_without_any_configuration(secret_stack: SecretStack) -> None:
    watch = Watch(secret_stack)
    with secret_stack.running("alone") as alone:
        alone.first_run_done()
        alone.finished(alone.trigger(commit_now=True))

        def run() -> str | None:
            """With a logical date, as one of the schedule has it."""
            requested = {"logical_date": datetime.now(UTC).isoformat(), "conf": {"commit_now": True}}
            started: str = alone.api("POST", f"/dags/{alone.dag}/dagRuns", requested)["dag_run_id"]
            alone.finished(started)
            return alone.state(started)

        catalog, table = alone.world.catalog, alone.world.table
        location = catalog.load_table(table).metadata_location
        catalog.drop_table(table)
        for _ in range(2):
            watch.once()
        assert watch.saying(f"alone: dropped: table {table} (UUID") == ["failed"]
        alone.world.produce(5)
        assert run() == "failed"
        for _ in range(2):
            watch.once()
        assert watch.saying("alone: failed: the last run failed at") == ["failed"]
        catalog.register_table(table, location)
        assert run() == "success"
        watch.once()
        assert len(watch.saying("alone: over: dropped")) == 1
        assert len(watch.saying("alone: over: failed")) == 1


@pytest.mark.long
def test_a_notifier_that_fails_is_asked_again_and_keeps_no_other_from_reporting(
    secret_stack: SecretStack, notices: Path
) -> None:
    heard = notices.with_name("heard.txt")
    wrong = [
        "{notifier: airflow.sdk.bases.notifier.BaseNotifier}",
        "{notifier: site_notifier.Nobody}",
        "{notifier: subprocess.Popen, arguments: {args: [touch, never]}}",
    ]
    with watched(secret_stack, "deaf", f"{{lag: 1ms, notify: [{', '.join(wrong)}, {to_file(heard)}]}}") as deaf:
        deaf.world.produce(2)
        watch = Watch(secret_stack)
        for _ in range(2):
            state, said = watch.once()
            assert state == "failed"
            assert "deaf: 0 airflow.sdk.bases.notifier.BaseNotifier failed to notify: NotImplementedError" in said
            assert "deaf: site_notifier.Nobody cannot be used: AttributeError" in said
            assert (
                "deaf: subprocess.Popen cannot be used: TypeError: subprocess.Popen is not an Airflow notifier" in said
            )
        assert heard.read_text().count("True lag of deaf") == 1
        deaf.finished(deaf.trigger(commit_now=True))
        for _ in range(2):
            watch.once()
        assert [line.partition(" ")[0] for line in heard.read_text().splitlines()] == ["True", "False"]


def test_a_file_with_faults_and_one_that_is_gone(secret_stack: SecretStack) -> None:
    watch = Watch(secret_stack)
    torn = secret_stack.home / "pipelines" / "unread.yaml"
    torn.write_text("source: {topics: [never]}\ntabels: [{name: live.never}]\n")
    try:
        for _ in range(2):
            watch.once()
        assert watch.saying("unread: file: ") == ["failed"]
        assert watch.saying("unread.yaml:2") == ["failed"]
    finally:
        torn.unlink()
    watch.once()
    assert "unread" not in secret_stack.airflow.api("GET", "/variables/lakelock_watch")["value"]


def test_a_pipeline_that_cannot_be_read_stops_no_other(secret_stack: SecretStack, watched_pipeline: Live) -> None:
    watch = Watch(secret_stack)
    lost = secret_stack.home / "pipelines" / "nowhere.yaml"
    lost.write_text(
        "source: {conn_id: kafka_of_nobody, topics: [never]}\ntables: [{name: live.never}]\nwal: {conn_id: wal_of_nobody}\n"
    )
    try:
        assert "looked: 0 offsets behind" in watch.once()[1]
        assert watch.saying("nowhere: unreadable: ConnectionFault: ") == ["failed"]
    finally:
        lost.unlink()
