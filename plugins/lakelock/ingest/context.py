"""Update the log to a table's generation before anything else is decided about the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from lakelock.config import Pipeline
from lakelock.errors import LakelockError, TableMissing
from lakelock.ingest import reconcile_decision as decisions
from lakelock.ingest.bind import change, load, load_bound
from lakelock.ingest.closing_decision import as_planned
from lakelock.ingest.outcome import followed, listed
from lakelock.ingest.planned_files import PlannedFiles
from lakelock.ingest.reconcile_decision import lacking
from lakelock.model.batches import LIVE, StagedPart
from lakelock.model.commit_view import CommitView
from lakelock.model.coverage import Coverage
from lakelock.model.joint_coverage import joined
from lakelock.model.ledger import Ledger, registry_of
from lakelock.model.log_state import Following, PartState, Redo, wanted
from lakelock.model.offsets import OffsetRange, united
from lakelock.model.route_evidence import RouteEvidence
from lakelock.model.valid_through import Survey
from lakelock.ports import Change, Log, Tables, TableState
from lakelock.ports.edits import Edit

logger = logging.getLogger(__name__)


def is_ahead(state: TableState, known: Mapping[str, int]) -> bool:
    """Whether a rollback or the like made the table's generation newer than the log's, which are *known*."""
    return state.ledger is not None and state.ledger.generation > known.get(state.name, 0)


@dataclass(frozen=True, slots=True)
class PipelineContext:
    """A pipeline's log, its tables, and its file as it is now."""

    log: Log
    tables: Tables
    pipeline: Pipeline
    new_id: Callable[[], str]
    planned: PlannedFiles = field(default_factory=PlannedFiles, compare=False)

    def followed(self, table: str, view: CommitView | None = None) -> tuple[TableState, bool]:
        """Load the table; returns it, and whether the log had to follow it. Raises the errors of `bind.load`.

        *view* is what the caller has read of the log before. If its generation is older than the table, parts that it has may
        have been given up since, no matter which process made the log follow.
        """
        name = self.pipeline.name
        if view is None:
            state = load(self.log, self.tables, name, table)
            known = self.log.generations(name, [table])
        else:
            state = load_bound(self.log, self.tables, name, table, view.table_uuid)
            known = {table: view.generation}
        if state.ledger is None or not is_ahead(state, known):
            return state, False
        self.follow(state, state.ledger)
        return state, True

    def follow(self, state: TableState, ledger: Ledger) -> None:
        done = self.log.follow(self.pipeline.name, state.name, state.uuid, ledger, self.redo())
        if done is None:
            return
        logger.warning("%s: %s", state.name, followed(ledger, done))
        if done.left:
            logger.error(
                "%s: the rollback removed %s. The pipeline file no longer assigns it to this table, so it is not read "
                "again: put the table and the topic back into the file, then run recover",
                state.name,
                listed(done.left),
            )

    def routed(self, tables: Collection[str] | None = None) -> Mapping[str, str]:
        """As `Log.routed`; a pipeline without routes does not ask."""
        return {} if self.pipeline.route is None else self.log.routed(self.pipeline.name, tables)

    def evidence(self, table: str) -> RouteEvidence | None:
        """As `Log.evidence`; a pipeline without routes does not ask."""
        return None if self.pipeline.route is None else self.log.evidence(self.pipeline.name, table)

    def config(self, digest: str) -> Mapping[str, object]:
        """As `Log.config`; read once."""
        return self.planned.config(self.log, digest)

    def file_of(self, digest: str) -> Pipeline:
        """The pipeline file that batches were planned with."""
        return self.planned.file(self.log, digest)

    def survey(self, batch_id: str) -> Survey | None:
        """As `Log.survey`; read once."""
        return self.planned.survey(self.log, batch_id)

    def report(self, table: str) -> None:
        """Update the log's copy of the table's ledger after a commit without parts, and plan what the ledger asks for.

        Nothing else depends on it, and the commit has landed: an error is only logged.
        """
        try:
            state, _ = self.followed(table)
            if state.ledger is not None:
                self.log.fill_requested(self.pipeline.name, table, state.uuid, state.ledger, self.redo())
        except LakelockError as fault:
            logger.warning("%s: the page shows this change only after the next commit: %s", table, fault)

    def foreseen(
        self, state: TableState, before: Coverage, after: Ledger, known_generation: int, *, with_files: bool
    ) -> tuple[Following, list[OffsetRange]]:
        """Preview `follow` for the table at *after*, and the ranges of it that only Kafka can supply.

        The ranges leave out those that were lacking when the table held *before*. *with_files* also checks whether
        committed parts still have their files.
        """
        log, name, table = self.log, self.pipeline.name, state.name
        is_wanted = wanted(self._takes(), table)
        starts = log.declared_starts(name, table)
        frontiers = {s.source: s.next_offset for s in log.streams(name, LIVE)}
        # Before the parts, as for a commit (`CommitDrafts`).
        evidence = self.evidence(table)
        notes = log.notes(name, table)
        planned = replace(after, coverage=as_planned(evidence, after, notes))
        then = decisions.follow(
            notes, planned, known_generation, starts, frontiers, is_wanted, is_routed=evidence is not None
        )
        had = as_planned(evidence, replace(after, coverage=before), notes)
        lacked = lacking(had, [r for n in notes for r in n.ranges], starts, frontiers, is_wanted)
        landed = {n.part_id for n in notes if n.state is PartState.COMMITTED}
        without_files = self._without_files(state, sorted(landed & set(then.restage))) if with_files else set()
        misfits = self.tables.misfits(state, {n.layout for n in notes if n.layout is not None})
        again = decisions.reread(then, notes, misfits, without_files, lacked)
        return then, united(again)

    def misfit(self, state: TableState, layout: str) -> str:
        """Why files that were written for *layout* must not be committed to the table; empty if they may."""
        return self.tables.misfits(state, {layout}).get(layout, "")

    def _without_files(self, state: TableState, part_ids: Sequence[int]) -> set[int]:
        """Ids of parts that have lost at least one file."""
        if not part_ids:
            return set()
        files = self.log.files_of(part_ids)
        gone = set(self.tables.missing_files(state, [f for of_part in files.values() for f in of_part]))
        return {part_id for part_id, of_part in files.items() if any(f.path in gone for f in of_part)}

    def change(self, ledger: Ledger, edit: Edit | None = None, **more: Any) -> Change:
        """As `bind.change`, under the pipeline file as it is now."""
        return change(self.pipeline.commit, ledger, edit, **more)

    def redo(self) -> Redo:
        """How to plan offsets that a table lacks: under the current pipeline file, of a routed table as they were routed."""
        ledgers = self._dead_letter_ledgers()
        registry = registry_of(filter(None, ledgers.values()))
        return replace(self.redo_with(joined(map(_coverage, ledgers.values()))), registry=registry)

    def redo_with(self, dead_letters: Coverage) -> Redo:
        """As `redo`, under the current pipeline file for all tables, and with *dead_letters* as the coverage of the dead-letter
        tables.
        """
        return self._redo(self.pipeline.resolved(), self.pipeline.digest, dead_letters)

    def redo_of(self, part: StagedPart) -> Redo:
        """How to plan the offsets of a part again: under the configuration of the part."""
        return self._redo(self.config(part.config_digest), part.config_digest, self.dead_letter_coverage())

    def _redo(self, config: Mapping[str, object], digest: str, dead_letters: Coverage) -> Redo:
        return Redo(config, digest, self.pipeline.batch.max_records, dead_letters, self.new_id, self._takes())

    def _takes(self) -> Callable[[str, str], bool]:
        """Whether the pipeline file assigns a topic to a table. A table may have been routed since the file was read."""
        routed = self.routed()
        return lambda table, topic: table in routed or self.pipeline.feeds(table, topic)

    @property
    def dead_letter_tables(self) -> list[str]:
        """All dead-letter tables that the pipeline has had, the current one first."""
        return list(dict.fromkeys([self.pipeline.dead_letter_table, *self.log.dead_letter_tables(self.pipeline.name)]))

    def is_dead_letter_table(self, table: str) -> bool:
        return table == self.pipeline.dead_letter_table or table in self.dead_letter_tables

    def dead_letters_by_table(self) -> dict[str, Coverage]:
        """Coverage of each dead-letter table that the pipeline has had and that still exists, the current one first."""
        return {name: _coverage(ledger) for name, ledger in self._dead_letter_ledgers().items()}

    def _dead_letter_ledgers(self) -> dict[str, Ledger | None]:
        out = {}
        for name in self.dead_letter_tables:
            with suppress(TableMissing):
                out[name] = load(self.log, self.tables, self.pipeline.name, name).ledger
        return out

    def dead_letter_coverage(self) -> Coverage:
        """Joint coverage of all dead-letter tables."""
        return joined(self.dead_letters_by_table().values())


def _coverage(ledger: Ledger | None) -> Coverage:
    return ledger.coverage if ledger else Coverage()
