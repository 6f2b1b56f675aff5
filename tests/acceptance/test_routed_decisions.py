"""Routed tables are retired, and dead letters without a table are redriven, on real servers."""

from __future__ import annotations

import pytest
from kits.redrives import redrive
from kits.routing import BY_TYPE, cycle, dead, ids, ledger, letters, names, routed_file, send
from kits.world import World, open_with
from lakelock.audit.audit_text import audit_text
from lakelock.redrive.redrive_preview import RedriveRequest

pytestmark = pytest.mark.drawn(0.5, about=("lakelock/gaps", "lakelock/redrive", "workers/redrive"))


def test_a_table_that_was_dropped_on_purpose_is_retired_and_comes_back(fresh: World) -> None:
    push = f"{fresh.namespace}.push"
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork", "push", "fork")
        cycle(fresh, runtime)
        fresh.catalog.drop_table(push)
        runtime.retiring.retire(push, "tester", "no longer needed", runtime.retiring.preview(push).shown)
        assert runtime.retiring.preview(push).nothing
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        assert (names(fresh), ids(fresh, "fork")) == (["fork", "letters"], [1, 3, 5])
        assert [(d["target_table"], d["kind"]) for d in dead(fresh)] == [("*", "its table is retired")]
        assert [t.table for t in runtime.status().tables] == [f"{fresh.namespace}.fork", letters(fresh)]
        found = runtime.audit()
        assert found.complete, audit_text(found)
        assert not runtime.recovery("tester").preview()
        runtime.rebinding.rebind(push, False, "tester", "again", runtime.rebinding.preview(push, False).shown)
        send(fresh, "push", "fork")
        for _ in range(3):
            cycle(fresh, runtime)
        assert (ids(fresh, "push"), ids(fresh, "fork")) == ([0, 2, 6], [1, 3, 5, 7])
        (done,) = [o for o in redrive(runtime) if o.rows]
        assert (done.table, done.rows, ids(fresh, "push")) == (push, 1, [0, 2, 4, 6])
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_dead_letters_without_a_table_go_to_the_tables_of_the_edited_rules(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, "- {when: {event.type: push}, table: '{ns}.push'}")) as runtime:
        send(fresh, "push", "fork", "Pull-Request", b"no json", "fork", None, more=1)
        cycle(fresh, runtime)
        assert (ids(fresh, "push"), len(dead(fresh))) == ([0], 5)
    edited = routed_file(fresh, "- {table: ['{ns}.{event.type}', '{ns}.all']}")
    with open_with(fresh, edited) as runtime:
        planned = runtime.redrives.preview(RedriveRequest("*"))
        assert [line for line in planned.lines if "new table" in line] == [
            f"*: 3 of the 5 that were tried now go to {fresh.namespace}.all, a new table",
            f"*: 2 of the 5 that were tried now go to {fresh.namespace}.fork, a new table",
            f"*: 1 of the 5 that were tried now go to {fresh.namespace}.pull_request, a new table",
        ]
        redrive(runtime, RedriveRequest("*"))
        assert [ids(fresh, n) for n in ("push", "fork", "pull_request", "all")] == [[0], [1, 3], [2], [1, 2, 3]]
        assert len(dead(fresh)) == 5
        assert runtime.redrives.preview(RedriveRequest()).nothing
        found = runtime.audit()
        assert found.complete, audit_text(found)
        assert not [f for t in found.tables for f in t.faults]
        send(fresh, "fork", "fork")
        cycle(fresh, runtime)
        assert (ids(fresh, "fork"), ids(fresh, "all")) == ([1, 3, 5, 6], [1, 2, 3, 5, 6])
        covered = ledger(runtime, f"{fresh.namespace}.fork").coverage
        assert sum(c.totals.written for c in covered.values()) == 4
        found = runtime.audit()
        assert found.complete, audit_text(found)
