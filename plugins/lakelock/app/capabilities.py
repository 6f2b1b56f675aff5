"""The capabilities of one pipeline that do not depend on how Spark jobs are run."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import TypeVar

from lakelock.adapters.iceberg import IcebergStorage
from lakelock.adapters.iceberg.redrive import IcebergDeadLetters
from lakelock.app.definitions import Definitions
from lakelock.app.jobs import Job
from lakelock.app.redrive import REDRIVER, route_letters
from lakelock.app.servers import Servers, new_id
from lakelock.apply.applying import Applying
from lakelock.audit import audit as auditing
from lakelock.audit.audit import PipelineAudit
from lakelock.backfill.backfill import Backfills
from lakelock.config import Pipeline
from lakelock.errors import State, Terminal, WalUnusable
from lakelock.gaps.declare import Declarations
from lakelock.gaps.rebind import Rebinding
from lakelock.gaps.retired_table import RetiringTables
from lakelock.ingest import bind as binding
from lakelock.ingest.commit import Committer
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.edited_rules import refuse_edited
from lakelock.model.batches import NO_TABLE, is_backfill
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.model.operator_log import What
from lakelock.model.registry import PlannedConfig
from lakelock.model.run_names import check_table
from lakelock.model.units import milliseconds
from lakelock.monitor.status import PipelineStatus, status, with_stops
from lakelock.monitor.watch import WatchResult, see
from lakelock.pause.pausing import Pausing
from lakelock.ports import Tables
from lakelock.ports.redrive_jobs import RedriveOrder, RedriveOutput
from lakelock.recovery.recover import Recovery
from lakelock.redrive.new_tables import make_routed
from lakelock.redrive.redrive import Redrives
from lakelock.replace.replace import Replacing
from lakelock.replace.replace_preview import ReplaceLookup
from lakelock.rollback.rollback import Rollbacks
from lakelock.upkeep.compact import Compaction, Settings
from lakelock.upkeep.expire import Expiry
from lakelock.upkeep.expiry_decision import ExpiryLimits
from lakelock.upkeep.keeper import Keeper
from lakelock.upkeep.orphans import Orphans
from lakelock.upkeep.rewrite_manifests import ManifestRewrite
from lakelock.workers.redrive import redrive_dead_letters

# Commands that also take retired tables.
ABOUT_RETIRED = {What.REBIND.value, What.RETIRE.value}
WRITER_GRACE = timedelta(minutes=2)


T = TypeVar("T")


class Capabilities(Servers, ABC):
    """Capabilities of one pipeline, each created on first use, and again once there are other routed tables.

    A recovery works on *tables_at_once* tables, within `catalog.requests_per_second`.
    """

    tables_at_once = 16

    def refresh_tables(self) -> None:
        before = self._routed
        super().refresh_tables()
        if self._routed != before:
            for name, made in vars(Capabilities).items():
                if isinstance(made, cached_property):
                    self.__dict__.pop(name, None)

    @abstractmethod
    def run(self, job: Job[T], report: Callable[[T], None] = ...) -> list[T]:
        """Run *job* and report its outcomes."""

    @cached_property
    def committer(self) -> Committer:
        return Committer(self.steps, time.sleep)

    @cached_property
    def steps(self) -> PipelineContext:
        """The context of commit and publish, which ask the log about the few routed tables that they meet."""
        return PipelineContext(self.log, self.tables, self.file, new_id)

    @cached_property
    def context(self) -> PipelineContext:
        return PipelineContext(self.log, self.tables, self.pipeline, new_id)

    @cached_property
    def definitions(self) -> Definitions:
        return Definitions(self.pipeline, self.log, self.broker, self.run)

    def definitions_now(self) -> Definitions:
        """With the routed tables that the log knows now."""
        self.refresh_tables()
        return self.definitions

    @cached_property
    def replacing(self) -> Replacing:
        return Replacing(
            ReplaceLookup(self.keeper, self.broker),
            self.clock,
            lambda: self.writer,
            lambda: self.copier,
            lambda: self.kafka_config,
            self.mask_keys,
        )

    @cached_property
    def rollbacks(self) -> Rollbacks:
        return Rollbacks(self.context, self.broker, time.sleep)

    def recovery(
        self,
        who: str,
        mode: Mode = Mode.RECOMMIT,
        *,
        announced: bool = False,
        take_over: bool = False,
        accept_loss: bool = False,
    ) -> Recovery:
        def tables_of(installation_id: str) -> Tables:
            return self.tables.for_pipeline(self.pipeline.name, installation_id)

        flags = announced, take_over, mode, who, accept_loss
        return Recovery(self.context, self.broker, tables_of, time.sleep, *flags, self.tables_at_once)

    @cached_property
    def keeper(self) -> Keeper:
        return Keeper(self.context, IcebergStorage(self.tables.border), time.sleep)

    @cached_property
    def compaction(self) -> Compaction:
        return Compaction(self.keeper, lambda: self.copier)

    @property
    def compact_settings(self) -> Settings:
        """Compaction settings of the pipeline file."""
        settings = self.file.maintenance
        after_ms, within_ms = milliseconds(settings.compact_after), milliseconds(settings.compact_within)
        landing = {t.name: t.landing for t in self.pipeline.tables if t.landing is not None}
        return Settings(settings.compact_min_files, after_ms, within_ms, landing)

    @cached_property
    def redrives(self) -> Redrives:
        box = IcebergDeadLetters(self.tables.border)

        def trial(order: RedriveOrder) -> RedriveOutput:
            if order.target.expressions is None:
                return redrive_dead_letters(order, 0)
            (output,) = self.on_spark(REDRIVER).run(order)
            return output

        return Redrives(
            self.context,
            box,
            lambda: self.on_spark(REDRIVER),
            trial,
            time.sleep,
            partial(route_letters, self),
            self.make_routed,
            self.mask_keys,
        )

    def make_routed(self, pipeline: Pipeline, name: str, sample: Sequence[bytes]) -> None:
        """Create a table for dead letters, and name it in the dead-letter table's ledger."""
        make_routed(self.log, self.tables, pipeline, name, sample, self.definitions.of_batch, self.mask_keys, new_id)

    @cached_property
    def manifest_rewrite(self) -> ManifestRewrite:
        return ManifestRewrite(self.keeper)

    @cached_property
    def expiry(self) -> Expiry:
        return Expiry(self.keeper)

    @property
    def orphans(self) -> Orphans:
        """A new instance each time: it reads tables and log again."""
        return Orphans(self.keeper, self.recovery("").preview)

    @property
    def expiry_limits(self) -> ExpiryLimits:
        """Snapshot retention settings of the pipeline file."""
        settings = self.file.maintenance
        return ExpiryLimits(milliseconds(settings.expire_after), settings.keep_at_least)

    def all_tables(self) -> list[str]:
        """Existing tables: those of the file, the dead-letter table, and tables that were removed from the file."""
        bound = self.log.bound(self.pipeline.name)
        named = [*(t.name for t in self.pipeline.tables), self.pipeline.dead_letter_table]
        return [t for t in dict.fromkeys([*named, *bound]) if t in bound]

    def require_table(self, table: str, command: str = "") -> None:
        """Raise RunRefused for a table that neither the file nor the log knows, or that is none for *command*."""
        file = self.file
        if command == What.REDRIVE.value and table == NO_TABLE:
            return
        known = [*(t.name for t in file.tables), file.dead_letter_table]
        if table not in known:
            self.refresh_tables()
            known += [t.name for t in self.pipeline.tables]
            known += [name for name in self.log.retirements(file.name) if command in ABOUT_RETIRED]
            check_table(file.name, table, [*dict.fromkeys([*known, *self.log.bound(file.name)])])

    @cached_property
    def decisions(self) -> Declarations:
        return Declarations(self.context, self.broker, self.clock, time.sleep, self.interrupt_orphans)

    @cached_property
    def backfills(self) -> Backfills:
        return Backfills(self.context, self.broker, self.clock, time.sleep)

    @cached_property
    def pausing(self) -> Pausing:
        return Pausing(self.context, self.clock, time.sleep)

    @cached_property
    def applying(self) -> Applying:
        return Applying(self.context, self.clock, time.sleep)

    @cached_property
    def retiring(self) -> RetiringTables:
        return RetiringTables(self.context, self.clock, time.sleep)

    @cached_property
    def rebinding(self) -> Rebinding:
        return Rebinding(self.context, self.broker, self.clock, self._create, time.sleep)

    def status(self) -> PipelineStatus:
        return status(self.pipeline, self.log, self.broker, self.clock)

    def status_with_stops(self) -> PipelineStatus:
        """The status, and why work waits."""
        return with_stops(self.status(), self.log.view(self.pipeline.name))

    def see(
        self,
        *,
        watch_every_s: float,
        is_paused: bool | None = False,
        is_late: bool = False,
        reported_changes: str = "",
    ) -> WatchResult | None:
        """Take one look for the watch."""
        return see(
            self.pipeline,
            self.log,
            self.status,
            lambda: self.tables,
            watch_every_s=watch_every_s,
            is_paused=is_paused,
            is_late=is_late,
            reported_changes=reported_changes,
        )

    def audit(self, count_rows: bool = True) -> PipelineAudit:
        return auditing.audit(self.pipeline, self.log, self.tables, self.broker, self.clock, count_rows)

    def _still_writing(self, until: datetime) -> bool:
        """Whether a batch of this window is still being written.

        After the window's end the wait is limited to `WRITER_GRACE`: the writer may have died.
        """
        if self.clock.now() > until + WRITER_GRACE:
            return False
        return any(b.attempt is not None and not is_backfill(b.lane) for b in self.log.planned(self.file.name))

    def _table_fault(self, name: str) -> Terminal | None:
        try:
            binding.load(self.log, self.tables, self.file.name, name)
        except Terminal as fault:
            # A table that was never bound is not missing: the write task will create it.
            known = isinstance(fault, WalUnusable) or self.log.bound_uuid(self.file.name, name) is not None
            return fault if known else None
        return None

    def _refuse_edited(self, ranges: Sequence[OffsetRange]) -> None:
        file = self.file
        if file.route and self.log.left_out(file.name) and (registry := self.context.redo().registry) is not None:
            planned = PlannedConfig(file.digest, file.resolved(), ranges)
            refuse_edited(self.log, self.tables, file.name, registry, [planned], State.NOTHING_CHANGED)

    def _create(self, name: str) -> None:
        pipeline = self.pipeline
        if (retired := self.log.retirements(pipeline.name).get(name)) is not None and pipeline.route is not None:
            pipeline = pipeline.with_routed({**self.routed_tables, name: retired.raw_name})
        definitions, registry = Definitions(pipeline, self.log, self.broker, self.run), self.context.redo().registry
        self.tables.create(name, definitions.of_all_records(name, registry))
