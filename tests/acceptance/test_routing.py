"""Records of one topic go to tables by a field's value; the tables appear while batches are written."""

from __future__ import annotations

from kits.routing import BY_TYPE, commit, cycle, dead, ids, ledger, letters, names, routed_file, send
from kits.world import World, open_with, write_next
from lakelock.audit.audit_text import audit_text


def test_each_record_is_in_the_table_that_its_field_names(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "Pull-Request", "push", "fork", None, b"no json", "push", "fork")
        cycle(fresh, runtime)
        assert names(fresh) == ["fork", "letters", "pull_request", "push"]
        assert [ids(fresh, n) for n in ("push", "pull_request", "fork")] == [[0, 2, 5], [1], [3, 6]]
        assert [(d["target_table"], d["stage"]) for d in dead(fresh)] == [("*", "route"), ("*", "decode")]
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_a_table_without_records_has_no_commit_and_lacks_nothing(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork", "push", "fork")
        cycle(fresh, runtime)
        before = runtime.tables.load(f"{fresh.namespace}.fork").head_id
        for _ in range(3):
            send(fresh, "push", "push")
            cycle(fresh, runtime)
        assert runtime.tables.load(f"{fresh.namespace}.fork").head_id == before
        send(fresh, "fork", "fork")
        cycle(fresh, runtime)
        covered = ledger(runtime, f"{fresh.namespace}.fork").coverage
        assert [c.prefix_end for _, c in sorted(covered.items())] == [6, 6]
        assert (ids(fresh, "fork"), len(ids(fresh, "push"))) == ([1, 3, 10, 11], 8)
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_no_part_lands_before_what_precedes_it(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "push")
        write_next(runtime)
        send(fresh, b"no json", b"no json")
        write_next(runtime)
        send(fresh, "push", "fork")
        write_next(runtime)
        landed = commit(fresh, runtime)
        assert {o.table for o in landed} == {f"{fresh.namespace}.{n}" for n in ("push", "fork", "letters")}
        assert (ids(fresh, "push"), ids(fresh, "fork"), len(dead(fresh))) == ([0, 1, 2], [3], 2)
        mark = ledger(runtime, letters(fresh)).mark
        assert mark is not None
        found = runtime.audit()
        assert found.complete, audit_text(found)
