"""What page, `status`, `audit` and `redrive` show of a pipeline with routes: also what no table is known for."""

from __future__ import annotations

import json

import pytest
from kits.forks import lakelock
from kits.harm import harm
from kits.page_log import PageAnswers
from kits.redrives import redrive
from kits.routing import BY_TYPE, cycle, letters, routed_file, send
from kits.world import World, open_with, write_next
from lakelock.audit.audit_text import audit_text
from lakelock.errors import RouteLimit
from lakelock.monitor.status_text import status_text
from lakelock.redrive.redrive_preview import RedriveRequest

pytestmark = pytest.mark.drawn(0.35, about=("page/", "audit/", "monitor/", "redrive/"))

BAD = (None, b"no json", None)


def routed(world: World) -> str:
    world.text = routed_file(world, "- {when: {event.type: hidden}, table: filter}", BY_TYPE)
    return world.text


def test_a_batch_whose_tables_are_not_known_is_shown_with_its_offsets(fresh: World) -> None:
    with open_with(fresh, routed(fresh)) as runtime:
        send(fresh, *["push"] * 5)
        runtime.plan()
        (batch,) = runtime.log.planned(fresh.name)
        ranges = f"{fresh.topic}-0 [0, 3), {fresh.topic}-1 [0, 2)"
        assert f"  batch {batch.batch_id}: {ranges}, 5 offsets" in status_text(runtime.status()).splitlines()
        (shown,) = PageAnswers(fresh).pipeline()["batches"]
        assert (shown["is_closed"], shown["state"], shown["offsets"]) == (False, "planned", 5)
        assert ", ".join(shown["ranges"]) == ranges
        said = lakelock("status", fresh.folder / f"{fresh.name}.yaml", "--json", environment=fresh.environment())
        (pipeline,) = json.loads(said.stdout)["pipelines"]
        (unclosed,) = pipeline["unclosed"]
        assert (unclosed["batch_id"], unclosed["offsets"]) == (batch.batch_id, 5)
        assert [(r["source"]["partition"], r["start"], r["end"]) for r in unclosed["ranges"]] == [(0, 0, 3), (1, 0, 2)]
        write_next(runtime)
        assert runtime.status().unclosed == ()
        (shown,) = PageAnswers(fresh).pipeline()["batches"]
        assert (shown["is_closed"], shown["state"]) == (True, "staged")


def test_status_says_why_work_waits_as_the_page_does(fresh: World) -> None:
    fork = f"{fresh.namespace}.fork"
    fresh.text = routed_file(fresh, BY_TYPE, rest="  max_tables: 2")
    with open_with(fresh, fresh.text) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        assert stopped(fresh) == ""
        send(fresh, "other")
        with pytest.raises(RouteLimit):
            cycle(fresh, runtime)
        (batch,) = runtime.log.planned(fresh.name)
        why = f"batch {batch.batch_id} is not written: its last attempt ended with RouteLimit"
        assert stopped(fresh).startswith(why)
        (note,) = PageAnswers(fresh).pipeline()["notes"]
        assert (note["level"], note["text"]) == ("stopped", stopped(fresh))
    known = fresh.catalog.load_table(fork).metadata_location
    fresh.catalog.drop_table(fork)
    with open_with(fresh, fresh.text) as runtime:
        runtime.see(watch_every_s=300, is_paused=False)
        gone, limit = stopped(fresh).split("; batch ")
        assert gone.startswith(f"table {fork} (UUID ")
        assert "is gone" in gone
        assert f"batch {limit}".startswith(why)
    fresh.catalog.register_table(fork, known)
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        cycle(fresh, runtime)
        runtime.see(watch_every_s=300, is_paused=False)
        assert stopped(fresh) == ""


def stopped(world: World) -> str:
    """The same as text and as JSON."""
    file = world.folder / f"{world.name}.yaml"
    said = lakelock("status", file, "--json", environment=world.environment())
    (pipeline,) = json.loads(said.stdout)["pipelines"]
    lines = lakelock("status", file, environment=world.environment()).stdout.splitlines()
    found: str = pipeline["stopped"]
    assert [line for line in lines if line.startswith("stopped: ")] == ([f"stopped: {found}"] if found else [])
    return found


def test_dead_letters_without_a_table_are_among_the_causes(fresh: World) -> None:
    with open_with(fresh, routed(fresh)) as runtime:
        send(fresh, "push", *BAD)
        cycle(fresh, runtime)
    page = PageAnswers(fresh)
    for with_contents in (True, False):
        found = page.dead_letters(with_contents, letters(fresh))
        assert {(c["target"], c["kind"], c["count"]) for c in found["causes"]} == {
            ("*", "no rule fits", 2),
            ("*", "not a JSON object", 1),
        }
    assert {s["target"] for s in page.dead_letters(True, letters(fresh))["sample"]} == {"*"}
    assert page.dead_letters(True, f"{fresh.namespace}.push")["causes"] == []
    assert "3 dead letters without a table in the last hour" in [n["text"] for n in page.pipeline()["notes"]]


def test_dead_letters_without_a_table_that_became_rows_are_not_open(fresh: World) -> None:
    """And they are none of the table that they became rows of."""
    by_type = "- {table: '{ns}.push', columns: [{name: id, type: long}]}"
    with open_with(fresh, routed_file(fresh, by_type.replace("{table", "{when: {event.type: push}, table"))) as runtime:
        send(fresh, "push", "fork", "fork", "fork", b'{"id": "no number", "event": {"type": "push"}}')
        cycle(fresh, runtime)
    fresh.text = routed_file(fresh, by_type)
    with open_with(fresh, fresh.text) as runtime:
        redrive(runtime, RedriveRequest("*", partition=0))
    page, push = PageAnswers(fresh), f"{fresh.namespace}.push"
    found = page.dead_letters(True, letters(fresh))
    assert {(c["target"], c["count"] - c["redriven"], c["redriven"]) for c in found["causes"]} == {
        ("*", 2, 1),
        (push, 1, 0),
    }
    assert {(s["target"], s["offset"], s["partition"]) for s in found["sample"] if s["redriven"]} == {("*", 1, 0)}
    answer = page.pipeline()
    assert "2 dead letters without a table in the last hour" in [n["text"] for n in answer["notes"]]
    assert [t["dead_letters"] for t in answer["tables"] if t["table"] == push] == [1]


def test_a_redrive_has_dead_letters_without_a_table_and_takes_them_by_name(fresh: World) -> None:
    file = fresh.folder / f"{fresh.name}.yaml"
    with open_with(fresh, routed(fresh)) as runtime:
        send(fresh, "push", *BAD)
        cycle(fresh, runtime)
    for table in ((), ("--table", "*")):
        shown = lakelock("redrive", file, *table, "--why", "try", environment=fresh.environment())
        assert shown.returncode == 0, shown.stderr
        assert any(line.startswith("*: 3 dead letters without a table: ") for line in shown.stdout.splitlines())


def test_an_audit_says_what_routing_did_with_every_record(fresh: World) -> None:
    with open_with(fresh, routed(fresh)) as runtime:
        send(fresh, "push", *BAD, "hidden", "fork", "fork")
        cycle(fresh, runtime)
        send(fresh, "push", "hidden")
        runtime.plan()
        found = runtime.audit()
        assert found.complete, audit_text(found)
        assert found.routes is not None
        assert [(s.source.partition, s.read, s.filtered, s.without_table, s.routed) for s in found.routes.sums] == [
            (0, 4, 1, 1, 2),
            (1, 3, 0, 2, 1),
        ]
        assert found.routes.letters == len(BAD)
        text = audit_text(found).splitlines()
        assert "  3 dead letters without a table so far" in text
        assert any(line.startswith("  dead letters  no rule fits: 2") for line in text)
        assert any(line.split() == [f"{fresh.topic}-0", "0", "4", "4", "1", "1", "2"] for line in text)
    said = lakelock("audit", fresh.folder / f"{fresh.name}.yaml", "--json", environment=fresh.environment())
    (pipeline,) = json.loads(said.stdout)["pipelines"]
    assert pipeline["routes"]["letters"] == len(BAD)
    assert sum(s["read"] for s in pipeline["routes"]["sums"]) == 7


def test_an_audit_finds_a_dead_letter_without_a_table_that_was_not_staged(fresh: World) -> None:
    with open_with(fresh, routed(fresh)) as runtime:
        send(fresh, "push", *BAD)
        cycle(fresh, runtime)
        harm(fresh, "UPDATE lakelock.ranges SET unroutable_count = unroutable_count - 1 WHERE unroutable_count > 1")
        found = runtime.audit()
    assert not found.complete
    faults = "; ".join(found.faults)
    assert "[0, 2): 1 records have no table, and 2 dead letters of them are committed" in faults, audit_text(found)
    assert "[0, 2): 1 records are routed to tables, and the tables have 0" in faults
