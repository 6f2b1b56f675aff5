"""A pipeline's manifests are rewritten on real servers, and its tables end with each record once."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import closing

import pytest
from kits.upkeep import DAY_MS, FEW, SOME, aged, clean_up, landed, moves_while, named, on_disk, roll_back, table_of
from kits.world import World
from lakelock.app.runtime import Runtime
from lakelock.cli import main as cli
from lakelock.model.ledger import Mode
from lakelock.upkeep import manifests_decision as decisions

pytestmark = pytest.mark.drawn(0.2, about="upkeep/rewrite")


@pytest.fixture
def small(typed: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """More manifests than a reader should open; a few are many."""
    monkeypatch.setattr(decisions, "MOST_SMALL", 3)
    landed(typed)
    return typed


def count(world: World) -> int:
    head = table_of(world).current_snapshot()
    assert head is not None
    return len(head.manifests(table_of(world).io))


def test_the_command_shows_or_does_and_changes_nothing_where_nothing_is_due(
    small: World, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*more: str) -> str:
        assert cli.main(["rewrite-manifests", str(small.file), *more]) == 0
        return capsys.readouterr().out

    head, before = table_of(small).metadata_location, count(small)
    shown = run("--dry-run")
    assert re.search(rf"{small.table}: {before} of {before} manifests, [\d.]+ KiB\n", shown)
    assert "Nothing was changed. Repeat without --dry-run to run it." in shown
    assert table_of(small).metadata_location == head
    assert run("--table", small.table).endswith(", rewritten; it has 1 now\n")
    assert count(small) == 1
    small.audit()
    head = table_of(small).metadata_location
    nothing = [f"{name}: no manifests to rewrite" for name in (small.table, f"{small.table}__dead_letters")]
    assert run().splitlines() == run("--dry-run").splitlines() == nothing
    assert table_of(small).metadata_location == head
    landed(small, 1)
    small.audit()


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("over", [True, False])
def test_a_rollback_over_it_or_to_it_keeps_each_record_once(small: World, mode: Mode, over: bool) -> None:
    with closing(small.runtime()) as runtime:
        assert runtime.manifest_rewrite.rewrite(small.table).now == 1
        landed(small, 2)
        roll_back(runtime, small.table, "last:4" if over else "last:2", mode)
        taken_out = 40 if over else 20
        assert len(small.rows()) == small.next_id - taken_out
        for _ in range(3):
            small.cycle(runtime)
        runtime.manifest_rewrite.rewrite(small.table)
        if mode is Mode.SKIP:
            assert len(small.rows()) == small.next_id - taken_out
            assert runtime.audit().complete
            return
    small.audit()


def test_what_a_rollback_by_hand_over_it_takes_out_lands_again(small: World) -> None:
    with closing(small.runtime()) as runtime:
        before = table_of(small).snapshots()[-2].snapshot_id
        runtime.manifest_rewrite.rewrite(small.table)
        landed(small, 1)
        table_of(small).manage_snapshots().set_current_snapshot(before).commit()
        runtime.recovery("tester").recover()
        for _ in range(2):
            small.cycle(runtime)
    small.audit()


def test_a_table_that_is_tidied_keeps_only_what_it_names(small: World) -> None:
    with closing(small.runtime()) as runtime:
        runtime.manifest_rewrite.rewrite(small.table)
        landed(small, 2)
        runtime.expiry.expire(small.table, FEW)
        aged(table_of(small))
        clean_up(small)
        assert on_disk(table_of(small)) <= named(table_of(small))
        assert all(p in on_disk(table_of(small), "metadata") for p in named(table_of(small)) if p.endswith(".avro"))
    small.audit()


def test_all_goes_on_while_manifests_are_rewritten_and_tables_expired_and_cleaned_up(small: World) -> None:
    # Reported by the rewrites: the snapshots that they made may have expired.
    landed_rewrites: Counter[str] = Counter()

    def tidy(runtime: Runtime, table: str) -> None:
        landed_rewrites[table] += bool(runtime.manifest_rewrite.rewrite(table).manifests)
        runtime.expiry.expire(table, SOME)
        runtime.orphans.clean_up(table, DAY_MS)

    moves_while(small, tidy)
    small.audit(dead=12)
    assert landed_rewrites[small.table]
