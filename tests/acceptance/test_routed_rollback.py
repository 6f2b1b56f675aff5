"""A routed table goes back: its records come back, what has no records of it stays, and other tables see nothing of it."""

from __future__ import annotations

import pytest
from kits.rollbacks import roll_back
from kits.routing import BY_TYPE, commit, cycle, dead, ids, ledger, routed_file, send
from kits.world import World, open_with
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.errors import RollbackRefused
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.ledger import Mode
from lakelock.model.offsets import offsets_in

pytestmark = pytest.mark.drawn(0.35, about=("records/routing", "ingest/routed_batch"))

OTHER_RULES = "- {table: '{ns}.other_{event.type}'}"


def sent(world: World, runtime: Runtime, *batches: tuple[object, ...]) -> None:
    for batch in batches:
        send(world, *batch)
        cycle(world, runtime)


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_what_went_comes_back_and_what_was_only_filled_stays(fresh: World, mode: Mode) -> None:
    push = f"{fresh.namespace}.push"
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        sent(fresh, runtime, ("push", "fork"), ("fork", "fork", b"no json"), ("push", "push", "fork"), ("fork", "fork"))
        sent(fresh, runtime, ("push", "fork"))
        before, forks = ids(fresh, "push"), ids(fresh, "fork")
        assert len(before) == 4
        preview = runtime.rollbacks.preview(push, "last:2", mode)
        assert preview.kept
        assert any("without records for the table" in line for line in preview.lines)
        roll_back(runtime, push, "last:2", mode)
        assert ids(fresh, "push") == before[:1]
        assert offsets_in(ledger(runtime, push).coverage.owed) == offsets_in(preview.ranges)
        for _ in range(4):
            cycle(fresh, runtime)
        assert (ids(fresh, "push"), ids(fresh, "fork"), len(dead(fresh))) == (before, forks, 1)
        assert not ledger(runtime, push).coverage.owed
        sent(fresh, runtime, ("push", "fork"))
        assert len(ids(fresh, "push")) == 5
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_records_are_read_again_under_the_rules_that_routed_them(fresh: World) -> None:
    push = f"{fresh.namespace}.push"
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        sent(fresh, runtime, ("push", "fork"), ("push", "fork"))
        before = ids(fresh, "push")
    with open_with(fresh, routed_file(fresh, OTHER_RULES)) as runtime:
        sent(fresh, runtime, ("push", "push"))
        roll_back(runtime, push, "last:1", Mode.REPLAY)
        assert len(ids(fresh, "push")) == 1
        for _ in range(3):
            cycle(fresh, runtime)
        assert ids(fresh, "push") == before
        assert len(ids(fresh, "other_push")) == 2


def test_skipped_records_stay_out_and_later_ones_do_not_wait(fresh: World) -> None:
    push = f"{fresh.namespace}.push"
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        sent(fresh, runtime, ("push", "fork"), ("push", "fork"))
        roll_back(runtime, push, "last:1", Mode.SKIP)
        sent(fresh, runtime, ("push", "push"))
        assert len(ids(fresh, "push")) == 3
        assert not ledger(runtime, push).coverage.owed


def test_the_dead_letter_table_does_not_go_back(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        sent(fresh, runtime, ("push", b"no json"))
        with pytest.raises(RollbackRefused, match="holds the dead letters"):
            runtime.rollbacks.preview(f"{fresh.namespace}.letters", "last:1", Mode.RECOMMIT)
        outcomes: list[CommitOutcome] = commit(fresh, runtime)
        assert outcomes == []
