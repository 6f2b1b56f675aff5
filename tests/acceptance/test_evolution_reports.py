"""Where you see a change of columns: commits, the page, the watch, and the sample before it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kits.evolution import BOTH
from kits.evolving_world import columns, send
from kits.page_log import PageAnswers
from kits.world import World, file_of, open_with
from lakelock.app.runtime import Runtime
from lakelock.check.sample import sample
from lakelock.monitor.alerts import Runs
from lakelock.monitor.incidents import IncidentKind
from lakelock.monitor.watch import watch


def test_the_next_commit_the_page_and_the_watch_name_each_change_and_its_record(fresh: World) -> None:
    alerts = "alerts: {schema_changes: true}\n"
    file = file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long, n: int}}, {BOTH}}}", rest=alerts)
    with open_with(fresh, file) as runtime:
        send(fresh, {"id": 1, "n": 1})
        fresh.cycle(runtime)
        assert alert_of(runtime) == ""
        send(fresh, {"id": 2, "n": 2**40, "o": {"x": 1}})
        planned = runtime.plan()
        assert planned.batch_id is not None
        outcome = runtime.write("attempt", "dag/run", planned.batch_id)
        (landed,) = fresh.commit(runtime)
        send(fresh, {"id": 3})
        (later,) = fresh.cycle(runtime)
        line = alert_of(runtime)
        assert alert_of(runtime) == line, "the alert is kept until it is delivered"
        assert alert_of(runtime, line) == ""
    (made,), (changed,) = outcome.columns_changed, landed.columns_changed
    changes = ["n: long now", "o: new, struct<`x`: long>"]
    assert sorted(changed.changes) == changes
    assert replace(made, at_ms=changed.at_ms) == changed
    assert outcome.line.endswith(changed.line)
    assert later.columns_changed == ()
    assert line == f"{changed.line}, snapshot {changed.version_id}"
    answers = PageAnswers(fresh)
    found = answers.of_table("snapshots", 100)["snapshots"]
    assert [(s["snapshot_id"], s["kind_text"]) for s in found if s["kind"] == "columns"] == [
        (str(changed.version_id), "columns changed")
    ]
    (shown,) = [s["columns"] for s in found if s["columns"]]
    assert (sorted(shown["changes"]), shown["change_count"], shown["record"]) == (changes, 2, changed.record)
    schema = answers.schema("definition", [])["columns"]
    assert {c["name"]: c["changed"] for c in schema if c["changed"]} == {
        name: {"what": what, "at_ms": changed.at_ms, "record": changed.record}
        for name, what in (("n", "long now"), ("o", "new, struct<`x`: long>"))
    }


def alert_of(runtime: Runtime, reported: str = "") -> str:
    """The alert that the watch has about changed columns."""
    found, _ = watch(runtime.pipeline, lambda: runtime.see(watch_every_s=300, reported_changes=reported), Runs(), {})
    assert {i.kind for i in found} <= {IncidentKind.SCHEMA}
    return "".join(i.line for i in found)


@pytest.mark.parametrize("exists", [False, True])
def test_a_sample_shows_the_columns_that_would_change_and_the_rows_then(fresh: World, exists: bool) -> None:
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long, n: int}}, {BOTH}}}")) as runtime:
        if exists:
            send(fresh, {"id": 1, "n": 1})
            fresh.cycle(runtime)
        send(fresh, {"id": 2, "n": 2**40, "o": {"x": "a"}}, {"id": "b"})
        said = sample(runtime, 10).text.splitlines()
    at = said.index("# columns would change:")
    assert said[at + 1 : at + 3] == ["#   n: long now", "#   o: new, struct<`x`: string>"]
    assert f"# would become {2 if exists else 1} row" in "\n".join(said)
    assert "1 dead letter" in "\n".join(said)
    assert not exists or columns(fresh) == {"id": "long", "n": "int"}
