"""Roll a table back to an earlier snapshot; removed ranges land again, are read again, or are left out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lakelock.errors import LedgerDetached, RollbackRefused, State
from lakelock.ingest.changed_records import Undone, changes_undone
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.kafka_losses import lost
from lakelock.ingest.outcome import listed
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.log_state import Following
from lakelock.model.offsets import OffsetRange, offsets_in, united, without
from lakelock.model.units import counted, shown
from lakelock.model.versions import PastVersion
from lakelock.ports import Broker, TableState
from lakelock.ports.edits import Restore
from lakelock.rollback import decision as decisions

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ApprovedRollback:
    """Generation and newest snapshot of the table at the approved preview."""

    generation: int
    version_id: int


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    """A preview: `ranges` leave the table, and `then` says what follows for them and for staged parts.

    * `commits` counts those of the pipeline, `foreign` the snapshots of other writers.
    * `rows` are removed, None if the summaries do not say.
    * `reread` must come from Kafka, `refill` then waits for a backfill.
    * `undone` are changes of records that return to their earlier state.
    * `kept` has the ranges without records that a routed table keeps; None if the table is not routed.
    """

    table: str
    shown: ApprovedRollback
    to: PastVersion
    mode: Mode
    commits: int
    foreign: int
    rows: int | None
    ranges: tuple[OffsetRange, ...]
    then: Following
    reread: tuple[OffsetRange, ...]
    refill: tuple[OffsetRange, ...]
    undone: Undone = field(default_factory=Undone)
    kept: tuple[OffsetRange, ...] | None = None

    @property
    def lines(self) -> list[str]:
        """The preview that a person approves."""
        gone = f"{counted(self.commits, 'commit')} of this pipeline" + (
            f" and {counted(self.foreign, 'snapshot')} of other writers" if self.foreign else ""
        )
        size = f"{counted(self.rows, 'row')}, " if self.rows is not None else ""
        # The total, not a difference, because files that compaction replaced come back.
        files = f", which has {counted(self.to.files, 'file')}" if self.to.files is not None else ""
        ranges, reread, requested, kept = map(united, (self.ranges, self.reread, self.refill, self.kept or ()))
        settings = "current pipeline file" if self.kept is None else "pipeline file that routed them"
        until = " until a backfill requests them" if self.kept is None else ""
        landing = len(self.then.restage)
        on_their_way = ", staged ones included" if landing else ""
        return [
            f"{self.table}: from snapshot {self.shown.version_id} back to {self.to.id} of "
            f"{shown(self.to.at_ms)}{files}",
            f"removes {gone}: {size}{counted(offsets_in(ranges), 'offset')}" + (f": {listed(ranges)}" if ranges else ""),
            "then: there is nothing to commit again" if not ranges else {
                Mode.RECOMMIT: "then: the next commit adds the same files again",
                Mode.REPLAY: f"then: read from Kafka again, with the {settings}",
                Mode.SKIP: f"then: left out{until}, and recorded as skipped; batches that are "
                "committed before you approve are removed, too, and committed again",
            }[self.mode],
            *([f"keeps {counted(offsets_in(kept), 'offset')} without records for the table: {listed(kept)}"] if kept else []),
            f"batches to commit again: {landing}{on_their_way}; offsets to read from Kafka again: {offsets_in(reread)}"
            + (f": {listed(reread)}" if reread else ""),
            *([f"requested again: {listed(requested)}; unless its files are committed again, the next run of a backfill reads it"]
              if requested else []),
            *self.undone.lines,
        ]  # fmt: skip


class _Drafted(NamedTuple):
    state: TableState
    after: Ledger
    planned: RollbackPlan


@dataclass(frozen=True, slots=True)
class Rollbacks:
    """Plans and performs rollbacks of one pipeline's tables, also while it runs."""

    context: PipelineContext
    broker: Broker
    pause: Callable[[float], None]

    def preview(self, table: str, to: str, mode: Mode) -> RollbackPlan:
        """Preview a rollback. Raises RollbackRefused if it or the work that follows is impossible."""
        state, ledger = self._loaded(table)
        return self._planned(state, ledger, to, mode, with_files=True)

    def roll_back(self, table: str, to: str, mode: Mode, who: str, why: str, shown: ApprovedRollback) -> int | None:
        """Commit the rollback to the table, then follow it in the log; the version's id, or None if it was done before.

        *to* must be an id, because other forms may name another version in a retry. Commits later than
        *shown* are removed too, and land or are read again. Raises RollbackRefused if another rollback came first.
        """
        context, commit_id = self.context, self.context.new_id()

        def draft() -> Land[_Drafted | None] | Done[_Drafted | None]:
            state, ledger = self._loaded(table)
            if ledger.generation != shown.generation:
                record = ledger.rollback
                wanted = Rollback(0, int(to), mode, who, why)
                if ledger.generation == shown.generation + 1 and record and decisions.same(record, wanted):
                    return Done(None)
                by = f" by {record.who} ({record.why})" if record else ""
                raise RollbackRefused(
                    f"table {table} was rolled back after the preview{by}.", State.NOTHING_CHANGED, "Preview again."
                )
            # The preview reported missing files. Here the table could move on while they are looked for.
            planned = self._planned(state, ledger, to, mode, with_files=False)
            at = context.tables.ledger_at(state, planned.to.id)
            seen = context.tables.ledger_at(state, shown.version_id)
            record = Rollback(planned.shown.version_id, planned.to.id, mode, who, why)
            shown_then = seen.coverage if seen else Coverage()
            after = decisions.rolled_back(
                ledger, at, record, commit_id, shown_then, planned.kept, self._backfilled(planned.kept)
            )
            # A killed attempt may have adopted the table without binding it. After the rollback its ledger counts as
            # used, and an unbound used table is refused, so it is bound here.
            uuid = None if ledger.is_used else state.uuid
            context.log.await_generation(context.pipeline.name, table, after.generation, uuid)
            return Land(
                state,
                context.change(after, Restore(planned.to.id)),
                _Drafted(state, after, planned),
            )

        done = until_landed(context.tables, table, draft, self.pause, *UNDONE)
        if done.result is not None:
            context.follow(done.result.state, done.result.after)
            # There may be more since the preview.
            for line in done.result.planned.undone.left:
                logger.warning("%s: %s", table, line)
        return done.version_id

    def shown_at(self, table: str, version_id: int) -> ApprovedRollback:
        """The approved state if *version_id* was the newest at the preview.

        Raises RollbackRefused if that snapshot has no ledger of the pipeline.
        """
        state, _ = self._loaded(table)
        ledger = self.context.tables.ledger_at(state, version_id)
        if ledger is None:
            raise RollbackRefused(
                f"table {table}: snapshot {version_id} is older than the pipeline's first commit.",
                State.NOTHING_CHANGED,
                "Preview again.",
            )
        return ApprovedRollback(ledger.generation, version_id)

    def _loaded(self, table: str) -> tuple[TableState, Ledger]:
        self._refuse_dead_letters(table)
        state, _ = self.context.followed(table)
        if state.ledger is None:
            raise LedgerDetached(
                f"table {table} carries no ledger of pipeline {self.context.pipeline.name!r}: it has nothing to roll "
                "back.",
                State.NOTHING_CHANGED,
            )
        return state, state.ledger

    def _refuse_dead_letters(self, table: str) -> None:
        if self.context.is_dead_letter_table(table):
            raise RollbackRefused(
                f"table {table} holds the dead letters of pipeline {self.context.pipeline.name!r}, so it cannot be "
                "rolled back: the other tables depend on it.",
                State.NOTHING_CHANGED,
                "Roll back the table that the records were for: its dead letters stay, and a redrive turns those that fit into "
                "rows.",
            )

    def _planned(self, state: TableState, ledger: Ledger, to: str, mode: Mode, *, with_files: bool) -> RollbackPlan:
        context, table, name = self.context, state.name, self.context.pipeline.name
        history = context.tables.history(state)
        target = decisions.choose(to, history, name, table)
        foreign = decisions.check_others(target, history, name, table)
        at = context.tables.ledger_at(state, target.id)
        record = Rollback(history[0].id, target.id, mode, "", "")
        kept = self._kept(state, target, at)
        after = decisions.rolled_back(
            ledger, at, record, ledger.commit_id, filled=kept, backfilled=self._backfilled(kept)
        )
        then, reread = context.foreseen(state, ledger.coverage, after, ledger.generation, with_files=with_files)
        self._check(table, then, reread)
        gone = history[: history.index(target)]
        out = tuple(without(decisions.taken_out(ledger.coverage, at.coverage if at else Coverage()), kept or ()))
        return RollbackPlan(
            table,
            ApprovedRollback(ledger.generation, history[0].id),
            target,
            mode,
            sum(s.pipeline == name and s.has_data for s in gone),
            foreign,
            _less(history[0].rows, target.rows),
            out,
            then,
            tuple(reread),
            tuple(after.coverage.requested),
            changes_undone(table, ledger, at, after, context.dead_letter_coverage),
            kept,
        )

    def _kept(self, state: TableState, target: PastVersion, at: Ledger | None) -> tuple[OffsetRange, ...] | None:
        """What a routed table keeps: offsets that were filled since *target*. None of them if a summary is gone since."""
        name, context = state.name, self.context
        if name not in context.routed([name]):
            # A log that was lost since the table was loaded knows no routed table.
            is_known = context.pipeline.route is None or context.log.bound_uuid(context.pipeline.name, name) is not None
            if not is_known and state.ledger is not None and state.ledger.is_used:
                raise RollbackRefused(
                    f"table {name}: the write-ahead log does not know the table any more: Postgres was lost or restored.",
                    State.NOTHING_CHANGED,
                    "Run `bin/lakelock recover FILE` to preview the rebuild.",
                )
            return None
        versions = self.context.tables.own_since(state, target.id)
        return tuple(decisions.filled_since(at.coverage if at else Coverage(), versions)) if versions else ()

    def _backfilled(self, kept: Sequence[OffsetRange] | None) -> list[OffsetRange]:
        """What backfills of all routed tables have requested; nothing for a table that is not routed: it has none *kept*."""
        registry = self.context.redo().registry if kept is not None else None
        return registry.backfilled if registry is not None else []

    def _check(self, table: str, then: Following, reread: Sequence[OffsetRange]) -> None:
        """Raise RollbackRefused if ranges that must be read again cannot be."""
        if then.left:
            raise RollbackRefused(
                f"table {table}: {listed(then.left)} must be read again, but the pipeline file no longer assigns it to "
                "this table.",
                State.NOTHING_CHANGED,
                "Put the table and the topic back into the file, or use mode recommit or skip.",
            )
        gone = lost(self.broker, reread)
        if gone:
            raise RollbackRefused(
                f"table {table}: {listed([g.wanted for g in gone])} must be read again, but Kafka {gone[0].now}.",
                State.NOTHING_CHANGED,
                "Use mode skip, or roll back to a later snapshot.",
            )


def _less(now: int | None, then: int | None) -> int | None:
    return None if now is None or then is None else now - then
