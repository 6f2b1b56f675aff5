"""A pipeline's commit side on a real log and a real catalog, without Kafka and Spark: stage, commit, roll back, look."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import duckdb
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.wal import PostgresLog
from lakelock.config import Pipeline, load_pipeline
from lakelock.errors import LakelockError
from lakelock.ingest.bind import Binder, Owner
from lakelock.ingest.commit import Committer
from lakelock.ingest.context import PipelineContext
from lakelock.model.batches import Books, PartResult, PlannedRange
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Broker, Copier, TableState
from lakelock.rollback.rollback import ApprovedRollback, Rollbacks
from lakelock.upkeep.compact import Compaction, CompactOutcome, Settings
from lakelock.upkeep.keeper import Keeper
from lakelock.upkeep.rewrite_manifests import ManifestRewrite, ManifestsOutcome

from kits.here_writer import HereCopier
from kits.iceberg import SOURCE, definition, plain_catalog, write_files
from kits.wal import sql


@dataclass
class Bench:
    """One row an offset of SOURCE from 0 on, id = offset. *honest* are the same tables by a catalog that nothing spoils."""

    dsn: str
    log: PostgresLog
    pipeline: Pipeline
    tables: IcebergTables
    honest: IcebergTables
    table: str
    planned: int = 0
    faults: list[LakelockError] = field(default_factory=list)

    @property
    def context(self) -> PipelineContext:
        return PipelineContext(self.log, self.tables, self.pipeline, lambda: str(uuid.uuid4()))

    @property
    def committer(self) -> Committer:
        return Committer(self.context, lambda _: None)

    @property
    def rollbacks(self) -> Rollbacks:
        # What lands again from its files asks nothing of Kafka.
        return Rollbacks(self.context, cast("Broker", None), lambda _: None)

    @property
    def keeper(self) -> Keeper:
        return Keeper(self.context, IcebergStorage(self.tables.border), lambda _: None)

    def compact(self, copier: Copier | None = None, min_files: int = 2) -> CompactOutcome:
        """Whatever its age."""
        return Compaction(self.keeper, lambda: copier or HereCopier()).compact(
            self.table, Settings(min_files, -1, 3_600_000)
        )

    def rewrite_manifests(self) -> ManifestsOutcome:
        return ManifestRewrite(self.keeper).rewrite(self.table)

    def bound(self, tables: IcebergTables | None = None) -> TableState:
        owner = Owner(
            self.pipeline.name, self.log.installation_id(), self.pipeline.resolved(), self.pipeline.digest
        )  # fmt: skip
        return Binder(
            self.log, tables or self.tables, owner, self.pipeline.commit, lambda: str(uuid.uuid4()), lambda _: None
        ).bind(self.table, define=definition, declare_starts=True)

    def plan(self, count: int) -> str:
        r = OffsetRange(SOURCE, self.planned, self.planned + count)
        batch = self.log.plan(
            self.pipeline.name,
            "live",
            str(uuid.uuid4()),
            self.pipeline.resolved(),
            self.pipeline.digest,
            [PlannedRange(r, 0)],
            {} if self.planned else {SOURCE: 0},
            {self.table: [SOURCE.topic]},
        )
        self.planned += count
        return batch.batch_id

    def stage(self, count: int = 3) -> None:
        """Plans and writes the next *count* offsets."""
        batch_id = self.plan(count)
        start, end = self.planned - count, self.planned
        state = self.bound(self.honest)
        assert state.ledger is not None
        self.log.claim(batch_id, batch_id, "run", 30)
        identity = state.identity
        books = Books(OffsetRange(SOURCE, start, end), count, count)
        self.log.stage(
            batch_id, batch_id, [PartResult(self.table, identity, write_files(state, range(start, end)), (books,))]
        )

    def commit(self, runs: int = 3) -> int:
        """Commits as so many runs of Airflow would, each after the one before has failed; returns how many it took."""
        for run in range(1, runs + 1):
            try:
                self.committer.commit(self.table, now=True)
            except LakelockError as fault:
                self.faults.append(fault)
                continue
            return run
        raise AssertionError(f"not settled after {runs} runs: {self.faults}")

    def roll_back(self, to: int, runs: int = 3) -> int:
        """As a task that is tried again: with what was shown before the first try."""
        state = self.honest.load(self.table)
        assert state.ledger is not None
        shown = ApprovedRollback(state.ledger.generation, self.head)
        for run in range(1, runs + 1):
            try:
                self.rollbacks.roll_back(self.table, str(to), Mode.RECOMMIT, "tester", "a test", shown)
            except LakelockError as fault:
                self.faults.append(fault)
                continue
            return run
        raise AssertionError(f"not rolled back after {runs} runs: {self.faults}")

    @property
    def head(self) -> int:
        head = self.honest.load(self.table).head_id
        assert head is not None
        return head

    @property
    def open_parts(self) -> int:
        (row,) = sql(
            self.dsn,
            "SELECT count(*) AS n FROM lakelock.parts WHERE state IN ('planned', 'staged') AND table_name = %s",
            self.table,
        )
        return int(row["n"])

    def check(self, snapshots: int | None = None) -> None:
        """Each offset that was planned is in once and the log says so; each snapshot can be read by tools that are not ours.

        *snapshots*: how many of them carry offsets.
        """
        table = plain_catalog(self.honest).load_table(self.table)
        wanted = list(range(self.planned))
        assert sorted(table.scan(selected_fields=("id",)).to_arrow()["id"].to_pylist()) == wanted
        files = [task.file.file_path.removeprefix("file://") for task in table.scan().plan_files()]
        assert len(files) == len(set(files))
        found = duckdb.sql(f"SELECT id FROM read_parquet({files!r}) ORDER BY 1").fetchall() if files else []
        assert [r[0] for r in found] == wanted
        for snapshot in table.snapshots():
            for manifest in snapshot.manifests(table.io):
                for entry in manifest.fetch_manifest_entry(table.io):
                    assert Path(entry.data_file.file_path.removeprefix("file://")).exists()
        own = [s for s in table.snapshots() if s.summary and json.loads(_ranges(s.summary.additional_properties))]
        if snapshots is not None:
            assert len(own) == snapshots, "a batch landed in more than one snapshot"
        state = self.honest.load(self.table)
        assert state.ledger is not None
        assert state.ledger.coverage.contains(OffsetRange(SOURCE, 0, self.planned))
        assert state.ledger.coverage[SOURCE].end_offset == self.planned
        assert self.open_parts == 0
        assert self.log.ledgers(self.pipeline.name)[self.table].coverage == state.ledger.coverage


def _ranges(summary: dict[str, str]) -> str:
    return summary.get("lakelock.ranges", "[]")


@contextmanager
def open_bench(
    dsn: str,
    folder: Path,
    namespace: str,
    properties: dict[str, str],
    honest: dict[str, str] | None = None,
    pipeline_name: str | None = None,
) -> Iterator[Bench]:
    """A pipeline (of a name of its own) with a migrated log at *dsn*; its commits go through the catalog of *properties*."""
    file = folder / f"{pipeline_name or 'p_' + uuid.uuid4().hex[:8]}.yaml"
    name = f"{namespace}.flights"
    file.write_text(f"source: {{topics: [{SOURCE.topic}]}}\ntables: [{{name: {name}}}]\n")
    pipeline = load_pipeline(file)
    with PostgresLog(dsn) as log:
        installation = log.installation_id()
        tables = IcebergTables("lake", properties, pipeline.name, installation)
        unspoilt = IcebergTables("lake", honest or properties, pipeline.name, installation)
        yield Bench(dsn, log, pipeline, tables, unspoilt, name)
