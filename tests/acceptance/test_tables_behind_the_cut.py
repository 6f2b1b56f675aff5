"""A table that is behind the consistent cut, on real servers: named with what it lacks by all who show the cut, and never lost."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from kits.forks import lakelock
from kits.harm import harm
from kits.page_log import PageAnswers
from kits.routing import BY_TYPE, commit, cycle, ids, letters, routed_file, send
from kits.topics import admin
from kits.world import World, open_with
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.errors import TableMissing
from lakelock.monitor.alerts import Runs
from lakelock.monitor.incidents import IncidentKind
from lakelock.monitor.watch import watch
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.5, about=("ingest/marking", "monitor/", "page/"))

HOUR_S = 3600.0


def an_hour_ago(world: World) -> None:
    """What is planned now has waited for an hour."""
    harm(
        world,
        "UPDATE lakelock.batches SET closed_at = closed_at - interval '1h', planned_at = planned_at - interval '1h'",
    )


def kept_for(world: World, hours: int) -> None:
    """By the topic's own retention."""
    from confluent_kafka.admin import AlterConfigOpType, ConfigEntry, ConfigResource, ResourceType

    entry = ConfigEntry("retention.ms", str(hours * 3_600_000), incremental_operation=AlterConfigOpType.SET)
    of_topic = ConfigResource(ResourceType.TOPIC, world.topic, incremental_configs=[entry])
    client = admin(world)
    for done in client.incremental_alter_configs([of_topic]).values():
        done.result(30)


def missing(world: World, runtime: Runtime) -> None:
    with suppress(TableMissing):
        cycle(world, runtime)
    with suppress(TableMissing):
        commit(world, runtime)
    runtime.publish()


def test_a_dropped_table_is_named_with_its_lag_and_its_retention_until_it_has_all_of_its_records(fresh: World) -> None:
    fork = f"{fresh.namespace}.fork"
    fresh.text = routed_file(fresh, BY_TYPE, rest="  mark_every: 1ms")
    fresh.text += "schedule: {every: 1s}\ncommit: {max_latency: 1ms}\nalerts: {retention_left: 100h}\n"
    kept_for(fresh, 50)
    with open_with(fresh, fresh.text) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        runtime.publish()
        cut = runtime.cut()
        assert cut is not None
        assert (cut.total, cut.behind) == (2, ())
        known = fresh.catalog.load_table(fork).metadata_location
        fresh.catalog.drop_table(fork)
        send(fresh, "push", "fork")
        missing(fresh, runtime)
        an_hour_ago(fresh)
        send(fresh, "push", "push")
        missing(fresh, runtime)

        # In the log, by `status` as text and as JSON.
        found = runtime.status()
        assert found.cut is not None
        (behind,) = found.cut.behind
        assert (behind.table, found.cut.total) == (fork, 6), "the cut goes on without it"
        assert {(r.source.partition, r.start, r.end) for r in behind.ranges} >= {(1, 1, 2)}
        assert behind.lag_s is not None
        assert 0 < behind.lag_s < HOUR_S
        assert behind.retention_left_s is not None
        assert 49 * HOUR_S < behind.retention_left_s <= 50 * HOUR_S, "of its own oldest record"
        (others,) = {t.table: t.open_offsets for t in found.tables if t.table.endswith("push")}.values()
        assert others == 0
        file, environment = fresh.file, fresh.environment()
        said = lakelock("status", file, environment=environment).stdout.splitlines()
        (line,) = [line for line in said if line.startswith(f"  {fork} lacks ")]
        assert "; lag " in line
        assert ", retention left " in line
        assert any("but for 1 table behind: 6 offsets of 2 partitions, through 20" in line for line in said), said
        assert said.index(line) == said.index("tables behind the cut:") + 1
        (pipeline,) = json.loads(lakelock("status", file, "--json", environment=environment).stdout)["pipelines"]
        assert sum(o["offset"] - o["start_offset"] for o in pipeline["cut"]["offsets"]) == 6
        (as_json,) = pipeline["cut"]["behind"]
        assert as_json["table"] == fork
        assert as_json["lag_s"] > 0
        assert as_json["retention_left_s"] > 0

        # On the page.
        lag = PageAnswers(fresh).lag()
        ((table, offsets, first, lag_s, left_s),) = lag["cut"]["behind"]
        assert (table, offsets) == (fork, sum(r.offsets for r in behind.ranges))
        assert first.startswith(f"{fresh.topic}-")
        assert lag_s > 0
        assert left_s > 49 * HOUR_S

        # By the watch, which has a limit of 100 hours here.
        lines = {
            i.kind: i.line
            for i in watch(
                runtime.pipeline,
                lambda: runtime.see(watch_every_s=300, is_paused=False, is_late=False),
                Runs(),
                {},
            )[0]
        }
        assert lines[IncidentKind.RETENTION].endswith(f"; behind: {fork}")

        # As a property of the pipeline's ledger, whoever reads it.
        newest = fresh.catalog.load_table(letters(fresh)).current_snapshot()
        assert newest is not None
        assert newest.summary is not None
        said_of_it = newest.summary.additional_properties
        assert fresh.topic in said_of_it["lakelock.mark"]
        assert datetime.fromisoformat(said_of_it["lakelock.mark-valid-through"]) <= datetime.now(UTC)
        assert fork in said_of_it["lakelock.behind"]
        assert ids(fresh, "push") == [0, 2, 4, 5]

        fresh.catalog.register_table(fork, known)
    with open_with(fresh, fresh.text) as runtime:
        for _ in range(3):
            cycle(fresh, runtime)
            runtime.publish()
        assert (ids(fresh, "push"), ids(fresh, "fork")) == ([0, 2, 4, 5], [1, 3])
        cut = runtime.cut()
        assert cut is not None
        assert (cut.total, cut.behind) == (6, ())
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)


def test_a_run_without_records_commits_the_cut_of_the_last_ones(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        for _ in range(2):
            send(fresh, "push", "fork")
            cycle(fresh, runtime)
        cut = runtime.cut()
        assert cut is not None
        assert cut.total < 4, "it moved less than a minute ago"
        planned = runtime.plan()
        assert (planned.batch_id, planned.publish_due) == (None, False)
    with open_with(fresh, routed_file(fresh, BY_TYPE, rest="  mark_every: 1s")) as runtime:
        wait_until(lambda: runtime.plan().publish_due, 30, "a second", 0.2)
        runtime.publish()
        cut = runtime.cut()
        assert cut is not None
        assert (cut.total, cut.behind) == (4, ())
