"""Processes killed and frozen at points of the steps that the commit draws: what `python -m campaigns.crash` does.

Every point of every step is the long form's: `bin/test --long`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from campaigns import report, scenarios
from campaigns.campaign import Campaign
from campaigns.draw import reported as share_reported
from campaigns.draw import seed, spread
from campaigns.lanes import Outcome, Run
from campaigns.place import RestLake, Servers, SqlLake
from campaigns.points import Fault, Kind
from campaigns.runs import SHORT, call_of, faults, in_tasks, short_form
from campaigns.scenarios import ON_REST, SCENARIOS
from campaigns.servers import campaign

NAMED = {s.name: s for s in SCENARIOS}
ON_REST_AT_MOST, ON_SPARK_AT_MOST = 1, 3
# What a reader of the steps would name. A point that is gone was renamed, or the effect is no longer there.
EXPECTED = {
    "first cycle": {"tables.create", "catalog.create_namespace", "catalog.create_table", "log.bind"},
    "cycle": {
        "log.plan", "log.claim", "log.heartbeat", "writer.run", "slice", "file(data)", "files of a table", "log.stage", "tables.commit",
        "file(manifest)", "file(manifest list)", "catalog.commit_table", "file(metadata)", "log.committed", "log.coalesce",
        "broker.publish",
    },
    "cycle that takes a batch over": {"writer.interrupt_orphans"},
    "rollback, replay": {"log.await_generation", "tables.commit", "catalog.commit_table", "log.follow"},
    "backfill": {"tables.commit", "log.fill_requested", "log.claim", "writer.run", "log.stage", "log.committed"},
    "compact": {"copier.run", "copy", "file(data)", "tables.commit", "file(manifest)", "catalog.commit_table"},
    "replace": {
        "writer.run", "slice", "files of a table", "file(data)", "tables.commit", "catalog.commit_table", "log.fill_requested",
    },
    "redrive": {
        "redriver.run", "redrive", "files of a table", "file(data)", "tables.commit", "file(manifest)", "catalog.commit_table",
        "log.fill_requested",
    },
    "recover after a lost log": {"log.await_generation", "tables.commit", "catalog.commit_table", "log.rebuild"},
    "recover after a rollback by hand, recommit": {"log.await_generation", "catalog.commit_table", "log.follow"},
}  # fmt: skip


@pytest.fixture(scope="module")
def known(postgres: Any, kafka: Any, warehouse: str) -> Servers:
    dsn = postgres.dsn("postgres")
    return Servers(kafka.bootstrap, dsn, SqlLake(dsn, warehouse))


@pytest.fixture(scope="module")
def crashes(known: Servers) -> Iterator[Campaign]:
    with campaign(known) as out:
        yield out


@pytest.mark.drawn(0.1)
@pytest.mark.parametrize("name", EXPECTED)
def test_a_run_without_a_fault_shows_the_points_of_each_step(crashes: Campaign, name: str) -> None:
    crashes.record([NAMED[name]])
    points = crashes.points(NAMED[name])
    assert EXPECTED[name] <= {call_of(p) for p in points}
    for point in points:
        other = point.replace(" before", " after") if point.endswith("before") else point.replace(" after", " before")
        assert other in points, "each has its other side"


def test_a_process_killed_or_frozen_at_any_point_of_a_step_loses_and_doubles_nothing(crashes: Campaign) -> None:
    began = time.monotonic()
    outcomes = list(crashes.outcomes(short_form(crashes, seed())))
    print(report.table(outcomes, time.monotonic() - began))
    # A point that hangs on time, as a look for news does, may be gone in the run that was to end there.
    assert sum(o.reached for o in outcomes) >= SHORT - 3
    assert not [o for o in outcomes if not o.well], "\n".join(o.line for o in outcomes if not o.well)


def test_a_commit_to_a_rest_catalog_killed_or_frozen_loses_and_doubles_nothing(
    known: Servers, rest_properties: dict[str, str]
) -> None:
    """No run can start from a copy there, so each builds its tables first: a few are drawn."""
    lake = RestLake(rest_properties["uri"], rest_properties["warehouse"])
    (cycle,) = (s for s in ON_REST if s.name == "cycle, REST catalog")
    with campaign(replace(known, lake=lake)) as on_rest:
        runs = [Run(cycle, f) for f in faults(p for p in on_rest.points(cycle) if call_of(p) == "catalog.commit_table")]
        assert len(runs) >= 12
        outcomes = list(on_rest.outcomes(drawn("on a REST catalog", runs, ON_REST_AT_MOST)))
    assert all(o.reached for o in outcomes)
    assert not [o for o in outcomes if not o.well], "\n".join(o.line for o in outcomes if not o.well)


def drawn(what: str, runs: list[Run], count: int) -> list[Run]:
    """Of each kind of fault as many, before and after, and of each scenario."""
    keys = (
        lambda r: r.fault.kind,
        lambda r: r.scenario.name,
        lambda r: (r.fault.kind, r.fault.point.rpartition(" ")[2]),
    )
    chosen = spread(runs, count, keys, seed().chance(what))
    print(share_reported(what, len(chosen), len(runs), seed()))
    return chosen


@pytest.mark.parametrize(
    ("rule", "scenario", "fault"),
    [
        ("coverage ignored", "cycle", Fault("catalog.commit_table 2 after", Kind.KILL)),
        ("conflict rebased", "cycle", Fault("tables.commit 2 before", Kind.FREEZE)),
    ],
)
def test_a_rule_that_does_not_hold_is_seen_as_doubled_records(
    crashes: Campaign, rule: str, scenario: str, fault: Fault
) -> None:
    assert broken(crashes, rule, scenario, fault).doubled > 0


@pytest.mark.parametrize(
    ("rule", "scenario", "fault"),
    [
        ("marked before commit", "cycle", Fault("catalog.commit_table 2 before", Kind.KILL)),
        ("approval ignored", "rollback, skip", Fault("log.follow after", Kind.FREEZE)),
    ],
)
def test_a_rule_that_does_not_hold_is_seen_as_lost_records(
    crashes: Campaign, rule: str, scenario: str, fault: Fault
) -> None:
    assert broken(crashes, rule, scenario, fault).lost > 0


def broken(crashes: Campaign, rule: str, scenario: str, fault: Fault) -> Outcome:
    runs = [Run(NAMED[scenario], fault), Run(NAMED[scenario], fault, broken=rule)]
    sound, out = sorted(crashes.outcomes(runs), key=lambda o: o.run.broken or "")
    assert sound.well, sound.line
    assert out.reached
    assert not out.well
    return out


@pytest.mark.long
def test_tasks_that_outlive_their_driver_or_die_alone_lose_and_double_nothing(
    known: Servers, spark_connect: Any
) -> None:
    """On Spark itself, each kind of fault once, with SQL and without. The server is killed in the long form: these tests share it."""
    runs = drawn("in Spark's tasks", [r for r in in_tasks() if r.fault.kind is not Kind.SERVER], ON_SPARK_AT_MOST)
    assert {r.fault.kind for r in runs} == {Kind.KILL, Kind.FREEZE, Kind.WORKER}
    assert len({r.scenario for r in runs}) == ON_SPARK_AT_MOST
    on_spark = Servers(known.bootstrap, known.dsn, known.lake, spark_connect.port)
    with campaign(on_spark, 1) as one:
        outcomes = list(one.outcomes(runs))
    assert all(o.reached for o in outcomes)
    assert not [o for o in outcomes if not o.well], "\n".join(o.line for o in outcomes if not o.well)


def test_the_scenarios_have_names_of_their_own() -> None:
    assert len(NAMED) == len(SCENARIOS)
    assert {s.base for s in (*SCENARIOS, *scenarios.ALL_ON_SPARK)} <= set(scenarios.BASES)
