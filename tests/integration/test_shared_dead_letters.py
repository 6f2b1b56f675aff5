"""Two pipelines put their dead letters into one table, and another tool sets it back: neither recovery takes out the other's."""

from __future__ import annotations

import itertools
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from kits.coverage import booked
from lakelock.adapters.iceberg.tables import IcebergTables
from lakelock.config import Pipeline
from lakelock.ingest import bind as binding
from lakelock.ingest.bind import change
from lakelock.ingest.context import PipelineContext
from lakelock.model.batches import covered_range
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import TableDefinition
from lakelock.records import dead_letters
from lakelock.recovery.findings import Finding
from lakelock.recovery.recover import Recovery
from lakelock.testing import Kafka, MemoryLog
from pyiceberg.table.update import SetSnapshotRefUpdate

if TYPE_CHECKING:
    from lakelock.ports import Log

DEAD_LETTERS = "ns.dead"
INSTALLATION = str(uuid.uuid4())


class Sharing:
    """A pipeline with its log in memory, in a catalog in *folder*."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.pipeline = Pipeline.model_validate(
            {
                "name": name,
                "source": {"topics": (name,)},
                "tables": [{"name": f"ns.{name}"}],
                "dead_letters": {"table": DEAD_LETTERS},
            }
        )
        properties = {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
        self.tables = IcebergTables("c", properties, name, INSTALLATION)
        # A port has its methods from the Protocol, where a type checker does not see them.
        self.log = cast("Log", MemoryLog(INSTALLATION, lambda: 1e6))
        self.kafka = Kafka()
        self.source = Source(name, f"id-{name}", 0)
        self.kafka.add(self.source)
        numbers = itertools.count(1)
        new_id = lambda: str(uuid.uuid5(uuid.NAMESPACE_OID, f"{name}{next(numbers)}"))  # noqa: E731
        self.context = PipelineContext(self.log, self.tables, self.pipeline, new_id)
        owner = binding.Owner(name, INSTALLATION, self.pipeline.resolved(), self.pipeline.digest)
        binder = binding.Binder(self.log, self.tables, owner, self.pipeline.commit, new_id, lambda _: None)
        binder.bind(DEAD_LETTERS, define=lambda: TableDefinition(dead_letters.COLUMNS), declare_starts=False)

    def land(self, start: int, end: int) -> int:
        """A commit that records dead letters of `[start, end)`; its snapshot."""
        state = self.tables.load(DEAD_LETTERS)
        assert state.ledger is not None
        books = booked(covered_range(OffsetRange(self.source, start, end), f"ns.{self.name}"))
        coverage = state.ledger.coverage.adding(books, {}, state.ledger.generation)
        ledger = replace(state.ledger, commit_id=self.context.new_id(), coverage=coverage)
        return self.tables.commit(state, change(self.pipeline.commit, ledger))

    def recovery(self, mode: Mode = Mode.RECOMMIT) -> Recovery:
        return Recovery(self.context, self.kafka, lambda _: self.tables, lambda _: None, mode=mode, who=self.name)

    @property
    def is_detached(self) -> bool:
        return self.tables.load(DEAD_LETTERS, detached=True).detached

    def set_back(self, snapshot_id: int) -> None:
        table = self.tables.catalog.load_table(DEAD_LETTERS)
        update = SetSnapshotRefUpdate.model_validate({"ref-name": "main", "type": "branch", "snapshot-id": snapshot_id})
        self.tables.catalog.commit_table(table, (), (update,))


@pytest.fixture
def both(tmp_path: Path) -> tuple[Sharing, Sharing]:
    return Sharing("a", tmp_path), Sharing("b", tmp_path)


def left(found: list[Finding]) -> list[str]:
    return [f.what for f in found if f.left]


def test_commits_that_another_pipeline_made_since_are_not_taken_out(both: tuple[Sharing, Sharing]) -> None:
    a, b = both
    a.land(0, 5)
    back = b.land(0, 5)
    a.land(5, 10)
    a.set_back(back)
    b.land(5, 10)
    assert left(a.recovery().recover()) == ["another tool rolled it back, and pipeline b has committed to it since"]
    assert (a.is_detached, b.is_detached) == (True, False)
    assert left(a.recovery(Mode.SKIP).recover()) == []
    assert (a.is_detached, b.is_detached) == (False, False)
    for one, start in ((a, 10), (b, 10)):
        one.land(start, start + 5)


def test_a_table_that_lacks_none_of_ours_is_adopted_where_it_stands(both: tuple[Sharing, Sharing]) -> None:
    """Each recovery that put it back would make the other's newest commit one that is not on the branch."""
    a, b = both
    back = a.land(0, 5)
    b.land(0, 5)
    a.land(5, 10)
    a.set_back(back)
    assert (a.is_detached, b.is_detached) == (True, True)
    b.recovery(Mode.SKIP).recover()
    assert b.recovery().preview() == []
    assert left(a.recovery().recover()) == ["another tool rolled it back, and pipeline b has committed to it since"]
    a.recovery(Mode.SKIP).recover()
    assert (a.is_detached, b.is_detached) == (False, False)
    assert [p.recovery().preview() for p in both] == [[], []]
