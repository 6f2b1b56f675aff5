"""Table and log agree on the table's generation before anything else is decided about it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from lakelock.config import Pipeline
from lakelock.errors import LakelockError, TableMissing
from lakelock.ingest import reconcile_decision as decisions
from lakelock.ingest.bind import change, load
from lakelock.ingest.outcome import listed
from lakelock.ingest.reconcile_decision import lacking
from lakelock.model.batches import LIVE, StagedPart
from lakelock.model.coverage import Coverage, joined
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, PartState, Redo, wanted
from lakelock.model.offsets import OffsetRange, offsets_in, united
from lakelock.ports import Change, Log, Tables, TableState

logger = logging.getLogger(__name__)


def is_ahead(state: TableState, known: Mapping[str, int]) -> bool:
    """Whether a rollback, or what stands for one, moved the table on from what the log's generations *known* say."""
    return state.ledger is not None and state.ledger.generation > known.get(state.name, 0)


@dataclass(frozen=True, slots=True)
class PipelineContext:
    """A pipeline's log and tables, and its file as it is now."""

    log: Log
    tables: Tables
    pipeline: Pipeline
    new_id: Callable[[], str]

    def followed(self, table: str, known: Mapping[str, int] | None = None) -> tuple[TableState, bool]:
        """The table as loaded now, and whether the log had to be brought up to it; the errors of `bind.load`.

        *known* are the log's generations from before the caller read more of it: where they are older than the table, what
        was read may be given up, whoever has brought the log up to the table since.
        """
        state = load(self.log, self.tables, self.pipeline.name, table)
        known = self.log.generations(self.pipeline.name) if known is None else known
        if state.ledger is None or not is_ahead(state, known):
            return state, False
        self.follow(state, state.ledger)
        return state, True

    def settle(self, table: str) -> None:
        """Looks at a table that somebody wanted to roll back, though nothing is staged for it."""
        if table in self.log.unsettled(self.pipeline.name):
            self.followed(table)

    def follow(self, state: TableState, ledger: Ledger) -> None:
        done = self.log.follow(self.pipeline.name, state.name, state.uuid, ledger, self.redo())
        if done is None:
            return
        logger.warning(
            "%s: rolled back to generation %s: %s batches land again (read again where their files are gone or no longer fit the "
            "table), %s are given up, %s offsets are read from Kafka again",
            state.name,
            ledger.generation,
            len(done.restage),
            len(done.abort),
            offsets_in(done.redo),
        )
        if done.left:
            logger.error(
                "%s: the rollback took out %s. The pipeline file no longer gives that to this table, so it is not read "
                "again: put table and topic back into the file, then run recover",
                state.name,
                listed(done.left),
            )

    def tell(self, table: str) -> None:
        """The log's copy of the table's ledger, by which the page tells, is brought up to what landed without a part.

        Nothing else depends on it, and what landed has landed: a fault is only logged.
        """
        try:
            state, _ = self.followed(table)
            if state.ledger is not None:
                self.log.fill_asked(self.pipeline.name, table, state.uuid, state.ledger, self.redo())
        except LakelockError as fault:
            logger.warning("%s: the page shows it after the next commit: %s", table, fault)

    def foreseen(
        self, state: TableState, before: Coverage, after: Ledger, known_generation: int, *, with_files: bool
    ) -> tuple[Following, list[OffsetRange]]:
        """What `follow` would make of the table once it is at *after*, and what of that only Kafka can bring: beyond what
        was lacking when the table held *before*. *with_files* looks whether what had landed still has its files."""
        log, name, table = self.log, self.pipeline.name, state.name
        is_wanted = wanted(self.pipeline.feeds, table)
        starts = log.declared_starts(name, table)
        frontiers = {s.source: s.next_offset for s in log.streams(name, LIVE)}
        notes = log.notes(name, table)
        then = decisions.follow(notes, after, known_generation, starts, frontiers, is_wanted)
        lacked = lacking(before, [r for n in notes for r in n.ranges], starts, frontiers, is_wanted)
        landed = {n.part_id for n in notes if n.state is PartState.COMMITTED}
        without_files = self._without_files(state, sorted(landed & set(then.restage))) if with_files else set()
        again = decisions.reread(then, notes, state.schema_id, state.spec_id, without_files, lacked)
        return then, united(again)

    def _without_files(self, state: TableState, part_ids: Sequence[int]) -> set[int]:
        """Parts some of whose files are gone."""
        if not part_ids:
            return set()
        files = self.log.files_of(part_ids)
        gone = set(self.tables.missing_files(state, [f for of_part in files.values() for f in of_part]))
        return {part_id for part_id, of_part in files.items() if any(f.path in gone for f in of_part)}

    def change(self, ledger: Ledger, config: Mapping[str, object] | None = None, **more: Any) -> Change:
        """As `bind.change`, under the pipeline file as it is now."""
        return change(self.pipeline.commit, ledger, config, **more)

    def redo(self) -> Redo:
        """What is read again because a table lacks it is read under today's file."""
        return self.redo_with(self.letters())

    def redo_with(self, letters: Coverage) -> Redo:
        """As above, with what dead-letter tables are known to hold."""
        return self._redo(self.pipeline.resolved(), self.pipeline.digest, letters)

    def redo_of(self, part: StagedPart) -> Redo:
        """What takes the place of a part is read under the configuration of the part."""
        return self._redo(self.log.config(part.config_digest), part.config_digest, self.letters())

    def _redo(self, config: Mapping[str, object], digest: str, letters: Coverage) -> Redo:
        return Redo(config, digest, self.pipeline.batch.max_records, letters, self.new_id, self.pipeline.feeds)

    @property
    def letter_tables(self) -> list[str]:
        """All that the pipeline ever had, today's first."""
        return list(dict.fromkeys([self.pipeline.dead_letter_table, *self.log.letter_tables(self.pipeline.name)]))

    def is_letters(self, table: str) -> bool:
        return table == self.pipeline.dead_letter_table or table in self.letter_tables

    def letters_by_table(self) -> dict[str, Coverage]:
        """What each dead-letter table holds that the pipeline ever had and that is there, today's first."""
        out = {}
        for name in self.letter_tables:
            with suppress(TableMissing):
                ledger = load(self.log, self.tables, self.pipeline.name, name).ledger
                out[name] = ledger.coverage if ledger else Coverage()
        return out

    def letters(self) -> Coverage:
        """What they hold together."""
        return joined(self.letters_by_table().values())
