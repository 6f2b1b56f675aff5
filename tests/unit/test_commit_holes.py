"""A hole in one source is reported also while another source keeps landing in the same table."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from lakelock.config.run_sections import Publish
from lakelock.errors import TableUnfit, Unreachable
from lakelock.ingest.commit import Committer
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.batches import Books, DataFile, PartResult, StagedPart, TableIdentity
from lakelock.model.commit_view import CommitView
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import TableCapabilities
from lakelock.testing.tables import CAPABILITIES

A, B = Source("t", "id", 0), Source("t", "id", 1)


def part(n: int, r: OffsetRange) -> StagedPart:
    result = PartResult("db.t", TableIdentity("u", 0, "layout"), (DataFile(f"f{n}", 1, 1, b"{}"),), (Books(r, 1, 1),))
    return StagedPart(f"b{n}", n, "live", "a", "cfg", datetime.now(UTC), 0.0, result)


class Fakes:
    def __init__(self) -> None:
        self.ledger = Ledger("i", "p", "c", 0, "cfg", Coverage().starting({A: 0, B: 0}))
        self.parts: list[StagedPart] = []

    def table_capabilities(self) -> TableCapabilities:
        return CAPABILITIES

    # Log
    def planned(self, _: str) -> list[Any]:
        return []

    def commit_views(self, _: str, tables: Any) -> dict[str, CommitView]:
        starts = {A: 0, B: 0}
        return {name: CommitView("u", has_ledger=True, starts=starts, parts=tuple(self.parts)) for name in tables}

    def survey(self, _: str) -> None:
        return None

    def config(self, _: str) -> dict[str, Any]:
        return {}

    def committed(self, parts: Any, *_: Any) -> None:
        self.parts = [p for p in self.parts if p not in parts]

    # Tables
    def load(self, name: str) -> Any:
        return SimpleNamespace(name=name, uuid="u", ledger=self.ledger)

    def misfits(self, *_: Any) -> dict[str, str]:
        return {}

    def columns_changed(self, *_: Any, **__: Any) -> list[Any]:
        return []

    def commit(self, _: Any, change: Any) -> int:
        self.ledger = change.ledger
        return 1

    def are_staged(self, _: Any) -> bool:
        return True

    def missing_files(self, *_: Any) -> list[str]:
        return []


def committer_of(world: Any) -> Committer:
    today: Any = SimpleNamespace(
        name="p",
        commit=SimpleNamespace(min_bytes=0, max_latency_s=0.0, keep_snapshots=10, rollback_window_ms=0),
        publish=Publish(),
        dead_letter_table="db.letters",
        route=None,
    )
    return Committer(PipelineContext(world, world, today, lambda: "id"), lambda _: None)


def test_a_hole_in_one_partition_is_reported_while_another_partition_lands_every_run() -> None:
    world: Any = Fakes()
    committer = committer_of(world)
    # [0, 10) of A was planned while the table was out of the file: no open batch holds it, and none ever will.
    world.parts = [part(1, OffsetRange(A, 10, 20))]
    world.parts.append(part(2, OffsetRange(B, 0, 1)))
    with pytest.raises(TableUnfit, match=r"t-0 \[0, 10\)"):
        committer.commit("db.t", now=True)
    assert [p.ranges for p in world.parts] == [(OffsetRange(A, 10, 20),)]
    assert world.ledger.coverage.contains(OffsetRange(B, 0, 1))


def test_what_landed_is_reported_though_a_hole_stops_what_is_beside_it() -> None:
    world: Any = Fakes()
    world.parts = [part(1, OffsetRange(A, 0, 20)), part(2, OffsetRange(B, 10, 20))]
    outcomes: list[CommitOutcome] = []
    with pytest.raises(TableUnfit):
        committer_of(world).commit("db.t", now=True, report=outcomes.append)
    assert [(o.version_id, o.ranges) for o in outcomes] == [(1, (OffsetRange(A, 0, 20),))]


def test_what_landed_is_reported_once_though_the_log_cannot_mark_it() -> None:
    world: Any = Fakes()
    world.parts = [part(1, OffsetRange(A, 0, 20))]
    marked = world.committed

    def away(*_: Any) -> None:
        world.committed = marked
        raise Unreachable("Postgres is away")

    world.committed = away
    outcomes: list[CommitOutcome] = []
    committer = committer_of(world)
    with pytest.raises(Unreachable):
        committer.commit("db.t", now=True, report=outcomes.append)
    committer.commit("db.t", now=True, report=outcomes.append)
    assert [o.version_id for o in outcomes] == [1, None]
    assert world.parts == []
