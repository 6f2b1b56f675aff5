"""rollback: a table goes back to an earlier snapshot, and what that takes out is landed again, read again, or left out."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from lakelock.core import rollback as decisions
from lakelock.core.batch import LIVE, of_target
from lakelock.core.coverage import Coverage
from lakelock.core.follow import Following, follow
from lakelock.core.ledger import Ledger, Mode, Rollback
from lakelock.core.offsets import OffsetRange, offsets_in
from lakelock.core.rollback import PastSnapshot
from lakelock.errors import CommitConflict, LedgerDetached, RollbackRefused
from lakelock.ports import Broker, Change, TableState
from lakelock.steps.commit import send
from lakelock.steps.follow import Follower
from lakelock.steps.outcome import listed
from lakelock.steps.plan import current_sources

logger = logging.getLogger(__name__)

ATTEMPTS = 12


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    """What would happen. `ranges` leave the table; what becomes of them, and of what is staged, is `then`.

    `commits` are the pipeline's, `foreign` snapshots other writers'. `rows` and `files` that go, where the summaries tell.
    """

    table: str
    from_snapshot_id: int
    to: PastSnapshot
    mode: Mode
    commits: int
    foreign: int
    rows: int | None
    files: int | None
    ranges: tuple[OffsetRange, ...]
    then: Following

    @property
    def lines(self) -> list[str]:
        """What a person reads before approving."""
        gone = f"{self.commits} commits of this pipeline" + (
            f" and {self.foreign} snapshots of other writers" if self.foreign else ""
        )
        size = f"{self.rows} rows, {self.files} files, " if self.rows is not None and self.files is not None else ""
        landing = len(self.then.restage)
        return [
            f"{self.table}: from snapshot {self.from_snapshot_id} back to {self.to.snapshot_id} of "
            f"{decisions.shown(self.to.timestamp_ms)}",
            f"taken out: {gone}: {size}{offsets_in(self.ranges)} offsets: {listed(self.ranges)}",
            {
                Mode.RECOMMIT: "then: the same files land again with the next commit",
                Mode.REPLAY: "then: read from Kafka again, under the pipeline file as it is now",
                Mode.SKIP: "then: left out for good, and recorded as skipped",
            }[self.mode],
            f"batches that land again: {landing}; offsets that are read from Kafka again: {offsets_in(self.then.redo)}"
            + (f": {listed(self.then.redo)}" if self.then.redo else ""),
        ]


@dataclass(frozen=True, slots=True)
class Rollbacks:
    """Plans and performs rollbacks of one pipeline's tables, also while it runs."""

    follower: Follower
    broker: Broker
    pause: Callable[[float], None]

    def plan(self, table: str, to: str, mode: Mode) -> RollbackPlan:
        """Changes nothing. Raises RollbackRefused where it cannot be, or what is to follow cannot be done."""
        state, ledger = self._loaded(table)
        return self._planned(state, ledger, to, mode)

    def roll_back(self, table: str, to: str, mode: Mode, who: str, why: str) -> tuple[RollbackPlan, int]:
        """One commit in the table, then one transaction in the log; what landed since the plan goes, too.

        Returns what was done and the snapshot id. *to* must be a snapshot id: other words would mean another place when
        this is tried again.
        """
        follower, commit_id = self.follower, self.follower.new_id()
        for attempt in range(ATTEMPTS):
            state, ledger = self._loaded(table)
            planned = self._planned(state, ledger, to, mode)
            record = Rollback(planned.from_snapshot_id, planned.to.snapshot_id, mode, who, why)
            at = follower.tables.ledger_at(state, planned.to.snapshot_id)
            after = decisions.rolled_back(ledger, at, record, commit_id, self._is_letters(table))
            follower.log.await_generation(follower.pipeline.name, table, after.generation)
            change = Change(after, None, onto_snapshot_id=planned.to.snapshot_id)
            snapshot_id = send(follower.tables, state, change, attempt, self.pause)
            if snapshot_id is not None:
                follower.follow(state, after)
                return planned, snapshot_id
        raise CommitConflict(
            f"table {table}: other writers moved it {ATTEMPTS} times in a row. It was not rolled back; try again."
        )

    def _loaded(self, table: str) -> tuple[TableState, Ledger]:
        state, _ = self.follower.followed(table)
        if state.ledger is None:
            raise LedgerDetached(
                f"table {table} carries no ledger of pipeline {self.follower.pipeline.name!r}: there is nothing of it to roll "
                "back. Nothing was changed."
            )
        return state, state.ledger

    def _is_letters(self, table: str) -> bool:
        return table == self.follower.pipeline.dead_letter_table

    def _planned(self, state: TableState, ledger: Ledger, to: str, mode: Mode) -> RollbackPlan:
        follower, table, name = self.follower, state.name, self.follower.pipeline.name
        history = follower.tables.history(state)
        target = decisions.choose(to, history, name, table)
        foreign = decisions.check_others(target, history, name, table)
        if self._is_letters(table) and mode is Mode.REPLAY:
            raise RollbackRefused(
                f"table {table} holds dead letters: they land again from their files (mode recommit), or stay out (skip). What "
                "has no files any more is read again by itself. Nothing was changed."
            )
        at = follower.tables.ledger_at(state, target.snapshot_id)
        record = Rollback(history[0].snapshot_id, target.snapshot_id, mode, "", "")
        after = decisions.rolled_back(ledger, at, record, ledger.commit_id, self._is_letters(table))
        log = follower.log
        starts = log.declared_starts(name, table)
        frontiers = {s.source: s.next_offset for s in log.streams(name, LIVE)}
        then = follow(log.notes(name, table), after, ledger.generation, starts, frontiers)
        self._check_kafka(table, then)
        gone = history[: history.index(target)]
        return RollbackPlan(
            table,
            history[0].snapshot_id,
            target,
            mode,
            sum(s.pipeline == name and s.has_data for s in gone),
            foreign,
            _less(history[0].rows, target.rows),
            _less(history[0].files, target.files),
            decisions.taken_out(ledger.coverage, at.coverage if at else Coverage()),
            then,
        )

    def _check_kafka(self, table: str, then: Following) -> None:
        """Refuses what would have to be read again and cannot be."""
        pipeline = self.follower.pipeline
        wanted = [OffsetRange(of_target(r.source)[1], r.start, r.end) for r in then.redo]
        if not wanted:
            return
        streams = self.follower.log.streams(pipeline.name, LIVE)
        sources = set(current_sources(pipeline, streams, self.broker))
        spans = self.broker.watermarks(sorted({r.source for r in wanted} & sources))
        lost = [r for r in wanted if r.source not in spans or r.start < spans[r.source].low_offset]
        if lost:
            held = {s: w.low_offset for s, w in spans.items()}
            first = lost[0]
            now = f"holds it from {held[first.source]} on" if first.source in held else "no longer has this topic"
            raise RollbackRefused(
                f"table {table}: {listed(lost)} would have to be read again, and Kafka cannot give that: it {now}. Nothing was "
                "changed. Take mode skip, or go back to a later snapshot."
            )


def _less(now: int | None, then: int | None) -> int | None:
    return None if now is None or then is None else now - then
