"""Changes of columns that records asked for: each is in the outcome of its batch, in one commit's, and in one alert."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from kits.memory_world import TABLE, MemoryRuntime, MemoryWorld, killed_at
from kits.rollbacks import roll_back, settle
from kits.world import write_next
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.ledger import Mode
from lakelock.model.overview import PipelineView
from lakelock.monitor.incidents import IncidentKind
from lakelock.monitor.watch import watch
from lakelock.ports import TableState
from lakelock.ports.tables import PastColumns
from lakelock.redrive.redrive_preview import RedriveRequest
from lakelock.testing import BAD, GOOD, MemoryTables
from lakelock.testing.kafka import EXTRA, EXTRAS, OTHER_EXTRA
from lakelock.testing.log import MemoryLog


@pytest.fixture
def evolving(memory: MemoryWorld) -> MemoryWorld:
    memory.tables = [{"name": TABLE, "new_fields": "evolve"}]
    return memory


def reported(outcomes: list[CommitOutcome]) -> list[str]:
    return [text for outcome in outcomes for changed in outcome.columns_changed for text in changed.changes]


def test_a_batch_names_the_change_that_it_made_and_one_commit_reports_it(evolving: MemoryWorld) -> None:
    with evolving.open() as runtime:
        evolving.produce(4, [EXTRA])
        planned = runtime.plan()
        assert planned.batch_id is not None
        outcome = runtime.write("attempt", "dag/run", planned.batch_id)
        (changed,) = outcome.columns_changed
        (head,) = [s for s in runtime.tables.history(runtime.tables.load(TABLE)) if s.id == evolving.head()]
        assert (changed.table, changed.version_id, changed.batch, changed.run) == (
            TABLE,
            head.id,
            planned.batch_id,
            "dag/run",
        )
        assert outcome.line.endswith(f"; {changed.line}")
        (landed,) = runtime.commit([TABLE], now=True)
        (again,) = landed.columns_changed
        assert (again.changes, again.record, again.at_ms) == (changed.changes, changed.record, head.at_ms)
        assert CommitOutcome.of(landed.fields) == landed
        evolving.produce(4, [EXTRA])
        assert reported(evolving.cycle(runtime)) == []


def test_the_next_commit_reports_a_change_whose_task_was_killed_before_it_staged_a_row(evolving: MemoryWorld) -> None:
    evolving.produce(4, [EXTRA])
    with evolving.open() as runtime, killed_at(runtime.log, "stage"):
        write_next(runtime)
    evolving.now_s += 3600
    with evolving.open() as runtime:
        evolving.produce(2, [OTHER_EXTRA])
        landed = evolving.cycle(runtime)
        landed += evolving.cycle(runtime)
        settle(evolving, runtime)
    assert len(reported(landed)) == 2, "one of each batch"
    assert evolving.rows() == evolving.sent(GOOD, *EXTRAS)


@pytest.mark.parametrize("mode", [Mode.REPLAY, Mode.RECOMMIT])
def test_the_next_commit_reports_a_change_that_a_rollback_removed_from_the_history(
    evolving: MemoryWorld, mode: Mode
) -> None:
    evolving.produce(4)
    evolving.run()
    evolving.produce(4, [EXTRA])
    with evolving.open() as runtime:
        write_next(runtime)
        roll_back(runtime, TABLE, "last:1", mode)
        landed = [outcome for _ in range(3) for outcome in evolving.cycle(runtime)]
    assert len(reported(landed)) == 1
    assert evolving.rows() == evolving.sent(GOOD, *EXTRAS)


def test_a_walk_through_all_schemas_of_a_table_is_made_at_most_once_for_each_load(
    evolving: MemoryWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: dict[int, list[TableState]] = {}
    load, past_columns = MemoryTables.load, MemoryTables.past_columns

    def loaded(self: MemoryTables, name: str, *, detached: bool = False) -> TableState:
        state = load(self, name, detached=detached)
        return replace(state, handle=copy(state.handle))

    def counted(self: MemoryTables, state: TableState) -> PastColumns:
        walks.setdefault(id(state.handle), []).append(state)
        return past_columns(self, state)

    monkeypatch.setattr(MemoryTables, "load", loaded)
    monkeypatch.setattr(MemoryTables, "past_columns", counted)
    evolving.produce(4, [EXTRA, BAD])
    with evolving.open() as runtime:
        assert reported(evolving.cycle(runtime))
        of_batch = [len(of_load) for of_load in walks.values()]
        runtime.redrives.preview(RedriveRequest())
        of_redrive = [len(of_load) for of_load in walks.values()][len(of_batch) :]
    # The table is loaded before the batch reads, to decide on its columns, and once they have changed.
    assert (of_batch, of_redrive) == ([1, 1, 1], [1])


class Watch:
    """The watch of one pipeline; *line* is that of the last incident, once all were notified of it."""

    def __init__(self, runtime: MemoryRuntime) -> None:
        self.runtime, self.line = runtime, ""

    def look(self, notifies: bool = True) -> str:
        found, _ = watch(
            self.runtime.pipeline, lambda: self.runtime.see(watch_every_s=300, reported_changes=self.line), None, {}
        )
        line = {i.kind: i.line for i in found}.get(IncidentKind.SCHEMA, "")
        if notifies:
            self.line = line
        return line


@pytest.fixture
def no_status(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a look has of batches is not of interest here."""
    sights: dict[str, Any] = {}
    monkeypatch.setattr(MemoryLog, "recent", lambda self, pipeline, limit: [], raising=False)
    monkeypatch.setattr(MemoryLog, "staged_tables", lambda self, pipeline: {}, raising=False)
    monkeypatch.setattr(MemoryLog, "sights", lambda self, pipeline: sights.get(pipeline), raising=False)
    monkeypatch.setattr(
        MemoryLog,
        "view",
        lambda self, pipeline: replace(PipelineView.unplanned(pipeline), sights=sights[pipeline]),
        raising=False,
    )
    monkeypatch.setattr(MemoryLog, "saw", lambda self, pipeline, seen: sights.update({pipeline: seen}), raising=False)


@pytest.mark.usefixtures("no_status")
def test_the_watch_reports_each_change_once_though_a_run_dies_before_it_could(evolving: MemoryWorld) -> None:
    evolving.settings = {"alerts": {"schema_changes": True}}
    with evolving.open() as runtime:
        watched = Watch(runtime)
        assert watched.look() == ""
        evolving.produce(4, [EXTRA])
        evolving.cycle(runtime)
        line = watched.look(notifies=False)
        assert f"table {TABLE}: its columns changed: " in line
        assert watched.look() == line
        assert watched.look() == ""
        evolving.produce(4, [OTHER_EXTRA])
        evolving.cycle(runtime)
        assert watched.look() not in {"", line}
        assert watched.look() == ""
