"""follow: table and log agree on the table's generation before anything else is decided about it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from lakelock.config import Pipeline
from lakelock.core.batch import is_target
from lakelock.core.coverage import Coverage
from lakelock.core.follow import Redo
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import offsets_in
from lakelock.errors import TableMissing
from lakelock.ports import Log, Tables, TableState
from lakelock.steps.bind import load

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Follower:
    """A pipeline's log and tables, and its file as it is today."""

    log: Log
    tables: Tables
    pipeline: Pipeline
    new_id: Callable[[], str]

    def followed(self, table: str) -> tuple[TableState, bool]:
        """The table as loaded now, and whether the log had to be brought up to it; the errors of `bind.load`."""
        state = load(self.log, self.tables, self.pipeline.name, table)
        ledger = state.ledger
        if ledger is None or ledger.generation <= self.log.generations(self.pipeline.name).get(table, 0):
            return state, False
        self.follow(state, ledger)
        return state, True

    def settle(self, table: str) -> None:
        """Looks at a table that somebody wanted to roll back, though nothing is staged for it."""
        if table in self.log.unsettled(self.pipeline.name):
            self.followed(table)

    def follow(self, state: TableState, ledger: Ledger) -> None:
        done = self.log.follow(self.pipeline.name, state.name, state.uuid, ledger, self.redo(state, ledger))
        if done is not None:
            logger.warning(
                "%s: rolled back to generation %s: %s batches land again, %s are given up, %s offsets are read from Kafka "
                "again",
                state.name,
                ledger.generation,
                len(done.restage),
                len(done.abort),
                offsets_in(done.redo),
            )

    def redo(self, state: TableState, ledger: Ledger) -> Redo:
        """What is read again is read under today's file, unless that no longer gives the table its topics."""
        config, digest = self.pipeline.resolved(), self.pipeline.digest
        if not self._taken_today(state.name, ledger.coverage):
            digest = ledger.config_digest
            config = dict(self.log.config(digest))
        return Redo(config, digest, self.pipeline.batch.max_records, self._letters(state, ledger), self.new_id)

    def _taken_today(self, table: str, coverage: Coverage) -> bool:
        of_table = [t for t in self.pipeline.tables if t.name == table]
        topics = {s.topic for s, held in coverage.items() if not is_target(s) and not held.retired}
        return all(any(self.pipeline.takes(t, topic) for t in of_table) for topic in topics)

    def _letters(self, state: TableState, ledger: Ledger) -> Coverage:
        if state.name == self.pipeline.dead_letter_table:
            return ledger.coverage
        try:
            letters = load(self.log, self.tables, self.pipeline.name, self.pipeline.dead_letter_table)
        except TableMissing:
            return Coverage()
        return letters.ledger.coverage if letters.ledger else Coverage()
