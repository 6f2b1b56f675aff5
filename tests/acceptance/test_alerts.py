"""What needs a person, on real servers and without any configuration: the watch reports just what the page shows."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import pytest
from confluent_kafka import Producer
from kits.page_log import PageAnswers
from kits.topics import new_producer
from kits.world import World
from lakelock.model.overview import Level
from lakelock.model.sightings import HANGING_S, Gone, HangingTransaction, Sights, Unread
from lakelock.monitor.alerts import Runs
from lakelock.monitor.incidents import IncidentKind
from lakelock.monitor.watch import watch
from lakelock.page import answers
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.15, about=("watch", "alerts", "sightings"))

POLL_EVERY_S = 300.0


def long_ago(seen: Sights, seconds: float) -> Sights:
    """What was seen, so much earlier; the look itself was just now."""
    return replace(
        seen,
        running_since_s=None if seen.running_since_s is None else seen.running_since_s - seconds,
        unread={
            s: Unread(
                u.offset,
                None if u.record_s is None else u.record_s - seconds,
                tuple((e, at - seconds) for e, at in u.ends),
            )
            for s, u in seen.unread.items()
        },
        hanging={s: HangingTransaction(h.offset, h.since_s - seconds) for s, h in seen.hanging.items()},
        gone={t: Gone(g.line, g.since_s - seconds) for t, g in seen.gone.items()},
    )


@dataclass
class Watched:
    """The world's pipeline, as the watch and the page have it. Nothing waits: what was seen is made older instead."""

    world: World
    is_late: bool = False

    def watch(self, **airflow: Any) -> dict[IncidentKind, str]:
        """What the watch reports after one more look."""
        runs = Runs(**airflow)
        with closing(self.world.runtime()) as runtime:
            found, _ = watch(
                runtime.pipeline,
                lambda: runtime.see(watch_every_s=POLL_EVERY_S, is_paused=runs.is_paused, is_late=self.is_late),
                runs,
                {},
            )
        lines = {i.kind: i.line for i in found}
        self.is_late = IncidentKind.LAG in lines
        assert sorted(lines.values()) == sorted(self.shown(runs))
        return lines

    def pass_by(self, seconds: float) -> None:
        with closing(self.world.runtime()) as runtime:
            seen = runtime.log.sights(self.world.name)
            assert seen is not None
            runtime.log.saw(self.world.name, long_ago(seen, seconds))

    def shown(self, runs: Runs | None = None) -> list[str]:
        """What the overview has of stops and warnings, of the pipeline and of its tables."""
        name, sources = self.world.name, PageAnswers(self.world).sources
        views, complete = sources.overview([name])
        body = json.loads(bytes(answers.overview([name], views, complete, {name: runs or Runs()}, set()).body))
        (found,) = body["pipelines"]
        notes = [*found["notes"], *(n for t in found["tables"] for n in t["notes"])]
        return [n["text"] for n in notes if n["level"] != Level.NOTE.value]


@pytest.fixture
def watched(near: World) -> Watched:
    """20 records are committed, and the watch has looked; since then it runs for a day."""
    watched = Watched(near)
    assert watched.watch() == {}
    watched.pass_by(86_400)
    return watched


def test_a_pipeline_is_late_by_its_own_promise_until_its_tables_have_what_was_seen(watched: Watched) -> None:
    world = watched.world
    world.produce(6)
    assert watched.watch() == {}, "seen just now"
    # By default 1 minute and five times 5 minutes.
    watched.pass_by(25 * 60)
    assert watched.watch() == {}
    watched.pass_by(65)
    line = watched.watch()[IncidentKind.LAG]
    assert "later than its promise of 26m: the record at offset 10" in line
    assert watched.watch(is_paused=True) == {}, "a paused pipeline is not late by fault"
    assert watched.watch() == {}
    watched.pass_by(27 * 60)
    assert watched.shown() == list(watched.watch().values())
    world.run()
    assert watched.shown() == [], "the log knows it before the next look"
    assert watched.watch() == {}


def test_a_paused_dag_with_limits_of_its_own_is_late_by_these(watched: Watched) -> None:
    watched.world.settings = "alerts: {lag: 1ms}\n"
    watched.world.produce(1)
    assert "the oldest uncommitted record of" in watched.watch(is_paused=True)[IncidentKind.LAG]


def test_files_that_wait_for_a_commit_are_an_alert_of_their_table(watched: Watched) -> None:
    world = watched.world
    world.produce(6)
    with closing(world.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write(str(uuid.uuid4()), "ingest__orders/run", planned.batch_id)
        assert watched.watch() == {}
        table = PageAnswers(world).table()
        assert 0 < table["due_in_s"] <= 60
        seen = runtime.log.sights(world.name)
        assert seen is not None
        # Of the promise nothing is left: what was staged just now waits too long.
        runtime.log.saw(world.name, replace(seen, limits=replace(seen.limits, promise_s=0.0), unread={}))
        (waits,) = watched.shown()
        assert waits.startswith(f"files of {world.table} that were staged at")
        assert [n["text"] for n in PageAnswers(world).table()["notes"]] == [waits]
        world.commit(runtime)
    assert watched.shown() == []


def test_a_dropped_table_is_found_though_no_run_meets_it(watched: Watched) -> None:
    world = watched.world
    location = world.catalog.load_table(world.table).metadata_location
    world.catalog.drop_table(world.table)
    for _ in range(2):
        line = watched.watch()[IncidentKind.DROPPED]
        assert f"table {world.table}" in line
        assert f"bin/lakelock rebind FILE --table {world.table}" in line
        assert [n["level"] for n in PageAnswers(world).table()["notes"]] == [Level.STOPPED.value]
    world.catalog.register_table(world.table, location)
    assert watched.watch() == {}


@pytest.fixture
def open_transaction(watched: Watched) -> Iterator[Callable[[], Producer]]:
    """Writes into partition 0, and leaves the transaction open."""
    servers = watched.world.connections["kafka_default"].extra["bootstrap.servers"]
    made: list[Producer] = []

    def begin() -> Producer:
        producer = new_producer(servers, **{"transactional.id": watched.world.topic})
        producer.init_transactions(30)
        producer.begin_transaction()
        producer.produce(watched.world.topic, b'{"id": -1}', partition=0)
        producer.flush(30)
        made.append(producer)
        return producer

    yield begin
    for producer in made:
        producer.purge()


def test_a_transaction_that_nobody_ends_is_an_alert_though_nothing_lags(
    watched: Watched, open_transaction: Callable[[], Producer]
) -> None:
    world = watched.world
    producer = open_transaction()
    assert watched.watch() == {}
    watched.pass_by(HANGING_S - 60)
    assert watched.watch() == {}
    watched.pass_by(61)
    line = watched.watch()[IncidentKind.HANGING]
    assert f"{world.topic}-0: its last stable offset is 10, below the high watermark" in line
    assert f"abort --topic {world.topic} --partition 0 --start-offset 10`" in line
    with closing(world.runtime()) as runtime:
        assert runtime.status().lag_offsets == 0
    producer.abort_transaction(30)

    def is_over() -> bool:
        with closing(world.runtime()) as runtime:
            return all(s.high_offset == s.end_offset for s in runtime.status().sources)

    wait_until(is_over, 60, "the marker of the abort", 0.1)
    assert watched.watch() == {}
