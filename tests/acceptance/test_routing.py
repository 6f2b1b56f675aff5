"""Records of one topic go to tables by a field's value; the tables appear while batches are written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from kits.recoveries import postgres_of
from kits.rollbacks import roll_back
from kits.routing import BY_TYPE, commit, cycle, dead, ids, ledger, letters, names, routed_file, send
from kits.topics import delete_before
from kits.world import World, open_with, write_next
from lakelock.adapters.iceberg.page_snapshots import SnapshotViews
from lakelock.audit.audit_text import audit_text
from lakelock.errors import RouteLimit, TableMissing, TableUnfit
from lakelock.model.ledger import Mode

pytestmark = pytest.mark.drawn(0.35, about=("records/routing", "ingest/routed_batch"))


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
        # Without dead letters, those who look at their table see why it has further snapshots.
        views, _ = SnapshotViews(runtime.tables, fresh.name).snapshots(runtime.tables.load(letters(fresh)), 10)
        assert [v.kind for v in views] == ["mark", "registry", "adoption"]
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


def test_a_lost_postgres_is_rebuilt_and_only_the_tail_is_read_again(fresh: World, new_log: Callable[[], str]) -> None:
    """The records of a table without rows since the beginning are gone from Kafka by then."""
    text = routed_file(fresh, BY_TYPE)
    with open_with(fresh, text) as runtime:
        send(fresh, "rare", "rare", b"no json", b"no json")
        cycle(fresh, runtime)
        for _ in range(3):
            send(fresh, "push", "fork")
            cycle(fresh, runtime)
        mark = ledger(runtime, letters(fresh)).mark
        assert mark is not None
        ends = [c.prefix_end for _, c in sorted(mark.items())]
        for partition, end in enumerate(ends):
            delete_before(fresh, partition, end)
        send(fresh, "push", "fork", "new", "new")
        write_next(runtime)
    postgres_of(fresh, new_log())
    with open_with(fresh, text) as runtime:
        found = runtime.recovery("tester", take_over=True).recover()
        assert any("rebuild" in f.line for f in found), [f.line for f in found]
    with open_with(fresh, text) as runtime:
        assert runtime.recovery("tester").preview() == []
        for _ in range(3):
            cycle(fresh, runtime)
        send(fresh, "rare", "push")
        cycle(fresh, runtime)
        assert ids(fresh, "rare") == [0, 1, 12]
        assert (ids(fresh, "push"), ids(fresh, "fork"), ids(fresh, "new")) == ([2, 4, 6, 8, 13], [3, 5, 7, 9], [10, 11])
        assert len(dead(fresh)) == 2
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)


@pytest.mark.parametrize("mode", [m if m is Mode.REPLAY else pytest.param(m, marks=pytest.mark.long) for m in Mode])
def test_a_table_goes_back_alone(fresh: World, mode: Mode) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        for _ in range(3):
            send(fresh, "push", "fork")
            cycle(fresh, runtime)
        send(fresh, "fork", "fork")
        cycle(fresh, runtime)
        roll_back(runtime, f"{fresh.namespace}.push", "last:1", mode)
        for _ in range(3):
            cycle(fresh, runtime)
        send(fresh, "push", "push")
        cycle(fresh, runtime)
        assert ids(fresh, "push") == ([0, 2, 8, 9] if mode is Mode.SKIP else [0, 2, 4, 8, 9])
        assert ids(fresh, "fork") == [1, 3, 5, 6, 7]
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_a_dropped_table_is_behind_alone_and_is_never_made_again_by_itself(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        fresh.catalog.drop_table(f"{fresh.namespace}.fork")
        for _ in range(2):
            send(fresh, "push", "fork")
            with pytest.raises(TableMissing, match="fork"):
                cycle(fresh, runtime)
            with suppress(TableMissing):
                commit(fresh, runtime)
        assert (names(fresh), ids(fresh, "push")) == (["letters", "push"], [0, 2, 4])


def test_a_record_without_the_field_goes_on_to_the_next_rule(fresh: World) -> None:
    rules = ("- {table: '{ns}.{event.type}'}", "- {when: {kind: old}, table: '{ns}.old'}")
    with open_with(fresh, routed_file(fresh, *rules)) as runtime:
        send(fresh, "push", "push")
        send(fresh, None, None, kind="old")
        send(fresh, None)
        cycle(fresh, runtime)
        assert (ids(fresh, "push"), ids(fresh, "old")) == ([0, 1], [2, 3])
        assert [(d["target_table"], d["kind"]) for d in dead(fresh)] == [("*", "no rule fits")]
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_a_renamed_table_is_named_and_gets_its_records_once_it_has_its_name_again(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        fork, renamed = f"{fresh.namespace}.fork", f"{fresh.namespace}.former"
        fresh.catalog.rename_table(fork, renamed)
        for _ in range(2):
            send(fresh, "push", "fork")
            with pytest.raises(TableMissing, match=f"The catalog has this table as {renamed}: another tool renamed it"):
                cycle(fresh, runtime)
            with suppress(TableMissing):
                commit(fresh, runtime)
        assert (names(fresh), ids(fresh, "push")) == (["former", "letters", "push"], [0, 2, 4])
        assert ids(fresh, "former") == [1]
        fresh.catalog.rename_table(renamed, fork)
        for _ in range(3):
            cycle(fresh, runtime)
        assert (ids(fresh, "push"), ids(fresh, "fork")) == ([0, 2, 4], [1, 3, 5])
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_edited_rules_apply_from_the_next_batch_on(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork")
        write_next(runtime)
    rules = ("- {when: {event.type: fork}, table: filter}", "- {table: ['{ns}.all', '{ns}.{event.type}']}")
    with open_with(fresh, routed_file(fresh, *rules)) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        assert {n: ids(fresh, n) for n in ("all", "fork", "push")} == {"all": [2], "fork": [1], "push": [0, 2]}
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_tables_have_settings_and_columns_of_their_own(fresh: World) -> None:
    rules = (
        "- {when: {event.type: push}, table: '{ns}.{event.type}', partition_by: [id]}",
        "- {table: '{ns}_2.{event.type}'}",
    )
    with open_with(fresh, routed_file(fresh, *rules)) as runtime:
        send(fresh, "push", "push")
        send(fresh, "fork", x=0.5)
        cycle(fresh, runtime)
        send(fresh, "push", y="text")
        send(fresh, "fork")
        cycle(fresh, runtime)
        push, fork = (fresh.catalog.load_table(n) for n in (f"{fresh.namespace}.push", f"{fresh.namespace}_2.fork"))
        assert ([f.name for f in push.spec().fields], fork.spec().is_unpartitioned()) == (["id"], True)
        assert [sorted({"x", "y"} & {*t.schema().column_names}) for t in (push, fork)] == [["y"], ["x"]]
        assert [sorted(t.scan().to_arrow()["id"].to_pylist()) for t in (push, fork)] == [[0, 1, 3], [2, 4]]
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_names_that_collide_and_tables_beyond_the_limit(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE, rest="  max_tables: 2")) as runtime:
        send(fresh, "a b", "a b")
        cycle(fresh, runtime)
        send(fresh, "a-b", "other")
        cycle(fresh, runtime)
        assert (names(fresh), ids(fresh, "a_b"), ids(fresh, "other")) == (["a_b", "letters", "other"], [0, 1], [3])
        assert [(d["offset"], d["reason"]) for d in dead(fresh)] == [
            (
                1,
                f"'{fresh.namespace}.a-b' makes table {fresh.namespace}.a_b, which is the table of '{fresh.namespace}.a b'",
            )
        ]
        send(fresh, "third", "other")
        with pytest.raises(RouteLimit, match="max_tables"):
            cycle(fresh, runtime)
    with open_with(fresh, routed_file(fresh, BY_TYPE, rest="  max_tables: 3")) as runtime:
        cycle(fresh, runtime)
        assert (ids(fresh, "third"), ids(fresh, "other")) == ([4], [3, 5])


def test_another_table_gets_the_records_of_its_name_and_columns_of_these_alone(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork", "push", "fork")
        cycle(fresh, runtime)
        send(fresh, "push", "push", pushed=1)
        cycle(fresh, runtime)
        name = f"{fresh.namespace}.fork"
        fresh.catalog.drop_table(name)
        runtime.rebinding.rebind(name, False, "tester", "a test")
        for _ in range(3):
            cycle(fresh, runtime)
        assert ids(fresh, "fork") == [1, 3]
        assert "pushed" not in fresh.catalog.load_table(name).schema().column_names
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_a_second_pipeline_does_not_load_the_same_records_again(fresh: World) -> None:
    text = routed_file(fresh, BY_TYPE)
    with open_with(fresh, text) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
    renamed = replace(fresh, name="renamed")
    with (
        open_with(renamed, text.replace(letters(fresh), f"{letters(fresh)}2")) as runtime,
        pytest.raises(TableUnfit, match="would write these records a second time"),
    ):
        cycle(renamed, runtime)
    assert (ids(fresh, "push"), ids(fresh, "fork")) == ([0], [1])
